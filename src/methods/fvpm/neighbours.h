// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/fvpm/particles.h"
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sluice::fvpm {

/// The neighbours of all particles, those whose supports meet: one row a particle.
struct NeighbourRows {
    std::vector<std::uint32_t> first;     ///< of each row, and the end of the last
    std::vector<std::uint32_t> neighbour; ///< by entry
    std::vector<std::uint32_t> mate;      ///< by entry (i, j): the entry (j, i)

    std::span<const std::uint32_t> of(std::size_t i) const {
        return std::span(neighbour).subspan(first[i], first[i + 1] - first[i]);
    }
};

/// How neighbours are found.
enum class SearchKind {
    automatic, ///< cells where all radii are about the same, else the octree
    cells,     ///< a grid of cells as large as the largest support
    octree,    ///< a tree over Morton keys, whose leaves have few particles whatever their radii (§III.A of the paper)
};

/// Finds neighbours. `order` and `find` are called in turn.
class NeighbourSearch {
public:
    virtual ~NeighbourSearch() = default;
    virtual const char* name() const = 0;
    /// The order in which the search wants the particles, as places in the order that they have.
    virtual std::vector<std::uint32_t> order(const Particles& particles) = 0;
    /// The rows of the particles in that order. RunError where one has more than `most_neighbours`.
    virtual void find(const Particles& particles, NeighbourRows& rows) = 0;
};

std::unique_ptr<NeighbourSearch> make_cell_search();
/// Leaves have at most `leaf` particles, N_leaf of the paper.
std::unique_ptr<NeighbourSearch> make_octree_search(int leaf = 16);
/// The search of a kind for these particles.
std::unique_ptr<NeighbourSearch> make_search(SearchKind kind, const Particles& particles);

/// The particles' rows without any search: all pairs are tested.
NeighbourRows all_pairs(const Particles& particles);

} // namespace sluice::fvpm
