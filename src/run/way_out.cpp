// SPDX-License-Identifier: Apache-2.0
#include "run/way_out.h"

#include "physics/dem/contact.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace sluice {

namespace {

/// A body, where it began and where it is.
struct Way {
    const RunSetup& setup;
    const Body& body;
    const BodyState& now;

    const Vec3d* begin() const { return setup.rigid.start.data() + (body.first_id - setup.rigid.begin); }
    const Vec3d* end() const { return begin() + body.particles; }
};

/// The first of its particles that is outside of the domain, as it began; `end()` if none is.
const Vec3d* first_outside(const Way& way) {
    const RigidMotion motion = motion_of(way.body, way.now);
    const Vec3d size = way.setup.domain.max - way.setup.domain.min;
    return std::find_if(way.begin(), way.end(), [&](const Vec3d& start) {
        const Vec3d p = way.setup.period.wrapped_from_afar(motion.position_of(start), size);
        for (int axis = 0; axis < 3; ++axis)
            if (!(p[axis] >= 0 && p[axis] <= size[axis])) return true;
        return false;
    });
}

double distance_to_line(const Vec3d& p, const Vec3d& from, const Vec3d& to) {
    const Vec3d along = to - from;
    const double length2 = dot(along, along), at = length2 > 0 ? dot(p - from, along) / length2 : 0;
    return norm(p - from - std::clamp(at, 0.0, 1.0) * along);
}

/// How many particles of a body lie beside one another across its way, as it began.
int particles_across(const Way& way) {
    const Vec3d along = normalized(way.now.centre - way.body.centre);
    const Vec3d side = normalized(cross(std::abs(along.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0}, along)),
                other = cross(along, side);
    std::set<std::pair<long, long>> rows;
    const double dp = way.setup.constants.dp;
    std::for_each(way.begin(), way.end(), [&](const Vec3d& start) {
        const Vec3d r = start - way.body.centre;
        rows.insert({std::lround(dot(r, side) / dp), std::lround(dot(r, other) / dp)});
    });
    return static_cast<int>(rows.size());
}

/// The speed that Hertz's springs of so many pairs stop before the particles are past one another, m/s: with an overlap
/// of dp they hold m v²/2 = n 2/5 k dp^(5/2).
double speed_held(const Way& way, const ContactPart& wall, const ContactPart& own, int pairs) {
    const double dp = way.setup.constants.dp;
    const dem::Contact contact = dem::contact_of(own, wall, dp);
    return std::sqrt(0.8 * pairs * contact.stiffness * std::pow(dp, 2.5) / way.body.mass);
}

/// How far the body overlaps with particles of a wall, m.
double overlap_with(const Way& way, const std::vector<Vec3d>& wall) {
    const RigidMotion motion = motion_of(way.body, way.now);
    double overlap = 0;
    for (const Vec3d& p : wall)
        std::for_each(way.begin(), way.end(), [&](const Vec3d& start) {
            overlap = std::max(overlap, way.setup.constants.dp - norm(motion.position_of(start) - p));
        });
    return overlap;
}

std::string why_it_passed(const Way& way, const ContactPart* wall, const ContactPart* own) {
    if (way.setup.contact == BodyContact::none) return "RigidAlgorithm 0 lets bodies pass";
    if (way.setup.contact == BodyContact::pair_formula)
        return "the pair formula of fluid and boundary (RigidAlgorithm 1) did not hold it; draw the wall with more "
               "layers, "
               "or take RigidAlgorithm 2";
    const int pairs = particles_across(way);
    return fmt::format(
        "the contacts of the {} particles across its way stop {:.3g} m/s at most; raise Young_Modulus, or "
        "draw the wall with more layers",
        pairs, speed_held(way, *wall, *own, pairs));
}

} // namespace

std::string way_out(const RunSetup& setup, const ParticleState& state) {
    std::string text;
    const auto& groups = setup.groups.all();
    for (std::size_t b = 0; b < setup.bodies.size() && b < state.bodies.size(); ++b) {
        const Way way{setup, setup.bodies[b], state.bodies[b]};
        const Vec3d* const outside = first_outside(way);
        if (outside == way.end()) continue;
        const Vec3d there = motion_of(way.body, way.now).position_of(*outside);
        const auto group_of = [&](std::uint32_t id) {
            const auto found = std::ranges::find_if(
                groups, [&](const ParticleGroup& g) { return id >= g.begin && id - g.begin < g.count; });
            return static_cast<std::size_t>(found - groups.begin());
        };
        std::map<std::size_t, std::vector<Vec3d>> walls; // particles in its way, by group
        for (std::size_t i = 0; i < state.size(); ++i) {
            if (state.id[i] >= setup.groups.boundary_count()) continue;
            const std::size_t group = group_of(state.id[i]);
            if (groups[group].type == ParticleType::fixed &&
                distance_to_line(state.position[i], *outside, there) < setup.constants.dp)
                walls[group].push_back(state.position[i]);
        }
        const auto part = [&](std::size_t group) {
            const std::vector<ContactPart>& parts = setup.contact_parts.parts;
            return group < parts.size() ? &parts[group] : nullptr;
        };
        for (const auto& [wall, places] : walls)
            text +=
                fmt::format(". The body of mkbound {} went through the wall of mkbound {}, at {:.3g} m/s and {:.3g} dp "
                            "deep: {}",
                            way.body.mk_bound, groups[wall].mk_type, norm(way.now.velocity),
                            overlap_with(way, places) / setup.constants.dp,
                            why_it_passed(way, part(wall), part(group_of(way.body.first_id))));
    }
    return text;
}

} // namespace sluice
