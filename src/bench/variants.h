// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/modes.h"
#include "cpu/backend/cpu_backend.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

// The versions of the program that the experiments compare, as named makers of backends.

namespace sluice::bench {

struct Variant {
    std::string name;
    bool gpu = false;
    std::function<std::unique_ptr<Backend>(const RunSetup&, std::uint32_t particles)> make;
};

Variant cpu_variant(const std::string& name, CpuMode mode, CellSize cells, const std::string& simd, int threads,
                    std::optional<SliceAxis> slice_axis = {});

/// The widest instruction set that runs here.
std::string widest_simd();

/// The basic single core, and the ladder A, A+B, A+B+C over it (preprint, Fig. 13).
std::vector<Variant> cpu_ladder();
/// The name of best_single_core() in tables and charts.
inline constexpr const char* single_core = "single core";
/// All single-core optimisations together.
Variant best_single_core();
/// The fastest way to use all threads, as the backend itself chooses.
Variant best_cpu();

/// 1, 2, 4, … threads, and all that there are.
std::vector<int> thread_counts();

/// So many ranks of so many threads each, in the mode in which several share a run.
Variant rank_variant(const std::string& name, int ranks, int threads);

/// Whether a GPU can be used, or why not.
bool gpu_present(std::string* why_none);
/// GPUs that can be used, all of the kind of the first.
int gpu_count();
/// Name and compute capability (10 × major + minor) of the first GPU; empty and 0 without one.
std::string gpu_name();
int gpu_capability();
double gpu_total_memory();

/// An interaction kernel as the first GPU runs it.
struct KernelUse {
    std::string name;
    int registers = 0, block = 0;            ///< registers a thread, threads a block
    double occupancy = 0, occupancy_256 = 0; ///< 0 … 1, with its block and with 256 threads
};
/// The kernels of all GPU versions; empty without a GPU.
std::vector<KernelUse> gpu_kernels();

/// The paper's GPU version that has the interaction alone on the GPU, without any optimisation.
Variant gpu_partial();
/// Over the partial version: the full GPU (A), then each optimisation of the paper over all before it, to F (paper,
/// Table 5; preprint, Figs 16 and 17).
std::vector<Variant> gpu_ladder();
/// A version by its mode, all optimisations on.
Variant gpu_variant(GpuMode mode);
/// The version with neighbour lists, shared by so many GPUs, the first of this machine. `overlap`: interactions begin
/// with what sees nothing of the others, while that is copied.
Variant shared_gpu_variant(const std::string& name, int gpus, bool overlap);

} // namespace sluice::bench
