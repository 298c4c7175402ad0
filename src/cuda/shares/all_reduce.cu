// SPDX-License-Identifier: Apache-2.0
#include "cuda/shares/all_reduce.h"

#include "cuda/device/check.h"
#include "cuda/device/launch_ahead.cuh"

#include <algorithm>
#include <stdexcept>

namespace sluice::cuda {

namespace {

__global__ void write_maxima_kernel(const Control* control, Maxima* value) {
    wait_for_kernel_before();
    *value = {control->force2_bits,       control->speed_bits,       control->spread_bits,
              control->travel_bits,       control->wall_travel_bits, control->body_spread_bits,
              unsigned(control->rebuild), control->viscosity_bits};
    __threadfence_system();
}

__global__ void end_pause_kernel(Control* control) {
    if (!control->paused) return;
    control->paused = 0;
    control->active = 1;
}

} // namespace

AllReduce::AllReduce(std::vector<ReducedDevice> devices, const ProcessGroup& group)
    : devices_(std::move(devices)), group_(group) {
    if (group_.devices() > most_devices) throw std::logic_error("more devices than a warp can reduce");
    written_.reserve(devices_.size());
    for (const ReducedDevice& device : devices_) {
        use_device(device.device);
        written_.emplace_back();
    }
}

AllMaxima AllReduce::reduce(cudaStream_t ReducedDevice::*on) {
    Maxima* const values = values_.data() + turn_ * most_devices;
    turn_ = 1 - turn_; // a device that writes to the next but one has read all of the next, which all wrote after they
                       // had read this one
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        use_device(devices_[d].device);
        launch_ahead(write_maxima_kernel, 1, 1, devices_[d].*on, "maxima of a device", devices_[d].control,
                     values + devices_[d].number);
        written_[d].record(devices_[d].*on, "maxima of a device");
    }
    for (std::size_t d = 0; d < devices_.size(); ++d)
        for (std::size_t other = 0; other < devices_.size(); ++other)
            if (other != d) written_[other].let_wait(devices_[d].*on, "maxima of a device");
    if (!group_.alone()) exchange_with_processes(values, on);
    return {values, int(group_.devices())};
}

void AllReduce::exchange_with_processes(Maxima* values, cudaStream_t ReducedDevice::*on) const {
    for (const ReducedDevice& device : devices_) {
        use_device(device.device);
        wait_for(device.*on, "maxima of a device");
    }
    std::vector<Maxima> all(values, values + group_.devices());
    group_.complete(all);
    std::copy(all.begin(), all.end(), values);
}

void end_pause(Control* control, cudaStream_t stream) {
    end_pause_kernel<<<1, 1, 0, stream>>>(control);
    check_launch("end of a pause");
}

} // namespace sluice::cuda
