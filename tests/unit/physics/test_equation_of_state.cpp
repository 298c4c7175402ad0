// SPDX-License-Identifier: Apache-2.0
#include "model/derive.h"
#include "physics/sph/equation_of_state.h"
#include "physics/sph/internal_energy.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice::sph;

namespace {
Constants water_with(double gamma) {
    Constants c;
    c.gamma = gamma;
    c.c0 = 40;
    derive(c);
    return c;
}
} // namespace

TEST(EquationOfState, IsTaitsLaw) {
    for (const double gamma : {7.0, 1.4}) {
        const Constants c = water_with(gamma);
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
        const EquationOfState<double> eos(water_with(gamma));
        for (double rho = 800; rho <= 1200; rho += 50) {
            const double slope = (eos.pressure(rho + 1e-3) - eos.pressure(rho - 1e-3)) / 2e-3;
            EXPECT_NEAR(eos.sound_speed(rho), std::sqrt(slope), 1e-4);
        }
    }
}

TEST(EquationOfState, KeepsSmallPressuresInSinglePrecision) {
    // one float step above the reference density: the naive power minus one would be off by a tenth and more
    const EquationOfState<double> exact(water_with(7));
    const EquationOfState<float> single(water_with(7));
    const float rho = std::nextafter(1000.0f, 2000.0f);
    EXPECT_NEAR(single.pressure(rho), exact.pressure(double(rho)), 1e-6 * exact.pressure(double(rho)));
}

TEST(EquationOfState, ThePressureTermTakesThePressureOfAnotherDensity) {
    const EquationOfState<double> eos(water_with(7));
    EXPECT_DOUBLE_EQ(eos.pressure_term(1002), eos.pressure(1002) / (1002.0 * 1002.0));
    EXPECT_DOUBLE_EQ(eos.pressure_term(1002, 1005), eos.pressure(1005) / (1002.0 * 1002.0));
}

TEST(InternalEnergy, IsTheWorkOfThePressure) {
    for (const double gamma : {7.0, 1.4, 1.0}) {
        const EquationOfState<double> eos(water_with(gamma));
        const auto integrand = [&](double rho) { return eos.pressure(rho) / (rho * rho); };
        for (const double rho : {700.0, 990.0, 1000.0, 1001.0, 1300.0, 2500.0}) {
            constexpr int parts = 1000; // Simpson's rule
            const double width = (rho - 1000) / parts;
            double work = 0;
            for (int k = 0; k < parts; ++k) {
                const double from = 1000 + k * width;
                work += width / 6 * (integrand(from) + 4 * integrand(from + width / 2) + integrand(from + width));
            }
            EXPECT_NEAR(internal_energy(eos, rho), work, 1e-9 * work) << gamma << ", " << rho;
        }
    }
}

TEST(InternalEnergy, KeepsItsDigitsInSinglePrecision) {
    for (const double gamma : {7.0, 1.4}) {
        const EquationOfState<double> exact(water_with(gamma));
        const EquationOfState<float> single(water_with(gamma));
        for (const float rho : {std::nextafter(1000.0f, 2000.0f), 999.9f, 1000.5f, 1010.0f, 1100.0f, 800.0f}) {
            const double expected = internal_energy(exact, double(rho));
            EXPECT_GT(expected, 0);
            EXPECT_NEAR(internal_energy(single, rho), expected, 2e-6 * expected) << gamma << ", " << rho;
        }
    }
}
