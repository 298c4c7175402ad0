// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// A GPU that the driver shows.
struct GpuDevice {
    int index = 0;
    std::string name;
    int compute_major = 0, compute_minor = 0;
    std::size_t total_memory = 0, free_memory = 0; ///< bytes
    std::string driver;                            ///< "CUDA 13.0"
};

/// How many GPUs there are; `why_none` says why there is none. Uses none of them. Never throws.
int count_gpus(std::string* why_none = nullptr);
/// One of them, which becomes the calling thread's: asking for its free memory takes some of it, and so no other GPU is
/// asked. Never throws.
GpuDevice describe_gpu(int index);
/// All of them.
std::vector<GpuDevice> list_gpus(std::string* why_none = nullptr);

/// The GPU `first`, and all behind it of the same kind; none if there is no such GPU. Uses none of them. Never throws.
std::vector<int> alike_gpus(int first);

/// Floating-point operations in double precision a second of a GPU without tensor cores, from its multiprocessors and
/// its highest clock; 0 without such a GPU, or for a kind that is not known. Never throws.
double double_precision_peak(int device);

namespace cuda {

/// Makes a GPU the one that the calling thread works with. RunError if there is none, InputError if not this one.
GpuDevice select_gpu(int index);

/// Of the calling thread's GPU.
std::uint32_t multiprocessors();

} // namespace cuda

} // namespace sluice
