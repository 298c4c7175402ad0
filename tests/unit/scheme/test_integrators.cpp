// SPDX-License-Identifier: Apache-2.0
#include "scheme/exclusion.h"
#include "scheme/integrators.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::sph;

namespace {

struct FallingBody {
    Vec3d r, v, v_previous;
    double rho = 1000, rho_previous = 1000;
};

/// Error at t = 1 of a harmonic oscillator x'' = −x from x = 1, with density rate −ρ.
template <class Step>
double oscillator_error(int steps, Step&& step) {
    FallingBody b;
    b.r = {1, 0, 0};
    const double dt = 1.0 / steps;
    for (int n = 0; n < steps; ++n) step(b, n, dt);
    return std::hypot(b.r.x - std::cos(1), b.v.x + std::sin(1)) + std::abs(b.rho - 1000 * std::exp(-1)) / 1000;
}
Rates<double> rates_of(const Vec3d& r, double rho) { return {{-r.x, -r.y, -r.z}, -rho}; }

void verlet(FallingBody& b, int n, double dt) {
    const Rates<double> rates = rates_of(b.r, b.rho);
    const auto next = is_euler_step(n, 40) ? verlet_euler_step(b.v, b.rho, rates, dt)
                                           : verlet_step(b.v, b.v_previous, b.rho_previous, rates, dt);
    b.r = b.r + next.displacement;
    b.v_previous = b.v;
    b.rho_previous = b.rho;
    b.v = next.velocity;
    b.rho = next.density;
}

void symplectic(FallingBody& b, int, double dt) {
    const auto half = symplectic_predictor(b.v, b.rho, rates_of(b.r, b.rho), dt);
    const auto next =
        symplectic_corrector(b.v, b.rho, half.density, rates_of(b.r + half.displacement, half.density), dt);
    b.r = b.r + next.displacement;
    b.v = next.velocity;
    b.rho = next.density;
}

} // namespace

TEST(Integrators, SymplecticIsSecondOrder) {
    const double ratio = oscillator_error(50, symplectic) / oscillator_error(100, symplectic);
    EXPECT_NEAR(ratio, 4, 0.3);
}

TEST(Integrators, VerletConvergesToTheSolution) {
    // the Euler step that joins the two levels every 40 steps costs an order: the error falls at least linearly
    EXPECT_LT(oscillator_error(400, verlet), 2e-2);
    EXPECT_LT(oscillator_error(4000, verlet), 0.12 * oscillator_error(400, verlet));
}

TEST(Integrators, VerletIsExactForFreeFall) {
    FallingBody b;
    const Vec3d g{0, 0, -9.81};
    for (int n = 0; n < 100; ++n) {
        const Rates<double> rates{g, 0};
        const auto next = is_euler_step(n, 40) ? verlet_euler_step(b.v, b.rho, rates, 0.01)
                                               : verlet_step(b.v, b.v_previous, b.rho_previous, rates, 0.01);
        b.r = b.r + next.displacement;
        b.v_previous = b.v;
        b.v = next.velocity;
    }
    EXPECT_NEAR(b.r.z, -9.81 / 2, 1e-9);
    EXPECT_NEAR(b.v.z, -9.81, 1e-9);
}

TEST(Integrators, VerletJoinsItsLevelsAtEveryFortiethStep) {
    for (const long long step : {0, 40, 80, 4000}) EXPECT_TRUE(is_euler_step(step, 40)) << step;
    for (const long long step : {1, 39, 41, 79}) EXPECT_FALSE(is_euler_step(step, 40)) << step;
    EXPECT_TRUE(is_euler_step(7, 1));
}

TEST(Integrators, BoundaryDensityNeverFallsBelowTheReference) {
    EXPECT_EQ(boundary_density(998.0f, 1000.0f), 1000.0f);
    EXPECT_EQ(boundary_density(1003.0f, 1000.0f), 1003.0f);
}

TEST(AcousticDamper, LeadsTheDensityByItsTime) {
    Constants c;
    c.h = 0.02;
    c.c0 = 40;
    EXPECT_EQ(acoustic_lead(c, 1e-4), 0);
    c.acoustic_damping = 0.5;
    // 0.5 · 0.02/40 = 2.5e-4 s, five halves of the step of 1e-4 s
    EXPECT_NEAR(acoustic_lead(c, 1e-4), 5, 1e-12);
    EXPECT_DOUBLE_EQ(damped_density(1000.0, 1001.0, 5.0), 1006);
    EXPECT_EQ(damped_density(1000.0f, 1001.0f, 0.0f), 1001.0f);
}

TEST(Exclusion, NamesTheCause) {
    EXPECT_EQ(exclusion_cause(true, 0, 1000, 700, 1300), ExclusionCause::none);
    EXPECT_EQ(exclusion_cause(false, 0, 1000, 700, 1300), ExclusionCause::position);
    EXPECT_EQ(exclusion_cause(true, 0, 1301, 700, 1300), ExclusionCause::density);
    EXPECT_EQ(exclusion_cause(true, 0, 699, 700, 1300), ExclusionCause::density);
    EXPECT_EQ(exclusion_cause(false, NAN, 1000, 700, 1300), ExclusionCause::not_finite);
    EXPECT_EQ(exclusion_cause(true, 0, INFINITY, 700, 1300), ExclusionCause::not_finite);
}

// What a step adds the same step backwards takes away, whatever its size: a density that swings does not climb. With
// the form of the other PressureForm it would gain (Δt D)²/2ρ, or lose it, in every step.
TEST(Integrators, StaggeredDensitiesThatSwingComeBack) {
    const double rho = 1000, dt = 1e-3, d = 2e4, s = 20; // kg/(m³ s), 1/s
    EXPECT_DOUBLE_EQ(staggered_density(PressureForm::squares, rho, d, dt), 1020);
    EXPECT_DOUBLE_EQ(staggered_density(PressureForm::squares, 1020.0, -d, dt), 1000);
    // in proportion to the density: by (2 − ε)/(2 + ε) with ε = −0.02
    const double risen = staggered_density(PressureForm::product, rho, s * rho, dt);
    EXPECT_DOUBLE_EQ(risen, 1000 * 2.02 / 1.98);
    EXPECT_NEAR(staggered_density(PressureForm::product, risen, -s * risen, dt), 1000, 1e-10);
}
