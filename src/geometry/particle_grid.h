// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace sluice {

/// What stands on each node of the lattice: the stored mk of a particle, or 0. Kept in tiles that exist only
/// where something was drawn, since the box of a lattice is often mostly empty.
class ParticleGrid {
public:
    explicit ParticleGrid(const Vec3i& count);

    /// More nodes than this cannot be drawn on, for want of memory or at all.
    double max_nodes() const { return max_nodes_; }
    /// Throws InputError if so many nodes cannot be drawn on.
    void require_room(double nodes) const;

    Vec3i count() const { return count_; }
    std::uint16_t get(int i, int j, int k) const;
    void set(int i, int j, int k, std::uint16_t mk) { fill_row(i, i, j, k, mk); }
    /// Nodes first … last of the row (j, k), all inside the lattice.
    void fill_row(int first, int last, int j, int k, std::uint16_t mk);

    /// Calls visit(mk, nodes) for the runs of equal nodes among those of a row; rows never drawn on are not visited.
    template <class Visit>
    void for_row(int first, int last, int j, int k, Visit&& visit) const;

    /// Number of nodes per mk; index 0 is not counted.
    std::vector<std::size_t> count_by_mk() const;
    /// Calls visit(i, j, k, mk) for every particle: x fastest, then y, then z.
    template <class Visit>
    void for_each(Visit&& visit) const;

private:
    static constexpr int x_bits = 6, z_bits = 3;

    std::size_t tile_index(int i, int j, int k) const {
        return (std::size_t(k >> z_bits) * tiles_.y + std::size_t(j >> y_bits_)) * tiles_.x + std::size_t(i >> x_bits);
    }
    std::size_t row_in_tile(int j, int k) const {
        const std::size_t row =
            (std::size_t(k & ((1 << z_bits) - 1)) << y_bits_) + std::size_t(j & ((1 << y_bits_) - 1));
        return row << x_bits;
    }

    /// The tiles that exist in one row of them.
    struct TileRow {
        std::size_t y;
        std::vector<std::size_t> x;
    };
    std::vector<TileRow> tile_rows(std::size_t tz) const;

    Vec3i count_;
    Vec3<std::size_t> tiles_;
    int y_bits_; ///< 0 in 2-D: a tile of one plane
    std::size_t tile_size_;
    double max_nodes_;
    std::vector<std::unique_ptr<std::uint16_t[]>> tile_;
    std::size_t used_tiles_ = 0;
};

template <class Visit>
void ParticleGrid::for_row(int first, int last, int j, int k, Visit&& visit) const {
    const std::size_t row = row_in_tile(j, k);
    constexpr int in_tile = (1 << x_bits) - 1;
    for (int begin = first; begin <= last;) {
        const int end = std::min(begin | in_tile, last) + 1;
        if (const auto& tile = tile_[tile_index(begin, j, k)])
            for (int i = begin; i < end;) {
                const std::uint16_t mk = tile[row + std::size_t(i & in_tile)];
                int n = i + 1;
                while (n < end && tile[row + std::size_t(n & in_tile)] == mk) ++n;
                visit(mk, std::size_t(n - i));
                i = n;
            }
        begin = end;
    }
}

template <class Visit>
void ParticleGrid::for_each(Visit&& visit) const {
    const int x_size = 1 << x_bits, y_size = 1 << y_bits_, z_size = 1 << z_bits;
    for (std::size_t tz = 0; tz < tiles_.z; ++tz) {
        const auto used = tile_rows(tz);
        if (used.empty()) continue;
        for (int z = 0; z < z_size; ++z)
            for (const TileRow& tiles : used)
                for (int y = 0; y < y_size; ++y) {
                    const int j = static_cast<int>(tiles.y << y_bits_) + y, k = static_cast<int>(tz << z_bits) + z;
                    const std::size_t row = row_in_tile(j, k);
                    for (const std::size_t tx : tiles.x) {
                        const std::uint16_t* cell = &tile_[(tz * tiles_.y + tiles.y) * tiles_.x + tx][row];
                        for (int x = 0; x < x_size; ++x)
                            if (cell[x]) visit(static_cast<int>(tx << x_bits) + x, j, k, cell[x]);
                    }
                }
    }
}

} // namespace sluice
