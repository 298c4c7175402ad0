// SPDX-License-Identifier: Apache-2.0
#include "cpu/structures/flexible_structures.h"

#include "backend/left_domain.h"

#include <algorithm>
#include <limits>

namespace sluice::cpu {

FlexibleStructures::FlexibleStructures(const RunSetup& setup, const Space& space, const ThreadCount& threads)
    : setup_(setup), space_(space), threads_(threads), start_(setup.flexible.all.size()) {
    for (const FlexibleBody& body : setup.flexible.all) {
        solvers_.emplace_back(setup.flexible.structure_of(body), lagrangian_constants(setup.constants));
        acceleration_.emplace_back(body.particles, setup.constants.gravity);
    }
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
    std::vector<StructureState> states;
    for (const StructureSolver& solver : solvers_) states.push_back(solver.state());
    for (std::size_t i = 0; i < state.size(); ++i) {
        const Member member = member_of(state.id[i]);
        if (member.body < 0) continue;
        StructureState& of_body = states[static_cast<std::size_t>(member.body)];
        of_body.position[member.particle] = state.position[i];
        of_body.velocity[member.particle] = vec_cast<double>(state.velocity[i]);
    }
    for (std::size_t b = 0; b < solvers_.size(); ++b)
        solvers_[b].set_state(
            states[b], [&](std::uint32_t i) { return clamp_place(b, i, motions_); }, threads_.now());
}

void FlexibleStructures::take_loads(const SortedGroup& boundary, const Accumulator* rates) {
    if (!any()) return;
    const double mass = setup_.constants.mass_bound;
    for (const OwnRun& run : boundary.own)
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            const Member member = member_of(boundary.state.id[i]);
            if (member.body < 0) continue;
            const auto b = static_cast<std::size_t>(member.body);
            const Vec3d by_fluid{rates[i].ax, rates[i].ay, rates[i].az};
            acceleration_[b][member.particle] =
                setup_.constants.gravity + mass / solvers_[b].particle_mass() * by_fluid;
        }
}

void FlexibleStructures::advance_body(std::size_t b, Stage stage, double dt, const std::vector<RigidMotion>& motions) {
    StructureSolver& solver = solvers_[b];
    if (stage == Stage::predictor) start_[b] = solver.state();
    if (stage == Stage::corrector)
        solver.set_state(
            start_[b], [&](std::uint32_t i) { return clamp_place(b, i, start_motions_); }, threads_.now());
    const double duration = part_of_step(stage) * dt;
    const int steps = structure_sub_steps(duration, solver.longest_step(setup_.constants.cfl));
    solver.advance(
        duration, steps, acceleration_[b], [&](std::uint32_t i) { return clamp_place(b, i, motions); }, threads_.now());
    if (takes_forces(stage)) solver.round_velocities();
}

void FlexibleStructures::advance(SortedGroup& boundary, Stage stage, double dt, double time,
                                 const std::vector<RigidMotion>& motions) {
    if (!any()) return;
    if (stage == Stage::predictor) start_motions_ = motions_;
    for (std::size_t b = 0; b < solvers_.size(); ++b) advance_body(b, stage, dt, motions);
    motions_ = motions;
    place(boundary, time);
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
    if (outside != nobody) throw left_domain(setup_, outside, time);
}

} // namespace sluice::cpu
