// SPDX-License-Identifier: Apache-2.0
#include "model/derive.h"
#include "physics/sph/surface_tension.h"

#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::sph;

namespace {

Constants constants(bool two_d, double h_over_dp) {
    Constants c;
    c.two_d = two_d;
    c.dp = 0.01;
    c.h = h_over_dp * c.dp;
    c.c0 = 10;
    derive(c, {});
    return c;
}

constexpr TensionShares whole{1, 1};

} // namespace

// Worked out by hand: n = (3, 0, 4), |n| 5; σ/(|n| ρ²) = 0.5.
TEST(SurfaceTension, PullsAlongTheSurfaceAndNotAcross) {
    const double sums[6] = {3, 0, 4, 0, 0, 0};
    const Stress<double> flat = surface_stress(constants(true, 1.5), whole, 10.0, sums, 2.0);
    EXPECT_DOUBLE_EQ(flat.xx, 0.5 * (12.5 - 9));
    EXPECT_DOUBLE_EQ(flat.zz, 0.5 * (12.5 - 16));
    EXPECT_DOUBLE_EQ(flat.xz, -0.5 * 12);
    EXPECT_DOUBLE_EQ(flat.pressure_term, -0.5 * 12.5);
    for (const bool two_d : {true, false}) { // with the isotropic part: σ|n| along the surface, nothing across it
        const Stress<double> s = surface_stress(constants(two_d, 1.5), whole, 10.0, sums, 2.0);
        const double xx = s.xx - s.pressure_term, zz = s.zz - s.pressure_term, yy = -s.xx - s.zz - s.pressure_term;
        EXPECT_NEAR(3 * xx + 4 * s.xz, 0, 1e-12);
        EXPECT_NEAR(3 * s.xz + 4 * zz, 0, 1e-12);
        EXPECT_NEAR(16 * xx - 24 * s.xz + 9 * zz, 25 * 12.5, 1e-12); // along (4, 0, −3)
        EXPECT_NEAR(yy, two_d ? 6.25 : 12.5, 1e-12);                 // in 2-D of no consequence
    }
    const double none[6] = {};
    EXPECT_EQ(surface_stress(constants(true, 1.5), whole, 10.0, none, 2.0).xx, 0);
}

TEST(SurfaceTension, NothingBesideTheFluidCountsTwiceAndDisorderNot) {
    const Constants c = constants(true, 1.5); // h 0.015
    const auto pull = [&](double n) {
        const double sums[6] = {0, 0, 0, n, 0, 0};
        return surface_stress(c, TensionShares{1, 0.5}, 1.0, sums, 1.0).zz;
    };
    EXPECT_EQ(pull(0.09 / c.h), 0);
    EXPECT_NEAR(pull(0.5 / c.h), 2 / 0.5 * 0.5 * 0.5 / c.h, 1e-12);
    EXPECT_NEAR(pull(0.15 / c.h), 2 / 0.5 * 0.5 * 0.15 / c.h * 0.5, 1e-12); // halfway
}

TEST(SurfaceTension, OfALatticeOfManyNeighboursIsThatOfIntegrals) {
    for (const bool two_d : {true, false}) {
        EXPECT_NEAR(tension_shares(constants(two_d, 4)).between, 1, 2e-3);
        EXPECT_NEAR(tension_shares(constants(two_d, 1.5)).between, 1, 0.06);
        EXPECT_LT(tension_shares(constants(two_d, 4)).alone, 0.8); // part of the support is empty
        EXPECT_GT(tension_shares(constants(two_d, 4)).alone, 0.6);
    }
    // of a lattice with h of 1.2 √2 dp, summed up by another program
    EXPECT_NEAR(tension_shares(constants(true, 1.2 * std::sqrt(2.0))).between, 0.9877, 1e-4);
    EXPECT_NEAR(tension_shares(constants(true, 1.2 * std::sqrt(2.0))).alone, 0.7240, 1e-4);
}

TEST(SurfaceTension, ColoursOfOtherFluidsCountAlikeAndWallsOnlyAmongAll) {
    using Op = ColourGradient<Wendland>;
    const Constants c = constants(true, 1.5);
    const auto sums = [&](PairKind kind, double a, double b) {
        std::array<double, 6> all{};
        double(&out)[6] = *reinterpret_cast<double(*)[6]>(all.data());
        Op::add(ColourGradientConstants<double>(c, kind, metre), 0.006, 0.0, 0.008, 1e-4, Op::Side<double>{1000, a},
                Op::Side<double>{800, b}, out);
        return all;
    };
    const auto other = sums(PairKind::fluid_fluid, 1, 2);
    EXPECT_EQ(other, sums(PairKind::fluid_fluid, 7, 1));
    EXPECT_EQ(other[0], other[3]);
    EXPECT_NEAR(other[2], 0.8 / 0.6 * other[0], 1e-12);
    EXPECT_LT(other[0], 0);
    EXPECT_EQ(sums(PairKind::fluid_fluid, 2, 2)[0], 0);
    EXPECT_EQ(sums(PairKind::fluid_fluid, 2, 2)[3], other[3]);
    EXPECT_EQ(sums(PairKind::fluid_boundary, 2, 5)[0], 0);
    EXPECT_EQ(sums(PairKind::fluid_boundary, 2, 5)[3], other[3]);
}

TEST(SurfaceTension, PaceTakesBothSides) {
    const Constants c = constants(true, 1.5);
    const Fluids fluids{{1000, 10, 7, 0, 0, 0.5}, {200, 10, 7, 0, 0, 0.1}};
    const double inside[6] = {}, between[6] = {1, 0, 0, 0, 0, 0}, alone[6] = {0, 0, 0, 0.5 / c.h, 0, 0};
    EXPECT_EQ(surface_pace(c, fluids, 0, inside), 0);
    EXPECT_DOUBLE_EQ(surface_pace(c, fluids, 0, between), 0.6 / 1200); // σ 0.3, mean density 600
    EXPECT_DOUBLE_EQ(surface_pace(c, fluids, 1, between), 0.6 / 1200);
    EXPECT_DOUBLE_EQ(surface_pace(c, fluids, 1, alone), 0.1 / 100);
}
