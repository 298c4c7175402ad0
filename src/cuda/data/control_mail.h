// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/control.h"
#include "cuda/device/runtime.h"

namespace sluice::cuda {

/// Page-locked host memory for the scalars that come back while steps go on, and the events that say when.
class ControlMail {
public:
    void request(int slot, const Control* control, cudaStream_t stream) {
        copy_to_host(&slots_[std::size_t(slot)], control, sizeof(Control), stream, "reading the step control");
        arrived_[slot].record(stream, "reading the step control");
    }
    const Control& wait(int slot) {
        arrived_[slot].wait("stepping");
        return slots_[std::size_t(slot)];
    }

private:
    PageLocked<Control> slots_{2};
    Event arrived_[2];
};

} // namespace sluice::cuda
