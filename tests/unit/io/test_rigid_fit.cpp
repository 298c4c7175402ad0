// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/rigid_fit.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace sluice;

namespace {

using Points = std::vector<Vec3d>;

/// Turned about z, then about x, and moved.
Vec3d moved(const Vec3d& p) {
    const double a = 2.5, b = -0.7;
    const Vec3d q{std::cos(a) * p.x - std::sin(a) * p.y, std::sin(a) * p.x + std::cos(a) * p.y, p.z};
    return Vec3d{q.x, std::cos(b) * q.y - std::sin(b) * q.z, std::sin(b) * q.y + std::cos(b) * q.z} + Vec3d{3, -2, 1};
}

std::vector<Vec3d> after_of(const std::vector<Vec3d>& before) {
    std::vector<Vec3d> after;
    for (const Vec3d& p : before) after.push_back(moved(p));
    return after;
}

void expect_near(const Vec3d& a, const Vec3d& b) {
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], 1e-12) << axis;
}

} // namespace

TEST(rigid_fit, finds_how_an_object_has_moved) {
    const std::vector<Vec3d> solid{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 1, 1}};
    const std::vector<Vec3d> plate{{0, 0, 1}, {1, 0, 1}, {1, 2, 1}, {0, 2, 1}}; // no volume, as many walls
    for (const auto& before : {solid, plate}) {
        const RigidFit fit = fit_rigid_motion(before, after_of(before), false);
        EXPECT_TRUE(fit.is_unique);
        EXPECT_LT(fit.error, 1e-12);
        expect_near(fit.motion.position_of({5, 7, -4}), moved({5, 7, -4}));
        expect_near(fit.motion.turned({1, 0, 0}), moved({1, 0, 0}) - moved({0, 0, 0}));
    }
}

TEST(rigid_fit, an_object_that_rests_stays) {
    const std::vector<Vec3d> before{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    const RigidFit fit = fit_rigid_motion(before, before, false);
    expect_near(fit.motion.position_of({5, 7, -4}), {5, 7, -4});
}

TEST(rigid_fit, of_a_line_is_not_unique_in_space_but_in_a_plane) {
    const std::vector<Vec3d> line{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}};
    EXPECT_FALSE(fit_rigid_motion(line, after_of(line), false).is_unique);
    // a flap of one row in 2-D, turned by 30 degrees about y at its foot: upright it leans to +x
    const double s = 0.5, c = std::sqrt(0.75);
    const RigidFit flap = fit_rigid_motion(line, Points{{0, 0, 0}, {s, 0, c}, {2 * s, 0, 2 * c}}, true);
    EXPECT_TRUE(flap.is_unique);
    expect_near(flap.motion.position_of({1, 0, 0}), {c, 0, -s});
    expect_near(flap.motion.turned({0, 1, 0}), {0, 1, 0});
    EXPECT_LT(flap.error, 1e-12);
    EXPECT_FALSE((fit_rigid_motion(Points{{1, 0, 1}}, Points{{2, 0, 1}}, true).is_unique));
}

TEST(rigid_fit, tells_what_bends) {
    const std::vector<Vec3d> before{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}};
    EXPECT_GT((fit_rigid_motion(before, Points{{0, 0, 0}, {0.3, 0, 1}, {0, 0, 2}}, true).error), 0.1);
}
