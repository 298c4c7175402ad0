// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/renormalised_diffusion.h"

#include "cpu/pairs/gather_operators.h"
#include "cpu/passes/fluid_sums.h"
#include "cpu/simd/make_interaction.h"

namespace sluice::cpu {

RenormalisedDiffusion::RenormalisedDiffusion(const std::string& simd, const sph::Constants& constants,
                                             const Space& space, const ThreadCount& threads, Halo& halo)
    : two_d_(constants.two_d), space_(space), threads_(threads), halo_(halo),
      gradient_(make_gather(simd, GatherOperator::density_gradient, constants)),
      diffusion_(make_gather(simd, GatherOperator::renormalised_diffusion, constants)) {}

void RenormalisedDiffusion::find_gradients(const InteractionView& view, const SortedGroup& fluid) {
    const std::uint32_t first = view.fluid_begin[0];
    const auto width = static_cast<std::size_t>(gradient_->sum_count());
    sums_.resize(width * fluid.count);
    sum_over_fluid(*gradient_, view, threads_, sums_.data());
    collect_by_id(by_id_, fluid, space_, threads_, halo_,
                  [&](std::uint32_t i) { return sph::renormalised_gradient(two_d_, &sums_[width * i]); });
    records_.resize(first + std::size_t(fluid.count));
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t i = 0; i < fluid.count; ++i) // ghosts have the gradient of their particles
        records_[first + i] = vector_record(view.records[first + i], by_id_[fluid.state.id[i]]);
}

void RenormalisedDiffusion::add(const InteractionView& view, const SortedGroup& fluid) {
    find_gradients(view, fluid);
    InteractionView gradients = view;
    gradients.records = records_.data();
    sum_over_fluid(*diffusion_, gradients, threads_, sums_.data()); // one sum each: there is room
#pragma omp parallel num_threads(threads_.now())
    for (const OwnRun& run : fluid.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i)
            if (!space_.is_image(fluid.state.position[i])) view.rates[view.fluid_begin[0] + i].rho += sums_[i];
}

std::unique_ptr<RenormalisedDiffusion> make_renormalised_diffusion(const std::string& simd,
                                                                   const sph::Constants& constants, const Space& space,
                                                                   const ThreadCount& threads, Halo& halo) {
    if (constants.diffusion != sph::DensityDiffusion::renormalised) return nullptr;
    return std::make_unique<RenormalisedDiffusion>(simd, constants, space, threads, halo);
}

} // namespace sluice::cpu
