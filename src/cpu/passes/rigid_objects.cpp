// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/rigid_objects.h"

#include "backend/left_domain.h"
#include "model/rigid_motions.h"
#include "scheme/contact_time_step.h"
#include "scheme/integrators.h"

#include <algorithm>
#include <limits>

namespace sluice::cpu {

RigidObjects::RigidObjects(const RunSetup& setup, const Space& space, const ThreadCount& threads, Halo& halo)
    : setup_(setup), space_(space), threads_(threads), halo_(halo), loads_(setup.bodies.size()),
      contacts_(setup, space, threads), mechanisms_(setup), lines_(setup) {
    set_state({}, {}, {}, 0);
    if (!setup.bodies.empty()) acceleration_.resize(setup.rigid.start.size());
}

void RigidObjects::set_state(const std::vector<BodyState>& bodies, const std::vector<AbsorberState>& absorbers,
                             const MooringState& moorings, double time) {
    bodies_ = bodies.empty() ? initial_states(setup_.bodies) : bodies;
    absorbers_ = absorbers.empty() ? std::vector<AbsorberState>(setup_.absorbers.size()) : absorbers;
    lines_.set_state(moorings);
    find_motions(setup_.constants.integrator == sph::Integrator::staggered, time);
}

/// `lags`: bodies take part in the next interaction with the velocities of half a step before.
void RigidObjects::find_motions(bool lags, double time) {
    std::vector<BodyState> bodies = bodies_;
    if (lags) std::transform(bodies.begin(), bodies.end(), bodies.begin(), lagging);
    now_ = rigid_motions(setup_, bodies, absorbers_, time);
}

void RigidObjects::sum_load(std::size_t b) {
    const RigidParticles& particles = setup_.rigid;
    const Body& body = setup_.bodies[b];
    const RigidMotion motion = motion_of(body, bodies_[b]);
    BodyLoads loads;
    for (std::uint32_t k = body.first_id - particles.begin; k < body.first_id + body.particles - particles.begin; ++k) {
        add_particle(loads.fluid, body, motion, particles.start[k], vec_cast<double>(acceleration_[k]),
                     setup_.constants.mass_bound);
        if (contacts_.any()) add_contact(loads, body, motion, particles.start[k], contacts_.forces()[k]);
    }
    loads_[b] = loads;
}

/// What acts on the particles of bodies becomes known to all ranks, each of which moves all bodies.
void RigidObjects::spread_loads(const SortedGroup& boundary) {
    if (halo_.alone()) return;
    std::vector<std::uint32_t> places;
    boundary.for_each_own(space_, [&](std::uint32_t i) {
        const std::uint32_t id = boundary.state.id[i];
        if (setup_.rigid.object_of(id) >= setup_.motions.object_count()) places.push_back(id - setup_.rigid.begin);
    });
    halo_.spread(places, acceleration_.data());
    if (contacts_.any()) halo_.spread(places, contacts_.forces().data());
}

double RigidObjects::sum_loads(const SortedGroup& boundary, const Accumulator* rates) {
    if (bodies_.empty()) return 0;
    const RigidParticles& particles = setup_.rigid;
#pragma omp parallel num_threads(threads_.now())
    for (const OwnRun& run : boundary.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            const std::uint32_t id = boundary.state.id[i];
            if (particles.object_of(id) == RigidParticles::at_rest || space_.is_image(boundary.state.position[i]))
                continue;
            acceleration_[id - particles.begin] = {rates[i].ax, rates[i].ay, rates[i].az};
        }
    const double pace = contacts_.any() ? halo_.largest(contacts_.find(boundary)) : 0;
    spread_loads(boundary);
    const int count = static_cast<int>(bodies_.size());
#pragma omp parallel for schedule(dynamic) num_threads(threads_.now())
    for (int b = 0; b < count; ++b) sum_load(static_cast<std::size_t>(b));
    if (!contacts_.any()) return 0;
    double speed = std::max(setup_.constants.c0, dem::speed_of_contact(setup_.constants, pace));
    for (std::size_t b = 0; b < bodies_.size(); ++b)
        speed = std::max(speed, dem::speed_of_springs(setup_.constants, setup_.bodies[b].mass, loads_[b].stiffness));
    return speed;
}

std::int64_t RigidObjects::work_of_walls(const SortedGroup& boundary, const Accumulator* rates, double dt,
                                         double work_unit) const {
    const double mass = setup_.constants.mass_bound, per_unit = 1 / (setup_.constants.mass_fluid * work_unit);
    std::uint64_t sum = 0; // unsigned: no sum is out of bounds
#pragma omp parallel num_threads(threads_.now()) reduction(+ : sum)
    for (const OwnRun& run : boundary.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            const std::uint32_t id = boundary.state.id[i];
            const std::int32_t object = setup_.rigid.object_of(id);
            if (object < 0 || object >= setup_.motions.object_count() || space_.is_image(boundary.state.position[i]))
                continue;
            const RigidMotion& motion =
                now_[static_cast<std::size_t>(object)]; // not what walls from ghost nodes mirror
            const Vec3d velocity = motion.velocity_of(setup_.rigid.start[id - setup_.rigid.begin]);
            const double work = work_of_wall({rates[i].ax, rates[i].ay, rates[i].az}, velocity, mass, dt);
            sum += static_cast<std::uint64_t>(work_count(work, per_unit));
        }
    return static_cast<std::int64_t>(sum);
}

void RigidObjects::push_bodies(const std::vector<BodyLoad>& impulses, double time, double dt) {
    for (std::size_t b = 0; b < impulses.size(); ++b)
        if (is_released(setup_.bodies[b], time)) bodies_[b] = kicked(setup_.bodies[b], bodies_[b], impulses[b], 1);
    find_motions(false, time + dt);
}

double RigidObjects::advance_bodies(Stage stage, std::int64_t step, double time, double dt, double dt_before,
                                    const std::vector<BodyLoad>& borne) {
    if (stage == Stage::predictor) start_ = bodies_;
    const std::vector<BodyState> from = stage == Stage::corrector ? start_ : bodies_;
    const BodyStage of_bodies = body_stage(stage, sph::is_euler_step(step, setup_.constants.verlet_steps));
    const BodyDrive drive{setup_.constants.gravity, setup_.body_series.data()};
    const double part = part_of_step(stage) * dt;
    lines_.advance({stage, step, time, dt}, from, bodies_, loads_);
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        if (setup_.bodies[b].mechanism >= 0) continue;
        BodyLoads all = loads_[b];
        if (!borne.empty()) all.mooring = all.mooring + borne[b]; // which acts as lines do
        bodies_[b] = after_stage(of_bodies, setup_.bodies[b], from[b], all, drive, time, part, dt_before);
    }
    mechanisms_.advance(of_bodies, from.data(), loads_.data(), bodies_.data(),
                        mechanism_drive(setup_, absorbers_.data()), time, part);
    lines_.follow(bodies_, time + part);
    double work = 0;
    for (std::size_t b = 0; b < bodies_.size(); ++b)
        if (takes_forces(stage) && is_driven(setup_.bodies[b]))
            work +=
                work_in_step(of_bodies, setup_.bodies[b], from[b], bodies_[b], loads_[b], drive, time, dt, dt_before);
    return work;
}

/// What a particle of an object shows at the end of a staggered step; bodies take part in the next interaction with
/// `flow`.
Flow RigidObjects::shown_flow(std::int32_t object, const Vec3d& position, double time, const Flow& flow) const {
    const int b = object - setup_.motions.object_count();
    if (b < 0) return flow;
    const auto k = static_cast<std::size_t>(b);
    const auto velocity = vec_cast<float>(velocity_at(setup_.bodies[k], bodies_[k], position, time));
    return {velocity.x, velocity.y, velocity.z, flow.rho};
}

void RigidObjects::place(SortedGroup& boundary, Stage stage, double time) {
    if (!any()) return;
    const RigidParticles& particles = setup_.rigid;
    find_motions(stage == Stage::drift, time);
    constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t outside = nobody; // smallest id of a particle that has left
#pragma omp parallel num_threads(threads_.now()) reduction(min : outside)
    for (const OwnRun& run : boundary.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            const std::uint32_t id = boundary.state.id[i];
            const std::int32_t object = particles.object_of(id);
            if (object == RigidParticles::at_rest || space_.is_image(boundary.state.position[i])) continue;
            const RigidMotion& motion = now_[static_cast<std::size_t>(object)];
            const Vec3d position = motion.position_of(particles.start[id - particles.begin]);
            const Vec3d inside = space_.period.wrapped_from_afar(position, space_.size);
            const auto velocity = vec_cast<float>(motion.velocity_at(position));
            Flow& flow = boundary.state.flow[i];
            flow = {velocity.x, velocity.y, velocity.z, flow.rho};
            if (stage == Stage::drift) {
                boundary.state.flow_previous[i] = flow;
                flow = shown_flow(object, position, time, flow);
            }
            boundary.state.position[i] = inside;
            if (space_.contains(inside))
                boundary.state.key[i] = space_.key(inside);
            else
                outside = std::min(outside, id);
        }
    outside = halo_.smallest(outside);
    if (outside != nobody) throw left_domain(setup_, outside, time);
}

} // namespace sluice::cpu
