// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/triangle_tree.h"
#include "geometry/normals.h"
#include <vector>

namespace sluice {

/// What a surface says of a boundary particle.
struct SurfaceNormal {
    NormalFate fate = NormalFate::too_far;
    Vec3d normal; ///< m, zero unless found
};

/// How far a normal reaches, m.
struct SurfaceReach {
    double distance = 0; ///< greatest distance to the planes of the surface
    double size = 0;     ///< greatest length of a normal; 0: any
    double dp = 0;
    /// How far before the surface a particle may stand whose own surface is then half a dp before it; 0: none may.
    double before = 0;
};

/// The surface of a wall, whose triangles face the fluid.
///
/// The normal of a particle leads to the nearest point of the surface, if the particle stands behind it there: by the
/// sum of the normals of the triangles that meet at that point, weighted with their angles (Bærentzen & Aanæs 2005).
/// Where bodies overlap, the nearest surface may be hidden inside another body; then the nearest that the particle is
/// behind counts, if no surface lies between. In a concave corner the nearest point is the corner, and the distance to
/// it may be greater than the one to the planes that meet there. A side of a wall that nothing stands in front of,
/// fluid or wall, is taken only where the other is out of reach.
class WallSurface {
public:
    /// `all`: the box of all particles; `both_sides_wet`: fluid may come from everywhere, as to floating bodies.
    WallSurface(const std::vector<Facet>& facets, const SurfaceReach& reach, const Box& all, bool both_sides_wet);

    SurfaceNormal normal_of(const Vec3d& p) const;

private:
    using Hit = TriangleTree::Hit;

    /// The sum of the normals at a point, weighted with their angles.
    Vec3d outward(const Vec3d& q) const;
    bool behind(const Vec3d& p, const Hit& hit) const;
    bool behind_all(const Vec3d& p, const Vec3d& q) const;
    bool within_reach(const Vec3d& p, const Hit& hit) const;
    bool covered(const Vec3d& p, const Vec3d& q) const;
    /// The nearest point on the other side of a wall from what nothing stands in front of.
    std::optional<Hit> other_side(const Vec3d& p, const Hit& hit) const;
    SurfaceNormal found(const Vec3d& p, const Hit& hit) const;
    /// Of a particle on the surface or before it.
    SurfaceNormal not_behind(const Vec3d& p, const Hit& hit, NormalFate fate) const;
    std::vector<std::uint32_t> facets_at(const Vec3d& q) const;

    TriangleTree tree_;
    SurfaceReach reach_;
    double touch_;              ///< points nearer than this are one, m
    std::vector<bool> in_vain_; ///< triangles that nothing stands in front of
};

} // namespace sluice
