// SPDX-License-Identifier: Apache-2.0
#include "distinct_constants.h"
#include "model/derive.h"
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace sluice;
using namespace sluice::sph;

namespace {

Constants chosen(bool two_d) {
    Constants c;
    c.two_d = two_d;
    c.dp = 0.02;
    c.h = 0.03;
    c.rho0 = 1025;
    c.gamma = 6.5;
    c.c0 = 40;
    return c;
}

} // namespace

TEST(Constants, FieldsAreVisitedOnceEachByAName) {
    std::set<std::string> names;
    std::set<const void*> places;
    Constants c;
    int count = 0;
    for_each_field(c, [&](const char* name, auto& field) {
        names.insert(name);
        places.insert(&field);
        ++count;
    });
    EXPECT_EQ(names.size(), std::size_t(count));
    EXPECT_EQ(places.size(), std::size_t(count));
}

TEST(Constants, AreDerivedOneFromAnother) {
    Constants c = chosen(false);
    derive(c);
    EXPECT_DOUBLE_EQ(c.mass_fluid, 1025 * 8e-6);
    EXPECT_DOUBLE_EQ(c.mass_bound, 1025 * 8e-6);
    EXPECT_DOUBLE_EQ(c.b, 40 * 40 * 1025 / 6.5);
    EXPECT_DOUBLE_EQ(c.eta2, 9e-6);
    EXPECT_DOUBLE_EQ(c.dt_min, 0.05 * 0.03 / 40);
    c = chosen(true);
    derive(c);
    EXPECT_DOUBLE_EQ(c.mass_fluid, 1025 * 4e-4);
    EXPECT_DOUBLE_EQ(c.mass_bound, 1025 * 4e-4);
    EXPECT_DOUBLE_EQ(smoothing_length(1.2, 0.02, true), 1.2 * 0.02 * std::sqrt(2));
    EXPECT_DOUBLE_EQ(smoothing_length(1.2, 0.02, false), 1.2 * 0.02 * std::sqrt(3));
}

TEST(Constants, GivenOutrightAreTaken) {
    Constants c = chosen(false);
    GivenConstants given{3, 4, 5e5, 6e-6};
    derive(c, given);
    EXPECT_EQ(c.mass_fluid, 3);
    EXPECT_EQ(c.mass_bound, 4);
    EXPECT_EQ(c.b, 5e5);
    EXPECT_EQ(c.dt_min, 6e-6);
    EXPECT_EQ(c.c0, 40) << "B and a speed of sound may both be given";
    c = chosen(false);
    c.c0 = 0;
    given = {};
    given.b = 5e5;
    given.coef_dt_min = 0.1;
    derive(c, given);
    EXPECT_DOUBLE_EQ(c.c0, std::sqrt(5e5 * 6.5 / 1025));
    EXPECT_DOUBLE_EQ(c.dt_min, 0.1 * 0.03 / c.c0);
}
