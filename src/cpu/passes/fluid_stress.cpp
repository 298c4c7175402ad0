// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/fluid_stress.h"

#include "cpu/pairs/gather_operators.h"
#include "cpu/passes/fluid_sums.h"
#include "cpu/simd/make_interaction.h"
#include "physics/sph/apparent_viscosity.h"

#include <algorithm>

namespace sluice::cpu {

FluidStress::FluidStress(const std::string& simd, const sph::Constants& constants, GatherOperator force,
                         const Space& space, const ThreadCount& threads, Halo& halo)
    : space_(space), threads_(threads), halo_(halo),
      gradient_(make_gather(simd, GatherOperator::velocity_gradient, constants)),
      force_(make_gather(simd, force, constants)) {}

float FluidStress::find(const InteractionView& view, const SortedGroup& fluid) {
    const auto width = static_cast<std::size_t>(gradient_->sum_count());
    sums_.resize(width * fluid.count);
    records_.resize(view.fluid_begin[0] + std::size_t(fluid.count));
    sum_over_fluid(*gradient_, view, threads_, sums_.data());
    return find_from(view, fluid, sums_.data(), width);
}

void FluidStress::diverge(const InteractionView& view) {
    InteractionView with_stresses = view;
    with_stresses.records = records_.data();
    sum_over_fluid(*force_, with_stresses, threads_, sums_.data());
}

void FluidStress::add(const InteractionView& view, const SortedGroup& fluid) const {
    const auto width = static_cast<std::size_t>(force_->sum_count());
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

namespace {

/// The sub-particle-scale model (physics/sph/sub_particle_stress.h).
class SubParticleStress final : public FluidStress {
public:
    SubParticleStress(const std::string& simd, const RunSetup& setup, const Space& space, const ThreadCount& threads,
                      Halo& halo)
        : FluidStress(simd, setup.constants, GatherOperator::stress_divergence, space, threads, halo), setup_(setup) {}

private:
    float find_from(const InteractionView& view, const SortedGroup& fluid, const float* gradients,
                    std::size_t width) override {
        const std::uint32_t first = view.fluid_begin[0];
        collect_by_id(stress_, fluid, space_, threads_, halo_, [&](std::uint32_t i) {
            const sph::Stress<float> stress =
                sph::sub_particle_stress(setup_.constants, &gradients[width * i], fluid.state.flow[i].rho);
            return setup_.fluids.empty() ? stress : float(setup_.density_ratio_of(fluid.state.id[i])) * stress;
        });
#pragma omp parallel for schedule(static) num_threads(threads_.now())
        for (std::uint32_t i = 0; i < fluid.count; ++i) { // ghosts have the stress of their particles
            const sph::Stress<float>& stress = stress_[fluid.state.id[i]];
            view.records[first + i].pressure_term += stress.pressure_term;
            records_[first + i] = stress_record(view.records[first + i], stress);
        }
        return 0;
    }

    const RunSetup& setup_;
    std::vector<sph::Stress<float>> stress_; ///< by id
};

/// A generalised Newtonian fluid (physics/sph/apparent_viscosity.h).
class ApparentViscosity final : public FluidStress {
public:
    ApparentViscosity(const std::string& simd, const RunSetup& setup, const Space& space, const ThreadCount& threads,
                      Halo& halo)
        : FluidStress(simd, setup.constants, GatherOperator::viscous_force, space, threads, halo), setup_(setup),
          greatest_rate_(float(sph::greatest_rate(setup.constants))) {}

private:
    float find_from(const InteractionView& view, const SortedGroup& fluid, const float* gradients,
                    std::size_t width) override {
        const std::uint32_t first = view.fluid_begin[0];
        collect_by_id(viscosity_, fluid, space_, threads_, halo_, [&](std::uint32_t i) {
            return sph::apparent_viscosity(setup_.rheologies[setup_.groups.fluid_of(fluid.state.id[i])],
                                           sph::rate_of_strain(&gradients[width * i]), greatest_rate_);
        });
#pragma omp parallel for schedule(static) num_threads(threads_.now())
        for (std::uint32_t i = 0; i < first; ++i) records_[i] = view.records[i];
        float greatest = 0; // a ghost's is another particle's
#pragma omp parallel for schedule(static) num_threads(threads_.now()) reduction(max : greatest)
        for (std::uint32_t i = 0; i < fluid.count; ++i) {
            const std::uint32_t id = fluid.state.id[i];
            const float viscosity = viscosity_[id], ratio = float(setup_.density_ratio_of(id));
            records_[first + i] = viscous_record(view.records[first + i], ratio * viscosity); // what forces count
            greatest = std::max(greatest, viscosity);
        }
        return greatest;
    }

    const RunSetup& setup_;
    float greatest_rate_;          ///< of strain, 1/s
    std::vector<float> viscosity_; ///< by id, m²/s
};

} // namespace

std::unique_ptr<FluidStress> make_fluid_stress(const std::string& simd, const RunSetup& setup, const Space& space,
                                               const ThreadCount& threads, Halo& halo) {
    const sph::Constants& c = setup.constants;
    if (c.viscosity == sph::ViscosityModel::laminar_sps)
        return std::make_unique<SubParticleStress>(simd, setup, space, threads, halo);
    if (c.viscosity == sph::ViscosityModel::apparent)
        return std::make_unique<ApparentViscosity>(simd, setup, space, threads, halo);
    return nullptr;
}

} // namespace sluice::cpu
