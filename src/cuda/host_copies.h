// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/check.h"
#include "cuda/fixed_grid.h"
#include <vector>

namespace sluice::cuda {

// Copies between host and device while no steps are under way, and positions in the forms of both.

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

/// A position as the kernels hold it, in metres from the domain's corner.
inline Vec3d metres(const FixedGrid& grid, const Position& p, std::uint32_t near_cell) {
    const Units64 u = unwrap(grid, p, near_cell);
    return double(grid.unit) * Vec3d{double(u.x), double(u.y), double(u.z)};
}

/// Positions (m, from the domain's corner) and the cells that they lie in, as the kernels hold them.
struct PlacedParticles {
    std::vector<Position> position; ///< without pressure terms
    std::vector<std::uint32_t> cell;

    /// Those of `metres`, in this order.
    PlacedParticles(const FixedGrid& grid, const std::vector<Vec3d>& metres, const std::vector<std::uint32_t>& order);
};

} // namespace sluice::cuda
