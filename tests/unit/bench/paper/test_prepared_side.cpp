// SPDX-License-Identifier: Apache-2.0
#include "bench/paper/prepared_side.h"
#include "physics/sph/equation_of_state.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace sluice;

// The pair formula with sides of which speed of sound and tensile correction are at hand.

TEST(PreparedSide, GivesTheRatesOfThePlainOne) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (const auto kernel : {sph::KernelType::cubic_spline, sph::KernelType::wendland})
        for (const auto diffusion : {sph::DensityDiffusion::none, sph::DensityDiffusion::fourtakas}) {
            sph::Constants c;
            c.kernel = kernel;
            c.diffusion = diffusion;
            c.dp = 0.01;
            c.h = std::sqrt(3.0) * c.dp;
            c.gravity = {0.3, -0.2, -9.81};
            c.c0 = 30;
            c.alpha = 0.1;
            c.b = c.c0 * c.c0 * c.rho0 / c.gamma;
            c.eta2 = 0.01 * c.h * c.h;
            c.mass_fluid = c.mass_bound = c.rho0 * 1e-6;
            const sph::EquationOfState<double> eos(c);
            const sph::PairConstants<double> plain(c, sph::PairKind::fluid_fluid, sph::metre);
            const sph::PairConstants<double> constants = paper::for_prepared_sides(plain, c);
            const auto random_side = [&] {
                const double rho = 1000 + 20 * unit(random);
                return sph::Side<double>{unit(random), unit(random), unit(random), rho, eos.pressure_term(rho)};
            };
            const auto prepared = [&](const sph::Side<double>& s) {
                return paper::PreparedSide<double>{s, eos.sound_speed(s.rho),
                                                   paper::tensile_share(constants, s.pressure_term)};
            };
            for (int trial = 0; trial < 200; ++trial) {
                const sph::Side<double> a = random_side(), b = random_side();
                const Vec3d r = c.h * Vec3d{unit(random), unit(random), unit(random)};
                sph::with_formulation(c, [&]<class F>(F) {
                    const auto expected = sph::pair_rates<F>(plain, r.x, r.y, r.z, dot(r, r), a, b);
                    const auto got = sph::pair_rates<F>(constants, r.x, r.y, r.z, dot(r, r), prepared(a), prepared(b));
                    EXPECT_NEAR(got.acceleration, expected.acceleration, 1e-9 * std::abs(expected.acceleration) + 1e-9);
                    EXPECT_EQ(got.density_a, expected.density_a);
                    EXPECT_EQ(got.diffusion_a, expected.diffusion_a);
                });
            }
        }
}
