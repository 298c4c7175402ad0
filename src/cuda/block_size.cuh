// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/check.h"
#include <cstdint>
#include <cuda_runtime.h>

namespace sluice::cuda {

inline unsigned blocks_for(std::uint64_t threads, int block) { return static_cast<unsigned>((threads + block - 1) / block); }

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

} // namespace sluice::cuda
