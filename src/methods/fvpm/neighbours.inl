// SPDX-License-Identifier: Apache-2.0
// Rows from a walk over candidates, for the searches.
#pragma once
#include "core/error.h"
#include "methods/fvpm/neighbours.h"
#include "methods/fvpm/vectors.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice::fvpm {

inline bool supports_meet(const Particles& p, std::size_t i, std::size_t j) {
    const Vec3d between = p.position[j] - p.position[i];
    const double reach = p.radius[i] + p.radius[j];
    return dot(between, between) < reach * reach && i != j;
}

/// Entry (j, i) for each entry (i, j).
inline void find_mates(NeighbourRows& rows) {
    const std::size_t count = rows.first.size() - 1;
    rows.mate.resize(rows.neighbour.size());
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t i = 0; i < count; ++i)
        for (std::uint32_t entry = rows.first[i]; entry < rows.first[i + 1]; ++entry) {
            const std::uint32_t j = rows.neighbour[entry];
            std::uint32_t mate = rows.first[j];
            while (rows.neighbour[mate] != i) ++mate;
            rows.mate[entry] = mate;
        }
}

/// `walk(i, visit)` calls `visit(j)` for candidates j in the order in which they come into the row.
template <class Walk>
void fill_rows(const Particles& particles, NeighbourRows& rows, Walk walk) {
    const std::size_t count = particles.size();
    rows.first.assign(count + 1, 0);
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t i = 0; i < count; ++i)
        walk(i, [&](std::size_t j) { rows.first[i + 1] += supports_meet(particles, i, j); });
    const std::uint32_t longest = *std::max_element(rows.first.begin(), rows.first.end());
    if (longest > std::uint32_t(most_neighbours))
        throw RunError(fmt::format("fvpm: a particle has {} neighbours, more than {}: take smaller radii", longest,
                                   most_neighbours));
    for (std::size_t i = 0; i < count; ++i) rows.first[i + 1] += rows.first[i];
    rows.neighbour.resize(rows.first[count]);
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t entry = rows.first[i];
        walk(i, [&](std::size_t j) {
            if (supports_meet(particles, i, j)) rows.neighbour[entry++] = static_cast<std::uint32_t>(j);
        });
    }
    find_mates(rows);
}

} // namespace sluice::fvpm
