// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/control.h"
#include "cuda/device/check.h"

namespace sluice::cuda {

/// Page-locked host memory for the scalars that come back while steps go on, and the events that say when.
class ControlMail {
public:
    ControlMail() {
        check(cudaMallocHost(reinterpret_cast<void**>(&slots_), 2 * sizeof(Control)), "page-locked memory");
        for (cudaEvent_t& event : arrived_)
            check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
    }
    ~ControlMail() {
        for (cudaEvent_t event : arrived_) cudaEventDestroy(event);
        cudaFreeHost(slots_);
    }
    ControlMail(const ControlMail&) = delete;
    ControlMail& operator=(const ControlMail&) = delete;

    void request(int slot, const Control* control, cudaStream_t stream) {
        check(cudaMemcpyAsync(slots_ + slot, control, sizeof(Control), cudaMemcpyDeviceToHost, stream),
              "reading the step control");
        check(cudaEventRecord(arrived_[slot], stream), "reading the step control");
    }
    const Control& wait(int slot) {
        check(cudaEventSynchronize(arrived_[slot]), "stepping");
        return slots_[slot];
    }

private:
    Control* slots_ = nullptr;
    cudaEvent_t arrived_[2] = {};
};

} // namespace sluice::cuda
