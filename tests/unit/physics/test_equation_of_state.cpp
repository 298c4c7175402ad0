// SPDX-License-Identifier: Apache-2.0
#include "model/derive.h"
#include "physics/sph/equation_of_state.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice::sph;

namespace {
Constants water(double gamma) {
    Constants c;
    c.gamma = gamma;
    c.c0 = 40;
    derive(c);
    return c;
}
} // namespace

TEST(EquationOfState, IsTaitsLaw) {
    for (const double gamma : {7.0, 1.4}) {
        const Constants c = water(gamma);
        const EquationOfState<double> eos(c);
        for (double rho = 700; rho <= 1300; rho += 50) {
            const double expected = c.b * (std::pow(rho / c.rho0, gamma) - 1);
            EXPECT_NEAR(eos.pressure(rho), expected, 1e-9 * std::abs(expected) + 1e-6);
            EXPECT_NEAR(eos.density(eos.pressure(rho)), rho, 1e-8);
        }
    }
}

TEST(EquationOfState, SoundSpeedIsTheSlopeOfThePressure) {
    for (const double gamma : {7.0, 1.4}) {
        const EquationOfState<double> eos(water(gamma));
        for (double rho = 800; rho <= 1200; rho += 50) {
            const double slope = (eos.pressure(rho + 1e-3) - eos.pressure(rho - 1e-3)) / 2e-3;
            EXPECT_NEAR(eos.sound_speed(rho), std::sqrt(slope), 1e-4);
        }
    }
}

TEST(EquationOfState, KeepsSmallPressuresInSinglePrecision) {
    // one float step above the reference density: the naive power minus one would be off by a tenth and more
    const EquationOfState<double> exact(water(7));
    const EquationOfState<float> single(water(7));
    const float rho = std::nextafter(1000.0f, 2000.0f);
    EXPECT_NEAR(single.pressure(rho), exact.pressure(double(rho)), 1e-6 * exact.pressure(double(rho)));
}
