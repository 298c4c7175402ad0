// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/wall_extrapolation.h"

#include "physics/sph/wall_extrapolation.h"

namespace sluice::cpu {

WallExtrapolation::WallExtrapolation(const std::string& simd, const RunSetup& setup, const Space& space,
                                     const ThreadCount& threads, Halo& halo)
    : setup_(setup), space_(space), threads_(threads), halo_(halo),
      ghosts_(simd, setup.constants, space, setup.constants.mirrors_velocities()), eos_(setup.constants),
      flow_(setup.normals.size()) {}

void WallExtrapolation::apply(const InteractionView& view, const std::vector<RigidMotion>& motions,
                              const Vec3d& gravity, SortedGroup& boundary) {
    gravity_ = gravity;
    extrapolate_own(view, motions, boundary);
    halo_.share_by_id(boundary, flow_.data());
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t i = 0; i < boundary.count; ++i) { // ghosts take over what their particles have
        const std::uint32_t id = boundary.state.id[i];
        if (!setup_.is_extrapolated(id)) continue;
        const Flow& flow = boundary.state.flow[i] = flow_[id];
        Record& record = view.records[i];
        record.pressure_term = eos_.pressure_term(flow.rho);
        record.vx = flow.vx;
        record.vy = flow.vy;
        record.vz = flow.vz;
        record.rho = flow.rho;
    }
}

void WallExtrapolation::take_own_velocities(const InteractionView& view, const std::vector<RigidMotion>& motions,
                                            const SortedGroup& boundary) const {
    if (!setup_.constants.mirrors_velocities()) return;
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t i = 0; i < boundary.count; ++i) {
        const std::uint32_t id = boundary.state.id[i];
        if (!setup_.is_extrapolated(id)) continue;
        const auto v = vec_cast<float>(own_velocity(motions, id));
        Record& record = view.records[i];
        record.vx = v.x;
        record.vy = v.y;
        record.vz = v.z;
    }
}

/// What this rank's particles take part with. Some of their ghost nodes may be in the rows of others.
void WallExtrapolation::extrapolate_own(const InteractionView& view, const std::vector<RigidMotion>& motions,
                                        const SortedGroup& boundary) {
    std::vector<Mirror> elsewhere;
#pragma omp parallel num_threads(threads_.now())
    for (const OwnRun& run : boundary.own)
#pragma omp for schedule(dynamic, 64) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            const std::uint32_t id = boundary.state.id[i];
            const Vec3d& place = boundary.state.position[i];
            if (!setup_.is_extrapolated(id) || space_.is_image(place)) continue;
            const Mirror mirror = mirror_of(motions, id, place);
            if (halo_.owns(mirror.node)) {
                float sums[sph::ghost_sum_count];
                ghosts_.around(view, mirror.node, nullptr, sums);
                extrapolate(mirror, sums);
            } else {
#pragma omp critical(sluice_nodes_elsewhere)
                elsewhere.push_back(mirror);
            }
        }
    if (halo_.alone()) return;
    std::vector<Vec3d> nodes;
    nodes.reserve(elsewhere.size());
    for (const Mirror& mirror : elsewhere) nodes.push_back(mirror.node);
    const std::vector<float> sums = ghosts_.around_all(
        view, nodes, [](const Vec3d&) { return nullptr; }, threads_, halo_);
    for (std::size_t k = 0; k < elsewhere.size(); ++k) extrapolate(elsewhere[k], &sums[k * sph::ghost_sum_count]);
}

WallExtrapolation::Mirror WallExtrapolation::mirror_of(const std::vector<RigidMotion>& motions, std::uint32_t id,
                                                       const Vec3d& place) const {
    Vec3d normal = vec_cast<double>(setup_.normals[id]);
    const std::int32_t object = setup_.rigid.object_of(id);
    if (object != RigidParticles::at_rest) normal = motions[static_cast<std::size_t>(object)].turned(normal);
    return {id, space_.period.wrapped_from_afar(place + 2.0 * normal, space_.size), normal, own_velocity(motions, id),
            object == RigidParticles::at_rest};
}

Vec3d WallExtrapolation::own_velocity(const std::vector<RigidMotion>& motions, std::uint32_t id) const {
    const std::int32_t object = setup_.rigid.object_of(id);
    if (object == RigidParticles::at_rest) return {};
    const RigidMotion& motion = motions[static_cast<std::size_t>(object)];
    return motion.velocity_of(setup_.rigid.start[id - setup_.rigid.begin]);
}

void WallExtrapolation::extrapolate(const Mirror& mirror, const float* sums) {
    const bool balanced = setup_.constants.wall_pressure == sph::WallPressure::balanced && mirror.rests;
    const sph::WallFlow wall =
        sph::wall_flow(setup_.constants, sums, mirror.normal, mirror.velocity, balanced ? &gravity_ : nullptr);
    const auto v = vec_cast<float>(wall.velocity);
    flow_[mirror.id] = {v.x, v.y, v.z, static_cast<float>(wall.density)};
}

std::unique_ptr<WallExtrapolation> make_wall_extrapolation(const std::string& simd, const RunSetup& setup,
                                                           const Space& space, const ThreadCount& threads, Halo& halo) {
    return setup.normals.empty() ? nullptr : std::make_unique<WallExtrapolation>(simd, setup, space, threads, halo);
}

} // namespace sluice::cpu
