// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/check.h"
#include "cuda/device/kernel_resources.h"
#include <cstdint>
#include <cuda_runtime.h>

namespace sluice::cuda {

/// One at least: a grid without blocks is an error, and kernels guard their index anyway.
inline unsigned blocks_for(std::uint64_t threads, int block) {
    return threads == 0 ? 1 : static_cast<unsigned>((threads + block - 1) / block);
}

/// The smallest block size that reaches the best occupancy for the registers that a kernel uses: small blocks end
/// closer together, so fewer multiprocessors wait for the last one.
template <class Kernel>
int tuned_block_size(Kernel kernel) {
    int best = 128, most = 0;
    for (const int block : {64, 128, 192, 256, 384, 512}) {
        int blocks = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, 0), "occupancy of a kernel");
        if (blocks * block > most) {
            most = blocks * block;
            best = block;
        }
    }
    return best;
}

/// Resident warps of a kernel over those that a multiprocessor has room for.
template <class Kernel>
double occupancy_of(Kernel kernel, int block) {
    int device = 0, threads = 0, blocks = 0;
    check(cudaGetDevice(&device), "reading the device's properties");
    check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
          "reading the device's properties");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, 0), "occupancy of a kernel");
    return double(blocks * block) / threads;
}

/// Lets a kernel be launched with so much dynamic shared memory, bytes.
template <class Kernel>
void allow_shared_memory(Kernel kernel, int bytes) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "shared memory of a kernel");
}

template <class Kernel>
GpuKernel describe_kernel(const char* name, Kernel kernel, int block) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "registers of a kernel");
    const double with_256 = attributes.maxThreadsPerBlock < 256 ? 0 : occupancy_of(kernel, 256);
    return {name, attributes.numRegs, int(attributes.sharedSizeBytes), block, occupancy_of(kernel, block), with_256};
}

} // namespace sluice::cuda
