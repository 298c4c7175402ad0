// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/fluid_stress.h"

#include "cpu/pairs/gather_operators.h"
#include "cpu/passes/fluid_sums.h"
#include "cpu/simd/make_interaction.h"
#include "physics/sph/apparent_viscosity.h"
#include "physics/sph/surface_tension.h"

#include <algorithm>

namespace sluice::cpu {

FluidStress::FluidStress(const std::string& simd, const RunSetup& setup, GatherOperator gradient, GatherOperator force,
                         const Space& space, const ThreadCount& threads, Halo& halo)
    : setup_(setup), space_(space), threads_(threads), halo_(halo),
      gradient_(make_gather(simd, gradient, setup.constants)), force_(make_gather(simd, force, setup.constants)) {}

void FluidStress::find(const InteractionView& view, const SortedGroup& fluid, sph::TimeStepLimits& limits) {
    const auto width = static_cast<std::size_t>(gradient_->sum_count());
    sums_.resize(width * fluid.count);
    records_.resize(view.fluid_begin[0] + std::size_t(fluid.count));
    InteractionView of_gradient = view;
    of_gradient.records = gradient_records(view, fluid);
    sum_over_fluid(*gradient_, of_gradient, threads_, sums_.data());
    find_from(view, fluid, sums_.data(), width, limits);
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

/// Stresses whose divergence is the force (sph::StressDivergence).
class DivergingStress : public FluidStress {
public:
    DivergingStress(const std::string& simd, const RunSetup& setup, GatherOperator gradient, const Space& space,
                    const ThreadCount& threads, Halo& halo)
        : FluidStress(simd, setup, gradient, GatherOperator::stress_divergence, space, threads, halo) {}

protected:
    /// Takes over `stress_of(i)` of the i-th particle, this rank's own.
    template <class StressOf>
    void take(const InteractionView& view, const SortedGroup& fluid, const StressOf& stress_of) {
        const std::uint32_t first = view.fluid_begin[0];
        collect_by_id(stress_, fluid, space_, threads_, halo_, stress_of);
#pragma omp parallel for schedule(static) num_threads(threads_.now())
        for (std::uint32_t i = 0; i < fluid.count; ++i) { // ghosts have the stress of their particles
            const sph::Stress<float>& stress = stress_[fluid.state.id[i]];
            view.records[first + i].pressure_term += stress.pressure_term;
            records_[first + i] = stress_record(view.records[first + i], stress);
        }
    }

private:
    std::vector<sph::Stress<float>> stress_; ///< by id
};

/// The sub-particle-scale model (physics/sph/sub_particle_stress.h).
class SubParticleStress final : public DivergingStress {
public:
    SubParticleStress(const std::string& simd, const RunSetup& setup, const Space& space, const ThreadCount& threads,
                      Halo& halo)
        : DivergingStress(simd, setup, GatherOperator::velocity_gradient, space, threads, halo) {}

private:
    void find_from(const InteractionView& view, const SortedGroup& fluid, const float* gradients, std::size_t width,
                   sph::TimeStepLimits& /*limits*/) override {
        take(view, fluid, [&](std::uint32_t i) {
            const sph::Stress<float> stress =
                sph::sub_particle_stress(setup_.constants, &gradients[width * i], fluid.state.flow[i].rho);
            return setup_.fluids.empty() ? stress : float(setup_.density_ratio_of(fluid.state.id[i])) * stress;
        });
    }
};

/// Surface tension (physics/sph/surface_tension.h).
class SurfaceTension final : public DivergingStress {
public:
    SurfaceTension(const std::string& simd, const RunSetup& setup, const Space& space, const ThreadCount& threads,
                   Halo& halo)
        : DivergingStress(simd, setup, GatherOperator::colour_gradient, space, threads, halo),
          shares_(sph::tension_shares(setup.constants)) {}

private:
    Record* gradient_records(const InteractionView& view, const SortedGroup& fluid) override {
        const std::uint32_t first = view.fluid_begin[0];
#pragma omp parallel for schedule(static) num_threads(threads_.now())
        for (std::uint32_t i = 0; i < first; ++i) records_[i] = view.records[i];
#pragma omp parallel for schedule(static) num_threads(threads_.now())
        for (std::uint32_t i = 0; i < fluid.count; ++i)
            records_[first + i] = coloured_record(view.records[first + i], setup_.phase_of(fluid.state.id[i]));
        return records_.data();
    }

    void find_from(const InteractionView& view, const SortedGroup& fluid, const float* gradients, std::size_t width,
                   sph::TimeStepLimits& limits) override {
        float pace = 0;
        take(view, fluid, [&](std::uint32_t i) {
            const std::size_t which = setup_.groups.fluid_of(fluid.state.id[i]);
            return sph::surface_stress(setup_.constants, shares_, setup_.fluids[which].tension, &gradients[width * i],
                                       fluid.state.flow[i].rho);
        });
#pragma omp parallel num_threads(threads_.now()) reduction(max : pace)
        for (const OwnRun& run : fluid.own)
#pragma omp for schedule(static) nowait
            for (std::uint32_t i = run.begin; i < run.end; ++i)
                if (!space_.is_image(fluid.state.position[i]))
                    pace = std::max(pace, float(sph::surface_pace(setup_.constants, setup_.fluids,
                                                                  setup_.groups.fluid_of(fluid.state.id[i]),
                                                                  &gradients[width * i])));
        limits.tension = std::max(limits.tension, pace);
    }

    sph::TensionShares shares_;
};

/// A generalised Newtonian fluid (physics/sph/apparent_viscosity.h).
class ApparentViscosity final : public FluidStress {
public:
    ApparentViscosity(const std::string& simd, const RunSetup& setup, const Space& space, const ThreadCount& threads,
                      Halo& halo)
        : FluidStress(simd, setup, GatherOperator::velocity_gradient, GatherOperator::viscous_force, space, threads,
                      halo),
          greatest_rate_(float(sph::greatest_rate(setup.constants))) {}

private:
    void find_from(const InteractionView& view, const SortedGroup& fluid, const float* gradients, std::size_t width,
                   sph::TimeStepLimits& limits) override {
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
        limits.viscosity = std::max(limits.viscosity, greatest);
    }

    float greatest_rate_;          ///< of strain, 1/s
    std::vector<float> viscosity_; ///< by id, m²/s
};

} // namespace

std::vector<std::unique_ptr<FluidStress>> make_fluid_stresses(const std::string& simd, const RunSetup& setup,
                                                              const Space& space, const ThreadCount& threads,
                                                              Halo& halo) {
    std::vector<std::unique_ptr<FluidStress>> stresses;
    if (setup.constants.viscosity == sph::ViscosityModel::laminar_sps)
        stresses.push_back(std::make_unique<SubParticleStress>(simd, setup, space, threads, halo));
    if (setup.constants.viscosity == sph::ViscosityModel::apparent)
        stresses.push_back(std::make_unique<ApparentViscosity>(simd, setup, space, threads, halo));
    if (has_tension(setup.fluids))
        stresses.push_back(std::make_unique<SurfaceTension>(simd, setup, space, threads, halo));
    return stresses;
}

} // namespace sluice::cpu
