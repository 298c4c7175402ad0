// SPDX-License-Identifier: Apache-2.0
#include "geometry/particle_grid.h"

#include "core/error.h"
#include "core/memory.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice {

namespace {
constexpr std::size_t max_tiles = std::size_t(1) << 24; // 128 MiB of pointers
constexpr double most_nodes = 2e9;
/// Half of what a particle takes before the first step: a body may be drawn whole and then hollowed out.
constexpr double bytes_a_node = 48;
} // namespace

ParticleGrid::ParticleGrid(const Vec3i& count) : count_(count), y_bits_(count.y > 1 ? 3 : 0) {
    tiles_ = {(std::size_t(count.x) >> x_bits) + 1, (std::size_t(count.y - 1) >> y_bits_) + 1,
              (std::size_t(count.z) >> z_bits) + 1};
    tile_size_ = std::size_t(1) << (x_bits + y_bits_ + z_bits);
    max_nodes_ = std::min(most_nodes, available_memory() / bytes_a_node);
    const double tiles = double(tiles_.x) * double(tiles_.y) * double(tiles_.z);
    if (tiles > double(max_tiles))
        throw InputError(fmt::format("the lattice has {} x {} x {} nodes, more than can be drawn on; use a larger dp "
                                     "or a smaller definition box",
                                     count.x, count.y, count.z));
    tile_.resize(tiles_.x * tiles_.y * tiles_.z);
}

void ParticleGrid::require_room(double nodes) const {
    if (nodes <= max_nodes_) return;
    throw InputError(
        fmt::format("the case draws on {:.2g} nodes of the lattice, and the particles of {:.2g} at most fit "
                    "into the memory that is free; use a larger dp, or a machine with more memory",
                    nodes, max_nodes_));
}

std::uint16_t ParticleGrid::get(int i, int j, int k) const {
    const auto& tile = tile_[tile_index(i, j, k)];
    return tile ? tile[row_in_tile(j, k) + (i & ((1 << x_bits) - 1))] : 0;
}

void ParticleGrid::fill_row(int first, int last, int j, int k, std::uint16_t mk) {
    const std::size_t row = row_in_tile(j, k);
    while (first <= last) {
        const int tile_end = std::min(first | ((1 << x_bits) - 1), last);
        auto& tile = tile_[tile_index(first, j, k)];
        if (!tile && mk) {
            require_room(double(++used_tiles_) * double(tile_size_));
            tile = std::make_unique<std::uint16_t[]>(tile_size_);
        }
        if (tile) std::fill(&tile[row + (first & 63)], &tile[row + (tile_end & 63)] + 1, mk);
        first = tile_end + 1;
    }
}

std::vector<ParticleGrid::TileRow> ParticleGrid::tile_rows(std::size_t tz) const {
    std::vector<TileRow> rows;
    for (std::size_t ty = 0; ty < tiles_.y; ++ty) {
        TileRow row{ty, {}};
        for (std::size_t tx = 0; tx < tiles_.x; ++tx)
            if (tile_[(tz * tiles_.y + ty) * tiles_.x + tx]) row.x.push_back(tx);
        if (!row.x.empty()) rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<std::size_t> ParticleGrid::count_by_mk() const {
    std::vector<std::size_t> counts(65536);
    for (const auto& tile : tile_)
        if (tile)
            for (std::size_t i = 0; i < tile_size_; ++i) ++counts[tile[i]];
    counts[0] = 0;
    return counts;
}

} // namespace sluice
