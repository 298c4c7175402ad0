// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/carried_surface.h"

#include "io/fluid/particle_cells.h"
#include "io/fluid/rigid_fit.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace sluice {

namespace {

/// Halves edges that are too long. Neighbours share the points in the middle.
class Halving {
public:
    Halving(std::vector<Vec3d>& points, double longest) : points_(points), longest_(longest) {}

    bool is_long(int a, int b) const { return norm(at(a) - at(b)) > longest_; }
    int middle(int a, int b) {
        const auto [found, is_new] = middles_.try_emplace(std::minmax(a, b), static_cast<int>(points_.size()));
        if (is_new) points_.push_back(0.5 * (at(a) + at(b)));
        return found->second;
    }

private:
    const Vec3d& at(int k) const { return points_[static_cast<std::size_t>(k)]; }

    std::vector<Vec3d>& points_;
    double longest_;
    std::map<std::pair<int, int>, int> middles_;
};

/// The triangle cut where its edges are halved; all of them are, one after the other, so that two or three make three
/// or four triangles.
void cut_triangle(const Vec3i& t, Halving& halving, std::vector<Vec3i>& out) {
    for (int k = 0; k < 3; ++k) {
        const int a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
        if (!halving.is_long(a, b)) continue;
        const int ab = halving.middle(a, b);
        const bool bc = halving.is_long(b, c), ca = halving.is_long(c, a);
        if (bc && ca) {
            const int m = halving.middle(b, c), n = halving.middle(c, a);
            for (const Vec3i& part : {Vec3i{a, ab, n}, Vec3i{ab, b, m}, Vec3i{n, m, c}, Vec3i{ab, m, n}})
                out.push_back(part);
        } else if (bc) {
            const int m = halving.middle(b, c);
            for (const Vec3i& part : {Vec3i{ab, b, m}, Vec3i{a, ab, m}, Vec3i{a, m, c}}) out.push_back(part);
        } else if (ca) {
            const int n = halving.middle(c, a);
            for (const Vec3i& part : {Vec3i{a, ab, n}, Vec3i{ab, b, c}, Vec3i{ab, c, n}}) out.push_back(part);
        } else {
            out.push_back({a, ab, c});
            out.push_back({ab, b, c});
        }
        return;
    }
    out.push_back(t);
}

} // namespace

TriangleMesh refined(TriangleMesh mesh, double longest) {
    for (bool again = true; again;) {
        Halving halving(mesh.points, longest);
        std::vector<Vec3i> triangles;
        for (const Vec3i& t : mesh.triangles) cut_triangle(t, halving, triangles);
        again = triangles.size() > mesh.triangles.size();
        mesh.triangles = std::move(triangles);
    }
    return mesh;
}

LineMesh refined(LineMesh mesh, double longest) {
    for (bool again = true; again;) {
        Halving halving(mesh.points, longest);
        std::vector<std::array<int, 2>> lines;
        for (const auto& [a, b] : mesh.lines) {
            const bool halved = halving.is_long(a, b);
            const int middle = halved ? halving.middle(a, b) : b;
            lines.push_back({a, middle});
            if (halved) lines.push_back({middle, b});
        }
        again = lines.size() > mesh.lines.size();
        mesh.lines = std::move(lines);
    }
    return mesh;
}

CarriedSurface::CarriedSurface(std::variant<TriangleMesh, LineMesh> mesh, std::vector<Vec3d> particles, double dp,
                               bool two_d)
    : mesh_(std::move(mesh)), particles_(std::move(particles)), dp_(dp), two_d_(two_d) {}

std::variant<TriangleMesh, LineMesh> CarriedSurface::at(std::span<const Vec3d> places) const {
    constexpr double rigid = 0.1, reach = 3.01, longest = 2; // in dp
    const RigidFit fit = fit_rigid_motion(particles_, places, two_d_);
    const RigidMotion& whole = fit.motion;
    auto mesh = mesh_;
    if (fit.error <= rigid * dp_) {
        std::visit(
            [&](auto& m) {
                for (Vec3d& p : m.points) p = whole.position_of(p);
            },
            mesh);
        return mesh;
    }
    const ParticleCells near(particles_, 0, particles_.size(), reach * dp_, two_d_);
    const auto bent = [&](const Vec3d& point) {
        std::vector<Vec3d> before, after;
        near.for_each_near(point, [&](std::uint32_t k, double, const Vec3d&) {
            before.push_back(particles_[k]);
            after.push_back(places[k]);
        });
        return (before.empty() ? whole : fit_rigid_motion(before, after, two_d_).motion).position_of(point);
    };
    std::visit(
        [&](auto& m) {
            m = refined(std::move(m), longest * dp_);
            for (Vec3d& p : m.points) p = bent(p);
        },
        mesh);
    return mesh;
}

} // namespace sluice
