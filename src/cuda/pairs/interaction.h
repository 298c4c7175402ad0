// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/grid_period.h"
#include "cuda/data/pair_loops.h"
#include <cstdint>
#include <cuda_runtime_api.h>

namespace sluice::cuda {

/// Everything an interaction launch needs.
struct InteractionArgs {
    InteractionView view;
    FluidPairs pairs;
    sph::PairConstants<float> boundary_pairs;
    StepConstants step;
    RateRecord* rates = nullptr;
    Control* control = nullptr;
    sph::RatesPart part = sph::RatesPart::both; ///< of the rates, which the interaction is to find
    bool boundary_rates = true;                 ///< whether dρ/dt of the boundary particles is needed
    const std::int32_t* zone = nullptr;         ///< of each fluid particle (OpenView::zone); null: the run has none
    const Vec3f* acceleration = nullptr; ///< to be added to that of the fluid, by its index, m/s²; null: nothing
    std::uint32_t own_first = 0;         ///< of the fluid particles that this device steps: up to Control::alive
    Range own_walls{0, 0};               ///< the boundary particles that it steps
    Range own_rows{0, 0};                ///< the rows of cells (shares.h) for whose places it computes sums
    std::uint32_t particles = 0;         ///< launched: those that have left the run are among them
    GridPeriod period;

    /// Whether there is anything to find out about the boundary particles.
    bool visits_boundary() const {
        return own_walls.begin < own_walls.end && (boundary_rates || step.run.dt_all_particles);
    }

    /// Whether fluid particle i is in a zone of open boundaries, which holds it: nothing accelerates it.
    SLUICE_HD bool is_held(std::uint32_t i) const { return zone && zone[i - step.boundary_count] >= 0; }

    /// Whether fluid particle i has left and only its place remains (vacated_places.h): never where the run has no
    /// zones.
    SLUICE_HD bool is_vacated(std::uint32_t i) const { return zone && view.cell[i] == step.excluded_cell; }

    /// Whether a place is in those rows, or next to them outside the domain.
    SLUICE_HD bool answers_for(const Units64& place) const { return own_rows.contains(row_of(view.grid, place)); }

    explicit InteractionArgs(const sph::Constants& c)
        : pairs(c), boundary_pairs(c, sph::PairKind::boundary_fluid, sph::metre), step(c) {}
};

/// B–F on `side`, F–F with F–B on `stream`: the rates of every particle, and the maxima that limit the time step.
/// `Periodic`: the run has a period. `Whole`: the interaction finds all rates; else one part of them.
template <class Kernel, bool Periodic, bool Whole>
void launch_interaction(const InteractionArgs& args, cudaStream_t stream, cudaStream_t side);

/// The same with the kernel and the diffusion that the constants of the run name.
void launch_interaction(const InteractionArgs& args, cudaStream_t stream, cudaStream_t side);

} // namespace sluice::cuda
