// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/gpu_memory_plan.h"
#include "backend/modes.h"
#include "cpu/backend/cpu_backend.h"
#include "cpu/particles/walked_cells.h"
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

class Transport;

/// Processor or GPU.
enum class BackendKind { automatic, cpu, cuda };

/// BackendOptions::gpus: as many of one kind as make the run faster.
inline constexpr int as_many_gpus_as_pay = -1;

/// What the command line says about where and how to run.
struct BackendOptions {
    BackendKind kind = BackendKind::automatic; ///< automatic: a GPU if there is one
    int threads = 0;                           ///< of a rank; 0: all
    std::optional<int> ranks;                  ///< of the CPU; empty: one, in any mode
    std::optional<cpu::Split> split;           ///< of the space between ranks; empty: automatic
    Transport* processes = nullptr;            ///< to the other ranks, where each is a process of its own
    std::atomic<int>* stop = nullptr;          ///< takes the signal by which one of those was asked to stop
    std::optional<CpuMode> cpu_mode;           ///< empty: automatic
    std::optional<CellSize> cells;
    std::optional<SliceAxis> slice_axis; ///< of mode slices
    std::optional<std::string> simd;
    int device = 0;          ///< number of the GPU, or of the first of several
    std::optional<int> gpus; ///< that share the run, or as_many_gpus_as_pay; empty: one
    std::optional<GpuMode> gpu_mode;
    std::optional<GpuMode> gpu_mode_before; ///< version of a run that goes on: kept if it fits
    std::optional<double> gpu_memory;       ///< bytes that a run on the GPU may use; empty: what is free
    std::optional<bool> neighbour_list;
    bool goes_on = false; ///< they are those of a run that is resumed; how they are logged
};

/// The method of a run in words: "finite volume particle method (Method=fvpm)".
std::string method_text(Method method);

/// What a run has that GPUs do not compute, in words; empty: nothing.
std::string missing_on_gpus(const RunSetup& setup);

/// Processor or GPU, as the options, the run and this machine have it. Throws InputError for options that contradict
/// each other, RunError where a GPU is asked for and none can be used.
BackendKind settled_kind(const BackendOptions& options, const RunSetup& setup);

/// The same options where there is a GPU; else without the version of the GPU that they ask for, so that something can
/// be measured here for a run elsewhere.
BackendOptions as_far_as_here(BackendOptions options);

/// Throws InputError if not even the least of the CPU's modes fits into the memory that is free.
void require_cpu_memory(const RunSetup& setup, const Spread& spread, const BackendOptions& options);

/// What each of the ranks of a run will hold that begins with this state; empty: no ranks share it.
std::vector<RankMemory> rank_memory(const RunSetup& setup, const ParticleState& state, const BackendOptions& options);

/// Throws InputError if the ranks of this host do not fit into `available` bytes, and says how many would do. Does
/// nothing for a run that no ranks share.
void require_rank_memory(const RunSetup& setup, const ParticleState& state, const BackendOptions& options,
                         double available);

/// The backend for a run. Throws InputError where the options ask for what is not there.
std::unique_ptr<Backend> make_backend(const RunSetup& setup, std::uint32_t particles, const BackendOptions& options);

/// Memory that one mode would take for a run.
struct MemoryEstimate {
    MemoryModel model;
    std::uint64_t cells = 0;
    double bytes = 0;
};

/// Estimates for every mode of both backends, with or without a GPU in this machine.
std::vector<MemoryEstimate> memory_estimates(const RunSetup& setup, const Spread& spread,
                                             const BackendOptions& options);

/// The memory plan of the GPU, or of several, for `--gpu-memory` or the GPUs at hand; none if there is neither.
std::optional<GpuMemoryPlan> gpu_memory_plan(const RunSetup& setup, std::uint32_t particles,
                                             const BackendOptions& options);

} // namespace sluice
