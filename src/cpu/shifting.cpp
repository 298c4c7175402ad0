// SPDX-License-Identifier: Apache-2.0
#include "cpu/shifting.h"

#include "cpu/fluid_sums.h"
#include "cpu/gather_operators.h"
#include "cpu/make_interaction.h"

#include <algorithm>

namespace sluice::cpu {

namespace {

GatherOperator crowding_of(const sph::Constants& c) {
    return c.shifting == sph::Shifting::along_surfaces ? GatherOperator::crowding_moments : GatherOperator::crowding;
}

} // namespace

ParticleShifts::ParticleShifts(const std::string& simd, const RunSetup& setup, const Space& space,
                               const ThreadCount& threads, Halo& halo)
    : setup_(setup), space_(space), threads_(threads), halo_(halo),
      crowding_(make_gather(simd, crowding_of(setup.constants), setup.constants)) {
    if (setup.constants.shift_follows)
        convergence_ = make_gather(simd, GatherOperator::shift_convergence, setup.constants);
}

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

void ParticleShifts::follow(const InteractionView& view, const SortedGroup& fluid, float dt) {
    if (!convergence_) return;
    const std::uint32_t first = view.fluid_begin[0];
    collect_by_id(by_id_, fluid, space_, threads_, halo_, [&](std::uint32_t i) { return shifts_[i]; });
    records_.resize(first + std::size_t(fluid.count));
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t i = 0; i < first; ++i) records_[i] = shift_record(view.records[i], {});
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t i = 0; i < fluid.count; ++i) // ghosts have the shift of their particles
        records_[first + i] = shift_record(view.records[first + i], by_id_[fluid.state.id[i]]);
    InteractionView shifted = view;
    shifted.records = records_.data();
    sum_over_fluid(*convergence_, shifted, threads_, sums_.data()); // one sum each: there is room
#pragma omp parallel num_threads(threads_.now())
    for (const OwnRun& run : fluid.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i)
            if (!space_.is_image(fluid.state.position[i]))
                view.rates[first + i].rho += sph::shift_density_rate(sums_[i], fluid.state.flow[i].rho, dt);
}

std::unique_ptr<ParticleShifts> make_particle_shifts(const std::string& simd, const RunSetup& setup, const Space& space,
                                                     const ThreadCount& threads, Halo& halo) {
    if (setup.constants.shifting == sph::Shifting::none) return nullptr;
    return std::make_unique<ParticleShifts>(simd, setup, space, threads, halo);
}

} // namespace sluice::cpu
