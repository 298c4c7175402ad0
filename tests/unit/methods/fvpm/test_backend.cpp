// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "unit/methods/fvpm/tank.h"
#include <algorithm>
#include <gtest/gtest.h>

// Runs of cases with finite volume particles: what steps keep, that neither threads nor stops nor a resume change a
// bit, still water, and what leaves.

using namespace sluice;
using namespace sluice::fvpm;
using namespace sluice::test;

namespace {

std::unique_ptr<Backend> backend_of(const FvpmRun& run, int threads = 2) {
    return backend_with(run, [threads](const FvpmConstants& c) {
        return make_cpu_solver(c, {threads, SearchKind::automatic});
    });
}

FvpmRun drops(int dimensions) { return make_drops(dimensions, 6); }

} // namespace

TEST(FvpmBackend, StepsKeepMassAndMomentum) {
    for (const int dimensions : {2, 3}) {
        const FvpmRun run = drops(dimensions);
        const auto backend = backend_of(run);
        const FluidSums before = fluid_sums(*backend, run.setup);
        const double first_mass = particles_of(backend->state(), run.setup).mass[0];
        steps(*backend, 200);
        const FluidSums after = fluid_sums(*backend, run.setup);
        const Particles p = particles_of(backend->state(), run.setup);
        EXPECT_NE(p.mass[0], first_mass); // they exchange some
        EXPECT_NEAR(after.mass, before.mass, 1e-12 * before.mass);
        EXPECT_NEAR(after.momentum.x, before.momentum.x, 1e-12 * before.mass);
        EXPECT_NEAR(after.momentum.z, before.momentum.z, 1e-12 * before.mass);
    }
}

TEST(FvpmBackend, ThreadsChangeNoBit) {
    for (const int dimensions : {2, 3}) {
        const FvpmRun run = make_tank(dimensions, 7, 6, 0.01);
        const auto one = backend_of(run, 1), three = backend_of(run, 3);
        steps(*one, 40);
        steps(*three, 40);
        EXPECT_EQ(one->state(), three->state());
    }
}

TEST(FvpmBackend, AStateGoesOnWithTheSameBits) {
    for (const FvpmRun& run : {make_tank(2, 9, 6, 0.01), drops(2), drops(3)}) {
        const auto whole = backend_of(run), part = backend_of(run);
        steps(*whole, 60);
        steps(*part, 25);
        const auto rest = backend_of({run.setup, part->state()});
        const AdvanceReport end = steps(*rest, 35);
        EXPECT_EQ(end.step, 60);
        EXPECT_EQ(whole->state(), rest->state());
    }
}

TEST(FvpmBackend, NeitherStopsNorLooksChangeABit) {
    const FvpmRun run = drops(2);
    const auto whole = backend_of(run), part = backend_of(run);
    const AdvanceReport end = steps(*whole, 30);
    AdvanceReport at;
    std::vector<Vec3f> acceleration;
    std::vector<float> density_rate;
    while (at.step < 30) {
        at = part->advance({0.3 * (end.time + at.time), 30 - at.step, at.step % 2 == 0 ? 1e9 : 1e-9});
        if (at.time >= 0.3 * (end.time + at.time)) at = steps(*part, 1);
        part->snapshot(state_fields)->get();
        part->next_time_step();
        part->rates(acceleration, density_rate);
    }
    EXPECT_EQ(whole->state(), part->state());
}

TEST(FvpmBackend, TellsTheNextTimeStepAndFallsFreely) {
    FvpmRun run = make_tank(2, 6, 6, 0.01, false);
    run.setup.constants.gravity = {0, 0, -9.81};
    const auto backend = backend_of(run);
    const double dt = backend->next_time_step();
    std::vector<Vec3f> acceleration;
    std::vector<float> density_rate;
    backend->rates(acceleration, density_rate);
    for (const Vec3f& a : acceleration) EXPECT_NEAR(a.z, -9.81, 1e-3);
    const AdvanceReport report = steps(*backend, 1);
    EXPECT_EQ(report.dt, dt);
    EXPECT_EQ(report.time, dt);
    EXPECT_EQ(report.particles, 36u);
    const Frame frame = backend->snapshot(state_fields)->get();
    EXPECT_NEAR(frame.velocity[0].z, -9.81 * dt, 1e-6);
    EXPECT_EQ(frame.pressure[0], 0);
    EXPECT_EQ(frame.position[0].y, run.setup.domain.min.y + run.state.position[0].y);
}

// Still water stays so: its surface does not fall, and its walls bear its weight.
TEST(FvpmBackend, WaterInATankIsStill) {
    constexpr int wide = 20, high = 20;
    constexpr double dp = 0.01;
    const FvpmRun run = make_tank(2, wide, high, dp);
    const auto backend = backend_of(run);
    backend->advance({0.5, 1'000'000, 1e9});
    const Frame frame = backend->snapshot(state_fields)->get();
    const std::size_t fluid = run.setup.groups.boundary_count();
    double highest = 0, fastest = 0, lowest_pressure = 0;
    int count = 0;
    for (std::size_t i = fluid; i < frame.size(); ++i) {
        highest = std::max(highest, frame.position[i].z);
        fastest = std::max(fastest, double(norm(frame.velocity[i])));
        const double depth = dp * (8 + high) - frame.position[i].z;
        if (depth > 0.85 * high * dp) {
            lowest_pressure += frame.pressure[i] / (9810 * depth);
            ++count;
        }
    }
    EXPECT_EQ(frame.size() - fluid, std::size_t(wide * high));
    EXPECT_NEAR(highest, dp * (8 + high - 0.5), 1.5 * dp);
    EXPECT_LT(fastest, 0.1 * std::sqrt(9.81 * high * dp));
    EXPECT_NEAR(lowest_pressure / count, 1, 0.05);
}

TEST(FvpmBackend, TakesOutWhatLeavesTheDomain) {
    FvpmRun run = drops(2);
    run.state.velocity[35] = {0, 0, 40};
    run.state.position[35] = {0.1, run.state.position[0].y, 0.2}; // alone
    const auto backend = backend_of(run), whole = backend_of(run);
    AdvanceReport report = steps(*backend, 0);
    while (report.particles == 36 && report.step < 2000) report = steps(*backend, 1);
    ASSERT_EQ(report.particles, 35u);
    const std::vector<ExcludedParticle> out = backend->take_excluded();
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(out[0].id, 35u);
    EXPECT_EQ(out[0].cause, sph::ExclusionCause::position);
    EXPECT_EQ(out[0].step, report.step - 1);
    EXPECT_GT(out[0].position.z, run.setup.domain.max.z);
    EXPECT_TRUE(backend->take_excluded().empty());
    const auto rest = backend_of({run.setup, backend->state()});
    steps(*rest, 10);
    steps(*whole, report.step + 10);
    EXPECT_EQ(whole->state(), rest->state());
}

TEST(FvpmBackend, RefusesDamagedStates) {
    const FvpmRun run = drops(2);
    ParticleState state = backend_of(run)->state();
    state.section.bytes.pop_back();
    EXPECT_THROW(backend_of({run.setup, state}), RunError);
    state = backend_of(run)->state();
    std::fill(state.section.bytes.begin(), state.section.bytes.end(), std::byte{0}); // no mass
    EXPECT_THROW(backend_of({run.setup, state}), RunError);
    FvpmRun outside = make_tank(2, 6, 6, 0.01);
    outside.state.position[0].x = -1;
    EXPECT_THROW(backend_of(outside), InputError);
}

TEST(FvpmBackend, SaysWhichFieldsItLacks) {
    const auto backend = backend_of(drops(2));
    EXPECT_THROW(backend->snapshot({Field::vorticity}), RunError);
}
