// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/check.h"

namespace sluice::cuda {

/// A stream of its own, so that copies of frames can pass the steps.
class Stream {
public:
    Stream() : Stream(0) {}
    /// Whose work goes before that of other streams where both wait for room on the device.
    static Stream first_served() {
        int least = 0, greatest = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "creating a stream");
        return Stream(greatest);
    }
    ~Stream() { cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }
    void wait() const { check(cudaStreamSynchronize(stream_), "waiting for the GPU"); }

private:
    explicit Stream(int priority) {
        check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority), "creating a stream");
    }

    cudaStream_t stream_ = nullptr;
};

/// Work on a second stream between two points of the first: fork(), enqueue on side(), join().
class SideStream {
public:
    /// `first_served`: as Stream::first_served().
    explicit SideStream(bool first_served = false) : stream_(first_served ? Stream::first_served() : Stream()) {
        check(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming), "creating an event");
        check(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming), "creating an event");
    }
    ~SideStream() {
        cudaEventDestroy(forked_);
        cudaEventDestroy(done_);
    }
    SideStream(const SideStream&) = delete;
    SideStream& operator=(const SideStream&) = delete;

    cudaStream_t fork(cudaStream_t from) {
        check(cudaEventRecord(forked_, from), "starting work beside the steps");
        check(cudaStreamWaitEvent(stream_, forked_), "starting work beside the steps");
        return stream_;
    }
    void join(cudaStream_t to) {
        check(cudaEventRecord(done_, stream_), "waiting for work beside the steps");
        check(cudaStreamWaitEvent(to, done_), "waiting for work beside the steps");
    }

private:
    Stream stream_;
    cudaEvent_t forked_ = nullptr, done_ = nullptr;
};

} // namespace sluice::cuda
