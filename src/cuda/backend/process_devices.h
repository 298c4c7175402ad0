// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/backend/cuda_backend.h"
#include "cuda/device/gpu_devices.h"
#include "cuda/shares/process_group.h"
#include <string>
#include <vector>

// What the processes of a group exchange about their GPUs before a run begins.

namespace sluice::cuda {

/// What every process says, in their order; of one that is alone its own. All processes call it together.
std::vector<std::string> gathered_texts(const ProcessGroup& group, const std::vector<std::string>& mine);

/// Bytes for each share on the device of all processes that has least for those on it. Warns where several processes
/// drive the same GPU. All processes call it together.
double least_memory(const CudaOptions& options, const ProcessGroup& group);

/// Lets every device of this process copy from every other where the hardware can. Returns whether all can.
bool connect(const std::vector<int>& devices);

/// What the devices of this process are. InputError if those of all processes are not alike. All processes call it
/// together.
std::vector<GpuDevice> described(const std::vector<int>& devices, const ProcessGroup& group);

} // namespace sluice::cuda
