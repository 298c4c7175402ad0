// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/grid_period.h"
#include "cuda/data/shift_record.h"
#include "cuda/data/views.h"
#include "cuda/device/maxima.h"

namespace sluice::cuda {

/// What the integration kernels read and write. `now` is the sorted set that the interaction used; the new state goes
/// to `next`: the same arrays, or the same with their levels exchanged, so that level n need not be copied.
struct UpdateArgs {
    FixedGrid grid;
    ParticleArrays now, next;
    std::uint32_t* cell = nullptr; ///< of every particle; the excluded index for particles that leave
    /// If not null, `cell` is kept up to date, the fluid particles are counted, and those that leave through a periodic
    /// side are brought back in at once.
    CellCounts counts;
    const RateRecord* rates = nullptr;
    Control* control = nullptr;
    const Vec3f* normals = nullptr; ///< by id: boundary particles that have one keep their density; null: none has
    ExcludedRecord* excluded = nullptr;
    const ShiftRecord* shifts = nullptr; ///< of the fluid by index, added where a step ends; null: nothing shifts
    std::uint32_t excluded_capacity = 0;
    std::uint32_t own_first = 0; ///< as InteractionArgs::own_first
    Range own_walls{0, 0};
    std::uint32_t particles = 0;
    StepConstants step;
    GridPeriod period;

    explicit UpdateArgs(const sph::Constants& c) : step(c) {}
};

void begin_advance(Control* control, double time_limit, long long step_limit, cudaStream_t stream);
/// Resets the maxima; stamps the end of the cell list.
void begin_interaction(Control* control, sph::RatesPart part, cudaStream_t stream);
/// The time step from the maxima (A.8); stamps the end of the interaction.
void compute_time_step(const UpdateArgs& args, const AllMaxima& maxima, cudaStream_t stream);
/// Symplectic: the bound for the next step's time step; stamps the end of the interaction.
void compute_corrector_limit(const UpdateArgs& args, const AllMaxima& maxima, cudaStream_t stream);
void integrate_verlet(const UpdateArgs& args, cudaStream_t stream);
void integrate_predictor(const UpdateArgs& args, cudaStream_t stream);
void integrate_corrector(const UpdateArgs& args, cudaStream_t stream);
/// Staggered steps (scheme/integrators.h); the drift stamps the end of the second interaction.
void integrate_kick(const UpdateArgs& args, cudaStream_t stream);
void integrate_drift(const UpdateArgs& args, cudaStream_t stream);
/// Time and step count; stamps the end of the update.
void finish_step(const UpdateArgs& args, cudaStream_t stream);
/// Recomputes the pressure terms from the densities.
void refresh_pressures(const UpdateArgs& args, cudaStream_t stream);

} // namespace sluice::cuda
