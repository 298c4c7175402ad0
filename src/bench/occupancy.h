// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::bench {

/// What a multiprocessor of one compute capability holds, and in which units it hands out registers.
struct Multiprocessor {
    int capability; ///< 10 × major + minor
    int warps, blocks, registers;
    int registers_per_thread; ///< at most
    int threads_per_block;    ///< at most
    int register_unit;
    bool unit_per_block; ///< registers are handed out by block (compute capability 1), else by warp
};

/// The entry for a compute capability, or the newest one older than it.
const Multiprocessor& multiprocessor(int capability);

/// Share of a multiprocessor's warps that are resident for a kernel that needs so many registers a thread, 0 … 1.
double occupancy(const Multiprocessor& sm, int registers, int block);

/// The block size with the best occupancy, and that occupancy.
struct BlockChoice {
    int block = 0;
    double occupancy = 0;
};
BlockChoice best_block(const Multiprocessor& sm, int registers);

} // namespace sluice::bench
