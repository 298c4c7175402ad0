// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/check.h"
#include <cuda_runtime_api.h>
#include <vector>

namespace sluice::cuda {

/// Adds up how long a device takes from one point of its streams to another, for as many such intervals as are marked
/// between two calls of take(). Where the end comes first, an interval is empty.
class EventTimer {
public:
    EventTimer() = default;
    ~EventTimer();
    EventTimer(const EventTimer&) = delete;
    EventTimer& operator=(const EventTimer&) = delete;

    void begin(cudaStream_t stream);
    void end(cudaStream_t stream);
    /// Of the intervals since the last call, s, which are forgotten; 0 if one is not over yet, or there is none.
    double take();

private:
    struct Interval {
        cudaEvent_t begin, end;
    };
    std::vector<Interval> intervals_; ///< made as they are needed, by the device of their stream
    std::size_t used_ = 0;
};

} // namespace sluice::cuda
