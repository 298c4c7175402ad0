// SPDX-License-Identifier: Apache-2.0
#include "model/derive.h"
#include "physics/sph/shifting.h"
#include "physics/sph/sub_particle_stress.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::sph;

namespace {

Constants passes_constants(bool two_d) {
    Constants c;
    c.dp = 0.02;
    c.h = 0.03;
    c.two_d = two_d;
    c.c0 = 40;
    derive(c);
    return c;
}

} // namespace

TEST(SubParticleStress, OfShearIsThatOfSmagorinsky) {
    const Constants c = passes_constants(false);
    const double g = 50, rho = 1010, nu_t = 0.12 * 0.02 * 0.12 * 0.02 * g; // |S| = g
    const double gradient[9] = {0, 0, g, 0, 0, 0, 0, 0, 0};                // dvx/dz
    const Stress<double> s = sub_particle_stress(c, gradient, rho);
    EXPECT_NEAR(s.xz, nu_t * g / rho, 1e-15);
    EXPECT_EQ(s.xx, 0);
    EXPECT_EQ(s.zz, 0);
    EXPECT_EQ(s.xy, 0);
    EXPECT_EQ(s.yz, 0);
    EXPECT_NEAR(s.pressure_term, 2.0 / 3 * 0.0066 * 0.02 * 0.02 * g * g / rho, 1e-15);
}

TEST(SubParticleStress, OfExpansionHasNoTrace) {
    const Constants c = passes_constants(false);
    const double gradient[9] = {3, 0, 0, 0, 3, 0, 0, 0, 3};
    const Stress<double> s = sub_particle_stress(c, gradient, 1000.0);
    EXPECT_EQ(s.xx, 0);
    EXPECT_EQ(s.zz, 0);
    EXPECT_NEAR(s.pressure_term, 2.0 / 3 * 0.0066 * 0.02 * 0.02 * (2 * 27) / 1000, 1e-15);
    const double stretch[9] = {2, 0, 0, 0, -1, 0, 0, 0, -1};
    const Stress<double> t = sub_particle_stress(c, stretch, 1000.0);
    const double magnitude = std::sqrt(2.0 * 6), nu_t = 0.12 * 0.02 * 0.12 * 0.02 * magnitude;
    EXPECT_NEAR(t.xx, 2 * nu_t * 2 / 1000, 1e-15);
    EXPECT_NEAR(t.zz, -2 * nu_t / 1000, 1e-15);
}

TEST(SubParticleStress, PushesBothSidesOfAPairAlikeAndOppositely) {
    const Constants c = passes_constants(false);
    using Op = StressDivergence<Wendland>;
    const Op::Constants<double> constants(c, PairKind::fluid_fluid, metre);
    const Stress<double> a{1, 2, 3, 4, 5, 0}, b{-2, 7, 1, 0.5, 2, 0};
    const double dx = 0.01, dy = -0.02, dz = 0.015, r2 = dx * dx + dy * dy + dz * dz;
    double on_a[3] = {}, on_b[3] = {};
    Op::add(constants, dx, dy, dz, r2, a, b, on_a);
    Op::add(constants, -dx, -dy, -dz, r2, b, a, on_b);
    for (int k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(on_a[k], -on_b[k]);
    const double r = std::sqrt(r2), q = r / c.h;
    const double f = c.mass_fluid * 21 / (16 * 3.14159265358979 * c.h * c.h * c.h) / c.h * Wendland::derivative(q) / r;
    EXPECT_NEAR(on_a[0], f * (-1 * dx + 4 * dy + 4.5 * dz), 1e-9 * std::abs(on_a[0])); // T·r with T = T_a + T_b
    EXPECT_NEAR(on_a[1], f * (4 * dx - 8 * dy + 7 * dz), 1e-9 * std::abs(on_a[1]));    // yy = −xx − zz
    EXPECT_NEAR(on_a[2], f * (4.5 * dx + 7 * dy + 9 * dz), 1e-9 * std::abs(on_a[2]));
}

TEST(Shifting, GoesDownTheGradientWithTheSpeedAndNeverFar) {
    Constants c = passes_constants(true);
    c.shifting = Shifting::everywhere;
    c.shift_coefficient = -2;
    const double crowding[5] = {0.5, 0, -2, 1.9, 0};
    const Vec3d shift = shift_of<double>(c, crowding, {3, 0, 4}, 1e-4);
    EXPECT_NEAR(shift.x, -2 * 0.03 * 5 * 1e-4 * 0.5, 1e-15);
    EXPECT_NEAR(shift.z, 2 * 0.03 * 5 * 1e-4 * 2, 1e-15);
    const Vec3d fast = shift_of<double>(c, crowding, {300, 0, 400}, 1e-2);
    EXPECT_DOUBLE_EQ(fast.x, -0.002);
    EXPECT_DOUBLE_EQ(fast.z, 0.002);
    EXPECT_EQ(shift_of<double>(c, crowding, {}, 1e-4), Vec3d{});
}

TEST(Shifting, FadesTowardsTheSurfaceAndStopsThere) {
    Constants c = passes_constants(true);
    c.shift_threshold = 1.5;
    double crowding[5] = {1, 0, 0, 2.1, 0};
    const auto at = [&](double divergence) {
        crowding[3] = divergence;
        return shift_of<double>(c, crowding, {1, 0, 0}, 1e-4).x;
    };
    const double whole = -2 * 0.03 * 1e-4;
    EXPECT_NEAR(at(2.1), whole, 1e-15); // inside, never more than that
    EXPECT_NEAR(at(1.75), 0.5 * whole, 1e-15);
    EXPECT_EQ(at(1.49), 0);
    c.two_d = false;
    EXPECT_NEAR(at(2.25), 0.5 * whole, 1e-15); // 3 inside
}

TEST(Shifting, StopsNearTheWallsThatAreAskedFor) {
    EXPECT_TRUE(holds_fluid(Shifting::off_walls, false));
    EXPECT_TRUE(holds_fluid(Shifting::off_resting_walls, true));
    EXPECT_FALSE(holds_fluid(Shifting::off_resting_walls, false));
    EXPECT_FALSE(holds_fluid(Shifting::everywhere, true));
    const Constants c = passes_constants(true);
    using Op = Crowding<Wendland>;
    const Op::Constants<double> wall(c, PairKind::fluid_boundary, metre), fluid(c, PairKind::fluid_fluid, metre);
    const auto sums_with = [&](const auto& constants, double holds) {
        double sums[5] = {};
        Op::add(constants, 0.01, 0.0, 0.0, 1e-4, {1000, 0}, {1000, holds}, sums);
        return sums[4];
    };
    EXPECT_GT(sums_with(wall, 1), 0);
    EXPECT_EQ(sums_with(wall, 0), 0);
    EXPECT_EQ(sums_with(fluid, 1), 0);
    const double held[5] = {1, 0, 0, 2, sums_with(wall, 1)};
    EXPECT_EQ(shift_of<double>(c, held, {1, 0, 0}, 1e-3), Vec3d{});
}

TEST(Shifting, IsEverywhereOrInZonesOnly) {
    EXPECT_TRUE(shifts_at(nullptr, 0, {5, 5, 5}));
    // x from 1 to 3, and z from the line through (1, 0) that rises by one for each two on, up to one above it
    const ShiftZone zones[] = {{{1, 0, 0}, {{0.5, 0, 0}, {}, {-0.5, 0, 1}}},
                               {{10, 10, 10}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    EXPECT_TRUE(shifts_at(zones, 2, {1, 77, 0}));
    EXPECT_TRUE(shifts_at(zones, 2, {2.9, -3, 1.9}));
    EXPECT_FALSE(shifts_at(zones, 2, {2.9, -3, 0.9}));
    EXPECT_FALSE(shifts_at(zones, 2, {0.9, 0, 0.1}));
    EXPECT_TRUE(shifts_at(zones, 2, {10.5, 10.5, 10.5}));
    EXPECT_FALSE(shifts_at(zones, 2, {10.5, 11.5, 10.5}));
    EXPECT_FALSE(shifts_at(zones, 1, {10.5, 10.5, 10.5}));
}
