// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "cuda/device/gpu_devices.h"
#include "cuda/steps/cuda_options.h"
#include "ranks/message.h"
#include <atomic>
#include <cstdint>
#include <memory>

// The GPU backend. This header and those it includes need no CUDA: the rest of the program includes them as plain C++.

namespace sluice {

class Transport;

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
