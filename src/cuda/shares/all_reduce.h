// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/gpu_memory_plan.h"
#include "cuda/data/control.h"
#include "cuda/device/maxima.h"
#include "cuda/device/runtime.h"
#include "cuda/device/stream.h"
#include "cuda/shares/process_group.h"
#include <vector>

namespace sluice::cuda {

/// One device of this process: its number in the run, where it keeps its control, its stream, and the one beside it.
struct ReducedDevice {
    std::size_t number = 0;
    int device = 0;
    Control* control = nullptr;
    cudaStream_t stream = nullptr, beside = nullptr;
};

/// All-reduces the maxima of the devices through page-locked memory of the host. No device waits for the host; each
/// waits only until the others' streams have reached the same point. With several processes the host waits for the
/// values of its devices, and exchanges them with the other processes.
class AllReduce {
public:
    /// At most so many: a warp counts them.
    static constexpr std::size_t most_devices = most_gpus;
    static_assert(most_devices <= 32);

    AllReduce(std::vector<ReducedDevice> devices, const ProcessGroup& group);

    /// Enqueues the all-reduce of the maxima on one stream of each device; kernels enqueued there next may read the
    /// result.
    AllMaxima reduce(cudaStream_t ReducedDevice::*on = &ReducedDevice::stream);

private:
    void exchange_with_processes(Maxima* values, cudaStream_t ReducedDevice::*on) const;

    std::vector<ReducedDevice> devices_;
    const ProcessGroup& group_;
    std::vector<Event> written_;
    PageLocked<Maxima> values_{2 * most_devices}; ///< of two reductions, which take turns
    std::size_t turn_ = 0;
};

/// The lists are renewed: the step goes on that paused for it.
void end_pause(Control* control, cudaStream_t stream);

} // namespace sluice::cuda
