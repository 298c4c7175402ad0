// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/check.h"

namespace sluice::cuda {

/// A stream of its own, so that copies of frames can pass the steps.
class Stream {
public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream"); }
    ~Stream() { cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }
    void wait() const { check(cudaStreamSynchronize(stream_), "waiting for the GPU"); }

private:
    cudaStream_t stream_ = nullptr;
};

} // namespace sluice::cuda
