// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sluice::cuda {

/// The input of the kernel whose optimisation Table I of Alimirzazadeh et al. (2018) follows: the volume gradient of
/// the pressure, ∇p_i = (1/V_i) Σ_j ½(p_i + p_j) Δ_ij.
struct GradientInput {
    std::span<const std::uint32_t> first, neighbour; ///< rows of neighbours
    std::span<const Vec3d> delta;                    ///< Δ_ij, by entry
    std::span<const double> pressure, volume;        ///< by particle
};

/// One level of the ladder.
struct GradientLevel {
    std::string name;
    double seconds = 0;           ///< one call, the least of several
    double bytes = 0;             ///< that the level must read and write at least
    std::vector<Vec3d> gradients; ///< its result
};

/// Runs the levels of Table I on the first GPU, and after them our own layout; the least time of `repeats` calls
/// counts.
std::vector<GradientLevel> run_gradient_ladder(const GradientInput& input, int repeats);

/// Bytes a second of a copy of `bytes` on the device, read and written.
double measure_copy_bandwidth(std::size_t bytes, int repeats);

} // namespace sluice::cuda
