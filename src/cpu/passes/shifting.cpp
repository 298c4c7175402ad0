// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/shifting.h"

#include "cpu/pairs/gather_operators.h"
#include "cpu/passes/fluid_sums.h"
#include "cpu/simd/make_interaction.h"
#include "physics/sph/internal_energy.h"

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

/// What it takes to lift this rank's particles against gravity.
std::int64_t ParticleShifts::lift(const SortedGroup& fluid, double work_unit) const {
    const Vec3d up = (-1 / work_unit) * setup_.constants.gravity;
    std::uint64_t count = 0; // unsigned: no sum is out of bounds
#pragma omp parallel num_threads(threads_.now()) reduction(+ : count)
    for (const OwnRun& run : fluid.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i)
            if (!space_.is_image(fluid.state.position[i]))
                count += static_cast<std::uint64_t>(work_count(dot(up, vec_cast<double>(shifts_[i])), 1));
    return static_cast<std::int64_t>(count);
}

WorkCounts ParticleShifts::follow(const InteractionView& view, const SortedGroup& fluid, float dt,
                                  const std::int32_t* zones, double work_unit) {
    WorkCounts work;
    work.shift_lift = lift(fluid, work_unit);
    if (!convergence_) return work;
    const std::uint32_t first = view.fluid_begin[0];
    collect_by_id(by_id_, fluid, space_, threads_, halo_, [&](std::uint32_t i) { return shifts_[i]; });
    records_.resize(first + std::size_t(fluid.count));
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t i = 0; i < first; ++i) records_[i] = vector_record(view.records[i], {});
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t i = 0; i < fluid.count; ++i) // ghosts have the shift of their particles
        records_[first + i] = vector_record(view.records[first + i], by_id_[fluid.state.id[i]]);
    InteractionView shifted = view;
    shifted.records = records_.data();
    sum_over_fluid(*convergence_, shifted, threads_, sums_.data()); // one sum each: there is room
    const sph::EquationOfState<double> eos(setup_.constants);
    std::uint64_t compression = 0; // unsigned: no sum is out of bounds
#pragma omp parallel num_threads(threads_.now()) reduction(+ : compression)
    for (const OwnRun& run : fluid.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            if (space_.is_image(fluid.state.position[i]) || (zones && zones[i] >= 0)) continue;
            const float rho = fluid.state.flow[i].rho, rate = sph::shift_density_rate(sums_[i], rho, dt);
            view.rates[first + i].rho += rate;
            compression += static_cast<std::uint64_t>(
                work_count(sph::compression_work(eos, double(rho), double(dt) * double(rate)), 1 / work_unit));
        }
    work.shift_compression = static_cast<std::int64_t>(compression);
    return work;
}

std::unique_ptr<ParticleShifts> make_particle_shifts(const std::string& simd, const RunSetup& setup, const Space& space,
                                                     const ThreadCount& threads, Halo& halo) {
    if (setup.constants.shifting == sph::Shifting::none) return nullptr;
    return std::make_unique<ParticleShifts>(simd, setup, space, threads, halo);
}

} // namespace sluice::cpu
