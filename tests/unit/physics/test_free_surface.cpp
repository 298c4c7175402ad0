// SPDX-License-Identifier: Apache-2.0
#include "physics/sph/free_surface.h"
#include <gtest/gtest.h>
#include <vector>

using namespace sluice::sph;

namespace {

std::vector<double> places(const CheckPoints& points) {
    std::vector<double> at;
    for (int k = 0; k < points.count(); ++k) at.push_back(points.at(k));
    return at;
}

double surface(const std::vector<double>& fractions, double limit = 0.5) {
    const CheckPoints points{0.1 * static_cast<double>(fractions.size() - 1), 0.1};
    return find_surface(points, limit, [&](int k) { return fractions.at(static_cast<std::size_t>(k)); });
}

} // namespace

TEST(FreeSurface, IsLookedForAtEverySpacingAndAtTheEnd) {
    EXPECT_EQ(places({0.25, 0.1}), (std::vector<double>{0, 0.1, 0.2, 0.25}));
    EXPECT_EQ(places({3 * 0.1, 0.1}), (std::vector<double>{0, 0.1, 0.2, 3 * 0.1})); // a bit more than 0.3
    EXPECT_EQ(places({0.3, 0.1}), (std::vector<double>{0, 0.1, 0.2, 0.3}));
    EXPECT_EQ(places({1.0000005, 1}), (std::vector<double>{0, 1.0000005}));
    EXPECT_EQ(places({1.00001, 1}), (std::vector<double>{0, 1, 1.00001}));
    EXPECT_EQ(places({0.01, 0.1}), (std::vector<double>{0, 0.01}));
    EXPECT_EQ(places({0, 0.1}), (std::vector<double>{0}));
}

TEST(FreeSurface, IsWhereTheFractionOfFluidFallsBelowTheLimit) {
    EXPECT_NEAR(surface({1, 1, 0.2, 0}), 0.1 + 0.1 * 0.5 / 0.8, 1e-12);
    EXPECT_NEAR(surface({1, 1, 0.2, 0}, 0.4), 0.1 + 0.1 * 0.6 / 0.8, 1e-12);
    EXPECT_NEAR(surface({1, 0.5, 0, 1}), 0.1, 1e-12) << "at the limit there is fluid";
    EXPECT_NEAR(surface({0, 1, 0, 1}), 0.15, 1e-12) << "from below, the first";
    EXPECT_NEAR(surface({0, 0.2, 1, 1}), 0.3, 1e-12) << "fluid up to the end";
    EXPECT_NEAR(surface({0, 0, 0, 0.5}), 0.3, 1e-12);
    EXPECT_EQ(surface({0.4, 0.3, 0.2, 0.4}), -1);
    EXPECT_NEAR(surface({1}), 0, 1e-12);
    EXPECT_EQ(usual_limit(true), 0.4);
    EXPECT_EQ(usual_limit(false), 0.5);
}
