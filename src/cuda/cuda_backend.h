// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/gpu_memory_plan.h"
#include "backend/modes.h"
#include "ranks/message.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The GPU backend. This header needs no CUDA: the rest of the program includes it as plain C++.

namespace sluice {

class Transport;

/// How a run uses the GPU. What is left open is chosen by the memory plan.
struct CudaOptions {
    int device = 0;
    /// Several that share the run, by number; one may be named more than once. None: `device` alone. Their number
    /// changes no bit of any result.
    std::vector<int> devices;
    /// Room in the arrays of each of several, over what the state at hand takes; more is made when it is needed.
    double slots_to_spare = 0.1;
    /// Whether several read each other's memory where they can; else the driver copies.
    bool direct_copies = true;
    /// Whether several begin an interaction through lists with what sees nothing of the others, while that is copied;
    /// else afterwards with all.
    bool begins_inside = true;
    std::optional<GpuMode> mode;
    /// Taken if it fits and `mode` is open: a run that goes on keeps the version it began in, and with it its bits.
    std::optional<GpuMode> mode_before;
    std::optional<std::size_t> memory_limit; ///< bytes; default: what is free
    std::optional<bool> neighbour_list;      ///< on, off, or by memory
    std::optional<double> skin;              ///< of the neighbour lists, in support radii; default: adapts to the flow
    /// Off: every step is enqueued kernel by kernel, and the host asks whether lists must be renewed. Slower, the same
    /// numbers: for tools that cannot follow graphs. The environment variable SLUICE_CUDA_GRAPHS=off does the same.
    bool graphs = true;
};

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

/// Fewer particles a GPU do not pay where several share a run: another GPU takes less off a step then than it adds
/// (docs/performance-gpu.md, "Several GPUs").
inline constexpr std::uint32_t least_particles_a_gpu = 200000;
/// How many of so many alike GPUs a run should take; one at least.
int gpus_that_pay(std::uint64_t particles, int alike);

/// Backend that runs wholly on a GPU, or on several. InputError for options that cannot be honoured, RunError for a
/// device that cannot be used or memory that is not there.
std::unique_ptr<Backend> make_cuda_backend(const RunSetup& setup, std::uint32_t particle_count,
                                           const CudaOptions& options);

/// The same of a run that several processes share, each with as many devices as `options.devices` names, from
/// `options.device` on, process by process of a host; the numbers in `devices` are not looked at. This is process 0,
/// and the others are in serve_gpu_run(). Their number changes no bit of any result. `stop`: takes the signal by which
/// one of them was asked to stop; null: nothing does.
std::unique_ptr<Backend> make_cuda_backend(const RunSetup& setup, std::uint32_t particle_count,
                                           const CudaOptions& options, Transport& processes, std::atomic<int>* stop);

/// What another process does: takes its part in the run that the message begins, until process 0 has done with it.
/// Throws what it cannot go on for; RankLost where another process cannot. `stop`: once it is not 0, all stop as by
/// that signal.
void serve_gpu_run(const Message& begin, Transport& processes, const std::atomic<int>& stop);

} // namespace sluice
