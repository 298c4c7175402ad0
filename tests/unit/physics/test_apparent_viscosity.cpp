// SPDX-License-Identifier: Apache-2.0
#include "physics/sph/apparent_viscosity.h"

#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::sph;

namespace {

double stress(const Rheology& fluid, double shear_rate) {
    return shear_rate * apparent_viscosity(fluid, 0.5 * shear_rate, 1e4);
}

} // namespace

TEST(ApparentViscosity, RateOfStrainIsHalfTheShearRateAndNoneInATurn) {
    double gradient[9] = {};
    gradient[2] = 8; // dvx/dz
    EXPECT_DOUBLE_EQ(rate_of_strain(gradient), 4);
    gradient[6] = -8; // dvz/dx: the fluid turns as a whole
    EXPECT_DOUBLE_EQ(rate_of_strain(gradient), 0);
    double stretch[9] = {};
    stretch[0] = 3, stretch[8] = -3; // S:S = 18
    EXPECT_DOUBLE_EQ(rate_of_strain(stretch), 3);
}

// Numbers worked out by hand.
TEST(ApparentViscosity, OfAPlasticFluid) {
    Rheology mud;
    mud.consistency = 0.1;
    mud.yield = 0.04;
    mud.regularisation = 100;
    // γ̇ 0.2: D 0.1, mD 10: τ = 0.04 (1 − e^−10) + 0.1·0.2
    EXPECT_NEAR(stress(mud, 0.2), 0.0599981840, 1e-10);
    EXPECT_NEAR(apparent_viscosity(mud, 0.0, 1e4), 0.04 * 100 / 2 + 0.1, 1e-12);
    EXPECT_NEAR(apparent_viscosity(mud, 1e-9, 1e4), apparent_viscosity(mud, 0.0, 1e4), 1e-6);
    mud.exponent = 0.5; // K D^n: 2·0.1·√0.1, and no more than 0.1·(1/100)^−½ at rest
    EXPECT_NEAR(stress(mud, 0.2), 0.04 * (1 - std::exp(-10.0)) + 0.2 * std::sqrt(0.1), 1e-12);
    EXPECT_NEAR(apparent_viscosity(mud, 0.0, 1e4), 2 + 1, 1e-12);
    EXPECT_NEAR(greatest_viscosity(mud, 1e4), 3, 1e-12);
    mud.regularisation = 0; // a Newtonian fluid
    mud.exponent = 1;
    EXPECT_NEAR(stress(mud, 7), 0.7, 1e-12);
    mud.exponent = 1.5; // thickens up to the greatest rate
    EXPECT_NEAR(apparent_viscosity(mud, 9.0, 4.0), 0.1 * 2, 1e-12);
    EXPECT_NEAR(greatest_viscosity(mud, 4.0), 0.2, 1e-12);
}

TEST(ApparentViscosity, OfABiviscousFluid) {
    Rheology mud;
    mud.law = RheologyLaw::bi_viscous;
    mud.consistency = 0.1;
    mud.yield = 0.04;
    mud.bi_ratio = 10;
    EXPECT_NEAR(apparent_viscosity(mud, 0.01, 1e4), 10 * 0.1 + 0.1, 1e-12); // below D = 0.04/(2·10·0.1) = 0.02
    EXPECT_NEAR(apparent_viscosity(mud, 0.02, 1e4), 1.1, 1e-12);
    EXPECT_NEAR(stress(mud, 0.2), 0.04 + 0.02, 1e-12);
    EXPECT_NEAR(greatest_viscosity(mud, 1e4), 1.1, 1e-12);
}

TEST(ApparentViscosity, OfCarreauAndYasuda) {
    Rheology melt;
    melt.law = RheologyLaw::carreau_yasuda;
    melt.consistency = 1;
    melt.fast = 0.1;
    melt.relaxation = 2;
    melt.exponent = 0.5;
    melt.transition = 2;
    EXPECT_NEAR(apparent_viscosity(melt, 0.0, 1e4), 1, 1e-12);
    // λγ̇ = 4: (1 + 16)^(−¼) = 0.4924790605
    EXPECT_NEAR(apparent_viscosity(melt, 1.0, 1e4), 0.1 + 0.9 * 0.4924790605, 1e-9);
    EXPECT_NEAR(apparent_viscosity(melt, 1e9, 1e4), 0.1, 1e-4);
    melt.transition = 1; // (1 + 4)^(−½)
    EXPECT_NEAR(apparent_viscosity(melt, 1.0, 1e4), 0.1 + 0.9 / std::sqrt(5.0), 1e-12);
    EXPECT_NEAR(greatest_viscosity(melt, 1e4), 1, 1e-12);
}

// The force of a pair by hand, and what one gives the other gets: also where the viscosity jumps.
TEST(ApparentViscosity, ForceOfAPair) {
    Constants c;
    c.two_d = false;
    c.dp = 0.1;
    c.h = 0.15;
    c.rho0 = 1000;
    c.mass_fluid = c.mass_bound = 1;
    c.boundary_viscosity_factor = 3;
    using Op = ViscousForce<Wendland>;
    const Op::Side<double> a{1, 2, 3, 1000, 0.2}, b{0.5, 2, -1, 1010, 0.6};
    const double r = 0.12, q = r / c.h, pi = 3.14159265358979323846;
    const double slope = -5 * std::pow(1 - q / 2, 3) * q * 21 / (16 * pi * std::pow(c.h, 3)) / c.h; // dW/dr
    const double expected = 4 * (2 * 0.2 * 0.6 / 0.8) * (slope / r) / 2010;
    const auto force = [&](PairKind kind, const Op::Side<double>& of, const Op::Side<double>& by, double unit) {
        const ViscousForceConstants<double> constants(c, kind, LengthUnit(unit));
        std::array<double, 3> sums{};
        double made[3] = {};
        Op::add(constants, r / unit, 0.0, 0.0, r * r / (unit * unit), of, by, made);
        std::copy(made, made + 3, sums.begin());
        return sums;
    };
    for (const double unit : {1.0, 0.01}) {
        const auto on_a = force(PairKind::fluid_fluid, a, b, unit), on_b = force(PairKind::fluid_fluid, b, a, unit);
        EXPECT_NEAR(on_a[0] / (expected * 0.5), 1, 1e-12);
        EXPECT_EQ(on_a[1], 0);
        EXPECT_NEAR(on_a[2] / (expected * 4), 1, 1e-12);
        for (int k = 0; k < 3; ++k) EXPECT_EQ(on_a[std::size_t(k)], -on_b[std::size_t(k)]);
        const auto at_wall = force(PairKind::fluid_boundary, a, b, unit); // 3 times its own viscosity
        EXPECT_NEAR(at_wall[2] / (expected * 4), 3 * 0.2 / 0.3, 1e-12);
        Op::Side<double> thin = a; // a fluid that thickens has no viscosity at rest
        thin.nu = 0;
        EXPECT_EQ(force(PairKind::fluid_fluid, thin, thin, unit)[2], 0);
    }
}
