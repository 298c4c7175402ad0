// SPDX-License-Identifier: Apache-2.0
#include "model/derive.h"
#include "physics/sph/shifting.h"
#include "physics/sph/sub_particle_stress.h"
#include <gtest/gtest.h>
#include <tuple>

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

/// Layers of water at rest on a lattice, but for u = U sin kz along x; what SPH sums up for those near z = π/(4k),
/// where of the exact dv/dt = d/dz[(C_s dp)² |u'| u'] = −2 (C_s dp)² U² k³ sin kz |cos kz| there is most.
TEST(SubParticleStress, BrakesAShearWaveAsSmagorinskysViscosityDoes) {
    for (const bool two_d : {true, false}) {
        Constants c = passes_constants(two_d);
        constexpr int rows = 64, reach = 3; // 2h = 3 dp
        const double k = 2 * 3.14159265358979 / (rows * c.dp), speed = 0.5, rho = 1000;
        const auto around = [&]<class Op>(Op, const auto& side_of_row, int row, auto& sums) {
            const typename Op::template Constants<double> constants(c, PairKind::fluid_fluid, metre);
            for (int z = -reach; z <= reach; ++z)
                for (int y = two_d ? 0 : -reach; y <= (two_d ? 0 : reach); ++y)
                    for (int x = -reach; x <= reach; ++x) {
                        const Vec3d d{-x * c.dp, -y * c.dp, -z * c.dp};
                        if (dot(d, d) == 0 || dot(d, d) >= 4 * c.h * c.h) continue;
                        Op::add(constants, d.x, d.y, d.z, dot(d, d), side_of_row(row), side_of_row(row + z), sums);
                    }
        };
        const auto flow = [&](int row) { return FlowSide<double>{speed * std::sin(k * row * c.dp), 0, 0, rho}; };
        const auto stress = [&](int row) {
            double gradient[9] = {};
            around(VelocityGradient<Wendland>{}, flow, row, gradient);
            return sub_particle_stress(c, gradient, rho);
        };
        const double length = 0.12 * c.dp, most = length * length * speed * speed * k * k * k;
        const auto rate_now = [&] {
            double rate[3] = {};
            around(StressDivergence<Wendland>{}, stress, rows / 8, rate);
            return rate[0];
        };
        EXPECT_NEAR(rate_now() / -most, 1, 0.03) << two_d; // 2 sin kz |cos kz| = 1
        c.smagorinsky = two_d ? 0.0693 : 0.0566;           // of DualSPHysics 5.4
        EXPECT_NEAR(rate_now() / -most, two_d ? 1.0 / 3 : 2.0 / 9, 0.01) << two_d;
    }
}

// In every plane the two slopes across one another count alike, so that a fluid that turns as a whole has no stress.
TEST(SubParticleStress, OfShearIsTheSameInEveryPlane) {
    const Constants c = passes_constants(false);
    const double g = 50, nu_t = 0.12 * 0.02 * 0.12 * 0.02 * g;
    const auto of = [&](int row, int column, double value, double other) {
        double gradient[9] = {};
        gradient[3 * row + column] = value;
        gradient[3 * column + row] = other;
        return sub_particle_stress(c, gradient, 1000.0);
    };
    for (const auto& [row, column, shear] :
         {std::tuple{0, 1, &Stress<double>::xy}, {0, 2, &Stress<double>::xz}, {1, 2, &Stress<double>::yz}}) {
        for (const auto& [value, other] : {std::pair{g, 0.0}, {0.0, g}, {g / 2, g / 2}}) {
            const Stress<double> s = of(row, column, value, other);
            EXPECT_NEAR(s.*shear, nu_t * g / 1000, 1e-15);
            EXPECT_NEAR(s.xy + s.xz + s.yz, s.*shear, 1e-18) << "and no other";
        }
        EXPECT_EQ(of(row, column, g, -g).*shear, 0);
        EXPECT_EQ(of(row, column, g, -g).pressure_term, 0);
    }
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

namespace {

/// δr in 1e-4 s, in units of A h c0 1e-4 s, from ∇C and M = diag(m) with the elements xy, xz, yz.
Vec3d advanced_shift(bool two_d, const Vec3d& gradient, const Vec3d& m, const Vec3d& off_diagonal = {}) {
    Constants c = passes_constants(two_d);
    c.shifting = Shifting::along_surfaces;
    c.shift_coefficient = -0.05;
    const double sums[9] = {gradient.x, gradient.y,     gradient.z,     m.x,           m.y,
                            m.z,        off_diagonal.x, off_diagonal.y, off_diagonal.z};
    return (1 / (-0.05 * c.h * c.c0 * 1e-4)) * shift_of<double>(c, sums, {7, 0, 9}, 1e-4);
}

void expect_shift(const Vec3d& a, const Vec3d& b, double error) {
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], error) << axis;
}

} // namespace

TEST(AdvancedShifting, FollowsTheGradientInsideWhateverTheFlow) {
    expect_shift(advanced_shift(true, {0.3, 0, -0.2}, {1, 0, 1}), {0.3, 0, -0.2}, 1e-12);
    expect_shift(advanced_shift(false, {0.3, 0.1, -0.2}, {1, 1, 1}), {0.3, 0.1, -0.2}, 1e-12);
    EXPECT_EQ(advanced_shift(true, {}, {1, 0, 1}), Vec3d{});
}

TEST(AdvancedShifting, GoesAlongTheSurfaceOnly) {
    // The surface of M = diag(0.9, 0.5): the normal is that of (g_x/0.9, g_z/0.5), and none of the shift goes along it.
    const Vec3d gradient{0.2, 0, -0.4}, normal{0.2 / 0.9, 0, -0.4 / 0.5};
    const Vec3d shift = advanced_shift(true, gradient, {0.9, 0, 0.5});
    EXPECT_NEAR(dot(shift, normal), 0, 1e-12);
    const Vec3d tangent{normal.z, 0, -normal.x};
    EXPECT_NEAR(dot(shift, tangent), dot(gradient, tangent), 1e-12);
    // straight up from a surface without disorder nothing is left
    expect_shift(advanced_shift(true, {0, 0, -0.4}, {0.9, 0, 0.5}), {}, 1e-12);
    // in 3-D with a normal that is askew: L∇C by hand, for M = [[0.9, 0.1, 0], [0.1, 0.8, 0], [0, 0, 0.5]]
    const Vec3d askew = advanced_shift(false, {0.2, 0.1, -0.4}, {0.9, 0.8, 0.5}, {0.1, 0, 0});
    const Vec3d n{(0.8 * 0.2 - 0.1 * 0.1) / 0.71, (0.9 * 0.1 - 0.1 * 0.2) / 0.71, -0.8};
    EXPECT_NEAR(dot(askew, n), 0, 1e-12);
    expect_shift(cross(askew, n), cross(Vec3d{0.2, 0.1, -0.4}, n), 1e-12);
}

TEST(AdvancedShifting, FadesFromTheInsideToTheSurfaceAndInSpray) {
    // along x: the normal is that of x, and what is left of it grows with ∇·r from 0.9 to 1 of d
    const auto across = [](double divergence) {
        return advanced_shift(true, {0.3, 0, 0}, {divergence / 2, 0, divergence / 2}).x / 0.3;
    };
    EXPECT_NEAR(across(2.2), 1, 1e-12);
    EXPECT_NEAR(across(1.9), 0.5, 1e-12);
    EXPECT_NEAR(across(1.7), 0, 1e-12);
    // and along the surface it fades from 0.5 to 0.4 of d; with M = diag(a, b) it is what (g_x, g_z) has across the
    // normal
    const auto along = [](double divergence) {
        const Vec3d gradient{0.2, 0, -0.4}, m{0.6 * divergence, 0, 0.4 * divergence};
        const Vec3d tangent{gradient.z / m.z, 0, -gradient.x / m.x};
        return dot(advanced_shift(true, gradient, m), tangent) / dot(gradient, tangent);
    };
    EXPECT_NEAR(along(1.0), 1, 1e-12);
    EXPECT_NEAR(along(0.9), 0.5, 1e-12);
    EXPECT_NEAR(along(0.8), 0, 1e-12);
}

TEST(AdvancedShifting, IsNeverFar) {
    const Constants c = passes_constants(true);
    const Vec3d far = advanced_shift(true, {1e6, 0, -1e6}, {1, 0, 1});
    const double unit = -0.05 * c.h * c.c0 * 1e-4;
    EXPECT_NEAR(far.x * unit, -0.1 * c.dp, 1e-12);
    EXPECT_NEAR(far.z * unit, 0.1 * c.dp, 1e-12);
}

TEST(AdvancedShifting, SumsTheGradientAndTheMoments) {
    const Constants c = passes_constants(false);
    using Op = CrowdingMoments<Wendland>;
    const Op::Constants<double> constants(c, PairKind::fluid_boundary, LengthUnit{0.01});
    const Vec3d r{0.01, -0.02, 0.015}; // m; separations count centimetres
    double sums[9] = {}, plain[5] = {};
    Op::add(constants, 1.0, -2.0, 1.5, 7.25, {1000, 0}, {990, 0}, sums);
    Crowding<Wendland>::add(constants, 1.0, -2.0, 1.5, 7.25, {1000, 0}, {990, 0}, plain);
    for (int k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(sums[k], plain[k]);
    EXPECT_NEAR(sums[3] + sums[4] + sums[5], plain[3], 1e-12 * std::abs(plain[3]));
    const Vec3d gradient{sums[0], sums[1], sums[2]};
    const double expected[6] = {-r.x * gradient.x, -r.y * gradient.y, -r.z * gradient.z,
                                -r.x * gradient.y, -r.x * gradient.z, -r.y * gradient.z};
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(sums[3 + k], expected[k], 1e-12 * std::abs(expected[k])) << k;
}

TEST(Shifting, StopsNearTheWallsThatAreAskedFor) {
    EXPECT_TRUE(holds_fluid(Shifting::off_walls, false));
    EXPECT_TRUE(holds_fluid(Shifting::off_resting_walls, true));
    EXPECT_FALSE(holds_fluid(Shifting::off_resting_walls, false));
    EXPECT_FALSE(holds_fluid(Shifting::everywhere, true));
    EXPECT_FALSE(holds_fluid(Shifting::along_surfaces, true));
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

TEST(AdvancedShifting, DensitiesFollowTheShifts) {
    const Constants c = passes_constants(false);
    using Op = ShiftConvergence<Wendland>;
    const Op::Constants<double> constants(c, PairKind::fluid_fluid, LengthUnit{0.01});
    const Op::Side<double> a{1e-4, 2e-4, -1e-4, 1000}, b{3e-4, 0, 2e-4, 990};
    double sum[1] = {}, crowding[5] = {};
    Op::add(constants, 1.0, -2.0, 1.5, 7.25, a, b, sum);
    const CrowdingConstants<double> crowded(c, PairKind::fluid_fluid, LengthUnit{0.01});
    Crowding<Wendland>::add(crowded, 1.0, -2.0, 1.5, 7.25, {1000, 0}, {990, 0}, crowding);
    // Σ V_b (δr_a − δr_b)·∇_aW
    EXPECT_NEAR(sum[0], -2e-4 * crowding[0] + 2e-4 * crowding[1] - 3e-4 * crowding[2], 1e-12 * std::abs(sum[0]));
    EXPECT_NE(sum[0], 0);
    EXPECT_DOUBLE_EQ(shift_density_rate(-0.02, 1000.0, 1e-3), -2e4);
}
