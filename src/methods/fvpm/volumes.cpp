// SPDX-License-Identifier: Apache-2.0
#include "methods/fvpm/volumes.h"

#include "methods/fvpm/vectors.h"
#include "physics/fvpm/caps.h"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::fvpm {

namespace {

using std::numbers::pi;

/// A part of a circle and the caps that cover it.
struct ElementaryArc {
    double from, angle; ///< where it begins; how long it is
    std::vector<int> covers;
};

/// The circle without `own` in parts that the same caps cover.
std::vector<ElementaryArc> arcs_of(const Circle<double>& circle, const std::vector<Cap<double>>& caps, int own) {
    std::vector<CoveredArc<double>> covered;
    std::vector<double> ends{-pi, pi};
    for (const Cap<double>& cap : caps) {
        covered.push_back(arc_covered(circle, cap));
        if (covered.back().part) ends.insert(ends.end(), {covered.back().from, covered.back().to});
    }
    if (own >= 0) covered[static_cast<std::size_t>(own)].part = covered[static_cast<std::size_t>(own)].whole = false;
    std::sort(ends.begin(), ends.end());
    std::vector<ElementaryArc> arcs;
    for (std::size_t e = 0; e + 1 < ends.size(); ++e) {
        ElementaryArc arc{ends[e], ends[e + 1] - ends[e], {}};
        const double middle = arc.from + arc.angle / 2;
        for (std::size_t m = 0; m < caps.size(); ++m)
            if (covered[m].whole || (covered[m].part && within(middle, 0, covered[m].from, covered[m].to, 0)))
                arc.covers.push_back(static_cast<int>(m));
        arcs.push_back(std::move(arc));
    }
    return arcs;
}

/// Weighted areas of the surface of a unit sphere (lengths of the border of a unit circle): of the regions that a
/// neighbour covers, Σ |S_e|/(n(n+1)), and of those that no neighbour covers.
struct Areas {
    std::vector<double> covered;
    double free = 0;
};

Areas planar_areas(const std::vector<Cap<double>>& caps) {
    Areas areas{std::vector<double>(caps.size()), 0};
    for (const ElementaryArc& arc : arcs_of(planar_circle<double>(), caps, -1)) {
        if (arc.covers.empty()) areas.free += arc.angle;
        for (const int m : arc.covers)
            areas.covered[static_cast<std::size_t>(m)] += arc.angle * region_weight(double(arc.covers.size()));
    }
    return areas;
}

/// Areas as sums over arcs: an arc adds, with its weight, the area between it and a pole, which is that of a sector of
/// its cap and two triangles. Such a sum differs from the weighted area by a multiple of the sphere, which the weight
/// at the antipode of the pole tells.
class SphereAreas {
public:
    explicit SphereAreas(const std::vector<Cap<double>>& caps)
        : caps_(caps), sums_(caps.size()), at_antipode_(caps.size()) {
        for (std::size_t k = 0; k < caps.size(); ++k)
            if (std::abs(caps[k].offset) < 1) add_circle(static_cast<int>(k));
    }
    Areas areas() const {
        std::vector<std::size_t> covers;
        for (std::size_t m = 0; m < caps_.size(); ++m)
            if (dot(antipode_, caps_[m].axis) > caps_[m].offset) covers.push_back(m);
        Areas areas{sums_, free_ - 4 * pi * (free_at_antipode_ - (covers.empty() ? 1 : 0))};
        for (std::size_t m = 0; m < caps_.size(); ++m) areas.covered[m] -= 4 * pi * at_antipode_[m];
        for (const std::size_t m : covers) areas.covered[m] += 4 * pi * region_weight(double(covers.size()));
        return areas;
    }

private:
    void add_circle(int k) {
        const Circle<double> circle = circle_of(caps_[static_cast<std::size_t>(k)]);
        const bool sees_antipode = dot(antipode_, circle.axis) > circle.offset;
        const double antipode_angle = angle_of(dot(antipode_, circle.v), dot(antipode_, circle.u));
        for (const ElementaryArc& arc : arcs_of(circle, caps_, k)) {
            const double area =
                (1 - circle.offset) * arc.angle + triangle(circle, arc.from + arc.angle) - triangle(circle, arc.from);
            const bool has_antipode =
                sees_antipode && antipode_angle >= arc.from && antipode_angle < arc.from + arc.angle;
            const double n = double(arc.covers.size());
            for (const int m : arc.covers) add(m, SphereWeights::of_cover(n), area, has_antipode);
            add(k, SphereWeights::of_circle(n), area, has_antipode);
            if (n == 0) {
                free_ -= area;
                free_at_antipode_ -= has_antipode ? 1 : 0;
            }
        }
    }
    void add(int m, double weight, double area, bool has_antipode) {
        sums_[static_cast<std::size_t>(m)] += weight * area;
        if (has_antipode) at_antipode_[static_cast<std::size_t>(m)] += weight;
    }
    /// The signed area of the triangle of pole, axis and a point of the circle.
    double triangle(const Circle<double>& c, double angle) const {
        const Vec3d p = c.offset * c.axis + c.radius * (std::cos(angle) * c.u + std::sin(angle) * c.v);
        const Vec3d pole = -1.0 * antipode_;
        return 2 * std::atan2(dot(pole, cross(c.axis, p)), 1 + dot(pole, c.axis) + dot(c.axis, p) + dot(p, pole));
    }

    const std::vector<Cap<double>>& caps_;
    Vec3d antipode_ = normalized(Vec3d{0.3141, -0.5772, 0.2718}); // in no plane of a lattice
    std::vector<double> sums_, at_antipode_;
    double free_ = 0, free_at_antipode_ = 0;
};

} // namespace

std::vector<double> exact_volumes(const Particles& particles, const NeighbourRows& rows, int dimensions) {
    const FindVectors find = find_vectors_here();
    std::vector<double> volumes(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const auto neighbours = rows.of(i);
        const double h = particles.radius[i], face = dimensions == 3 ? h * h : h;
        std::vector<Cap<double>> caps;
        for (const std::uint32_t j : neighbours)
            caps.push_back(cap_of(particles.position[j] - particles.position[i], h, particles.radius[j]));
        std::vector<Vec3d> vectors(caps.size());
        find(i, {particles.position, particles.radius, neighbours}, dimensions, vectors.data());
        const Areas areas = dimensions == 3 ? SphereAreas(caps).areas() : planar_areas(caps);
        volumes[i] += h * face * areas.free;
        for (std::size_t s = 0; s < caps.size(); ++s) {
            const std::uint32_t j = neighbours[s];
            volumes[i] += h * face * areas.covered[s];
            volumes[j] -= h * face * areas.covered[s] + dot(particles.position[i] - particles.position[j], vectors[s]);
        }
    }
    for (double& volume : volumes) volume /= dimensions;
    return volumes;
}

} // namespace sluice::fvpm
