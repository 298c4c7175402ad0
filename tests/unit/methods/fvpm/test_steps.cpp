// SPDX-License-Identifier: Apache-2.0
#include "methods/fvpm/cpu_passes.h"
#include "methods/fvpm/solver.h"
#include "methods/fvpm/step.h"
#include "unit/methods/fvpm/drops.h"
#include "unit/methods/fvpm/oracle.h"
#include <cmath>
#include <gtest/gtest.h>

namespace sluice::fvpm {
namespace {

using namespace test;

Particles after(const FvpmConstants& c, const Particles& p, const CpuSolverOptions& options, int steps) {
    const std::unique_ptr<Solver> solver = make_cpu_solver(c, options);
    return test::after(*solver, p, steps);
}

TEST(FvpmSteps, AreThoseOfTheOracle) {
    for (const int dimensions : {2, 3}) {
        const Particles p = drop_of_all_kinds(dimensions == 3 ? 6 : 12, dimensions);
        for (const bool free_surface : {true, false}) {
            FvpmConstants c = drop_constants(dimensions);
            c.free_surface = free_surface;
            c.gravity = {0, 0, -9.81};
            test::OraclePasses oracle(c, p);
            for (int n = 0; n < 5; ++n) take_step(oracle, 1e9);
            for (const SearchKind search : {SearchKind::cells, SearchKind::octree}) {
                SCOPED_TRACE(testing::Message() << dimensions << " " << free_surface << " " << int(search));
                expect_near(after(c, p, {2, search}, 5), oracle.particles(), 1e-11);
            }
        }
    }
}

TEST(FvpmSteps, KeepMassAndMomentum) {
    FvpmConstants c = drop_constants();
    const Particles p = drop(7, 3);
    const Totals before = totals(p), now = totals(after(c, p, {}, 30));
    EXPECT_NEAR(now.mass / before.mass, 1, 1e-12);
    EXPECT_LT(norm(now.momentum - before.momentum), 1e-12 * before.mass); // speeds of about 1 m/s
}

TEST(FvpmSteps, InAClosedBoxMassStaysAndWallsTakeTheMomentum) {
    FvpmConstants c = drop_constants();
    c.free_surface = false;
    constexpr int n = 8;
    Particles p = drop(n, 3, 0.02);
    std::vector<bool> inside(p.size());
    for (const std::size_t i : test::inner_places(n, 2)) inside[i] = true;
    for (std::size_t i = 0; i < p.size(); ++i)
        if (!inside[i]) {
            p.kind[i] = Kind::wall;
            p.velocity[i] = {};
        }
    const auto fluid = [](const Particles& all) {
        Totals t;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all.kind[i] == Kind::wall) continue;
            t.mass += all.mass[i];
            t.momentum = t.momentum + all.mass[i] * all.velocity[i];
        }
        return t;
    };
    CpuPasses passes(c, {});
    passes.set_particles(p);
    const Totals before = fluid(p);
    Vec3d taken;
    for (int step = 0; step < 30; ++step) {
        take_step(passes, 1e9);
        for (std::size_t i = 0; i < p.size(); ++i)
            if (passes.particles().kind[i] == Kind::wall) taken = taken + passes.time_step() * passes.forces()[i];
    }
    const Totals now = fluid(passes.particles());
    EXPECT_NEAR(now.mass / before.mass, 1, 1e-12);
    EXPECT_LT(norm(now.momentum + taken - before.momentum), 1e-12 * before.mass);
    EXPECT_GT(norm(taken), 1e-3 * before.mass);
}

TEST(FvpmSteps, PairsExchangeTheSameBits) {
    FvpmConstants c = drop_constants();
    c.free_surface = false; // volumes are those of the equation alone
    CpuPasses passes(c, {});
    Particles two = lattice(1, 1, 0);
    two.position.push_back({0.9, 0.3, -0.4});
    two.radius.push_back(1);
    two.velocity = {{0.3, 0.1, 0}, {-0.2, 0, 0.7}};
    two.volume = exact_volumes(two, all_pairs(two), 3);
    two.mass = {1001 * two.volume[0], 999 * two.volume[1]};
    two.id = {0, 1};
    two.kind = {Kind::fluid, Kind::fluid};
    passes.set_particles(two);
    take_step(passes, 1e9);
    EXPECT_EQ(passes.forces()[0], -1.0 * passes.forces()[1]);
    EXPECT_GT(norm(passes.forces()[0]), 1);
}

TEST(FvpmSteps, DoNotDependOnTheNumberOfThreads) {
    const Particles p = drop(6, 3);
    const Particles one = after(drop_constants(), p, {1, SearchKind::cells}, 4),
                    three = after(drop_constants(), p, {3, SearchKind::cells}, 4);
    EXPECT_EQ(one.position, three.position);
    EXPECT_EQ(one.velocity, three.velocity);
    EXPECT_EQ(one.volume, three.volume);
    EXPECT_EQ(one.mass, three.mass);
}

TEST(FvpmSteps, FollowTheExactVolumes) {
    FvpmConstants c = drop_constants();
    c.correction = 0.3;
    const auto error_after = [&](double cfl) {
        FvpmConstants settings = c;
        settings.cfl = cfl;
        const std::unique_ptr<Solver> s = make_cpu_solver(settings);
        s->set_particles(drop(5, 3));
        s->advance(0.1, 1000);
        const Particles p = s->particles();
        const std::vector<double> exact = exact_volumes(p, all_pairs(p), 3);
        double worst = 0;
        for (std::size_t i = 0; i < p.size(); ++i) worst = std::max(worst, std::abs(p.volume[i] - exact[i]));
        return worst;
    };
    const double coarse = error_after(0.4), fine = error_after(0.1);
    EXPECT_LT(coarse, 1e-3);
    EXPECT_LT(fine, coarse / 8); // the second order would be 16
}

TEST(FvpmSteps, CarryAUniformFlowUnchanged) {
    FvpmConstants c = drop_constants();
    c.free_surface = false;
    Particles p = lattice(5, 1, 0.1);
    p.volume = exact_volumes(p, all_pairs(p), 3);
    for (std::size_t i = 0; i < p.size(); ++i) p.mass[i] = 1000 * p.volume[i];
    p.velocity.assign(p.size(), {1, -2, 0.5});
    c.correction = 0;
    const std::unique_ptr<Solver> solver = make_cpu_solver(c);
    solver->set_particles(p);
    solver->advance(1e9, 10);
    const Particles now = by_id(solver->particles());
    const double time = solver->time();
    for (std::size_t i = 0; i < p.size(); ++i) {
        EXPECT_NEAR(norm(now.velocity[i] - p.velocity[i]), 0, 1e-12);
        EXPECT_NEAR(norm(now.position[i] - p.position[i] - time * p.velocity[i]), 0, 1e-12);
        EXPECT_NEAR(now.volume[i], p.volume[i], 1e-12);
    }
}

TEST(FvpmSteps, EndAtTheTimeAskedFor) {
    const std::unique_ptr<Solver> solver = make_cpu_solver(drop_constants());
    solver->set_particles(drop(3, 3));
    solver->advance(0.1, 1000);
    EXPECT_EQ(solver->time(), 0.1);
    EXPECT_GT(solver->steps(), 3);
}

TEST(FvpmSteps, LevelThePressureOfACoveredParticle) {
    // the middle one is compressed: it expands, and its mass leaves for the others
    FvpmConstants c = drop_constants();
    Particles p = lattice(5, 1, 0);
    p.volume = exact_volumes(p, all_pairs(p), 3);
    for (std::size_t i = 0; i < p.size(); ++i) p.mass[i] = 1000 * p.volume[i];
    const std::size_t middle = 62;
    p.mass[middle] *= 1.01;
    const Particles now = after(c, p, {}, 2);
    EXPECT_LT(now.mass[middle] / now.volume[middle], 1008);
    EXPECT_LT(now.mass[middle], p.mass[middle] - 0.1);
    EXPECT_GT(now.velocity[middle + 1].x, 0); // the neighbours are pushed away
}

} // namespace
} // namespace sluice::fvpm
