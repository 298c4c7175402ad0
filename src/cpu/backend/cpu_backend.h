// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/modes.h"
#include "cpu/simd/simd_levels.h"
#include "cpu/subdomains/split.h"
#include "ranks/message.h"
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

class Transport;

/// How a run uses the processor. What is left open is chosen for the case and the machine, and logged.
struct CpuOptions {
    std::optional<CpuMode> mode;
    std::optional<SliceAxis> slice_axis; ///< of mode slices alone; default: the longest side of the domain
    std::optional<CellSize> cells;
    std::optional<std::string> simd; ///< name of an entry of `simd_levels()`
    bool goes_on = false;            ///< the choices are those of a run that goes on; how they are logged
    int threads = 0;                 ///< of each rank; 0: all that the machine has
    std::optional<int> ranks;        ///< that share the run; one computes as several do
    cpu::Split split;                ///< between them
    /// To the other ranks, each in a process of its own: this one is rank 0, and the others are in `serve_runs`. Null:
    /// ranks are threads of this process.
    Transport* processes = nullptr;
    std::atomic<int>* stop = nullptr; ///< takes the signal by which one of those was asked to stop
};

/// Backend that runs on the processor. InputError for options that this machine cannot honour.
std::unique_ptr<Backend> make_cpu_backend(const RunSetup& setup, std::uint32_t particle_count,
                                          const CpuOptions& options);

/// What the process of another rank than the first does: takes its part in the runs of rank 0, until rank 0 calls
/// send_home() or a rank fails (`Transport::failure`). `stop`: once it is not 0, all ranks stop as by that signal.
/// `on_gpus` takes part in a run of GPUs, by the message that begins it; none: InputError on such a one.
void serve_runs(Transport& processes, const std::atomic<int>& stop,
                const std::function<void(const Message&)>& on_gpus = {});

/// Rank 0: there are no more runs to take part in.
void send_home(Transport& processes);

/// Memory that each mode needs with so many threads.
std::vector<MemoryModel> cpu_memory_models(int threads);

/// What a rank of a run holds when that begins.
struct RankMemory {
    std::uint64_t particles = 0; ///< its own
    std::uint64_t ghosts = 0;    ///< copies that it has of those of others, and images
    double bytes = 0;            ///< of rank 0 with those for the particles of all, which it deals out
};

/// Of each rank of a run that begins with this state, as the options split it; empty: the run has no ranks. Throws
/// InputError for a split that cannot be.
std::vector<RankMemory> rank_memory(const RunSetup& setup, const ParticleState& state, const CpuOptions& options);

} // namespace sluice
