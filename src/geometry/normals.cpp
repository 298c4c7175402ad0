// SPDX-License-Identifier: Apache-2.0
#include "geometry/normals.h"

#include "case/lattice_constants.h"
#include "core/extent.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sluice {

namespace {

/// From a particle to the surface of a rule; empty where it stands on the fluid's side, or where no direction leads.
using ToSurface = std::optional<Vec3d>;

/// Along `direction` by `distance`, if the surface lies that way.
ToSurface ahead(double distance, const Vec3d& direction) {
    if (!(distance > 0)) return std::nullopt;
    return distance * direction;
}

ToSurface to_surface(const NormalsOfVector& vector, const Vec3d&) { return vector.normal; }

ToSurface to_surface(const NormalsOfPlane& plane, const Vec3d& p) { // `normal` has length 1 and `point` is known
    return ahead(dot(*plane.point - p, plane.normal), plane.normal);
}

ToSurface to_surface(const NormalsOfSphere& sphere, const Vec3d& p) {
    const Vec3d from_center = p - sphere.center;
    const double distance = norm(from_center);
    if (distance == 0) return std::nullopt;
    const double outward = sphere.inside ? 1 : -1;
    return ahead(outward * (sphere.radius - distance), (outward / distance) * from_center);
}

/// A place as the axis of a cylinder sees it.
struct FromAxis {
    Vec3d axis;    ///< its direction, of length 1
    double length; ///< from center1 to center2, m
    double along;  ///< from center1, m
    Vec3d across;  ///< from the nearest point of the axis, m
};

FromAxis from_axis(const NormalsOfCylinder& c, const Vec3d& p) {
    const double length = norm(c.center2 - c.center1);
    const Vec3d axis = (1 / length) * (c.center2 - c.center1);
    const double along = dot(p - c.center1, axis);
    return {axis, length, along, p - (c.center1 + along * axis)};
}

/// The nearest of the tube and, for particles inside, the ends that count. Where an end does not, the tube goes on.
ToSurface to_surface(const NormalsOfCylinder& c, const Vec3d& p) { // `radius` is known
    const FromAxis place = from_axis(c, p);
    const double distance = norm(place.across);
    const double outward = c.inside ? 1 : -1;
    ToSurface best;
    if (distance > 0) best = ahead(outward * (*c.radius - distance), (outward / distance) * place.across);
    if (!c.inside) return best;
    if (distance >= *c.radius) return std::nullopt;
    const auto end = [&](bool counts, double left, double direction) {
        if (!counts || (best && dot(*best, *best) <= left * left)) return;
        best = ahead(left, direction * place.axis);
    };
    if ((c.limit1 && place.along <= 0) || (c.limit2 && place.along >= place.length)) return std::nullopt;
    end(c.limit1, place.along, -1);
    end(c.limit2, place.length - place.along, 1);
    return best;
}

/// Calls visit(id) for the particles that a rule means.
template <class Visit>
void for_particles_of(const NormalsRule& rule, const ParticleSet& set, Visit&& visit) {
    for (const int mk : rule.mkbound)
        if (const ParticleBlock* block = boundary_block(set, mk))
            for (std::uint32_t id = block->begin; id < block->begin + block->count; ++id)
                if (rule.only.hold(set.position[id])) visit(id);
}

void prepare(NormalsOfVector&, const NormalsRule&, const ParticleSet&) {}
void prepare(NormalsOfSphere& sphere, const NormalsRule&, const ParticleSet& set) {
    if (set.two_d) sphere.center.y = set.position.front().y;
}

/// Gives the direction length 1, and finds the plane if that is asked for: before the foremost particle.
void prepare(NormalsOfPlane& plane, const NormalsRule& rule, const ParticleSet& set) {
    if (set.two_d) plane.normal.y = 0;
    const double length = norm(plane.normal);
    if (length == 0)
        throw InputError(rule.where, fmt::format("<{}> normal is along y, but the case is 2-D in x–z", rule.element));
    plane.normal = (1 / length) * plane.normal;
    if (plane.point) return;
    double foremost = -std::numeric_limits<double>::infinity();
    for_particles_of(rule, set, [&](std::uint32_t id) {
        const double height = dot(set.position[id], plane.normal);
        if (height <= foremost) return;
        foremost = height;
        plane.point = set.position[id];
    });
    if (plane.point) plane.point = *plane.point + plane.limit_distance * set.dp * plane.normal;
}

/// In 2-D a cylinder is a circle, or between two parallel lines; what ends it along y is not seen.
void flatten(NormalsOfCylinder& c, double y, double dp) {
    if (c.center1.x == c.center2.x && c.center1.z == c.center2.z) {
        c.center1.y = y;
        c.center2.y = y + dp;
        c.limit1 = c.limit2 = false;
    } else {
        c.center1.y = c.center2.y = y;
    }
}

/// Finds the radius if that is asked for: before the foremost particle, that nearest to the fluid.
void prepare(NormalsOfCylinder& c, const NormalsRule& rule, const ParticleSet& set) {
    if (set.two_d) flatten(c, set.position.front().y, set.dp);
    if (c.radius) return;
    const double outward = c.inside ? 1 : -1;
    for_particles_of(rule, set, [&](std::uint32_t id) {
        const double distance = norm(from_axis(c, set.position[id]).across);
        if (!c.radius || outward * (distance - *c.radius) > 0) c.radius = distance;
    });
    if (!c.radius) return;
    const double foremost = *c.radius;
    c.radius = foremost + outward * usual_limit_distance * set.dp;
    if (!(*c.radius > 0))
        throw InputError(rule.where, fmt::format("<{}>: a particle of its mkbound is {:.6g} m from the axis, which "
                                                 "leaves no room for fluid around it (half a dp is {:.6g} m): mend "
                                                 "center1 and center2, or set inverse",
                                                 rule.element, foremost, usual_limit_distance * set.dp));
}

void apply_rule(const NormalsRule& rule, double h, ParticleSet& set, std::vector<NormalFate>& fate,
                std::vector<Diagnostic>& diagnostics) {
    for (const int mk : rule.mkbound)
        if (!boundary_block(set, mk))
            diagnostics.push_back({Diagnostic::Level::warning, rule.where,
                                   fmt::format("<{}> names the mkbound {}, which has no particles", rule.element, mk)});
    auto surface = rule.surface;
    std::visit([&](auto& s) { prepare(s, rule, set); }, surface);
    const double limit = rule.max_distance_h > 0 ? rule.max_distance_h * h * (1 + 1e-6) // a limit on a layer holds it
                                                 : std::numeric_limits<double>::infinity();
    for_particles_of(rule, set, [&](std::uint32_t id) {
        const ToSurface n = std::visit([&](const auto& s) { return to_surface(s, set.position[id]); }, surface);
        if (n && norm(*n) <= limit) {
            set.normals[id] = vec_cast<float>(*n);
        } else if (rule.clear) {
            set.normals[id] = {};
            fate[id] = n ? NormalFate::beyond_rule : NormalFate::none_asked;
        }
    });
}

/// Of the particles with ids in [begin, end), m.
Extent extent_of(const ParticleSet& set, std::uint32_t begin, std::uint32_t end) {
    Extent extent;
    for (std::uint32_t id = begin; id < end; ++id) extent.add(set.position[id]);
    return extent;
}

} // namespace

const ParticleBlock* boundary_block(const ParticleSet& set, int mkbound) {
    const auto block = std::find_if(set.blocks.begin(), set.blocks.end(), [&](const ParticleBlock& b) {
        return b.type != ParticleType::fluid && b.mk_type == mkbound;
    });
    return block == set.blocks.end() ? nullptr : &*block;
}

std::uint32_t count_normals(const ParticleSet& set, const ParticleBlock& block) {
    if (set.normals.empty() || block.type == ParticleType::fluid) return 0;
    const auto first = set.normals.begin() + block.begin;
    return static_cast<std::uint32_t>(
        std::count_if(first, first + block.count, [](const Vec3f& n) { return n != Vec3f{}; }));
}

void NormalsMaker::apply_rules(bool after_initials) {
    const double h = smoothing_length_of(case_);
    for (const NormalsRule& rule : case_.normals.rules) {
        if (rule.after_initials != after_initials) continue;
        apply_rule(rule, h, set_, fate_, diagnostics_);
        rules_stop_in_reach_ |= rule.max_distance_h > 0 && rule.max_distance_h < kernel_reach_h;
    }
}

void NormalsMaker::make() {
    if (case_.normals.empty()) return;
    set_.normals.resize(set_.boundary_count);
    fate_.assign(set_.boundary_count, NormalFate::none_asked);
    if (case_.normals.geometry) find_by_surface(*case_.normals.geometry);
    apply_rules(false);
}

void NormalsMaker::finish() {
    if (case_.normals.empty()) return;
    apply_rules(true);
    const Extent all = extent_of(set_, 0, set_.size()), fluid = extent_of(set_, set_.boundary_count, set_.size());
    for (const ParticleBlock& block : set_.blocks) {
        if (block.type == ParticleType::fluid) continue;
        warn_of_missing(block);
        warn_of_doubtful(block, all, fluid);
    }
}

} // namespace sluice
