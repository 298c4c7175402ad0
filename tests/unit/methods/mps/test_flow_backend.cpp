// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "unit/methods/mps/tank.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::mps;

TEST(MpsBackend, KeepsTheMomentumOfWaterInTheAir) {
    Tank tank;
    tank.has_walls = tank.has_gravity = false;
    tank.nu = 0.01;
    tank.fill();
    Vec3d before;
    for (std::size_t i = 0; i < tank.state.size(); ++i) {
        const auto x = float(tank.state.position[i].x - 1.5), z = float(tank.state.position[i].z - 1.5);
        tank.state.velocity[i] = {0.3f + x * z - x, 0, 0.1f + 2 * x}; // stretched, pressed together and turned
        before = before + vec_cast<double>(tank.state.velocity[i]);
    }
    const auto backend = backend_of(tank);
    ASSERT_GT(backend->advance(until(0.1)).step, 100);
    const std::unique_ptr<PendingFrame> frame = backend->snapshot(state_fields);
    Vec3d after;
    float pressure = 0;
    const Frame now = frame->get();
    for (std::size_t i = 0; i < now.size(); ++i) {
        after = after + vec_cast<double>(now.velocity[i]);
        pressure = std::max(pressure, now.pressure[i]);
    }
    EXPECT_GT(pressure, 1);
    EXPECT_LT(norm(after - before), 1e-6 * norm(before) * double(now.size())); // frames have single precision
}

TEST(MpsBackend, WaterAtRestStaysSo) {
    Tank tank;
    tank.nu = 1e-3;
    tank.fill();
    const auto backend = backend_of(tank);
    backend->advance(until(1));
    const Frame frame = backend->snapshot(state_fields)->get();
    double speed2 = 0, error2 = 0;
    const std::size_t fluid = frame.size() - tank.walls();
    for (std::size_t i = tank.walls(); i < frame.size(); ++i) {
        speed2 += double(dot(frame.velocity[i], frame.velocity[i])) / double(fluid);
        const double still = 9810 * (tank.depth + tank.dp / 2 - frame.position[i].z);
        error2 += std::pow(frame.pressure[i] - still, 2) / double(fluid);
    }
    EXPECT_LT(std::sqrt(speed2), 0.03 * std::sqrt(9.81 * tank.depth));
    EXPECT_LT(std::sqrt(error2), 0.06 * 9810 * tank.depth);
    EXPECT_NEAR(frame.pressure[5], 9810 * (tank.depth + tank.dp / 2), 0.1 * 9810) << "the floor";
    EXPECT_TRUE(backend->take_excluded().empty());
}

TEST(MpsBackend, ADropFallsFreely) {
    Tank tank;
    tank.has_walls = false;
    tank.depth = 0.2;
    tank.width = 0.3;
    tank.fill();
    tank.setup.domain.min.z = -10;
    const auto backend = backend_of(tank);
    double before = 0, after = 0;
    for (const Vec3d& p : tank.state.position) before += p.z;
    const AdvanceReport report = backend->advance(until(0.3));
    const ParticleState state = backend->state();
    for (const Vec3d& p : state.position) after += p.z;
    const double fallen = (before - after) / double(state.size());
    EXPECT_NEAR(fallen, 0.5 * 9.81 * report.time * report.time, 2e-3); // kicks before drifts: g t Δt/2 more
}

TEST(MpsBackend, GoesOnWithTheSameBits) {
    const Tank tank = dam();
    const auto whole = backend_of(tank), first = backend_of(tank);
    whole->advance(until(1, 60));
    first->advance(until(1, 23));
    const auto second = make_backend(tank.setup, processor(2));
    ParticleState between = first->state();
    second->set_state(between);
    second->advance(until(1, 37));
    EXPECT_TRUE(whole->state() == second->state());
    between.section.bytes.pop_back();
    EXPECT_THROW(second->set_state(between), RunError);
    between.section = {}; // of another backend: the same but for rounding
    second->set_state(between);
    second->advance(until(1, 37));
    const ParticleState a = whole->state(), b = second->state();
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(norm(a.position[i] - b.position[i]), 1e-5);
}

TEST(MpsBackend, ThreadsChangeNothing) {
    const Tank tank = dam();
    const auto one = backend_of(tank, 1), three = backend_of(tank, 3);
    for (const auto& backend : {one.get(), three.get()}) backend->advance(until(1, 80));
    EXPECT_TRUE(one->state() == three->state());
}

TEST(MpsBackend, TakesOutWhatLeaves) {
    Tank tank = dam();
    tank.setup.domain.max.z = 0.78; // the surface of the water is at 1 m
    const auto backend = backend_of(tank);
    const AdvanceReport report = backend->advance(until(1, 1));
    const std::vector<ExcludedParticle> gone = backend->take_excluded();
    ASSERT_EQ(gone.size(), 5u * 9u); // rows at 0.8, …, 1 m
    EXPECT_EQ(report.particles + gone.size(), tank.state.size());
    for (const ExcludedParticle& one : gone) {
        EXPECT_EQ(one.cause, sph::ExclusionCause::position);
        EXPECT_GE(one.position.z, 0.79);
    }
    EXPECT_NO_THROW(backend->advance(until(1, 3)));
}

TEST(MpsBackend, ARunThatHasBlownUpEndsWithItsOutcome) {
    Tank tank = dam();
    tank.setup.constants.rho_out_min = 0;
    tank.state.velocity.back().x = std::nanf("");
    const auto backend = backend_of(tank);
    try {
        backend->advance(until(1, 5));
        FAIL() << "it has gone on";
    } catch (const RunError& error) {
        EXPECT_EQ(error.outcome(), Outcome::blown_up);
    }
}
