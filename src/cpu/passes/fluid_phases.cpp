// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/fluid_phases.h"

namespace sluice::cpu {

FluidPhases::FluidPhases(const RunSetup& setup, const Space& space, const ThreadCount& threads)
    : setup_(setup), space_(space), threads_(threads) {
    for (const FluidProperties& fluid : setup.fluids)
        phases_.push_back({sph::EquationOfState<float>(relative_constants(setup.constants, fluid)),
                           float(1 / density_ratio(setup.constants, fluid))});
}

void FluidPhases::mark(const InteractionView& view, const SortedGroup& fluid, float lead) const {
    const std::uint32_t first = view.fluid_begin[0];
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t i = 0; i < first; ++i) view.records[i].z &= ~phase_bits;
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t i = 0; i < fluid.count; ++i) { // ghosts, too
        const std::uint32_t id = fluid.state.id[i];
        const float rho = fluid.state.flow[i].rho, before = fluid.state.flow_previous[i].rho;
        Record& record = view.records[first + i];
        record.z = (record.z & ~phase_bits) | setup_.phase_of(id);
        record.pressure_term = phase_of(id).eos.pressure_term(rho, sph::damped_density(before, rho, lead));
    }
}

void FluidPhases::weigh(const InteractionView& view, const SortedGroup& fluid) const {
    const std::uint32_t first = view.fluid_begin[0];
#pragma omp parallel num_threads(threads_.now())
    for (const OwnRun& run : fluid.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            if (space_.is_image(fluid.state.position[i])) continue;
            const float scale = phase_of(fluid.state.id[i]).inverse_ratio;
            Accumulator& rate = view.rates[first + i];
            rate.ax *= scale;
            rate.ay *= scale;
            rate.az *= scale;
        }
}

std::unique_ptr<FluidPhases> make_fluid_phases(const RunSetup& setup, const Space& space, const ThreadCount& threads) {
    return setup.fluids.empty() ? nullptr : std::make_unique<FluidPhases>(setup, space, threads);
}

} // namespace sluice::cpu
