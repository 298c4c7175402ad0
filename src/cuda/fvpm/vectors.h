// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/fvpm/arrays.h"
#include <cuda_runtime_api.h>

namespace sluice::cuda::fvpm {

/// A_ij of all particles. A warp computes a particle: its lanes are the neighbours, and the circles follow one another;
/// the points of a circle are counted by ballots. `longest` is the length of the longest row, at most
/// `most_neighbours`.
void find_vectors(const ParticlePointers& particles, const RowPointers& rows, std::uint32_t count,
                  std::uint32_t longest, int dimensions, cudaStream_t stream);

} // namespace sluice::cuda::fvpm
