// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "cuda/fvpm/arrays.h"
#include "model/fvpm_constants.h"
#include <cuda_runtime_api.h>

// The passes over particles (methods/fvpm/step.h), one thread a particle. Each gathers from its row; a pair is computed
// by both of its particles, in the order of their places, so that both get the same bits.

namespace sluice::cuda::fvpm {

/// Least h/(a + |C|) of all particles (Eq. 22), as the bits of a positive double; `least` is set before.
void reduce_crossing_time(const ParticlePointers& p, std::uint32_t count, const FvpmConstants& c,
                          unsigned long long* least, cudaStream_t stream);
/// Makes `found` 1 if a particle of the fluid is a stray (is_stray).
void mark_strays(const ParticlePointers& p, std::uint32_t count, const Box& domain, double largest_density,
                 unsigned* found, cudaStream_t stream);
void drift(const ParticlePointers& p, std::uint32_t count, double time_step, cudaStream_t stream);
/// The stage becomes the state at the begin of the step; B_i and the shares of the free surface follow from the
/// vectors.
void begin_stage(const ParticlePointers& p, const RowPointers& rows, const StagePointers& s, std::uint32_t count,
                 const FvpmConstants& c, cudaStream_t stream);
void find_sides(const ParticlePointers& p, const StagePointers& s, std::uint32_t count, const FvpmConstants& c,
                cudaStream_t stream);
void find_gradients(const ParticlePointers& p, const RowPointers& rows, const StagePointers& s, std::uint32_t count,
                    cudaStream_t stream);
void find_fluxes(const ParticlePointers& p, const RowPointers& rows, const StagePointers& s, std::uint32_t count,
                 const FvpmConstants& c, cudaStream_t stream);
/// Rates × `time_step` are added to the state; with `last` the result becomes the new state.
void integrate(const ParticlePointers& p, const StagePointers& s, std::uint32_t count, const FvpmConstants& c,
               double time_step, bool last, cudaStream_t stream);

} // namespace sluice::cuda::fvpm
