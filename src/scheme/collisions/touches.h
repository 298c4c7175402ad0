// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/extent.h"
#include "model/rigid_motion.h"
#include "scheme/collisions/surfaces.h"
#include <algorithm>
#include <utility>
#include <vector>

// Where bodies touch each other and walls: pairs whose boxes meet (a sweep along x), then points and edges of one
// surface against the distance from the other, and the other way round. The order follows from the numbers of colliders
// and features alone.

namespace sluice {

/// A place where two colliders touch, or may soon.
struct Touch {
    int first = 0, second = 0; ///< of Collisions::colliders
    Vec3d point;               ///< in the middle of the gap, m
    Vec3d normal;              ///< of length 1, from the second to the first
    double gap = 0;            ///< m; negative where they overlap
};

/// A place of one surface near another: what is beyond `reach` does not count.
namespace collision {

/// How a point at time 0 of one collider is seen from the place of another at time 0.
inline RigidMotion seen_from(const RigidMotion& viewer, const RigidMotion& object) {
    RigidMotion seen;
    const Vec3d way = object.translation - viewer.translation;
    for (int i = 0; i < 3; ++i) {
        const Vec3d axis{viewer.rotation[0][i], viewer.rotation[1][i], viewer.rotation[2][i]};
        seen.translation[i] = dot(axis, way);
        for (int k = 0; k < 3; ++k)
            seen.rotation[i][k] =
                axis.x * object.rotation[0][k] + axis.y * object.rotation[1][k] + axis.z * object.rotation[2][k];
    }
    return seen;
}

/// Samples of the distance along an edge, and the part of a shape's size by which distances along a face may differ.
constexpr int edge_pieces = 16;
constexpr double level_part = 1e-9;

/// Touches of one pair that are kept at most.
constexpr std::size_t most_touches = 12;

} // namespace collision

class TouchFinder {
public:
    explicit TouchFinder(const Collisions& all) : all_(all), surfaces_(all), spans_(all.colliders.size()) {}

    /// All touches with gaps up to the sum of the margins of both (m), where `places` has the colliders; pairs of
    /// colliders for which may_touch(first, second) holds.
    template <class MayTouch>
    const std::vector<Touch>& find(const std::vector<RigidMotion>& places, const std::vector<double>& margins,
                                   MayTouch&& may_touch) {
        touches_.clear();
        pairs_.clear();
        for (std::size_t c = 0; c < spans_.size(); ++c) spans_[c] = span_of(c, places[c], margins[c]);
        order_.resize(spans_.size());
        for (std::size_t c = 0; c < order_.size(); ++c) order_[c] = static_cast<int>(c);
        std::sort(order_.begin(), order_.end(), [&](int a, int b) {
            const double x = spans_[std::size_t(a)].min.x, y = spans_[std::size_t(b)].min.x;
            return x < y || (x == y && a < b);
        });
        for (std::size_t i = 0; i < order_.size(); ++i)
            for (std::size_t j = i + 1; j < order_.size(); ++j) {
                const Extent &a = spans_[std::size_t(order_[i])], &b = spans_[std::size_t(order_[j])];
                if (b.min.x > a.max.x) break;
                if (a.min.y > b.max.y || b.min.y > a.max.y || a.min.z > b.max.z || b.min.z > a.max.z) continue;
                const auto [first, second] = std::minmax(order_[i], order_[j]);
                if (may_touch(first, second)) pairs_.emplace_back(first, second);
            }
        std::sort(pairs_.begin(), pairs_.end());
        for (const auto& [first, second] : pairs_)
            find_pair(first, second, places, margins[std::size_t(first)] + margins[std::size_t(second)]);
        return touches_;
    }

private:
    Extent span_of(std::size_t c, const RigidMotion& place, double margin) const {
        const Collider& collider = all_.colliders[c];
        Extent span;
        for (int s = collider.first_shape; s < collider.first_shape + collider.shape_count; ++s) {
            const CollisionShape& shape = all_.shapes[std::size_t(s)];
            const Vec3d centre = place.position_of(shape.centre);
            const double reach = shape.reach + margin;
            span.add(centre + Vec3d{reach, reach, reach});
            span.add(centre - Vec3d{reach, reach, reach});
        }
        return span;
    }

    void find_pair(int first, int second, const std::vector<RigidMotion>& places, double margin) {
        const Collider &a = all_.colliders[std::size_t(first)], &b = all_.colliders[std::size_t(second)];
        const RigidMotion &place_a = places[std::size_t(first)], &place_b = places[std::size_t(second)];
        const RigidMotion a_from_b = collision::seen_from(place_b, place_a),
                          b_from_a = collision::seen_from(place_a, place_b);
        own_.clear();
        for (int s = a.first_shape; s < a.first_shape + a.shape_count; ++s)
            for (int t = b.first_shape; t < b.first_shape + b.shape_count; ++t) {
                const CollisionShape &shape = all_.shapes[std::size_t(s)], &other = all_.shapes[std::size_t(t)];
                const Vec3d centre = a_from_b.position_of(shape.centre),
                            centre_of_other = b_from_a.position_of(other.centre);
                if (!surfaces_.distance(t, centre, shape.reach + margin, centre) ||
                    !surfaces_.distance(s, centre_of_other, other.reach + margin, centre_of_other))
                    continue;
                size_ = std::min(shape.reach, other.reach);
                find_features(s, t, a_from_b, place_b, margin, 1);
                if (shape.form != CollisionForm::ball || other.form != CollisionForm::ball)
                    find_features(t, s, b_from_a, place_a, margin, -1);
            }
        keep_spread();
        for (Touch& touch : own_) {
            touch.first = first;
            touch.second = second;
            touches_.push_back(touch);
        }
    }

    /// Points and edges of shape `s` at the surface of shape `t`, at places that are seen from the collider of `t`.
    /// `side`: −1 where `t` belongs to the first collider.
    void find_features(int s, int t, const RigidMotion& seen, const RigidMotion& place, double margin, double side) {
        const CollisionShape &shape = all_.shapes[std::size_t(s)], &other = all_.shapes[std::size_t(t)];
        const double reach = shape.rounding + margin, far = other.reach + reach;
        body_ = seen.position_of(shape.centre);
        for (int k = shape.first_point; k < shape.first_point + shape.point_count; ++k) {
            const Vec3d p = seen.position_of(all_.points[std::size_t(k)]), way = p - other.centre;
            if (dot(way, way) > far * far) continue;
            if (const auto near = surfaces_.distance(t, p, reach, body_)) add(p, *near, shape.rounding, place, side);
        }
        for (int k = shape.first_edge; k < shape.first_edge + shape.edge_count; ++k) {
            const CollisionEdge& edge = all_.edges[std::size_t(k)];
            find_on_edge(seen.position_of(edge.from), seen.position_of(edge.to), shape, t, reach, place, side);
        }
    }

    /// The nearest places of an edge to shape `t` that are not its ends: one, or the ends of what lies along a face.
    void find_on_edge(const Vec3d& from, const Vec3d& to, const CollisionShape& shape, int t, double reach,
                      const RigidMotion& place, double side) {
        constexpr int pieces = collision::edge_pieces;
        const CollisionShape& other = all_.shapes[std::size_t(t)];
        const Vec3d middle = 0.5 * (from + to) - other.centre;
        const double length = norm(to - from), far = other.reach + reach + 0.5 * length;
        if (dot(middle, middle) > far * far) return;
        if (!surfaces_.distance(t, 0.5 * (from + to), reach + 0.5 * length, body_)) return;
        const auto at = [&](double share) { return from + share * (to - from); };
        const auto height = [&](double share) {
            const auto near = surfaces_.distance(t, at(share), reach + length, body_);
            return near ? near->distance : 1e300;
        };
        double heights[pieces + 1], least = 1e300;
        int lowest = 0;
        for (int k = 0; k <= pieces; ++k) {
            heights[k] = height(double(k) / pieces);
            if (heights[k] < least) {
                least = heights[k];
                lowest = k;
            }
        }
        if (least > reach + length / pieces) return;
        const double level = collision::level_part * (other.reach + shape.reach);
        if (heights[0] <= least + level && heights[pieces] <= least + level) return; // its ends say it all
        double low = std::max(lowest - 1, 0) / double(pieces), high = std::min(lowest + 1, pieces) / double(pieces);
        for (int n = 0; n < 40; ++n) { // the least height between the samples beside the lowest
            const double third = (high - low) / 3;
            if (height(low + third) <= height(high - third))
                high -= third;
            else
                low += third;
        }
        const double best = 0.5 * (low + high);
        least = std::min(least, height(best));
        if (least > reach) return;
        double ends[2] = {best, best};
        for (int k = 0; k <= pieces; ++k)
            if (heights[k] <= least + level) {
                ends[0] = std::min(ends[0], double(k) / pieces);
                ends[1] = std::max(ends[1], double(k) / pieces);
            }
        for (int e = 0; e < 2; ++e) { // on to where the height begins to rise
            double inside = ends[e],
                   outside = e == 0 ? std::max(inside - 1.0 / pieces, 0.0) : std::min(inside + 1.0 / pieces, 1.0);
            for (int n = 0; n < 40 && outside != inside; ++n) {
                const double half = 0.5 * (inside + outside);
                (height(half) <= least + level ? inside : outside) = half;
            }
            ends[e] = inside;
        }
        const double short_part = 1e-3;
        const bool is_point = (ends[1] - ends[0]) * length < short_part * size_;
        for (int e = 0; e < (is_point ? 1 : 2); ++e) {
            const double share = is_point ? best : ends[e];
            if (share * length < short_part * size_ || (1 - share) * length < short_part * size_) continue;
            if (const auto near = surfaces_.distance(t, at(share), reach, body_))
                add(at(share), *near, shape.rounding, place, side);
        }
    }

    void add(const Vec3d& p, const collision::Nearness& near, double rounding, const RigidMotion& place, double side) {
        Touch touch;
        touch.gap = near.distance - rounding;
        touch.normal = place.turned(side * near.normal);
        touch.point = place.position_of(p - (rounding + 0.5 * touch.gap) * near.normal);
        if (all_.two_d) {
            touch.normal.y = 0;
            const double length = norm(touch.normal);
            if (length < 0.5) return; // across the plane
            touch.normal = (1 / length) * touch.normal;
        }
        const double apart = std::max(rounding < size_ ? rounding : 0, 1e-6 * size_);
        for (const Touch& known : own_) {
            Vec3d way = known.point - touch.point;
            if (all_.two_d) way.y = 0;
            if (dot(way, way) < apart * apart && dot(known.normal, touch.normal) > 0.99) return;
        }
        own_.push_back(touch);
    }

    /// Keeps the deepest and then those that are farthest from what is kept, in place and direction.
    void keep_spread() {
        if (own_.size() <= collision::most_touches) return;
        std::vector<double> apart(own_.size(), 1e300);
        std::size_t next = 0;
        for (std::size_t k = 1; k < own_.size(); ++k)
            if (own_[k].gap < own_[next].gap) next = k;
        std::vector<Touch> kept;
        while (kept.size() < collision::most_touches) {
            kept.push_back(own_[next]);
            apart[next] = -1;
            std::size_t farthest = next;
            for (std::size_t k = 0; k < own_.size(); ++k) {
                if (apart[k] < 0) continue;
                const Vec3d way = own_[k].point - kept.back().point, turn = own_[k].normal - kept.back().normal;
                apart[k] = std::min(apart[k], dot(way, way) + size_ * size_ * dot(turn, turn));
                if (apart[k] > apart[farthest]) farthest = k;
            }
            next = farthest;
        }
        own_ = std::move(kept);
    }

    const Collisions& all_;
    collision::Surfaces surfaces_;
    std::vector<Extent> spans_;
    std::vector<int> order_;
    std::vector<std::pair<int, int>> pairs_;
    std::vector<Touch> touches_, own_;
    double size_ = 0; ///< of the smaller of both shapes, m
    Vec3d body_;      ///< the centre of the shape whose features are looked at, as the other sees it
};

} // namespace sluice
