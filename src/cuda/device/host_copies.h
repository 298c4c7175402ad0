// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/check.h"
#include <vector>

namespace sluice::cuda {

// Copies between host and device while no steps are under way.

inline void copy_from_device(const void* from, void* to, std::size_t bytes) {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copying from the GPU");
}

template <class T>
std::vector<T> download(const T* from, std::size_t count) {
    std::vector<T> values(count);
    copy_from_device(from, values.data(), count * sizeof(T));
    return values;
}

/// Every `stride`-th value of an array, as many as `to` has.
template <class T>
void download_every(std::size_t stride, const T* from, std::vector<T>& to) {
    check(cudaMemcpy2D(to.data(), sizeof(T), from, sizeof(T) * stride, sizeof(T), to.size(), cudaMemcpyDeviceToHost),
          "copying from the GPU");
}

/// Returns once the bytes are on the device: cudaMemcpy itself may return before, and streams of their own do not wait
/// for the one that it goes through. The device is the calling thread's current one.
inline void copy_to_device(const void* from, void* to, std::size_t bytes) {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copying to the GPU");
    check(cudaStreamSynchronize(nullptr), "copying to the GPU");
}

template <class T>
void upload(const std::vector<T>& values, T* to) {
    copy_to_device(values.data(), to, values.size() * sizeof(T));
}

/// The first `before` values to the begin of an array, the others to its slots from `behind` on.
template <class T>
void upload_around_gap(const std::vector<T>& values, T* to, std::size_t before, std::size_t behind) {
    copy_to_device(values.data(), to, before * sizeof(T));
    copy_to_device(values.data() + before, to + behind, (values.size() - before) * sizeof(T));
}

} // namespace sluice::cuda
