// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/check.h"
#include <vector>

namespace sluice::cuda {

// Copies between host and device while no steps are under way.

template <class T>
std::vector<T> download(const T* from, std::size_t count) {
    std::vector<T> values(count);
    check(cudaMemcpy(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), "copying from the GPU");
    return values;
}

template <class T>
void upload(const std::vector<T>& values, T* to) {
    check(cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "copying to the GPU");
}

/// The first `before` values to the begin of an array, the others to its slots from `behind` on.
template <class T>
void upload_around_gap(const std::vector<T>& values, T* to, std::size_t before, std::size_t behind) {
    check(cudaMemcpy(to, values.data(), before * sizeof(T), cudaMemcpyHostToDevice), "copying to the GPU");
    check(cudaMemcpy(to + behind, values.data() + before, (values.size() - before) * sizeof(T), cudaMemcpyHostToDevice),
          "copying to the GPU");
}

} // namespace sluice::cuda
