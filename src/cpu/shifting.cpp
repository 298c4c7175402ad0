// SPDX-License-Identifier: Apache-2.0
#include "cpu/shifting.h"

#include "cpu/fluid_sums.h"
#include "cpu/gather_operators.h"
#include "cpu/make_interaction.h"

namespace sluice::cpu {

namespace {

GatherOperator crowding_of(const sph::Constants& c) {
    return c.shifting == sph::Shifting::along_surfaces ? GatherOperator::crowding_moments : GatherOperator::crowding;
}

} // namespace

ParticleShifts::ParticleShifts(const std::string& simd, const RunSetup& setup, const ThreadCount& threads)
    : setup_(setup), threads_(threads), crowding_(make_gather(simd, crowding_of(setup.constants), setup.constants)) {}

void ParticleShifts::find(const InteractionView& view, const SortedGroup& boundary, const SortedGroup& fluid,
                          float dt) {
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t i = 0; i < boundary.count; ++i) {
        const bool rests = setup_.rigid.object_of(boundary.state.id[i]) == RigidParticles::at_rest;
        hold_fluid(view.records[i], sph::holds_fluid(setup_.constants.shifting, rests));
    }
    const auto width = static_cast<std::size_t>(crowding_->sum_count());
    sums_.resize(width * fluid.count);
    shifts_.resize(fluid.count);
    sum_over_fluid(*crowding_, view, threads_, sums_.data());
    const int zone_count = static_cast<int>(setup_.shift_zones.size());
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t i = 0; i < fluid.count; ++i) {
        if (!sph::shifts_at(setup_.shift_zones.data(), zone_count, fluid.state.position[i])) {
            shifts_[i] = {};
            continue;
        }
        const Flow& f = fluid.state.flow[i];
        shifts_[i] = sph::shift_of<float>(setup_.constants, &sums_[width * i], {f.vx, f.vy, f.vz}, dt);
    }
}

std::unique_ptr<ParticleShifts> make_particle_shifts(const std::string& simd, const RunSetup& setup,
                                                     const ThreadCount& threads) {
    if (setup.constants.shifting == sph::Shifting::none) return nullptr;
    return std::make_unique<ParticleShifts>(simd, setup, threads);
}

} // namespace sluice::cpu
