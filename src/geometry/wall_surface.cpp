// SPDX-License-Identifier: Apache-2.0
#include "geometry/wall_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice {

namespace {

/// The angle of a triangle at one of its points: 2π inside, π on an edge, its own at a corner.
double angle_at(const Facet& f, const Vec3d& q, double touch) {
    constexpr double pi = 3.14159265358979323846;
    for (std::size_t i = 0; i < 3; ++i) {
        if (norm(q - f[i]) > touch) continue;
        const Vec3d a = f[(i + 1) % 3] - f[i], b = f[(i + 2) % 3] - f[i];
        return std::acos(std::clamp(dot(a, b) / (norm(a) * norm(b)), -1.0, 1.0));
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d edge = f[(i + 1) % 3] - f[i];
        if (norm(cross(edge, q - f[i])) <= touch * norm(edge)) return pi;
    }
    return 2 * pi;
}

/// Whether the segment from a to b passes through a triangle from its front to its back, before it ends.
bool enters(const Vec3d& a, const Vec3d& b, const Facet& f, const Vec3d& normal, double touch) {
    const double ha = dot(a - f[0], normal), hb = dot(b - f[0], normal);
    if (!(ha > 0 && hb < -touch)) return false;
    const Vec3d q = a + (ha / (ha - hb)) * (b - a);
    return norm(nearest_point(f, q) - q) <= touch;
}

} // namespace

WallSurface::WallSurface(const std::vector<Facet>& facets, const SurfaceReach& reach, const Box& all,
                         bool both_sides_wet)
    : tree_(facets), reach_(reach), touch_(1e-6 * reach.dp) {
    in_vain_.resize(tree_.size());
    for (std::uint32_t i = 0; i < tree_.size() && !both_sides_wet; ++i) {
        const Vec3d &n = tree_.normal(i), &corner = tree_.facet(i)[0];
        double most = 0;
        for (int axis = 0; axis < 3; ++axis) most += n[axis] * ((n[axis] > 0 ? all.max : all.min)[axis] - corner[axis]);
        in_vain_[i] = most < 0.25 * reach.dp;
    }
}

std::vector<std::uint32_t> WallSurface::facets_at(const Vec3d& q) const {
    const Vec3d touch{touch_, touch_, touch_};
    std::vector<std::uint32_t> out;
    tree_.for_each_in({q - touch, q + touch}, [&](std::uint32_t i) {
        if (norm(nearest_point(tree_.facet(i), q) - q) <= touch_) out.push_back(i);
    });
    return out;
}

Vec3d WallSurface::outward(const Vec3d& q) const {
    Vec3d sum;
    for (const std::uint32_t i : facets_at(q)) sum = sum + angle_at(tree_.facet(i), q, touch_) * tree_.normal(i);
    return sum;
}

bool WallSurface::behind(const Vec3d& p, const Hit& hit) const {
    const Vec3d sum = outward(hit.point);
    // Where two bodies touch, their normals cancel: there is no fluid between them.
    return norm(sum) > 1e-6 && dot(p - hit.point, sum) < -1e-9 * norm(sum) * norm(p - hit.point);
}

/// The sum of normals gives the side only at the nearest point of all. At others the particle has to be behind
/// everything that meets there.
bool WallSurface::behind_all(const Vec3d& p, const Vec3d& q) const {
    const auto facets = facets_at(q);
    return std::all_of(facets.begin(), facets.end(),
                       [&](std::uint32_t i) { return dot(p - q, tree_.normal(i)) < -touch_; });
}

/// Near enough, or in a corner of planes that all are near enough.
bool WallSurface::within_reach(const Vec3d& p, const Hit& hit) const {
    const double limit = reach_.distance * (1 + 1e-6);
    if (hit.distance2 <= limit * limit) return true;
    Vec3d rest = p - hit.point;
    std::vector<Vec3d> directions;
    for (const std::uint32_t i : facets_at(hit.point)) {
        Vec3d n = tree_.normal(i);
        if (std::abs(dot(p - hit.point, n)) > limit) return false;
        for (const Vec3d& d : directions) n = n - dot(n, d) * d;
        if (norm(n) < 1e-3) continue;
        directions.push_back(normalized(n));
        rest = rest - dot(rest, directions.back()) * directions.back();
    }
    return norm(rest) <= 1e-6 * norm(p - hit.point);
}

/// Whether some of the surface lies between a particle and what it seems to be behind.
bool WallSurface::covered(const Vec3d& p, const Vec3d& q) const {
    Extent way;
    way.add(p);
    way.add(q);
    bool found = false;
    tree_.for_each_in(way,
                      [&](std::uint32_t i) { found = found || enters(p, q, tree_.facet(i), tree_.normal(i), touch_); });
    return found;
}

SurfaceNormal WallSurface::found(const Vec3d& p, const Hit& hit) const {
    const Vec3d normal = hit.point - p;
    if (!within_reach(p, hit)) return {NormalFate::too_far, {}};
    if (reach_.size > 0 && norm(normal) > reach_.size) return {NormalFate::too_long, {}};
    return {NormalFate::found, normal};
}

std::optional<TriangleTree::Hit> WallSurface::other_side(const Vec3d& p, const Hit& hit) const {
    const Vec3d outside = hit.point - p;
    const auto other = tree_.nearest(p, reach_.distance, [&](std::uint32_t i, const Vec3d& q) {
        const double opposite = -0.5 * norm(q - p) * norm(outside); // by more than 120°
        return !in_vain_[i] && dot(q - p, outside) <= opposite && behind_all(p, q);
    });
    return other && !covered(p, other->point) ? other : std::nullopt;
}

SurfaceNormal WallSurface::not_behind(const Vec3d& p, const Hit& hit, NormalFate fate) const {
    const double distance = std::sqrt(hit.distance2);
    if (!(reach_.before > 0) || distance > reach_.before) return {fate, {}};
    const Vec3d ahead = fate == NormalFate::on_surface ? outward(hit.point) : p - hit.point;
    if (!(norm(ahead) > 1e-6 * (fate == NormalFate::on_surface ? 1 : reach_.dp))) return {fate, {}};
    return {NormalFate::found, 0.5 * reach_.dp * normalized(ahead)};
}

SurfaceNormal WallSurface::normal_of(const Vec3d& p) const {
    const double corner = std::sqrt(3.0) * reach_.distance; // of three planes at right angles
    const auto hit = tree_.nearest(p, corner, [](std::uint32_t, const Vec3d&) { return true; });
    if (!hit) return {};
    if (hit->distance2 <= touch_ * touch_) return not_behind(p, *hit, NormalFate::on_surface);
    if (behind(p, *hit)) return found(p, in_vain_[hit->facet] ? other_side(p, *hit).value_or(*hit) : *hit);
    const auto other = tree_.nearest(p, corner, [&](std::uint32_t i, const Vec3d& q) {
        return !in_vain_[i] && dot(p - q, tree_.normal(i)) < -touch_ && behind_all(p, q);
    });
    if (!other || covered(p, other->point)) return not_behind(p, *hit, NormalFate::in_front);
    const SurfaceNormal normal = found(p, *other);
    return normal.fate == NormalFate::too_far ? not_behind(p, *hit, NormalFate::in_front) : normal;
}

} // namespace sluice
