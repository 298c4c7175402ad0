// SPDX-License-Identifier: Apache-2.0
#include "physics/sph/kernels.h"
#include <gtest/gtest.h>
#include <numbers>

using namespace sluice::sph;

template <class Kernel>
class Kernels : public testing::Test {};
using Types = testing::Types<CubicSpline, Wendland, WendlandC4, WendlandC6>;
TYPED_TEST_SUITE(Kernels, Types);

TYPED_TEST(Kernels, IntegralIsOneIn2DAnd3D) {
    const double h = 0.37, dr = h / 20000;
    for (const bool two_d : {true, false}) {
        const double alpha = TypeParam::normalisation(h, two_d);
        double sum = 0;
        for (double r = dr / 2; r < 2.2 * h; r += dr) {
            const double shell = two_d ? 2 * std::numbers::pi * r : 4 * std::numbers::pi * r * r;
            sum += alpha * TypeParam::value(r / h) * shell * dr;
        }
        EXPECT_NEAR(sum, 1, 1e-6) << (two_d ? "2-D" : "3-D");
    }
}

TYPED_TEST(Kernels, DerivativeIsTheSlopeOfTheValue) {
    for (double q = 0.01; q < 2.2; q += 0.013) {
        const double e = 1e-6;
        const double slope = (TypeParam::value(q + e) - TypeParam::value(q - e)) / (2 * e);
        EXPECT_NEAR(TypeParam::derivative(q), slope, 2e-6) << "q = " << q;
        EXPECT_NEAR(TypeParam::derivative_over_q(q, 1 / q) * q, TypeParam::derivative(q), 1e-12) << "q = " << q;
    }
}

TYPED_TEST(Kernels, VanishesAtTheSupportRadiusAndNeverRises) {
    EXPECT_EQ(TypeParam::value(2.0), 0);
    EXPECT_EQ(TypeParam::value(2.7), 0);
    EXPECT_EQ(TypeParam::derivative(2.0), 0);
    EXPECT_EQ(TypeParam::derivative(2.5), 0);
    for (double q = 0; q < 2; q += 0.05) EXPECT_LE(TypeParam::derivative(q), 0) << "q = " << q;
}

TYPED_TEST(Kernels, SinglePrecisionFollowsDouble) {
    for (double q = 0.05; q < 2; q += 0.05) {
        EXPECT_NEAR(TypeParam::value(float(q)), TypeParam::value(q), 3e-7);
        EXPECT_NEAR(TypeParam::derivative_over_q(float(q), float(1 / q)), TypeParam::derivative_over_q(q, 1 / q),
                    1e-6 / q);
    }
}

// Dehnen & Aly (2012), table 1, with r over the radius of the support.
TEST(WendlandKernels, HaveThePolynomialsOfTheirContinuity) {
    for (double r = 0; r <= 1; r += 0.05) {
        EXPECT_NEAR(Wendland::value(2 * r), std::pow(1 - r, 4) * (1 + 4 * r), 1e-14);
        EXPECT_NEAR(WendlandC4::value(2 * r), std::pow(1 - r, 6) * (1 + 6 * r + 35 * r * r / 3), 1e-14);
        EXPECT_NEAR(WendlandC6::value(2 * r), std::pow(1 - r, 8) * (1 + 8 * r + 25 * r * r + 32 * r * r * r), 1e-14);
    }
}

TEST(CubicSpline, HasThePiecesOfEquationA3) {
    for (double q = 0; q <= 1; q += 0.1) EXPECT_NEAR(CubicSpline::value(q), 1 - 1.5 * q * q + 0.75 * q * q * q, 1e-14);
    for (double q = 1; q <= 2; q += 0.1) EXPECT_NEAR(CubicSpline::value(q), 0.25 * std::pow(2 - q, 3), 1e-14);
}
