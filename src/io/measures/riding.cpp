// SPDX-License-Identifier: Apache-2.0
#include "io/measures/riding.h"

#include "core/error.h"
#include "model/motion.h"
#include "structure/flexible_bodies.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <variant>

namespace sluice {

namespace {

/// The boundary particles of an mk; null: there are none.
const ParticleGroup* boundary_group(const RunSetup& setup, int mk_bound) {
    for (const ParticleGroup& group : setup.groups.all())
        if (!group.is_fluid() && group.mk_type == mk_bound && group.count > 0) return &group;
    return nullptr;
}

const FlexibleBody* flexible_body(const RunSetup& setup, int mk_bound) {
    for (const FlexibleBody& body : setup.flexible.all)
        if (body.mk_bound == mk_bound) return &body;
    return nullptr;
}

bool moves(const RunSetup& setup, const ParticleGroup& group) {
    return flexible_body(setup, group.mk_type) != nullptr ||
           setup.rigid.object_of(group.begin) != RigidParticles::at_rest;
}

std::string list_of_moving(const RunSetup& setup) {
    std::string list;
    for (const ParticleGroup& group : setup.groups.all())
        if (!group.is_fluid() && group.count > 0 && moves(setup, group))
            list += fmt::format("{}{}", list.empty() ? "mkbound " : ", ", group.mk_type);
    return list;
}

/// Which of `count` places, from `places` on, is nearest to one.
std::uint32_t nearest_of(const Vec3d* places, std::uint32_t count, const Vec3d& to) {
    return static_cast<std::uint32_t>(
        std::min_element(places, places + count,
                         [&](const Vec3d& a, const Vec3d& b) { return dot(a - to, a - to) < dot(b - to, b - to); }) -
        places);
}

std::size_t index_in(const Frame& frame, std::uint32_t id) {
    return static_cast<std::size_t>(std::ranges::lower_bound(frame.id, id) - frame.id.begin());
}

} // namespace

std::string why_no_ride(const RunSetup& setup, int mk_bound) {
    const ParticleGroup* const group = boundary_group(setup, mk_bound);
    if (group && moves(setup, *group)) return "";
    const std::string moving = list_of_moving(setup);
    return fmt::format("{}; {}",
                       group ? fmt::format("mkbound {} does not move", mk_bound)
                             : fmt::format("the case has no boundary particles of mkbound {}", mk_bound),
                       moving.empty() ? "nothing in the case moves" : "what moves is " + moving);
}

std::string carrier_name(const RunSetup& setup, int mk_bound) {
    const ParticleGroup* const group = boundary_group(setup, mk_bound);
    const bool floats = group && group->type == ParticleType::floating;
    return fmt::format("the {} of mkbound {}",
                       flexible_body(setup, mk_bound) ? "flexible body"
                       : floats                       ? "floating body"
                                                      : "moving wall",
                       mk_bound);
}

Ride::Ride(const RunSetup& setup, int mk_bound, const Vec3d& place) : setup_(setup), place_(place) {
    if (const std::string why = why_no_ride(setup, mk_bound); !why.empty()) throw InputError(why);
    if (const FlexibleBody* const body = flexible_body(setup, mk_bound)) {
        settle_in_material(*body);
        return;
    }
    const ParticleGroup& group = *boundary_group(setup, mk_bound);
    const RigidParticles& rigid = setup.rigid;
    const std::size_t first = group.begin - rigid.begin;
    const auto begin = rigid.object.begin() + static_cast<std::ptrdiff_t>(first), end = begin + group.count;
    const bool is_one = std::all_of(begin, end, [&](std::int32_t object) { return object == *begin; });
    object_ = is_one ? *begin : begin[nearest_of(rigid.start.data() + first, group.count, place - setup.domain.min)];
}

void Ride::settle_in_material(const FlexibleBody& body) {
    const StructureParticles structure = setup_.flexible.structure_of(body);
    const std::vector<Vec3d>& start = structure.start;
    const std::uint32_t a = nearest_of(start.data(), body.particles, place_ - setup_.domain.min);
    particle_ = setup_.flexible.id_of(body, a);
    start_ = setup_.domain.min + start[a];
    const ReferenceState state = reference_state(structure, lagrangian_constants(setup_.constants));
    for (std::uint32_t k = state.first[a]; k < state.first[a + 1]; ++k)
        neighbours_.push_back({setup_.flexible.id_of(body, state.source[state.neighbour[k]]), state.gradient[k]});
}

RigidMotion Ride::of_object(const Frame& frame) const {
    const int prescribed = setup_.motions.object_count();
    RigidMotion motion;
    if (object_ < prescribed) {
        MotionView motions = setup_.motions.view();
        motions.absorbers = frame.absorbers.data();
        motion = motion_at(motions, object_, frame.time);
    } else {
        const auto b = static_cast<std::size_t>(object_ - prescribed);
        BodyState state = frame.bodies.at(b).state;
        state.centre = state.centre - setup_.domain.min;
        motion = motion_at(setup_.bodies[b], state, frame.time);
    }
    const Vec3d& corner = setup_.domain.min; // which its places are measured from
    motion.translation = motion.translation + (corner - motion.turned(corner));
    motion.velocity = motion.velocity - cross(motion.angular_velocity, corner);
    return motion;
}

RigidMotion Ride::of_material(const Frame& frame) const {
    const std::size_t own = index_in(frame, particle_);
    const Vec3d here = frame.position[own];
    solid::Tensor<double> sum{};
    for (const Neighbour& neighbour : neighbours_) {
        const Vec3d apart = here - frame.position[index_in(frame, neighbour.id)];
        sum = sum + solid::gradient_term(apart, neighbour.gradient);
    }
    const auto f = solid::closed_deformation(sum, setup_.constants.two_d);
    RigidMotion motion;
    motion.rotation[0] = f.x;
    motion.rotation[1] = f.y;
    motion.rotation[2] = f.z;
    motion.translation = here - motion.turned(start_);
    motion.velocity = vec_cast<double>(frame.velocity[own]);
    return motion;
}

RigidMotion Ride::at(const Frame& frame) const {
    RigidMotion motion = object_ == RigidParticles::at_rest ? of_material(frame) : of_object(frame);
    if (!setup_.period.any()) return motion;
    const Vec3d &corner = setup_.domain.min, place = motion.position_of(place_) - corner;
    const Vec3d shift = setup_.period.wrapped_from_afar(place, setup_.domain.max - corner) - place;
    motion.translation = motion.translation + shift;
    motion.velocity = motion.velocity - cross(motion.angular_velocity, shift);
    return motion;
}

namespace {

struct Moved {
    const RigidMotion& motion;

    Vec3d turned_unit(const Vec3d& direction) const {
        return dot(direction, direction) > 0 ? normalized(motion.turned(direction)) : direction;
    }
    GaugeKind operator()(SurfaceLine line) const {
        line.point0 = motion.position_of(line.point0);
        line.point2 = motion.position_of(line.point2);
        return line;
    }
    GaugeKind operator()(VelocityPoint at) const {
        at.point = motion.position_of(at.point);
        return at;
    }
    GaugeKind operator()(PressurePoint at) const {
        at.point = motion.position_of(at.point);
        return at;
    }
    GaugeKind operator()(HighestFluid line) const {
        line.point0 = motion.position_of(line.point0);
        return line;
    }
    GaugeKind operator()(const BoundaryForce& force) const { return force; }
    GaugeKind operator()(FlowRectangle flow) const {
        for (Vec3d* corner : {&flow.point0, &flow.point1, &flow.point2}) *corner = motion.position_of(*corner);
        flow.direction = turned_unit(flow.direction);
        return flow;
    }
    GaugeKind operator()(const MaterialPlace& place) const {
        const Vec3d now = motion.position_of(place.point);
        return MaterialPlace{now, now - place.point};
    }
    GaugeKind operator()(MeasuringMesh mesh) const {
        mesh.origin = motion.position_of(mesh.origin);
        for (Vec3d& step : mesh.step) step = motion.turned(step);
        mesh.direction = turned_unit(mesh.direction);
        return mesh;
    }
};

struct FirstPlace {
    Vec3d operator()(const SurfaceLine& line) const { return line.point0; }
    Vec3d operator()(const VelocityPoint& at) const { return at.point; }
    Vec3d operator()(const PressurePoint& at) const { return at.point; }
    Vec3d operator()(const HighestFluid& line) const { return line.point0; }
    Vec3d operator()(const BoundaryForce&) const { return {}; }
    Vec3d operator()(const FlowRectangle& flow) const { return flow.point0; }
    Vec3d operator()(const MeasuringMesh& mesh) const { return mesh.origin; }
    Vec3d operator()(const MaterialPlace& place) const { return place.point; }
};

} // namespace

GaugeKind moved(const GaugeKind& kind, const RigidMotion& motion) { return std::visit(Moved{motion}, kind); }

Vec3d first_place(const GaugeKind& kind) { return std::visit(FirstPlace{}, kind); }

} // namespace sluice
