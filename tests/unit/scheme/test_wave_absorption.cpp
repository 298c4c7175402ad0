// SPDX-License-Identifier: Apache-2.0
#include "scheme/absorption_step.h"
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace sluice;

namespace {

/// A piston that is made to move at 0.3 m/s and to find 0.02 m of elevation before it.
struct Piston {
    WaveAbsorber absorber;
    std::vector<MotionSample> samples{
        {0, {}, {0.3, 0, 0}}, {10, {3, 0, 0}, {0.3, 0, 0}}, {0, {0.02, 0, 0}, {}}, {10, {0.02, 0, 0}, {}}};

    Piston() {
        absorber.front = 1;
        absorber.gauge_x = 0.1;
        absorber.low = 0.2;
        absorber.height = 1;
        absorber.spacing = 0.01;
        absorber.still = 0.7;
        absorber.response = 5;
        absorber.start = 1;
        absorber.end = 8;
        absorber.motion_count = absorber.elevation_count = absorber.first_elevation = 2;
    }
    /// `elevation`: at the gauge.
    AbsorberState next(const AbsorberState& before, double elevation, double time) const {
        return absorbed(absorber, samples.data(), before, absorber.still + elevation - absorber.low, time);
    }
};

} // namespace

TEST(WaveAbsorption, FollowsTheDifferenceOfTheElevations) {
    const Piston piston;
    AbsorberState state = piston.next({}, 0.02, 2);
    EXPECT_NEAR(state.velocity, 0, 1e-14); // its own waves and no others
    EXPECT_NEAR(state.expected, 0.02, 1e-15);
    state = piston.next(state, 0.05, 2.5);
    EXPECT_NEAR(state.velocity, -5 * 0.03, 1e-14); // gives way
    EXPECT_NEAR(state.offset, 0, 1e-15);
    EXPECT_NEAR(state.surface, 0.75, 1e-15);
    state = piston.next(state, 0.01, 2.6);
    EXPECT_NEAR(state.offset, -0.015, 1e-14); // 0.1 s of that
    EXPECT_NEAR(state.velocity, 5 * 0.01, 1e-14);
    EXPECT_NEAR(gauge_foot(piston.absorber, piston.samples.data(), state, 2.8).x, 1.1 + 0.84 - 0.015 + 0.01, 1e-14);
    state = absorbed(piston.absorber, piston.samples.data(), state, -1, 2.7); // no surface
    EXPECT_NEAR(state.velocity, 0, 1e-14);
    EXPECT_LT(state.surface, 0);
}

/// The gauge moves with the piston: by 0.6 m for its waves at 2 s, and by the 0.05 m that it is off them.
TEST(WaveAbsorption, ExpectsItsWavesWhereTheGaugeIs) {
    Piston piston;
    for (int i : {2, 3}) piston.samples[std::size_t(i)].value = {0.02, 0.1, -0.4}; // η, ∂η/∂x, ∂²η/∂x²
    AbsorberState state;
    state.time = 2;
    state.offset = 0.05;
    state = piston.next(state, 0.03, 2);
    EXPECT_NEAR(state.expected, 0.02 + 0.65 * 0.1 - 0.4 * 0.65 * 0.65 / 2, 1e-14); // 0.0005
    EXPECT_NEAR(state.velocity, 5 * (0.0005 - 0.03), 1e-14);
}

TEST(WaveAbsorption, ActsFromItsStartToItsEnd) {
    const Piston piston;
    EXPECT_EQ(piston.next({}, 0.5, 0.9).velocity, 0);
    EXPECT_NE(piston.next({}, 0.5, 1).velocity, 0);
    EXPECT_EQ(piston.next({}, 0.5, 8).velocity, 0);
}

TEST(WaveAbsorption, StaysBelowTheGreatestAcceleration) {
    Piston piston;
    piston.absorber.most_acceleration = 2;
    const AbsorberState before = piston.next({}, 0.02, 0.5); // 0.3 m/s
    AbsorberState state = piston.next(before, 0.52, 1.01);   // would be 2.5 m/s less
    EXPECT_NEAR(state.velocity, -2 * 0.51, 1e-14);
    EXPECT_NEAR(state.speed, 0.3 - 2 * 0.51, 1e-14);
    state = piston.next(state, 0.02, 1.02);
    EXPECT_NEAR(state.velocity, -1.02 + 2 * 0.01, 1e-14);
}

TEST(WaveAbsorption, LagsBehindTheElevations) {
    Piston piston;
    piston.absorber.lag = 0.3;
    AbsorberState state = piston.next({}, 0.02, 2);
    state = piston.next(state, 0.05, 2.1);
    EXPECT_NEAR(state.velocity, -5 * 0.03 * 0.1 / 0.4, 1e-14);
    const double before = state.velocity;
    state = piston.next(state, 0.05, 2.2);
    EXPECT_NEAR(state.velocity, before + (-5 * 0.03 - before) * 0.1 / 0.4, 1e-14);
    for (int k = 3; k <= 50; ++k) state = piston.next(state, 0.05, 2 + 0.1 * k);
    EXPECT_NEAR(state.velocity, -5 * 0.03, 1e-6);
}

/// In water that answers to the piston's motion beyond its waves as shallow water does, √(d/g) u.
TEST(WaveAbsorption, ComesBackFromADriftIfItIsTuned) {
    Piston piston;
    piston.absorber.lag = 1e-6;
    piston.absorber.most_drift = 0.1;
    piston.absorber.return_time = 2;
    piston.absorber.return_power = 3;
    AbsorberState state = piston.next({}, 0.02, 1.5);
    state.offset = 0.12;
    double most = 0;
    for (int k = 1; k <= 2500; ++k) {
        state = piston.next(state, 0.02 + state.velocity / piston.absorber.response, 1.5 + 1e-3 * k);
        most = std::max(most, std::abs(state.velocity));
        if (k == 1100) {
            EXPECT_NEAR(state.offset, 0.05, 0.02) << "half way after half the time";
        }
    }
    EXPECT_NEAR(state.offset, 0, 0.005);
    EXPECT_EQ(state.return_way, 0);
    EXPECT_NEAR(most, 0.12 * 3 / 2, 0.01); // the slope of the way in its middle: p a b/(s (1 − s)(a + b)²) = p
}

/// By the drift that is allowed once the whole displacement, 0.3 m/s · t and 0.02 m, is beyond it; 1 − (1−s)^p of that
/// is done at the fraction s of the time.
TEST(WaveAbsorption, ComesBackWithTheFormForLongWaves) {
    Piston piston;
    piston.absorber.most_drift = 0.5;
    piston.absorber.return_time = 2;
    piston.absorber.return_power = 3;
    AbsorberState state = piston.next({}, 0.02, 1.59);
    state.offset = 0.02;
    EXPECT_NEAR(piston.next(state, 0.02, 1.599).velocity, 0, 1e-14);
    state = piston.next(state, 0.02, 1.601);
    EXPECT_NEAR(state.velocity, -0.5 * 3 / 2, 1e-12);
    EXPECT_NEAR(piston.next(state, 0.05, 2.601).velocity, -0.5 * 3 * 0.25 / 2 - 5 * 0.03, 1e-12); // its waves' η is not
    for (int k = 1; k < 2000; ++k) state = piston.next(state, 0.02, 1.601 + 1e-3 * k);
    EXPECT_NEAR(state.offset, 0.02 - 0.5, 1e-3);
    piston.absorber.most_acceleration = 2; // of all that it does
    AbsorberState sudden = piston.next({}, 0.02, 1.66);
    sudden = piston.next(sudden, 0.02, 1.67); // by 0.501 m
    EXPECT_NEAR(sudden.velocity, -2 * 0.01, 1e-12);
}
