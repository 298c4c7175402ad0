// SPDX-License-Identifier: Apache-2.0
#include "cpu/structures/flexible_structures.h"

#include "backend/left_domain.h"

#include <algorithm>
#include <limits>

namespace sluice::cpu {

FlexibleStructures::FlexibleStructures(const RunSetup& setup, const Space& space, const ThreadCount& threads,
                                       Halo& halo)
    : setup_(setup), space_(space), threads_(threads), halo_(halo), contacts_(setup, space),
      start_(setup.flexible.all.size()), shown_(setup.flexible.all.size()) {
    std::uint32_t particles = 0;
    for (const FlexibleBody& body : setup.flexible.all) {
        solvers_.emplace_back(setup.flexible.structure_of(body), lagrangian_constants(setup.constants));
        first_.push_back(particles);
        particles += body.particles;
    }
    acceleration_.assign(particles, setup.constants.gravity);
    wall_power_.resize(particles);
    find_bearers();
}

/// The floating body, of RunSetup::bodies, that a node of a clamp is part of; −1: none.
std::int32_t FlexibleStructures::bearer_of(std::size_t b, std::uint32_t clamp) const {
    const std::uint32_t id = setup_.flexible.id_of(setup_.flexible.all[b], solvers_[b].clamp_source(clamp));
    const std::int32_t object = setup_.rigid.object_of(id), first_body = setup_.motions.object_count();
    return object >= first_body ? object - first_body : -1;
}

void FlexibleStructures::find_bearers() {
    pushes_.resize(solvers_.size());
    for (std::size_t b = 0; b < solvers_.size(); ++b) {
        std::vector<bool> borne(solvers_[b].clamp_count());
        for (std::uint32_t k = 0; k < borne.size(); ++k) borne[k] = bearer_of(b, k) >= 0;
        if (std::find(borne.begin(), borne.end(), true) == borne.end()) continue;
        solvers_[b].bear_clamps(borne);
        reactions_.resize(setup_.bodies.size());
    }
}

const std::vector<BodyLoad>& FlexibleStructures::find_reactions(Stage stage, double dt,
                                                                const std::vector<BodyState>& bodies) {
    bearers_ = bodies;
    std::fill(reactions_.begin(), reactions_.end(), BodyLoad{});
    const double per_time = 1 / (part_of_step(Stage::predictor) * dt); // of what the first half gave
    for (std::size_t b = 0; any_borne() && b < solvers_.size(); ++b)
        for (std::uint32_t k = 0; k < solvers_[b].clamp_pushes().size(); ++k) {
            const std::int32_t bearer = bearer_of(b, k);
            if (bearer < 0) continue;
            const bool is_now = stage != Stage::corrector;
            const Vec3d now = solvers_[b].force_on_clamp(k);
            const Vec3d force = is_now ? now : per_time * pushes_[b][k].momentum;
            const Vec3d turning = is_now ? cross(solvers_[b].clamp_place(k), now) : per_time * pushes_[b][k].turning;
            BodyLoad& load = reactions_[static_cast<std::size_t>(bearer)];
            load.force = load.force + force;
            load.moment = load.moment + turning - cross(bodies[static_cast<std::size_t>(bearer)].centre, force);
        }
    return reactions_;
}

std::vector<BodyLoad> FlexibleStructures::missing_impulses(double dt, const std::vector<BodyState>& bodies) const {
    std::vector<BodyLoad> missing(reactions_.size());
    for (std::size_t n = 0; n < missing.size(); ++n) { // what they got, about the origin
        const Vec3d got = dt * reactions_[n].force;
        missing[n].force = -1.0 * got;
        missing[n].moment = -1.0 * (dt * reactions_[n].moment + cross(bearers_[n].centre, got));
    }
    for (std::size_t b = 0; b < solvers_.size(); ++b)
        for (std::uint32_t k = 0; k < pushes_[b].size(); ++k) {
            const std::int32_t bearer = bearer_of(b, k);
            if (bearer < 0) continue;
            BodyLoad& load = missing[static_cast<std::size_t>(bearer)];
            load.force = load.force + pushes_[b][k].momentum;
            load.moment = load.moment + pushes_[b][k].turning;
        }
    for (std::size_t n = 0; n < missing.size(); ++n)
        missing[n].moment = missing[n].moment - cross(bodies[n].centre, missing[n].force);
    return missing;
}

FlexibleStructures::Member FlexibleStructures::member_of(std::uint32_t id) const {
    const std::int32_t b = flexible_body_of(setup_.flexible, id);
    if (b < 0) return {};
    return {b, id - setup_.flexible.all[static_cast<std::size_t>(b)].first_id};
}

Vec3d FlexibleStructures::clamp_place(std::size_t b, std::uint32_t particle,
                                      const std::vector<RigidMotion>& motions) const {
    const FlexibleBody& body = setup_.flexible.all[b];
    const Vec3d& start = setup_.flexible.start[body.first_start + particle];
    const std::int32_t object = setup_.rigid.object_of(setup_.flexible.id_of(body, particle));
    return object == RigidParticles::at_rest ? start : motions[static_cast<std::size_t>(object)].position_of(start);
}

/// With a wall that rests none.
Vec3d FlexibleStructures::clamp_velocity(std::size_t b, std::uint32_t particle,
                                         const std::vector<RigidMotion>& motions) const {
    const std::int32_t object = setup_.rigid.object_of(setup_.flexible.id_of(setup_.flexible.all[b], particle));
    if (object == RigidParticles::at_rest) return {};
    return motions[static_cast<std::size_t>(object)].velocity_at(clamp_place(b, particle, motions));
}

void FlexibleStructures::set_state(const ParticleState& state, const std::vector<RigidMotion>& motions) {
    if (!any()) return;
    motions_ = motions;
    struct Moving {
        Vec3d position, velocity;
    };
    std::vector<Moving> all(acceleration_.size());
    std::vector<std::uint32_t> places; // of what this part of the state has
    for (std::size_t i = 0; i < state.size(); ++i) {
        const Member member = member_of(state.id[i]);
        if (member.body < 0) continue;
        places.push_back(place_of(member));
        all[places.back()] = {state.position[i], vec_cast<double>(state.velocity[i])};
    }
    halo_.spread(places, all.data());
    for (std::size_t b = 0; b < solvers_.size(); ++b) {
        StructureState of_body;
        for (std::uint32_t i = 0; i < setup_.flexible.all[b].particles; ++i) {
            of_body.position.push_back(all[first_[b] + i].position);
            of_body.velocity.push_back(all[first_[b] + i].velocity);
        }
        solvers_[b].set_state(
            of_body, [&](std::uint32_t i) { return clamp_place(b, i, motions_); }, threads_.now());
        show_end_of_step(b, state.dt);
    }
}

void FlexibleStructures::take_loads(const SortedGroup& boundary, const Accumulator* rates) {
    if (!any()) return;
    const double mass = setup_.constants.mass_bound;
    std::vector<std::uint32_t> places;
    for (const OwnRun& run : boundary.own)
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            const Member member = member_of(boundary.state.id[i]);
            if (member.body < 0) continue;
            const Vec3d by_fluid{rates[i].ax, rates[i].ay, rates[i].az};
            places.push_back(place_of(member));
            acceleration_[places.back()] = setup_.constants.gravity + mass / mass_of(member) * by_fluid;
        }
    std::fill(wall_power_.begin(), wall_power_.end(), 0.0);
    contacts_.find(
        boundary, threads_.now(), motions_, [&](std::uint32_t id) { return mass_of(member_of(id)); },
        [&](std::uint32_t id, const ContactSum& sum) {
            const Member member = member_of(id);
            Vec3d& acceleration = acceleration_[place_of(member)];
            acceleration = acceleration + 1 / mass_of(member) * sum.force;
            wall_power_[place_of(member)] = sum.wall_power;
        });
    halo_.spread(places, acceleration_.data());
}

/// What the fluid sees of a body's motion in a symplectic step, beside its places: in the middle the mean velocity of
/// the step that the first forces make, at its begin that of half a step under weight alone. The velocity at an instant
/// would be wrong for modes that swing more than once in a step of the fluid: friction and pressure would feed them
/// (docs/theory.md).
Vec3d FlexibleStructures::mean_velocity(std::size_t b, std::uint32_t particle, const StructureState& from,
                                        double duration) const {
    return 1 / duration * (solvers_[b].positions()[particle] - from.position[particle]);
}

void FlexibleStructures::show_end_of_step(std::size_t b, double dt) {
    shown_[b] = solvers_[b].state();
    if (setup_.constants.integrator != sph::Integrator::symplectic || dt == 0) return;
    StructureSolver& solver = solvers_[b];
    const StructureState now = solver.state();
    const double duration = 0.5 * dt;
    const auto clamp_now = [&](std::uint32_t i) { return clamp_place(b, i, motions_); };
    const std::vector<Vec3d> weight(now.position.size(), setup_.constants.gravity);
    solver.advance(
        duration, sub_steps(b, duration), weight,
        [&](std::uint32_t i) { return clamp_place(b, i, motions_) + duration * clamp_velocity(b, i, motions_); },
        threads_.now());
    for (std::uint32_t i = 0; i < now.position.size(); ++i) shown_[b].velocity[i] = mean_velocity(b, i, now, duration);
    solver.set_state(now, clamp_now, threads_.now());
}

int FlexibleStructures::sub_steps(std::size_t b, double duration) {
    return structure_sub_steps(duration, solvers_[b].longest_step(setup_.constants.cfl, threads_.now()));
}

StructureWork FlexibleStructures::advance_body(std::size_t b, Stage stage, double dt,
                                               const std::vector<RigidMotion>& motions) {
    StructureSolver& solver = solvers_[b];
    const auto clamp_start = [&](std::uint32_t i) { return clamp_place(b, i, start_motions_); };
    const auto clamp_end = [&](std::uint32_t i) { return clamp_place(b, i, motions); };
    if (stage == Stage::predictor) start_[b] = solver.state();
    if (stage == Stage::corrector) solver.set_state(start_[b], clamp_start, threads_.now());
    const double duration = part_of_step(stage) * dt;
    const int steps = sub_steps(b, duration);
    const std::span<const Vec3d> acceleration(acceleration_.data() + first_[b], setup_.flexible.all[b].particles);
    const StructureWork work = solver.advance(duration, steps, acceleration, clamp_end, threads_.now());
    pushes_[b].assign(solver.clamp_pushes().begin(), solver.clamp_pushes().end());
    if (takes_forces(stage)) {
        solver.round_velocities();
        return work;
    }
    shown_[b] = solver.state();
    solver.advance(
        duration, steps, acceleration, [&](std::uint32_t i) { return 2.0 * clamp_end(i) - clamp_start(i); },
        threads_.now());
    for (std::uint32_t i = 0; i < shown_[b].velocity.size(); ++i)
        shown_[b].velocity[i] = mean_velocity(b, i, start_[b], dt);
    return {};
}

StructureWork FlexibleStructures::advance(Stage stage, double dt, const std::vector<RigidMotion>& motions) {
    StructureWork work;
    if (!any()) return work;
    if (stage == Stage::predictor) start_motions_ = motions_;
    for (std::size_t b = 0; b < solvers_.size(); ++b) {
        const StructureWork of_body = advance_body(b, stage, dt, motions);
        work.clamps += of_body.clamps;
        work.damping += of_body.damping;
        work.hourglass += of_body.hourglass;
    }
    return work;
}

std::int64_t FlexibleStructures::work_of_pushing_walls(double dt, double unit) const {
    std::int64_t work = 0;
    for (const double power : wall_power_) work = sum_of_counts(work, work_count(dt * power, 1 / unit));
    return work;
}

void FlexibleStructures::show(SortedGroup& boundary, Stage stage, double dt, double time,
                              const std::vector<RigidMotion>& motions) {
    if (!any()) return;
    motions_ = motions;
    for (std::size_t b = 0; takes_forces(stage) && b < solvers_.size(); ++b) show_end_of_step(b, dt);
    place(boundary, time);
}

template <class Use>
void FlexibleStructures::for_each_velocity(ParticleState& state, const Use& use) const {
    for (std::size_t i = 0; any() && i < state.size(); ++i)
        if (const Member member = member_of(state.id[i]); member.body >= 0)
            state.velocity[i] = vec_cast<float>(use(static_cast<std::size_t>(member.body), member.particle));
}

void FlexibleStructures::put_own_velocities(ParticleState& state) const {
    for_each_velocity(state, [&](std::size_t b, std::uint32_t i) { return solvers_[b].velocities()[i]; });
}

void FlexibleStructures::put_shown_velocities(ParticleState& state) const {
    for_each_velocity(state, [&](std::size_t b, std::uint32_t i) { return shown_[b].velocity[i]; });
}

void FlexibleStructures::place(SortedGroup& boundary, double time) const {
    constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t outside = nobody; // smallest id of a particle that has left
    for (const OwnRun& run : boundary.own)
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            const std::uint32_t id = boundary.state.id[i];
            const Member member = member_of(id);
            if (member.body < 0) continue;
            const StructureState& shown = shown_[static_cast<std::size_t>(member.body)];
            const Vec3d& position = shown.position[member.particle];
            const auto velocity = vec_cast<float>(shown.velocity[member.particle]);
            boundary.state.position[i] = position;
            boundary.state.flow[i] = {velocity.x, velocity.y, velocity.z, boundary.state.flow[i].rho};
            if (space_.contains(position))
                boundary.state.key[i] = space_.key(position);
            else
                outside = std::min(outside, id);
        }
    outside = halo_.smallest(outside);
    if (outside != nobody) throw left_domain(setup_, outside, time);
}

} // namespace sluice::cpu
