// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace sluice {

/// What a kernel takes of a multiprocessor.
struct GpuKernel {
    std::string name;
    int registers = 0;        ///< a thread
    int shared_bytes = 0;     ///< a block
    int block = 0;            ///< threads, as it is launched
    double occupancy = 0;     ///< with that block: resident warps over those that fit, 0 … 1
    double occupancy_256 = 0; ///< with 256 threads a block
};

/// The interaction kernels of the benches' formulation (cubic spline, no density diffusion) on a GPU: FastCells and
/// NeighbourList. InputError and RunError as make_cuda_backend.
std::vector<GpuKernel> interaction_kernel_resources(int device = 0);

} // namespace sluice
