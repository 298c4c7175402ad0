// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice::fvpm {

/// The most neighbours that a particle may have.
inline constexpr int most_neighbours = 128;

/// What the interaction vectors of a particle follow from.
struct Surroundings {
    std::span<const Vec3d> position; ///< of all particles, m
    std::span<const double> radius;  ///< of all particles, m
    std::span<const std::uint32_t>
        neighbours; ///< those whose supports meet that of the particle, at most `most_neighbours`
};

/// Computes A_ij (physics/fvpm/caps.h) of particle `i` for each neighbour, in m² (in 2-D in m).
using FindVectors = void (*)(std::size_t i, const Surroundings& around, int dimensions, Vec3d* vectors);

/// The fastest FindVectors that this processor runs.
FindVectors find_vectors_here();

/// One for each level of x86-64, for tests and benches; the names are "v2", "v3" and "v4", elsewhere there is only
/// "plain".
struct FindVectorsVariant {
    const char* name;
    FindVectors find;
};
/// All that this processor runs, the fastest last.
std::span<const FindVectorsVariant> find_vectors_variants();

} // namespace sluice::fvpm
