// SPDX-License-Identifier: Apache-2.0
#include "model/derive.h"
#include "scheme/integrators.h"
#include "scheme/stability.h"
#include "scheme/time_step.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::sph;

namespace {

/// A mode as the integrators of particles take it: its density about 1, its velocity along x.
struct Oscillator {
    ModeNumbers m;
    double v = 0, v_before = 0, rho = 1, rho_before = 1;

    static constexpr double small = 1e-6;
    Rates<double> rates(double velocity, double density) const {
        const double r = density - 1;
        return {{m.sound * r - m.viscosity * velocity, 0, 0}, -m.diffusion * r - m.sound * velocity};
    }
    void step(Integrator integrator, int verlet_steps, int n) {
        const Vec3d now{v, 0, 0}, before{v_before, 0, 0};
        const Rates<double> r = rates(v, rho);
        if (integrator == Integrator::staggered) { // v is that of half a step before
            v = staggered_kick(now, r.acceleration, 1.0, 1.0).velocity.x;
            rho = staggered_density(PressureForm::squares, rho, rates(v, rho).density, 1.0);
        } else if (integrator == Integrator::symplectic) {
            const auto half = symplectic_predictor(now, rho, r, 1.0);
            const auto end = symplectic_corrector(now, rho, half.density, rates(half.velocity.x, half.density), 1.0);
            v = end.velocity.x;
            rho = end.density;
        } else {
            const auto next = is_euler_step(n, verlet_steps) ? verlet_euler_step(now, rho, r, 1.0)
                                                             : verlet_step(now, before, rho_before, r, 1.0);
            v_before = v;
            rho_before = rho;
            v = next.velocity.x;
            rho = next.density;
        }
    }
    double size() const { return std::hypot(v, rho - 1); }
    void shrink() { // so that it stays small
        const double by = small / size();
        for (double* u : {&v, &v_before}) *u *= by;
        for (double* r : {&rho, &rho_before}) *r = 1 + by * (*r - 1);
    }
};

/// The growth a step of a mode over many of the integrator's own steps.
double measured_growth(Integrator integrator, int verlet_steps, const ModeNumbers& m) {
    Oscillator mode{m};
    mode.v = 0.6 * Oscillator::small;
    mode.rho = 1 + 0.8 * Oscillator::small;
    double powers = 0;
    const int cycles = 4000 / verlet_steps, settle = cycles / 4;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        const double before = mode.size();
        for (int n = 0; n < verlet_steps; ++n) mode.step(integrator, verlet_steps, n);
        if (cycle >= settle) powers += std::log(mode.size() / before);
        mode.shrink();
    }
    return std::exp(powers / ((cycles - settle) * verlet_steps));
}

Constants tank(bool two_d, double coefh, double delta) {
    Constants c;
    c.two_d = two_d;
    c.dp = 0.02;
    c.h = smoothing_length(coefh, c.dp, two_d);
    c.gravity = {0, 0, -9.81};
    c.c0 = 44;
    c.diffusion = DensityDiffusion::fourtakas_full;
    c.delta = delta;
    c.alpha = 0;
    derive(c);
    return c;
}

/// The greatest value that leaves small waves as they are.
template <class Rate>
double greatest_calm(double most, const Rate& rate) {
    double calm = 0, growing = most;
    for (int halving = 0; halving < 40; ++halving) {
        const double middle = 0.5 * (calm + growing);
        (rate(middle) > 1e-4 ? growing : calm) = middle;
    }
    return calm;
}

} // namespace

TEST(Stability, AModeGrowsAsTheIntegratorsMakeIt) {
    for (const ModeNumbers& m :
         {ModeNumbers{0.3, 0, 0}, {0.25, 0.1, 0}, {0.2, 0, 0.15}, {0.3, 0.05, 0.02}, {0, 0.16, 0}}) {
        for (const int steps : {5, 10, 40})
            EXPECT_NEAR(measured_growth(Integrator::verlet, steps, m), growth_per_step(Integrator::verlet, steps, m),
                        2e-4)
                << steps << ' ' << m.sound << ' ' << m.diffusion << ' ' << m.viscosity;
        for (const auto integrator : {Integrator::symplectic, Integrator::staggered})
            EXPECT_NEAR(measured_growth(integrator, 1, m), growth_per_step(integrator, 1, m), 2e-4)
                << int(integrator) << ' ' << m.sound << ' ' << m.diffusion << ' ' << m.viscosity;
    }
}

/// y⁺ = y⁻ − 2Dy: worked out by hand, the parasitic mode outgrows an Euler step from these D on.
TEST(Stability, VerletBearsLessDissipationTheRarerItsEulerSteps) {
    for (const auto& [steps, limit] : {std::pair{5, 0.580}, {10, 0.358}, {20, 0.223}, {40, 0.135}}) {
        EXPECT_LT(growth_per_step(Integrator::verlet, steps, {0, 0.99 * limit, 0.99 * limit}), 1) << steps;
        EXPECT_GT(growth_per_step(Integrator::verlet, steps, {0, 1.01 * limit, 0}), 1) << steps;
    }
    EXPECT_LT(growth_per_step(Integrator::verlet, 1, {0, 1.99, 1.99}), 1); // Euler steps alone: |1 − D|
    EXPECT_GT(growth_per_step(Integrator::verlet, 1, {0, 2.01, 0}), 1);
    EXPECT_NEAR(growth_per_step(Integrator::verlet, 1, {0.3, 0, 0}), std::sqrt(1 + 0.3 * 0.3), 1e-12);
    EXPECT_NEAR(growth_per_step(Integrator::symplectic, 1, {0.3, 0, 0}), std::sqrt(1 + 0.25 * std::pow(0.3, 4)), 1e-12);
}

TEST(Stability, StaggeredStepsBearWhatTheirTwoRootsBear) {
    for (const auto& [d, v] : {std::pair{0.0, 0.0}, {0.5, 0.0}, {0.0, 0.7}, {0.8, 0.4}}) {
        const double limit = std::sqrt((2 - d) * (2 - v));
        EXPECT_LE(growth_per_step(Integrator::staggered, 1, {0.999 * limit, d, v}), 1 + 1e-12) << d << ' ' << v;
        EXPECT_GT(growth_per_step(Integrator::staggered, 1, {1.001 * limit, d, v}), 1) << d << ' ' << v;
    }
}

/// Measured in a still tank of 1 x 0.5 m, dp 0.02 m, with h = 1.2 √2 dp and cflnumber 0.2: the greatest δ that does not
/// blow it up.
TEST(Stability, TheGreatestDiffusionIsThatMeasured) {
    const auto greatest = [](Integrator integrator, int steps) {
        return greatest_calm(4, [&](double delta) {
            return fastest_growth(integrator, steps, modes_of_lattice(tank(true, 1.2, delta)), 0.2).rate;
        });
    };
    for (const auto& [steps, measured] : {std::pair{40, 0.104}, {20, 0.171}, {10, 0.274}, {5, 0.444}})
        EXPECT_NEAR(greatest(Integrator::verlet, steps), measured, 0.005 * measured) << steps;
    EXPECT_NEAR(greatest(Integrator::symplectic, 40), 1.53, 0.01);
}

/// Between cflnumber 1.5, with which a tank of δ 0.1 rested, and 1.6, with which it blew up; in 3-D as linear theory
/// without a lattice has it.
TEST(Stability, TheLongestStaggeredStepIsThatMeasured) {
    const auto longest = [](bool two_d, double delta) {
        return greatest_calm(3, [&](double courant) {
            return fastest_growth(Integrator::staggered, 1, modes_of_lattice(tank(two_d, 1.2, delta)), courant).rate;
        });
    };
    EXPECT_NEAR(longest(true, 0.1), 1.55, 0.05);
    for (const auto& [delta, courant] : {std::pair{0.05, 1.62}, {0.1, 1.51}, {0.2, 1.29}, {0.5, 0.57}})
        EXPECT_NEAR(longest(false, delta), courant, 0.03 * courant) << delta;
    EXPECT_EQ(wise_staggered_courant(tank(false, 1.2, 0.1)), 0.8);
    EXPECT_NEAR(wise_staggered_courant(tank(false, 1.2, 0.5)), 0.55 * 0.58, 0.01);
}

// What is left of a wave by renormalised gradients goes with k⁴, where that of a plain difference goes with k²; of the
// shortest wave both leave the same. Verlet's Euler steps let sound grow with k², so that long waves outlast that.
TEST(Stability, RenormalisedDiffusionSparesLongWaves) {
    for (const bool two_d : {true, false}) {
        Constants c = tank(two_d, 1.2, 0.1);
        const std::vector<ModeNumbers> plain = modes_of_lattice(c);
        c.diffusion = DensityDiffusion::renormalised;
        const std::vector<ModeNumbers> renormalised = modes_of_lattice(c);
        ASSERT_EQ(plain.size(), renormalised.size());
        // modes 0, 2, 4, … are of 1/12, 2/12, 3/12, … of the shortest wave number along x, each twice
        EXPECT_NEAR(plain[2].diffusion / plain[0].diffusion, 4, 0.3);
        EXPECT_NEAR(renormalised[2].diffusion / renormalised[0].diffusion, 15, 2);
        EXPECT_LT(renormalised[0].diffusion, 0.07 * plain[0].diffusion);
        EXPECT_NEAR(renormalised[22].diffusion, plain[22].diffusion, 1e-9);
        for (const ModeNumbers& mode : renormalised) EXPECT_GT(mode.diffusion, 0);
        EXPECT_GT(fastest_growth(Integrator::verlet, 20, renormalised, 0.2).rate, 1e-6);
        EXPECT_EQ(fastest_growth(Integrator::verlet, 20, plain, 0.2).rate, 0);
        EXPECT_EQ(fastest_growth(Integrator::staggered, 1, renormalised, 0.8).rate, 0);
    }
}

TEST(Stability, WhatGrowsIsNamed) {
    const auto named = [](const Constants& c, double courant) {
        return fastest_growth(Integrator::verlet, 40, modes_of_lattice(c), courant).what;
    };
    Constants c = tank(true, 1.2, 0.2);
    EXPECT_EQ(named(c, 0.2), Growing::densities);
    EXPECT_EQ(named(tank(true, 1.2, 0.05), 0.2), Growing::nothing);
    c.diffusion = DensityDiffusion::none;
    EXPECT_EQ(named(c, 0.2), Growing::sound);
    c.alpha = 2;
    EXPECT_EQ(named(c, 0.2), Growing::velocities);
}

TEST(Stability, LaminarViscosityAtWallsShortensTheStep) {
    Constants c;
    c.viscosity = ViscosityModel::laminar;
    c.integrator = Integrator::symplectic;
    c.h = 0.02;
    c.nu = 1e-3;
    c.boundary_viscosity_factor = 1;
    const double step = viscous_time_step(c);
    EXPECT_NEAR(step, 0.125 * 0.02 * 0.02 / 1e-3, 1e-12);
    c.boundary_viscosity_factor = 0.5; // the fluid's own counts then
    EXPECT_EQ(viscous_time_step(c), step);
    c.boundary_viscosity_factor = 20;
    EXPECT_NEAR(viscous_time_step(c), step / 20, 1e-12);
}
