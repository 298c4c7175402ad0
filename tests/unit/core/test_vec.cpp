// SPDX-License-Identifier: Apache-2.0
#include "core/vec.h"
#include <gtest/gtest.h>

using namespace sluice;

TEST(Vec, ComponentsAreNumberedAlongTheAxes) {
    Vec3d v{1, 2, 3};
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(v[axis], axis + 1);
    v[1] = 5;
    EXPECT_EQ(v, (Vec3d{1, 5, 3}));
    static_assert(Vec3i{4, 5, 6}[2] == 6);
}

TEST(Vec, ProductsAreThoseOfGeometry) {
    const Vec3d a{1, 2, 3}, b{-2, 5, 7};
    EXPECT_EQ(dot(a, b), 29);
    EXPECT_EQ(cross(a, b), (Vec3d{-1, -13, 9}));
    EXPECT_EQ(norm(Vec3d{2, -3, 6}), 7);
    EXPECT_EQ(normalized(Vec3d{0, -4, 3}), (Vec3d{0, 1.0 / 5 * -4, 1.0 / 5 * 3}));
    EXPECT_EQ(2.0 * a - b, (Vec3d{4, -1, -1}));
    EXPECT_EQ(a + b, (Vec3d{-1, 7, 10}));
}

TEST(Vec, OfEqualComponentsTheFirstIsTheLongest) {
    EXPECT_EQ(longest_axis(Vec3d{1, 1, 1}), 0);
    EXPECT_EQ(longest_axis(Vec3d{1, 2, 2}), 1);
    EXPECT_EQ(longest_axis(Vec3d{2, 1, 2}), 0);
    EXPECT_EQ(longest_axis(Vec3d{2, 1, 3}), 2);
    EXPECT_EQ(longest_axis(Vec3d{1, 3, 2}), 1);
}

#if !defined(NDEBUG) || defined(_GLIBCXX_ASSERTIONS)
TEST(Vec, WithAssertionsAComponentThatIsNotThereStopsTheProgram) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Vec3d v{1, 2, 3};
    volatile int axis = 3;
    EXPECT_DEATH(v[axis] = 1, "");
    axis = -1;
    EXPECT_DEATH(v[axis] = 1, "");
}
#endif
