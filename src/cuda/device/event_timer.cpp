// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/event_timer.h"

#include <algorithm>

namespace sluice::cuda {

EventTimer::~EventTimer() {
    for (const Interval& interval : intervals_) {
        cudaEventDestroy(interval.begin);
        cudaEventDestroy(interval.end);
    }
}

void EventTimer::begin(cudaStream_t stream) {
    if (used_ == intervals_.size()) {
        Interval interval{};
        check(cudaEventCreate(&interval.begin), "creating an event");
        check(cudaEventCreate(&interval.end), "creating an event");
        intervals_.push_back(interval);
    }
    check(cudaEventRecord(intervals_[used_].begin, stream), "timing of the steps");
}

void EventTimer::end(cudaStream_t stream) {
    check(cudaEventRecord(intervals_[used_++].end, stream), "timing of the steps");
}

double EventTimer::take() {
    double sum = 0;
    bool all_over = true;
    for (std::size_t k = 0; k < used_; ++k) {
        float milliseconds = 0;
        const cudaError_t status = cudaEventElapsedTime(&milliseconds, intervals_[k].begin, intervals_[k].end);
        all_over &= status != cudaErrorNotReady;
        if (status != cudaErrorNotReady) check(status, "timing of the steps");
        sum += 1e-3 * std::max(0.0, double(milliseconds));
    }
    used_ = 0;
    return all_over ? sum : 0;
}

} // namespace sluice::cuda
