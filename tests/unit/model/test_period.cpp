// SPDX-License-Identifier: Apache-2.0
#include "model/period.h"
#include <gtest/gtest.h>
#include <vector>

using namespace sluice;

namespace {

/// A domain of 4 × 3 × 2 m that is periodic along x, a step of 0.5 m along z higher each time, and along y.
struct Example {
    Period period;
    Vec3d size{4, 3, 2};

    Example() {
        period.periodic[0] = period.periodic[1] = true;
        period.shift[0] = {4, 0, 0.5};
        period.shift[1] = {0, 3, 0};
    }
};

} // namespace

TEST(Period, SaysAlongWhichAxesThereAreImages) {
    const Example e;
    EXPECT_TRUE(e.period.any());
    EXPECT_FALSE(Period().any());
    EXPECT_TRUE(e.period.has_images_along(0));
    EXPECT_TRUE(e.period.has_images_along(1));
    EXPECT_TRUE(e.period.has_images_along(2)); // by the step
    Period plain = e.period;
    plain.shift[0].z = 0;
    EXPECT_FALSE(plain.has_images_along(2));
}

TEST(Period, BringsPositionsBackThroughTheOppositeFace) {
    const Example e;
    EXPECT_EQ(e.period.wrapped({1, 1, 1}, e.size), (Vec3d{1, 1, 1}));
    EXPECT_EQ(e.period.wrapped({-1, 1, 1}, e.size), (Vec3d{3, 1, 1.5}));
    EXPECT_EQ(e.period.wrapped({4, 1, 1}, e.size), (Vec3d{0, 1, 0.5}));
    EXPECT_EQ(e.period.wrapped({0, 3.5, 1}, e.size), (Vec3d{0, 0.5, 1}));
    EXPECT_EQ(e.period.wrapped({1, 1, 7}, e.size), (Vec3d{1, 1, 7})); // not periodic
    EXPECT_EQ(e.period.wrapped({1, -1e-300, 1}, e.size).y, 0);        // rounded to the upper face, which is the lower
    EXPECT_EQ(e.period.wrapped_from_afar({-9, 10, 1}, e.size), (Vec3d{3, 1, 2.5}));
}

TEST(Period, AnImageIsOutsideOfTheDomain) {
    const Example e;
    for (const Vec3d& inside : {Vec3d{0, 0, 0}, Vec3d{3.999, 2.999, 1}, Vec3d{1, 1, -5}})
        EXPECT_FALSE(e.period.is_image(inside, e.size)) << inside.x;
    for (const Vec3d& outside : {Vec3d{4, 1, 1}, Vec3d{-1e-9, 1, 1}, Vec3d{1, 3, 1}, Vec3d{1, -1e-9, 1}})
        EXPECT_TRUE(e.period.is_image(outside, e.size)) << outside.x << " " << outside.y;
    EXPECT_FALSE(Period().is_image({-1, -1, -1}, e.size));
}

TEST(Period, ImagesAreThoseWithinReach) {
    const Example e;
    const auto images_of = [&](const Vec3d& p) {
        std::vector<Vec3d> images;
        e.period.for_each_image(p, e.size, {1, 1, 1}, [&](const Vec3d& image) { images.push_back(image); });
        return images;
    };
    EXPECT_TRUE(images_of({2, 1.5, 0.1}).empty());
    EXPECT_EQ(images_of({0.5, 1.5, 1}), (std::vector<Vec3d>{{4.5, 1.5, 1.5}}));
    EXPECT_EQ(images_of({3, 1.5, 1}), (std::vector<Vec3d>{{-1, 1.5, 0.5}})); // at the reach itself
    EXPECT_TRUE(images_of({1, 1.5, 1}).empty());
    EXPECT_EQ(images_of({0.5, 2.5, 1}), (std::vector<Vec3d>{{0.5, -0.5, 1}, {4.5, -0.5, 1.5}, {4.5, 2.5, 1.5}}));
}
