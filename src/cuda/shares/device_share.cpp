// SPDX-License-Identifier: Apache-2.0
#include "cuda/shares/device_share.h"

#include "cuda/device/gpu_devices.h"

namespace sluice::cuda {

namespace {

int selected(int device) {
    select_gpu(device);
    return device;
}

} // namespace

DeviceShare::DeviceShare(int device, const RunSetup& setup, std::uint32_t room, GpuMode mode,
                         const MakeSearch& make_search)
    : device_(selected(device)), queue_(setup, room, mode, make_search, stream_),
      exchange_(queue_.run(), queue_.run().grid.rows()) {
    for (cudaEvent_t* event : {&mark_, &control_came_, &joint_})
        check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "creating an event");
    check(cudaHostAlloc(reinterpret_cast<void**>(&mail_), sizeof(Control), cudaHostAllocPortable | cudaHostAllocMapped),
          "page-locked memory");
}

DeviceShare::~DeviceShare() {
    cudaSetDevice(device_);
    cudaStreamSynchronize(beside_);
    cudaStreamSynchronize(edges_);
    cudaStreamSynchronize(stream_);
    for (cudaEvent_t event : {mark_, control_came_, joint_}) cudaEventDestroy(event);
    cudaFreeHost(mail_);
}

void DeviceShare::select() const { check(cudaSetDevice(device_), "selecting the device"); }

void DeviceShare::mark() { check(cudaEventRecord(mark_, stream_), "waiting for another GPU"); }

void DeviceShare::wait_for(const DeviceShare& other) const {
    if (&other != this) check(cudaStreamWaitEvent(stream_, other.mark_), "waiting for another GPU");
}

void DeviceShare::wait_beside_for(const DeviceShare& other) const {
    check(cudaStreamWaitEvent(beside_, other.mark_), "waiting for another GPU");
}

void DeviceShare::let_wait(cudaStream_t stream, cudaStream_t other) const {
    check(cudaEventRecord(joint_, other), "waiting for work beside the steps");
    check(cudaStreamWaitEvent(stream, joint_), "waiting for work beside the steps");
}

void DeviceShare::request_control() {
    check(cudaMemcpyAsync(mail_, control(), sizeof(Control), cudaMemcpyDeviceToHost, stream_),
          "reading the step control");
    await_control(stream_);
}

void DeviceShare::await_control(cudaStream_t stream) {
    check(cudaEventRecord(control_came_, stream), "reading the step control");
}

const Control& DeviceShare::wait_for_control() {
    check(cudaEventSynchronize(control_came_), "stepping");
    return *mail_;
}

} // namespace sluice::cuda
