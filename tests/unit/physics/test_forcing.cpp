// SPDX-License-Identifier: Apache-2.0
#include "physics/forcing.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance = 1e-12) {
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], tolerance) << axis;
}

DampingZone plane() {
    DampingZone zone;
    zone.inner_min = {4, 0, 0};
    zone.outer_min = {6, 0, 0};
    zone.over_limit = 1;
    zone.rate = 8;
    return zone;
}

/// Undamped for 4 m along every axis, and then damped for 2 m on all sides.
DampingZone box_zone() {
    DampingZone zone;
    zone.shape = DampingZone::Shape::box;
    zone.inner_min = {0, 0, 0};
    zone.inner_max = {4, 4, 4};
    zone.outer_min = {-2, -2, -2};
    zone.outer_max = {6, 6, 6};
    zone.rate = 8;
    return zone;
}

} // namespace

TEST(Damping, GrowsWithTheSquareOfTheDepthIntoAPlaneZone) {
    const Vec3d v{1, -2, 3};
    const auto at = [&](double x) { return damping(plane(), {x, 7, -9}, v); };
    expect_near(at(3.9), {});
    expect_near(at(5), -2.0 * v);   // 8·(1/2)²
    expect_near(at(5.5), -4.5 * v); // 8·(3/4)²
    expect_near(at(6.9), -8.0 * v);
    expect_near(at(7.1), {});
    DampingZone zone = plane();
    zone.factor = {1, 0.5, 0};
    expect_near(damping(zone, {5, 0, 0}, v), {-2, 2, 0});
    zone = plane(); // along a slanted direction
    zone.outer_min = {5, 1, 0};
    expect_near(damping(zone, {4.5, 0.5, 3}, v), -2.0 * v);
    expect_near(damping(zone, {5, 0, 3}, v), -2.0 * v);
}

TEST(Damping, OfAPlaneActsInItsDomainOnly) {
    DampingZone zone = plane();
    zone.has_domain = true;
    zone.z_min = -1;
    zone.z_max = 1;
    for (const bool clockwise : {false, true}) {
        const Vec3d corners[4] = {{0, -1, 0}, {10, -1, 0}, {10, 2, 0}, {0, 2, 0}};
        for (int i = 0; i < 4; ++i) zone.corner[i] = corners[clockwise ? 3 - i : i];
        expect_near(damping(zone, {5, 1.9, 0.5}, {1, 0, 0}), {-2, 0, 0});
        expect_near(damping(zone, {5, 2.1, 0.5}, {1, 0, 0}), {});
        expect_near(damping(zone, {5, 1.9, 1.5}, {1, 0, 0}), {});
    }
}

// As far as over_limit beyond the outer box it acts in full, and not farther; the same on all six sides.
TEST(Damping, OfABoxEndsBeyondItsOuterBox) {
    DampingZone zone = box_zone();
    zone.over_limit = 0.5;
    for (int axis = 0; axis < 3; ++axis)
        for (const bool upper : {false, true}) {
            const auto at = [&](double beyond) {
                Vec3d p{2, 2, 2};
                p[axis] = upper ? 6 + beyond : -2 - beyond;
                return damping(zone, p, {1, 0, 0}).x;
            };
            EXPECT_NEAR(at(-0.5), -8 * 0.75 * 0.75, 1e-12);
            EXPECT_NEAR(at(0.4), -8, 1e-12);
            EXPECT_EQ(at(0.6), 0);
        }
    EXPECT_EQ(damping(zone, {5, 2, 6.6}, {1, 0, 0}).x, 0) << "beyond one side, if not beyond another";
}

TEST(Damping, OfABoxActsBeyondTheInnerBoxOnActiveFaces) {
    DampingZone zone = box_zone();
    zone.outer_max.y = 5;
    const Vec3d v{1, 0, 0};
    expect_near(damping(zone, {2, 2, 2}, v), {});
    expect_near(damping(zone, {5, 2, 2}, v), {-2, 0, 0});
    expect_near(damping(zone, {5, 4.75, 2}, v), {-4.5, 0, 0}); // the deeper of two faces
    expect_near(damping(zone, {6.1, 2, 2}, v), {});
    zone.active[1] = false; // +x
    expect_near(damping(zone, {5, 2, 2}, v), {});
    expect_near(damping(zone, {-1, 2, 2}, v), {-2, 0, 0});
}

TEST(Damping, OfABoxKnowsItsSixFacesApart) {
    const Vec3d v{1, 0, 0}, middle{2, 2, 2};
    for (int face = 0; face < 6; ++face) {
        DampingZone zone = box_zone();
        for (int other = 0; other < 6; ++other) zone.active[other] = other == face; // -x, +x, -y, +y, -z, +z
        for (int other = 0; other < 6; ++other) {
            Vec3d p = middle;
            p[other / 2] = other % 2 ? 5 : -1;
            expect_near(damping(zone, p, v), other == face ? Vec3d{-2, 0, 0} : Vec3d{});
        }
    }
}

TEST(Damping, OfACylinderActsOutsideOfARadius) {
    DampingZone zone;
    zone.shape = DampingZone::Shape::cylinder;
    zone.axis_point = {1, 1, 0};
    zone.inner_radius = 5;
    zone.outer_radius = 7;
    zone.rate = 8;
    const Vec3d v{0, 0, 1};
    expect_near(damping(zone, {1, 5, 3}, v), {});
    expect_near(damping(zone, {1, 7, -3}, v), {0, 0, -2});
    expect_near(damping(zone, {4.6, 5.8, 9}, v), {0, 0, -2}); // 6 from the axis
}

TEST(AccelerationInputs, AreLinearInTimeAndAddTheTermsOfATurningFrame) {
    AccelerationInput input;
    input.first_id = 3;
    input.last_id = 5;
    input.start = 1;
    input.end = 9;
    input.centre = {1, 0, 0};
    input.constant = {0, 0, 9.81};
    input.sample_count = 3;
    // V and ω are the integrals of the columns before them
    const AccelerationSample samples[] = {{0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                                          {2, {0, 0, 4}, {0, 2, 0}, {0, 0, 4}, {0, 2, 0}},
                                          {4, {2, 0, 4}, {0, 2, 0}, {2, 0, 12}, {0, 6, 0}}};
    EXPECT_EQ(frame_at(input, samples, 0.5).last_id, 0U);
    EXPECT_EQ(frame_at(input, samples, 9).last_id, 0U);
    const ForcedFrame early = frame_at(input, samples, 1);
    expect_near(early.linear, {0, 0, 2 + 9.81});
    expect_near(early.angular, {0, 1, 0});
    expect_near(early.velocity, {0, 0, 1}); // ∫ 2t dt
    expect_near(early.angular_velocity, {0, 0.5, 0});
    const ForcedFrame now = frame_at(input, samples, 3);
    expect_near(now.linear, {1, 0, 4 + 9.81});
    expect_near(now.velocity, {0.5, 0, 8});
    expect_near(now.angular_velocity, {0, 4, 0});
    // r = (2, 0, 1), α = 2 e_y, ω = 4 e_y, v − V = (1, 0, −1): α×r = (2, 0, −4), ω×(ω×r) = −16 (2, 0, 1),
    // 2ω×(v − V) = 8 (−1, 0, −1)
    expect_near(now.acceleration({3, 0, 1}, {1.5, 0, 7}), {1 + 2 - 32 - 8, 0, 4 + 9.81 - 4 - 16 - 8});
    const ForcedFrame late = frame_at(input, samples, 6); // the last one lasts
    expect_near(late.linear, {2, 0, 4 + 9.81});
    expect_near(late.velocity, {6, 0, 20});
    const auto sum = [&](std::uint32_t id) {
        return forced_acceleration(nullptr, 0, &early, 1, id, {1, 0, 0}, early.velocity);
    };
    expect_near(sum(2), {});
    expect_near(sum(3), {0, 0, 11.81});
    expect_near(sum(5), {});
}

TEST(Forcing, ActsOnWhatOpenBoundariesCreateWhereItSaysSo) {
    AccelerationInput input;
    input.first_id = 3;
    input.last_id = 5;
    input.sample_count = 1;
    const AccelerationSample sample{0, {1, 0, 0}, {}, {}, {}};
    const auto acts_on = [&](std::uint32_t id) {
        const ForcedFrame frame = frame_at(input, &sample, 0);
        return forced_acceleration(nullptr, 0, &frame, 1, id, {}, {}).x == 1;
    };
    for (const std::uint32_t id : {2U, 5U, 100U}) EXPECT_FALSE(acts_on(id)) << id;
    EXPECT_TRUE(acts_on(3) && acts_on(4));
    input.created_id = 100;
    EXPECT_FALSE(acts_on(99));
    EXPECT_TRUE(acts_on(100) && acts_on(4000000000U));
}
