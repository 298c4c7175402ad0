// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/views.h"
#include <cuda_runtime_api.h>

// D: the ranges of particles in the rows around every cell, stored once a step.

namespace sluice::paper {

/// Rows of cells around a cell.
SLUICE_HD inline int rows_around(const cuda::FixedGrid& grid) { return (2 * grid.reach + 1) * (2 * grid.reach + 1); }

/// Stores the ranges of the rows around the cells that particles 0 … particles − 1, sorted in parts by `cell`, are in.
void store_ranges(const cuda::FixedGrid& grid, cuda::CellBegins cells, const std::uint32_t* cell,
                  std::uint32_t particles, cuda::Range* ranges, cudaStream_t stream);
/// The same around every cell.
void store_all_ranges(const cuda::FixedGrid& grid, cuda::CellBegins cells, cuda::Range* ranges, cudaStream_t stream);

} // namespace sluice::paper
