// SPDX-License-Identifier: Apache-2.0
#include "model/derive.h"
#include "physics/sph/equation_of_state.h"
#include "physics/sph/pair_rates.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::sph;

namespace {

Constants water(double gamma = 7) {
    Constants c;
    c.kernel = KernelType::wendland;
    c.gamma = gamma;
    c.dp = 0.01;
    c.h = smoothing_length(1, c.dp, false);
    c.c0 = 30;
    c.alpha = 0.1;
    derive(c);
    return c;
}

using Plain = Formulation<Wendland, DensityDiffusion::none>;
using General = Formulation<Wendland, DensityDiffusion::none, true>;

} // namespace

TEST(PairConstants, ViscosityAtWallsHasItsFactor) {
    Constants c = water();
    c.boundary_viscosity_factor = 1.75;
    const double d = 0.8 * c.h;
    // at the reference density there is no pressure: viscosity alone
    const Side<double> rest{0, 0, 0, 1000, 0}, towards{-1, 0, 0, 1000, 0};
    const auto acceleration = [&](PairKind kind) {
        return pair_rates<Plain>(PairConstants<double>(c, kind, metre), d, 0., 0., d * d, towards, rest).acceleration;
    };
    const double inside = acceleration(PairKind::fluid_fluid), at_wall = acceleration(PairKind::fluid_boundary);
    EXPECT_GT(inside, 0);
    EXPECT_NEAR(at_wall / inside, 1.75, 1e-12);
    c.boundary_viscosity_factor = 0;
    EXPECT_EQ(acceleration(PairKind::fluid_boundary), 0);
    EXPECT_NEAR(acceleration(PairKind::fluid_fluid), inside, 1e-15 * inside);
}

TEST(PairConstants, HydrostaticDifferenceHoldsUpToTheStiffnessThatACaseMayHave) {
    for (const double gamma : {7.0, 1.4}) {
        Constants c = water(gamma);
        c.diffusion = DensityDiffusion::fourtakas;
        const double g = 0.1 * c.b / (c.rho0 * c.h); // x = ρ0 g Δz/B is 0.1 one smoothing length apart
        c.gravity = {0, 0, -g};
        const PairConstants<double> constants(c, PairKind::fluid_fluid, metre);
        for (const double at : {0.99, 1.0, 1.02}) // ρ_a/ρ0
            for (double x = -0.1; x <= 0.1; x += 0.04) {
                // ρ^{γ−2} dρ = ρ0^{γ−1} dx/γ, integrated
                const double other = std::pow(std::pow(at, gamma - 1) + (gamma - 1) / gamma * x, 1 / (gamma - 1));
                const double dz = x * c.b / (c.rho0 * g), expected = c.rho0 * (other - at);
                EXPECT_NEAR(hydrostatic_difference(constants, 0., 0., dz, c.rho0 * at, c.rho0 * other), expected,
                            1e-3 * std::abs(expected))
                    << gamma << ", " << at << ", " << x;
            }
    }
}

TEST(PairConstants, SpeedOfSoundIsTheEquationOfStatesEvenWhereTheCaseGivesBToo) {
    for (const double gamma : {7.0, 6.5}) {
        Constants c = water(gamma);
        GivenConstants given;
        given.b = 0.6 * c.b; // and c0 = 30 m/s, which would be another B
        derive(c, given);
        const EquationOfState<double> eos(c);
        const PairConstants<double> constants(c, PairKind::fluid_fluid, metre);
        const double d = 0.8 * c.h;
        const auto side = [&](double v, double rho) { return Side<double>{v, 0, 0, rho, eos.pressure_term(rho)}; };
        const Side<double> a = side(-1, 1010), b = side(0, 990), still = side(0, 1010);
        const auto acceleration = [&](const Side<double>& from) {
            return gamma == 7 ? pair_rates<Plain>(constants, d, 0., 0., d * d, from, b).acceleration
                              : pair_rates<General>(constants, d, 0., 0., d * d, from, b).acceleration;
        };
        const double viscous = acceleration(a) - acceleration(still);
        const double mu = c.h * d / (d * d + c.eta2);
        const double gradient =
            Wendland::normalisation(c.h, false) * Wendland::derivative(d / c.h) / (c.h * d) * c.mass_fluid;
        const double expected =
            -c.alpha * 0.5 * (eos.sound_speed(1010.) + eos.sound_speed(990.)) * mu / 1000 * gradient;
        EXPECT_NEAR(viscous / expected, 1, 1e-9) << gamma;
    }
}

TEST(EquationOfState, SpeedOfSoundAtTheReferenceDensityIsC0WhateverBIs) {
    for (const double gamma : {7.0, 6.5}) {
        Constants c = water(gamma);
        c.b *= 2;
        EXPECT_NEAR(EquationOfState<double>(c).sound_speed(1000.), 30, 1e-12);
        EXPECT_NEAR(EquationOfState<double>(c).sound_speed(1100.), 30 * std::pow(1.1, (gamma - 1) / 2), 1e-12);
    }
}
