// SPDX-License-Identifier: Apache-2.0
#include "cuda/fvpm/gpu_solver.h"
#include "cuda/fvpm/gradient_ladder.h"
#include "gpu/require_gpu.h"
#include "methods/fvpm/cpu_passes.h"
#include "methods/fvpm/jet.h"
#include "methods/fvpm/step.h"
#include "unit/methods/fvpm/drops.h"
#include <cmath>
#include <gtest/gtest.h>

namespace sluice::fvpm {
namespace {

class GpuFvpm : public GpuTest {};

using namespace test;

FvpmConstants falling(int dimensions) {
    FvpmConstants c = drop_constants(dimensions);
    c.gravity = {0, 0, -9.81};
    return c;
}

TEST_F(GpuFvpm, StepsAreThoseOfTheCpu) {
    for (const int dimensions : {2, 3})
        for (const double radius : {0.9, 1.0, 1.1, 1.4}) { // rows of one, two and four chunks of lanes
            SCOPED_TRACE(testing::Message() << dimensions << " " << radius);
            const Particles p = drop_of_all_kinds(dimensions == 3 ? 8 : 20, dimensions, radius);
            const std::unique_ptr<Solver> cpu = make_cpu_solver(falling(dimensions));
            const std::unique_ptr<Solver> gpu = cuda::make_fvpm_solver(falling(dimensions));
            expect_near(after(*cpu, p, 5), after(*gpu, p, 5), 1e-11);
            EXPECT_NEAR(cpu->time(), gpu->time(), 1e-12);
        }
}

TEST_F(GpuFvpm, KeepsMassAndMomentum) {
    const Particles p = drop(10, 3);
    const std::unique_ptr<Solver> gpu = cuda::make_fvpm_solver(drop_constants(3));
    const Totals before = totals(p), now = totals(after(*gpu, p, 50));
    EXPECT_NEAR(now.mass / before.mass, 1, 1e-12);
    EXPECT_LT(norm(now.momentum - before.momentum), 1e-12 * before.mass);
}

TEST_F(GpuFvpm, RepeatsItsBits) {
    const Particles p = drop_of_all_kinds(9, 3);
    const auto run = [&] {
        const std::unique_ptr<Solver> gpu = cuda::make_fvpm_solver(falling(3));
        gpu->set_particles(p);
        gpu->advance(1e9, 10);
        return gpu->particles();
    };
    const Particles first = run(), now = run();
    EXPECT_EQ(first.position, now.position);
    EXPECT_EQ(first.velocity, now.velocity);
    EXPECT_EQ(first.mass, now.mass);
    EXPECT_EQ(first.volume, now.volume);
}

TEST_F(GpuFvpm, LevelsOfTheLadderAgree) {
    CpuPasses passes(falling(3), {});
    passes.set_particles(drop_of_all_kinds(9, 3));
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
