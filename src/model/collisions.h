// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/triangle_tree.h"
#include "core/vec.h"
#include <vector>

// What floating bodies and walls are as rigid surfaces that touch one another, as plain data. Contacts follow from them
// in scheme/collisions/. Places are those of time 0, from the domain's lower corner.

namespace sluice {

/// What the surface of a wall or a body is like in contacts.
struct CollisionMaterial {
    double restitution = 0;        ///< speed after over speed before an impact, 0 to 1
    double friction = 0;           ///< kinetic coefficient
    double static_friction = 0;    ///< of points that do not slip
    bool imposes_friction = false; ///< its coefficients count, whatever it touches

    bool operator==(const CollisionMaterial&) const = default;
};

enum class CollisionForm {
    ball,
    block, ///< a rectangular box
    mesh,  ///< triangles
};

/// A connected piece of a surface. What touches others of it are points and edges, which lie by `rounding` inside of
/// its surface and have balls of that radius around them: so corners and edges are round, and faces stay where they
/// are.
struct CollisionShape {
    CollisionForm form = CollisionForm::mesh;
    Vec3d centre;                         ///< of ball or block, m; of a mesh that of its box
    double reach = 0;                     ///< the radius about the centre that nothing is beyond, m. Of a ball: its own
    Vec3d axes[3], half;                  ///< of a block: unit vectors along its edges, and half their lengths, m
    bool closed = true;                   ///< of a mesh: it encloses something, and has a side that is solid
    double rounding = 0;                  ///< m
    int first_facet = 0, facet_count = 0; ///< of meshes
    int first_point = 0, point_count = 0, first_edge = 0, edge_count = 0;
};

/// A straight edge, rounding inside of its surface.
struct CollisionEdge {
    Vec3d from, to;
};

/// A wall or a body that touches others.
struct Collider {
    int body = -1; ///< of RunSetup::bodies
    int wall = -1; ///< of RunSetup::motions. Neither body nor wall: at rest
    int mk_bound = 0;
    int first_shape = 0, shape_count = 0;
    CollisionMaterial material;
};

/// All of a run; none where bodies do not collide.
struct Collisions {
    std::vector<Collider> colliders;
    std::vector<CollisionShape> shapes;
    std::vector<Facet> facets;
    std::vector<Vec3d> points;
    std::vector<CollisionEdge> edges;
    double overlap = 0; ///< that bodies may keep, m
    bool two_d = false;

    bool any() const { return !colliders.empty(); }
};

} // namespace sluice
