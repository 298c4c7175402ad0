// SPDX-License-Identifier: Apache-2.0
#include "geometry/round_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice {

namespace {

/// An even number of chords of a circle, about dp/4 long: then they lie less than dp/100 within it.
int sides_of(double radius, double dp) {
    return 2 * static_cast<int>(std::clamp(std::ceil(4 * std::numbers::pi * radius / dp), 96.0, 256.0));
}

/// Three axes of length 1 at right angles, the last along `along`.
struct Axes {
    Vec3d x, y, z;
    explicit Axes(const Vec3d& along) : z(normalized(along)) {
        const Vec3d other = std::abs(z.x) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
        const Vec3d v = cross(z, other);
        y = normalized(v);
        x = cross(y, z);
    }
};

} // namespace

std::vector<Facet> ball_surface(const Vec3d& center, const Vec3d& half_axes, const Vec3d& along, double dp) {
    const Axes axes(along);
    const int n = sides_of(std::max({half_axes.x, half_axes.y, half_axes.z}), dp), rings = n / 2;
    const auto point = [&](int ring, int side) {
        const double polar = std::numbers::pi * ring / rings, turn = 2 * std::numbers::pi * (side % n) / n;
        const double across = ring == 0 || ring == rings ? 0 : std::sin(polar);
        return center + (half_axes.x * across * std::cos(turn)) * axes.x +
               (half_axes.y * across * std::sin(turn)) * axes.y + (half_axes.z * std::cos(polar)) * axes.z;
    };
    std::vector<Facet> out;
    for (int ring = 0; ring < rings; ++ring)
        for (int side = 0; side < n; ++side) {
            const Vec3d a = point(ring, side), b = point(ring + 1, side), c = point(ring + 1, side + 1),
                        d = point(ring, side + 1);
            if (ring + 1 < rings) out.push_back({a, b, c});
            if (ring > 0) out.push_back({a, c, d});
        }
    return out;
}

std::vector<Facet> cylinder_surface(const DrawCylinder& c, double dp) {
    const Axes axes(c.to - c.from);
    const int n = sides_of(c.radius, dp);
    const auto on_circle = [&](int side) {
        const double turn = 2 * std::numbers::pi * (side % n) / n;
        return (c.radius * std::cos(turn)) * axes.x + (c.radius * std::sin(turn)) * axes.y;
    };
    std::vector<Facet> out;
    for (int side = 0; side < n; ++side) {
        const Vec3d a = on_circle(side), b = on_circle(side + 1);
        if (c.cover_from) out.push_back({c.from, c.from + b, c.from + a});
        if (c.cover_to) out.push_back({c.to, c.to + a, c.to + b});
        if (!c.tube) continue;
        out.push_back({c.from + a, c.from + b, c.to + b});
        out.push_back({c.from + a, c.to + b, c.to + a});
    }
    return out;
}

} // namespace sluice
