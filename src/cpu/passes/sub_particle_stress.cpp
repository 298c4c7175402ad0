// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/sub_particle_stress.h"

#include "cpu/pairs/gather_operators.h"
#include "cpu/passes/fluid_sums.h"
#include "cpu/simd/make_interaction.h"

#include <algorithm>

namespace sluice::cpu {

SubParticleStress::SubParticleStress(const std::string& simd, const sph::Constants& constants, const Space& space,
                                     const ThreadCount& threads, Halo& halo)
    : constants_(constants), space_(space), threads_(threads), halo_(halo),
      gradient_(make_gather(simd, GatherOperator::velocity_gradient, constants)),
      divergence_(make_gather(simd, GatherOperator::stress_divergence, constants)) {}

void SubParticleStress::find(const InteractionView& view, const SortedGroup& fluid) {
    const std::uint32_t first = view.fluid_begin[0];
    const auto width = static_cast<std::size_t>(gradient_->sum_count());
    sums_.resize(width * fluid.count);
    records_.resize(first + std::size_t(fluid.count));
    sum_over_fluid(*gradient_, view, threads_, sums_.data());
    collect_by_id(stress_, fluid, space_, threads_, halo_, [&](std::uint32_t i) {
        return sph::sub_particle_stress(constants_, &sums_[width * i], fluid.state.flow[i].rho);
    });
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t i = 0; i < fluid.count; ++i) { // ghosts have the stress of their particles
        const sph::Stress<float>& stress = stress_[fluid.state.id[i]];
        view.records[first + i].pressure_term += stress.pressure_term;
        records_[first + i] = stress_record(view.records[first + i], stress);
    }
}

void SubParticleStress::diverge(const InteractionView& view) {
    InteractionView stresses = view;
    stresses.records = records_.data();
    sum_over_fluid(*divergence_, stresses, threads_, sums_.data());
}

void SubParticleStress::add(const InteractionView& view, const SortedGroup& fluid) const {
    const auto width = static_cast<std::size_t>(divergence_->sum_count());
#pragma omp parallel num_threads(threads_.now())
    for (const OwnRun& run : fluid.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            if (space_.is_image(fluid.state.position[i])) continue;
            Accumulator& rate = view.rates[view.fluid_begin[0] + i];
            rate.ax += sums_[width * i];
            rate.ay += sums_[width * i + 1];
            rate.az += sums_[width * i + 2];
        }
}

std::unique_ptr<SubParticleStress> make_sub_particle_stress(const std::string& simd, const sph::Constants& constants,
                                                            const Space& space, const ThreadCount& threads,
                                                            Halo& halo) {
    if (constants.viscosity != sph::ViscosityModel::laminar_sps) return nullptr;
    return std::make_unique<SubParticleStress>(simd, constants, space, threads, halo);
}

} // namespace sluice::cpu
