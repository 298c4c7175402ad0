// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/interaction.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace sluice::cpu {

/// The cells of a run in tiles of several rows. Symmetric pairs write up to `reach` cells beyond their tile, and a tile
/// is at least twice as thick: tiles that do not touch never write to the same particle. Those that touch differ in
/// colour (odd or even along each axis: eight colours), and the lower colour goes first.
class Tiles {
public:
    explicit Tiles(const Rows& rows);

    std::uint32_t count() const { return count_[0] * count_[1] * count_[2]; }
    std::uint32_t layers() const { return count_[2]; }
    std::uint32_t rows() const { return count_[1] * count_[2]; }
    std::uint32_t row_of(std::uint32_t tile) const { return tile / count_[0]; }
    /// Position of a tile, and the tile at a position.
    struct Place {
        std::uint32_t x, y, z;
        int colour() const { return static_cast<int>((x & 1) | (y & 1) << 1 | (z & 1) << 2); }
    };
    Place place(std::uint32_t tile) const {
        return {tile % count_[0], tile / count_[0] % count_[1], tile / count_[0] / count_[1]};
    }
    std::uint32_t at(const Place& p) const { return p.x + count_[0] * (p.y + count_[1] * p.z); }

    /// Calls `use(neighbour)` with every tile that touches one and has a lower colour.
    template <class Use>
    void for_each_predecessor(std::uint32_t tile, Use&& use) const {
        const Place p = place(tile);
        const auto last = [&](std::uint32_t i, int axis) { return std::min(i + 1, count_[axis] - 1); };
        for (std::uint32_t z = p.z - (p.z > 0); z <= last(p.z, 2); ++z)
            for (std::uint32_t y = p.y - (p.y > 0); y <= last(p.y, 1); ++y)
                for (std::uint32_t x = p.x - (p.x > 0); x <= last(p.x, 0); ++x)
                    if (const Place other{x, y, z}; other.colour() < p.colour()) use(at(other));
    }

    /// Calls `use(tile)` with the tiles of one colour (0 … 3, odd or even along x and y) in layer z.
    template <class Use>
    void for_each_of_colour(std::uint32_t z, std::uint32_t colour, Use&& use) const {
        for (std::uint32_t y = colour >> 1 & 1; y < count_[1]; y += 2)
            for (std::uint32_t x = colour & 1; x < count_[0]; x += 2) use(at({x, y, z}));
    }

    /// Calls `use(unit)` with the part of each row that lies in a tile.
    template <class Use>
    void for_each_unit(std::uint32_t tile, Use&& use) const {
        const Place p = place(tile);
        const auto end = [&](std::uint32_t i, int axis) { return std::min((i + 1) * side_[axis], cells_[axis]); };
        for (std::uint32_t z = p.z * side_[2]; z < end(p.z, 2); ++z)
            for (std::uint32_t y = p.y * side_[1]; y < end(p.y, 1); ++y)
                use(WorkUnit{z * cells_[1] + y, p.x * side_[0], end(p.x, 0)});
    }

private:
    std::uint32_t cells_[3]; ///< of the grid
    std::uint32_t side_[3];  ///< of a tile, in cells
    std::uint32_t count_[3]; ///< of tiles
};

/// One pass of all threads over the tiles that have something to do. Each thread has its own tiles, next to each other
/// in space and so in memory, and takes over those of the others when it is done.
class TilePass {
public:
    explicit TilePass(const Tiles& tiles);

    /// Takes up the tiles with a unit whose `weight`, the work it stands for, is not zero. By one thread.
    /// `threads`: how many will come to `work`, no fewer.
    template <class Weight>
    void prepare(int threads, const Weight& weight) {
        for (std::uint32_t tile = 0; tile < tiles_.count(); ++tile) {
            weight_[tile] = 0;
            tiles_.for_each_unit(tile, [&](const WorkUnit& unit) { weight_[tile] += weight(unit); });
            done_[tile].store(weight_[tile] == 0, std::memory_order_relaxed);
        }
        fill_queues(static_cast<std::size_t>(threads));
    }

    /// Calls `use(unit)` for the units of one tile after the other, until all are taken. By every thread, each with its
    /// own number from 0 on.
    template <class Use>
    void work(int thread, const Use& use) {
        for (std::size_t k = 0; k < queues_.size(); ++k)
            work_on(queues_[(static_cast<std::size_t>(thread) + k) % queues_.size()], use);
    }

    std::size_t bytes() const;

private:
    struct alignas(64) Queue {
        std::vector<std::uint32_t> tiles;
        std::atomic<std::uint32_t> next{0};
    };

    void fill_queues(std::size_t count);

    template <class Use>
    void work_on(Queue& queue, const Use& use) {
        for (;;) {
            const std::uint32_t k = queue.next.fetch_add(1, std::memory_order_relaxed);
            if (k >= queue.tiles.size()) return;
            // every thread goes through its queue in one common order, in which predecessors come earlier: the first
            // tile that is not done has nothing to wait for, and so no wait is for ever
            const std::uint32_t tile = queue.tiles[k];
            tiles_.for_each_predecessor(tile, [&](std::uint32_t other) { wait_for(other); });
            tiles_.for_each_unit(tile, use);
            done_[tile].store(true, std::memory_order_release);
        }
    }

    void wait_for(std::uint32_t tile) const {
        for (int spins = 0; !done_[tile].load(std::memory_order_acquire); ++spins)
            if (spins > 1000) std::this_thread::yield();
    }

    const Tiles& tiles_;
    std::vector<std::uint32_t> weight_;
    std::vector<std::uint32_t> row_queue_; ///< which queue has the tiles of a row of tiles
    std::unique_ptr<std::atomic<bool>[]> done_;
    std::vector<Queue> queues_;
};

} // namespace sluice::cpu
