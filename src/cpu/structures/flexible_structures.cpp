// SPDX-License-Identifier: Apache-2.0
#include "cpu/structures/flexible_structures.h"

#include "backend/left_domain.h"

#include <algorithm>
#include <limits>

namespace sluice::cpu {

FlexibleStructures::FlexibleStructures(const RunSetup& setup, const Space& space, const ThreadCount& threads,
                                       Halo& halo)
    : setup_(setup), space_(space), threads_(threads), halo_(halo), start_(setup.flexible.all.size()) {
    std::uint32_t particles = 0;
    for (const FlexibleBody& body : setup.flexible.all) {
        solvers_.emplace_back(setup.flexible.structure_of(body), lagrangian_constants(setup.constants));
        first_.push_back(particles);
        particles += body.particles;
    }
    acceleration_.assign(particles, setup.constants.gravity);
}

FlexibleStructures::Member FlexibleStructures::member_of(std::uint32_t id) const {
    for (std::size_t b = 0; b < solvers_.size(); ++b) {
        const FlexibleBody& body = setup_.flexible.all[b];
        if (id >= body.first_id && id < body.first_id + body.particles)
            return {static_cast<std::int32_t>(b), id - body.first_id};
    }
    return {};
}

Vec3d FlexibleStructures::clamp_place(std::size_t b, std::uint32_t particle,
                                      const std::vector<RigidMotion>& motions) const {
    const FlexibleBody& body = setup_.flexible.all[b];
    const Vec3d& start = setup_.flexible.start[body.first_start + particle];
    const std::int32_t object = setup_.rigid.object_of(setup_.flexible.id_of(body, particle));
    return object == RigidParticles::at_rest ? start : motions[static_cast<std::size_t>(object)].position_of(start);
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
            const auto b = static_cast<std::size_t>(member.body);
            const Vec3d by_fluid{rates[i].ax, rates[i].ay, rates[i].az};
            places.push_back(place_of(member));
            acceleration_[places.back()] = setup_.constants.gravity + mass / solvers_[b].particle_mass() * by_fluid;
        }
    halo_.spread(places, acceleration_.data());
}

StructureWork FlexibleStructures::advance_body(std::size_t b, Stage stage, double dt,
                                               const std::vector<RigidMotion>& motions) {
    StructureSolver& solver = solvers_[b];
    if (stage == Stage::predictor) start_[b] = solver.state();
    if (stage == Stage::corrector)
        solver.set_state(
            start_[b], [&](std::uint32_t i) { return clamp_place(b, i, start_motions_); }, threads_.now());
    const double duration = part_of_step(stage) * dt;
    const int steps = structure_sub_steps(duration, solver.longest_step(setup_.constants.cfl));
    const std::span<const Vec3d> acceleration(acceleration_.data() + first_[b], setup_.flexible.all[b].particles);
    const StructureWork work = solver.advance(
        duration, steps, acceleration, [&](std::uint32_t i) { return clamp_place(b, i, motions); }, threads_.now());
    if (!takes_forces(stage)) return {};
    solver.round_velocities();
    return work;
}

StructureWork FlexibleStructures::advance(SortedGroup& boundary, Stage stage, double dt, double time,
                                          const std::vector<RigidMotion>& motions) {
    StructureWork work;
    if (!any()) return work;
    if (stage == Stage::predictor) start_motions_ = motions_;
    for (std::size_t b = 0; b < solvers_.size(); ++b) {
        const StructureWork of_body = advance_body(b, stage, dt, motions);
        work.clamps += of_body.clamps;
        work.damping += of_body.damping;
        work.hourglass += of_body.hourglass;
    }
    motions_ = motions;
    place(boundary, time);
    return work;
}

void FlexibleStructures::place(SortedGroup& boundary, double time) const {
    constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t outside = nobody; // smallest id of a particle that has left
    for (const OwnRun& run : boundary.own)
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            const std::uint32_t id = boundary.state.id[i];
            const Member member = member_of(id);
            if (member.body < 0) continue;
            const StructureSolver& solver = solvers_[static_cast<std::size_t>(member.body)];
            const Vec3d& position = solver.positions()[member.particle];
            const auto velocity = vec_cast<float>(solver.velocities()[member.particle]);
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
