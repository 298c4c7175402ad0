// SPDX-License-Identifier: Apache-2.0
#include "scheme/time_step_choice.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice::sph;

TEST(TimeStep, IsTheSmallerOfTheForceAndTheSpeedLimit) {
    Constants c;
    c.h = 0.02;
    c.cfl = 0.2;
    EXPECT_NEAR(time_step(c, {100.0f * 100.0f, 1.0f}), 0.2 * std::sqrt(0.02 / 100), 1e-12);
    EXPECT_NEAR(time_step(c, {1.0f, 40.0f}), 0.2 * 0.02 / 40, 1e-12);
    EXPECT_NEAR(time_step(c, {0.0f, 40.0f}), 0.2 * 0.02 / 40, 1e-12);
}

TEST(TimeStep, NeverFallsBelowItsMinimumAndObeysAFixedOne) {
    Constants c;
    c.h = 0.02;
    c.dt_min = 1e-3;
    EXPECT_EQ(time_step(c, {1e12f, 400.0f}), 1e-3);
    c.dt_fixed = 5e-5;
    EXPECT_EQ(time_step(c, {1e12f, 400.0f}), 5e-5);
}

TEST(TimeStep, LaminarViscosityLimitsIt) {
    Constants c;
    c.h = 0.02;
    c.cfl = 0.2;
    c.integrator = Integrator::symplectic;
    c.nu = 0.5; // 0.125 h²/ν is as long as A.8
    EXPECT_NEAR(time_step(c, {1.0f, 40.0f}), 1e-4, 1e-15);
    c.nu = 1;
    EXPECT_NEAR(time_step(c, {1.0f, 40.0f}), 0.5e-4, 1e-15);
    c.viscosity = ViscosityModel::laminar_central; // waves of compression are damped three times as fast
    EXPECT_NEAR(time_step(c, {1.0f, 40.0f}), 0.5e-4 / 3, 1e-15);
    c.viscosity = ViscosityModel::laminar;
    c.dt_min = 0.8e-4; // does not make the run unstable
    EXPECT_NEAR(time_step(c, {1.0f, 40.0f}), 0.5e-4, 1e-15);
    c.integrator = Integrator::verlet;
    c.verlet_steps = 40;
    EXPECT_NEAR(time_step(c, {1.0f, 40.0f}), 0.5e-5, 1e-15);
    c.verlet_steps = 3;
    EXPECT_NEAR(time_step(c, {1.0f, 40.0f}), 0.5e-4, 1e-15);
    EXPECT_TRUE(has_blown_up(c, {0.0f, 0.0f})) << "no fluid limits the step";
}

// ¼ √(ρ̄ h³/(2πσ)) by hand: h 0.01 m, σ 0.5 N/m, ρ̄ 1000 kg/m³: ¼ √(1e-3/π)
TEST(TimeStep, CapillaryWavesLimitIt) {
    Constants c;
    c.h = 0.01;
    c.cfl = 0.2;
    EXPECT_NEAR(tension_time_step(c.h, 0.5 / 1000), 0.0044603103, 1e-10);
    const double slow = 0.2 * 0.01 / 0.1, fast = 0.2 * 0.01 / 10; // by the speed
    EXPECT_NEAR(time_step(c, {0, 0.1f, 0, 5e-4f}), 0.0044603103, 1e-9);
    EXPECT_NEAR(time_step(c, {0, 0.1f, 0, 0}), slow, 1e-9);
    EXPECT_NEAR(time_step(c, {0, 10, 0, 5e-4f}), fast, 1e-9);
}

TEST(TimeStep, ShowsABlownUpRun) {
    EXPECT_FALSE(std::isfinite(courant_time_step(0.2, 0.02, {1.0f, NAN})));
    EXPECT_EQ(courant_time_step(0.2, 0.02, {INFINITY, 1.0f}), 0);
    Constants c;
    c.h = 0.02;
    c.dt_min = 1e-6;
    EXPECT_TRUE(std::isnan(time_step(c, {1.0f, NAN})));
}

namespace {

Constants calm() {
    Constants c;
    c.h = 0.02;
    c.cfl = 0.2;
    c.dt_min = 1e-6;
    return c;
}
constexpr TimeStepLimits usual{1.0f, 40.0f}; // A.8: 0.1 ms

} // namespace

// Of a generalised Newtonian fluid the greatest viscosity of the moment counts, not the greatest that it can have.
TEST(TimeStepChoice, FollowsTheApparentViscosity) {
    Constants c = calm();
    c.integrator = Integrator::symplectic;
    c.viscosity = ViscosityModel::apparent;
    c.nu = 1e6;
    EXPECT_NEAR(choose_time_step(c, {1.0f, 40.0f, 0.1f}, 1, 0).dt, 1e-4, 1e-15);
    EXPECT_NEAR(choose_time_step(c, {1.0f, 40.0f, 2.0f}, 1, 0).dt, 0.125 * 4e-4 / 2, 1e-12);
}

TEST(TimeStepChoice, KeepsTheBoundsOfTheCase) {
    Constants c = calm();
    EXPECT_NEAR(choose_time_step(c, usual, 0, 0).dt, 1e-4, 1e-15);
    c.dt_initial = 3e-5;
    EXPECT_EQ(choose_time_step(c, usual, 0, 0).dt, 3e-5);
    EXPECT_NEAR(choose_time_step(c, usual, 1, 0).dt, 1e-4, 1e-15);
    c.dt_initial = 1;
    EXPECT_NEAR(choose_time_step(c, usual, 0, 0).dt, 1e-4, 1e-15);
    EXPECT_NEAR(choose_time_step(c, usual, 1, 2e-5).dt, 1e-4, 1e-15) << "Verlet has no corrector";
    c.integrator = Integrator::symplectic;
    EXPECT_EQ(choose_time_step(c, usual, 1, 2e-5).dt, 2e-5);
    EXPECT_NEAR(choose_time_step(c, usual, 1, 2).dt, 1e-4, 1e-15);
}

TEST(TimeStepChoice, TellsWhereTheSmallestTimeStepIsLarger) {
    Constants c = calm();
    EXPECT_FALSE(choose_time_step(c, usual, 0, 0).raised);
    c.dt_min = 2e-4;
    EXPECT_TRUE(choose_time_step(c, usual, 0, 0).raised);
    EXPECT_EQ(choose_time_step(c, usual, 0, 0).dt, 2e-4);
}

TEST(TimeStepChoice, OfAFixedTimeStepKnowsNoBounds) {
    Constants c = calm();
    c.integrator = Integrator::symplectic;
    c.dt_fixed = 5e-4;
    c.dt_initial = 3e-5;
    c.dt_min = 2e-3;
    const TimeStepChoice choice = choose_time_step(c, usual, 0, 2e-5);
    EXPECT_EQ(choice.dt, 5e-4);
    EXPECT_FALSE(choice.raised);
    EXPECT_FALSE(choice.blown_up);
}

TEST(TimeStepChoice, SeesABlowUpWhateverTheCaseFixes) {
    for (const double dt_fixed : {0.0, 1e-5}) {
        Constants c = calm();
        c.dt_fixed = dt_fixed;
        EXPECT_FALSE(choose_time_step(c, usual, 1, 0).blown_up);
        for (const TimeStepLimits& limits :
             {TimeStepLimits{1, NAN}, TimeStepLimits{INFINITY, 1}, TimeStepLimits{1, INFINITY},
              TimeStepLimits{NAN, INFINITY}, TimeStepLimits{0, 0}})
            EXPECT_TRUE(choose_time_step(c, limits, 1, 0).blown_up) << limits.force2 << " " << limits.speed;
    }
}
