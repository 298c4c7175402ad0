// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/moving_walls.h"
#include "model/collision_builder.h"
#include "physics/collision/surface_distance.h"
#include "unit/scheme/colliding_rig.h"

// Bodies with surfaces that touch one another and walls, for every backend.

namespace sluice::colliding {

using clouds::Choice;
using clouds::Cloud;

/// The bodies of floating_cloud, of which one has a block that hits the ball of the other some steps later, and is hit
/// by a ball on the sliding wall.
inline Cloud colliding_cloud(const Choice& choice, Vec3i count) {
    Cloud cloud = moving::floating_cloud(choice, count);
    RunSetup& setup = cloud.setup;
    const double dp = setup.constants.dp;
    Collisions& all = setup.collisions;
    all.overlap = 0.05 * dp;
    const auto add = [&](int body, int wall, const std::vector<Facet>& facets) {
        Collider collider;
        collider.body = body;
        collider.wall = wall;
        collider.material = {0.4, 0.3, 0.3, false};
        add_collider(all, collider, facets, 0.05 * dp, dp);
    };
    const Vec3d block = setup.bodies[0].centre, ball = setup.bodies[1].centre, size{4 * dp, 3 * dp, 2 * dp};
    add(0, -1, test::box_surface(block, size));
    const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double apart = collision::distance_to_block(block, axes, 0.5 * size, ball).distance;
    add(1, -1, test::ball_facets(ball, apart - 0.01 * dp));
    add(-1, 0, test::ball_facets(block - Vec3d{3.2 * dp, 0, 0.2 * dp}, dp));
    setup.mechanisms = make_mechanisms(setup.bodies.size(), {}, {0, 1});
    for (std::size_t b = 0; b < setup.bodies.size(); ++b) setup.bodies[b].mechanism = setup.mechanisms.of_body[b];
    setup.contact = BodyContact::none;
    return cloud;
}

/// The same where bodies pass through one another and the wall.
inline Cloud passing_bodies(Cloud cloud) {
    cloud.setup.collisions = {};
    return cloud;
}

} // namespace sluice::colliding
