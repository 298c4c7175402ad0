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

} // namespace sluice::cuda
