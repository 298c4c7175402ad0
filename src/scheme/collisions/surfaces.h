// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/collisions.h"
#include "physics/collision/surface_distance.h"
#include <memory>
#include <optional>

namespace sluice::collision {

/// The surfaces of all colliders, to ask for distances.
class Surfaces {
public:
    explicit Surfaces(const Collisions& all) : all_(all), trees_(all.shapes.size()) {
        for (std::size_t s = 0; s < trees_.size(); ++s) {
            const CollisionShape& shape = all.shapes[s];
            if (shape.form != CollisionForm::mesh) continue;
            const auto first = all.facets.begin() + shape.first_facet;
            trees_[s] = std::make_unique<TriangleTree>(std::vector<Facet>(first, first + shape.facet_count));
        }
    }

    /// Of a point from a shape, both at time 0; empty where it is farther than `reach` (m), which must be positive.
    /// `body`: a place well inside of what the point belongs to. That is on the free side of a sheet.
    std::optional<Nearness> distance(int s, const Vec3d& p, double reach, const Vec3d& body) const {
        const CollisionShape& shape = all_.shapes[std::size_t(s)];
        if (shape.form == CollisionForm::mesh) return distance_to_mesh(s, p, reach, body);
        const Nearness near = shape.form == CollisionForm::ball
                                  ? distance_to_ball(shape.centre, shape.reach, p)
                                  : distance_to_block(shape.centre, shape.axes, shape.half, p);
        if (near.distance > reach) return std::nullopt;
        return near;
    }

private:
    /// The triangles that meet at the nearest point say on which side of a closed mesh a point is: that which the point
    /// is farthest before or behind.
    std::optional<Nearness> distance_to_mesh(int s, const Vec3d& p, double reach, const Vec3d& body) const {
        const TriangleTree& tree = *trees_[std::size_t(s)];
        const CollisionShape& shape = all_.shapes[std::size_t(s)];
        const auto hit = tree.nearest(p, reach, [](std::uint32_t, const Vec3d&) { return true; });
        if (!hit) return std::nullopt;
        const Vec3d way = p - hit->point;
        const double distance = norm(way), touch = 1e-9 * shape.reach;
        Vec3d facing = tree.normal(hit->facet);
        double most = std::fabs(dot(facing, way)), sign = dot(facing, way) < 0 ? -1 : 1;
        const Vec3d around{touch, touch, touch};
        tree.for_each_in({hit->point - around, hit->point + around}, [&](std::uint32_t i) {
            const Vec3d q = nearest_point(tree.facet(i), hit->point);
            const double height = dot(tree.normal(i), way);
            if (norm(q - hit->point) > touch || std::fabs(height) <= most) return;
            most = std::fabs(height);
            facing = tree.normal(i);
            sign = height < 0 ? -1 : 1;
        });
        if (!shape.closed) {
            constexpr double across = 0.7; // a point beside the edge of a sheet is behind no side of it
            if (dot(body - hit->point, facing) < 0) facing = -1.0 * facing;
            sign = dot(facing, way) < -across * distance ? -1 : 1;
        }
        if (distance <= touch) return Nearness{0, facing};
        return Nearness{sign * distance, (sign / distance) * way};
    }

    const Collisions& all_;
    std::vector<std::unique_ptr<TriangleTree>> trees_;
};

} // namespace sluice::collision
