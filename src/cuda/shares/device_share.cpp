// SPDX-License-Identifier: Apache-2.0
#include "cuda/shares/device_share.h"

#include "cuda/device/gpu_devices.h"
#include "cuda/device/host_copies.h"

namespace sluice::cuda {

namespace {

int selected(int device) {
    select_gpu(device);
    return device;
}

} // namespace

DeviceShare::DeviceShare(int device, const RunSetup& setup, std::uint32_t room, GpuMode mode,
                         const MakeSearch& make_search)
    : device_(selected(device)), queue_(setup, room, mode, make_search, stream_) {
    if (run().is_shared) exchange_.emplace(run(), run().grid.rows());
}

DeviceShare::~DeviceShare() { finish_work({beside_, edges_, stream_}); }

void DeviceShare::select() const { use_device(device_); }

void DeviceShare::mark() { mark_.record(stream_, "waiting for another GPU"); }

void DeviceShare::wait_for(const DeviceShare& other) const {
    if (&other != this) other.mark_.let_wait(stream_, "waiting for another GPU");
}

void DeviceShare::wait_beside_for(const DeviceShare& other) const {
    other.mark_.let_wait(beside_, "waiting for another GPU");
}

void DeviceShare::let_wait(cudaStream_t stream, cudaStream_t other) {
    joint_.record(other, "waiting for work beside the steps");
    joint_.let_wait(stream, "waiting for work beside the steps");
}

void DeviceShare::write_control(const Control& control) const {
    select();
    copy_to_device(&control, queue_.control(), sizeof control);
}

void DeviceShare::request_control() {
    copy_to_host(mail(), control(), sizeof(Control), stream_, "reading the step control");
    await_control(stream_);
}

void DeviceShare::await_control(cudaStream_t stream) { control_came_.record(stream, "reading the step control"); }

const Control& DeviceShare::wait_for_control() {
    control_came_.wait("stepping");
    return *mail();
}

} // namespace sluice::cuda
