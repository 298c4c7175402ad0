// SPDX-License-Identifier: Apache-2.0
#include "case/transform.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

// No entry is 0 and no two are alike, so that none can be taken for another.
const Transform general{{{{2, 3, 5, 7}, {-1, 4, 6, 8}, {9, -2, 10, 11}}}};

} // namespace

TEST(Transform, ADeterminantIsThatOfTheLinearPart) {
    // 2 (4·10 + 6·2) − 3 (−1·10 − 6·9) + 5 (1·2 − 4·9)
    EXPECT_EQ(general.determinant(), 2 * 52 + 3 * 64 - 5 * 34);
    EXPECT_NEAR(general.length_scale(), std::cbrt(126.0), 1e-14);
    EXPECT_EQ(scaling({2, -3, 4}).determinant(), -24);
    EXPECT_NEAR(scaling({2, -2, 2}).length_scale(), 2, 1e-15); // a reflection has lengths, too
    EXPECT_NEAR(rotation(77, {1, 2, 3}, {4, 5, 6}).determinant(), 1, 1e-14);
}

TEST(Transform, PlacesAreMovedAndDifferencesAreNot) {
    EXPECT_EQ(general({1, 10, 100}), (Vec3d{2 + 30 + 500 + 7, -1 + 40 + 600 + 8, 9 - 20 + 1000 + 11}));
    EXPECT_EQ(general.turned({1, 10, 100}), (Vec3d{2 + 30 + 500, -1 + 40 + 600, 9 - 20 + 1000}));
    EXPECT_TRUE(translation({1, 2, 3}).is_translation());
    EXPECT_FALSE(general.is_translation());
}

TEST(Transform, AProductDoesTheSecondFirst) {
    const Vec3d p{0.5, -1.5, 2.5};
    const Transform other{{{{1, -2, 3, -4}, {5, 7, -6, 2}, {-3, 8, 4, 1}}}};
    EXPECT_EQ((general * other)(p), general(other(p)));
    EXPECT_EQ((general * other).determinant(), general.determinant() * other.determinant());
}

TEST(Transform, ATurnIsRightHandedAboutItsPoint) {
    const Vec3d turned = rotation(90, {0, 0, 3}, {1, 1, 5})({2, 1, 7}); // from +x of the point to its +y
    EXPECT_NEAR(turned.x, 1, 1e-15);
    EXPECT_NEAR(turned.y, 2, 1e-15);
    EXPECT_NEAR(turned.z, 7, 1e-15);
    const Vec3d cycled = rotation(120, {1, 1, 1})({1, 2, 3}); // x to y, y to z, z to x
    EXPECT_NEAR(cycled.x, 3, 1e-14);
    EXPECT_NEAR(cycled.y, 1, 1e-14);
    EXPECT_NEAR(cycled.z, 2, 1e-14);
}
