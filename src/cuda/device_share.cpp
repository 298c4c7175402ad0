// SPDX-License-Identifier: Apache-2.0
#include "cuda/device_share.h"

#include "cuda/gpu_devices.h"

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
    for (cudaEvent_t* event : {&mark_, &control_came_})
        check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "creating an event");
    for (int k = 0; k < 2; ++k) {
        check(cudaEventCreate(&begin_[k]), "creating an event");
        check(cudaEventCreate(&end_[k]), "creating an event");
    }
    check(cudaHostAlloc(reinterpret_cast<void**>(&mail_), sizeof(Control), cudaHostAllocPortable | cudaHostAllocMapped),
          "page-locked memory");
}

DeviceShare::~DeviceShare() {
    cudaSetDevice(device_);
    cudaStreamSynchronize(stream_);
    for (cudaEvent_t event : {mark_, control_came_, begin_[0], begin_[1], end_[0], end_[1]}) cudaEventDestroy(event);
    cudaFreeHost(mail_);
}

void DeviceShare::select() const { check(cudaSetDevice(device_), "selecting the device"); }

void DeviceShare::mark() { check(cudaEventRecord(mark_, stream_), "waiting for another GPU"); }

void DeviceShare::wait_for(const DeviceShare& other) const {
    if (&other != this) check(cudaStreamWaitEvent(stream_, other.mark_), "waiting for another GPU");
}

void DeviceShare::request_control() {
    check(cudaMemcpyAsync(mail_, control(), sizeof(Control), cudaMemcpyDeviceToHost, stream_),
          "reading the step control");
    await_control();
}

void DeviceShare::await_control() { check(cudaEventRecord(control_came_, stream_), "reading the step control"); }

const Control& DeviceShare::wait_for_control() {
    check(cudaEventSynchronize(control_came_), "stepping");
    return *mail_;
}

void DeviceShare::begin_timing() { check(cudaEventRecord(begin_[timed_ % 2], stream_), "timing of the interaction"); }

void DeviceShare::end_timing() { check(cudaEventRecord(end_[timed_++ % 2], stream_), "timing of the interaction"); }

double DeviceShare::seconds_before() const {
    if (timed_ < 2) return 0;
    float milliseconds = 0;
    const cudaError_t status = cudaEventElapsedTime(&milliseconds, begin_[timed_ % 2], end_[timed_ % 2]);
    if (status == cudaErrorNotReady) return 0;
    check(status, "timing of the interaction");
    return 1e-3 * double(milliseconds);
}

} // namespace sluice::cuda
