// SPDX-License-Identifier: Apache-2.0
#include "cuda/fvpm/gpu_solver.h"
#include "cuda/fvpm/gradient_ladder.h"
#include "gpu/require_gpu.h"
#include "methods/fvpm/cpu_passes.h"
#include "methods/fvpm/jet.h"
#include "methods/fvpm/step.h"
#include "methods/fvpm/volumes.h"
#include "unit/methods/fvpm/spheres.h"
#include <cmath>
#include <gtest/gtest.h>

namespace sluice::fvpm {
namespace {

class GpuFvpm : public GpuTest {};

FvpmConstants constants(int dimensions) {
    FvpmConstants c;
    c.dimensions = dimensions;
    c.sound_speed = 20;
    c.viscosity = 0.3;
    c.gravity = {0, 0, -9.81};
    return c;
}

Particles swirl(int n, int dimensions, double radius) {
    Particles p = test::lattice(n, radius, 0.1, dimensions);
    p.volume = exact_volumes(p, all_pairs(p), dimensions);
    for (std::size_t i = 0; i < p.size(); ++i) {
        p.mass[i] = 1000 * p.volume[i] * (1 + 0.003 * std::sin(5.0 * double(i)));
        p.velocity[i] = {std::sin(p.position[i].z), dimensions == 3 ? std::cos(p.position[i].x) : 0, 0.5};
        if (i % 7 == 0) p.kind[i] = i % 2 == 0 ? Kind::wall : Kind::inlet;
    }
    return p;
}

Particles sorted_by_id(const Particles& p) {
    std::vector<std::uint32_t> places(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) places[p.id[i]] = static_cast<std::uint32_t>(i);
    return reordered(p, places);
}

TEST_F(GpuFvpm, StepsAreThoseOfTheCpu) {
    for (const int dimensions : {2, 3})
        for (const double radius : {0.9, 1.0, 1.1, 1.4}) { // rows of one, two and four chunks of lanes
            SCOPED_TRACE(testing::Message() << dimensions << " " << radius);
            const Particles p = swirl(dimensions == 3 ? 8 : 20, dimensions, radius);
            const std::unique_ptr<Solver> cpu = make_cpu_solver(constants(dimensions));
            const std::unique_ptr<Solver> gpu = cuda::make_fvpm_solver(constants(dimensions));
            for (Solver* solver : {cpu.get(), gpu.get()}) {
                solver->set_particles(p);
                solver->advance(1e9, 5);
            }
            EXPECT_NEAR(cpu->time(), gpu->time(), 1e-12);
            const Particles a = sorted_by_id(cpu->particles()), b = sorted_by_id(gpu->particles());
            for (std::size_t i = 0; i < p.size(); ++i) {
                ASSERT_NEAR(norm(a.position[i] - b.position[i]), 0, 1e-11) << i;
                ASSERT_NEAR(norm(a.velocity[i] - b.velocity[i]), 0, 1e-11) << i;
                ASSERT_NEAR(a.mass[i], b.mass[i], 1e-8) << i;
                ASSERT_NEAR(a.volume[i], b.volume[i], 1e-11) << i;
            }
        }
}

TEST_F(GpuFvpm, KeepsMassAndMomentum) {
    Particles p = swirl(10, 3, 1);
    p.kind.assign(p.size(), Kind::fluid);
    FvpmConstants c = constants(3);
    c.gravity = {};
    const std::unique_ptr<Solver> gpu = cuda::make_fvpm_solver(c);
    gpu->set_particles(p);
    gpu->advance(1e9, 50);
    const Particles now = gpu->particles();
    double mass = 0, mass_before = 0;
    Vec3d momentum, momentum_before;
    for (std::size_t i = 0; i < p.size(); ++i) {
        mass_before += p.mass[i];
        momentum_before = momentum_before + p.mass[i] * p.velocity[i];
        mass += now.mass[i];
        momentum = momentum + now.mass[i] * now.velocity[i];
    }
    EXPECT_NEAR(mass / mass_before, 1, 1e-12);
    EXPECT_LT(norm(momentum - momentum_before), 1e-12 * mass_before);
}

TEST_F(GpuFvpm, RepeatsItsBits) {
    const Particles p = swirl(9, 3, 1);
    Particles first;
    for (int n = 0; n < 2; ++n) {
        const std::unique_ptr<Solver> gpu = cuda::make_fvpm_solver(constants(3));
        gpu->set_particles(p);
        gpu->advance(1e9, 10);
        const Particles now = gpu->particles();
        if (n == 0)
            first = now;
        else {
            EXPECT_EQ(first.position, now.position);
            EXPECT_EQ(first.velocity, now.velocity);
            EXPECT_EQ(first.mass, now.mass);
            EXPECT_EQ(first.volume, now.volume);
        }
    }
}

TEST_F(GpuFvpm, LevelsOfTheLadderAgree) {
    CpuPasses passes(constants(3), {});
    passes.set_particles(swirl(9, 3, 1));
    take_step(passes, 1e9);
    const NeighbourRows& rows = passes.rows();
    std::vector<Vec3d> delta(rows.neighbour.size());
    for (std::size_t e = 0; e < delta.size(); ++e) delta[e] = passes.vectors()[e] - passes.vectors()[rows.mate[e]];
    std::vector<double> pressure;
    for (const Vec3d& x : passes.particles().position) pressure.push_back(x.x + 2 * x.y - x.z);
    const auto levels =
        cuda::run_gradient_ladder({rows.first, rows.neighbour, delta, pressure, passes.particles().volume}, 1);
    EXPECT_EQ(levels.size(), 6u);
    for (const cuda::GradientLevel& level : levels)
        for (std::size_t i = 0; i < pressure.size(); ++i) {
            Vec3d expected;
            for (std::uint32_t e = rows.first[i]; e < rows.first[i + 1]; ++e)
                expected =
                    expected +
                    (0.5 * (pressure[i] + pressure[rows.neighbour[e]]) / passes.particles().volume[i]) * delta[e];
            ASSERT_NEAR(norm(level.gradients[i] - expected), 0, 1e-10) << level.name;
        }
}

// Alimirzazadeh et al. (2018), section IV: C_p on the axis 1, force ρ A U² = 277.4 N.
TEST_F(GpuFvpm, RoundJetOnAPlate) {
    JetSettings s;
    s.dimensions = 3;
    s.across = 24;
    s.gravity = 9.81;
    const JetResult jet = run_jet(s, [](const FvpmConstants& c) { return cuda::make_fvpm_solver(c); });
    EXPECT_NEAR(jet.momentum, 277.4, 0.1);
    RecordProperty("particles", std::to_string(jet.particles));
    RecordProperty("force", std::to_string(jet.force));
    RecordProperty("pressure", std::to_string(mean_pressure(jet, 0, 0.1)));
    EXPECT_NEAR(jet.force / jet.momentum, 1, 0.02);
    EXPECT_NEAR(mean_pressure(jet, 0, 0.1), 1, 0.03);
    EXPECT_LT(mean_pressure(jet, 2, 2.6), 0.02);
}

TEST_F(GpuFvpm, PlaneJetOnAPlate) {
    JetSettings s;
    s.speed = 20;
    s.across = 40;
    s.end = 0.03;
    s.average_from = 0.015;
    const JetResult jet = run_jet(s, [](const FvpmConstants& c) { return cuda::make_fvpm_solver(c); });
    EXPECT_NEAR(jet.force / jet.momentum, 1, 0.02);
    EXPECT_NEAR(mean_pressure(jet, 0, 0.1), 1, 0.03);
    EXPECT_LT(plane_jet_error(jet, 3), 0.03);
}

} // namespace
} // namespace sluice::fvpm
