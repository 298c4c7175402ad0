// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/interaction.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace sluice::cpu {

/// Cells along a side of a tile, along the grid's own axes 0, 1, 2. Twice the reach is the least that keeps tiles of
/// one colour apart. Thicker tiles have less surface, across which particles are fetched again for the neighbour, but
/// are fewer to share out (docs/lab/cpu.md). The numbers depend on the sides, and so these may not depend on
/// the threads.
constexpr std::uint32_t tile_side(int axis, int reach) {
    return (axis == 0 ? 16u : 2u) * static_cast<std::uint32_t>(reach);
}

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

    /// Calls `use(other)` with every tile that touches one, itself included.
    template <class Use>
    void for_each_touching(std::uint32_t tile, Use&& use) const {
        const Place p = place(tile);
        const auto last = [&](std::uint32_t i, int axis) { return std::min(i + 1, count_[axis] - 1); };
        for (std::uint32_t z = p.z - (p.z > 0); z <= last(p.z, 2); ++z)
            for (std::uint32_t y = p.y - (p.y > 0); y <= last(p.y, 1); ++y)
                for (std::uint32_t x = p.x - (p.x > 0); x <= last(p.x, 0); ++x) use(at({x, y, z}));
    }
    int colour(std::uint32_t tile) const { return place(tile).colour(); }

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

/// The work of a symmetric step, done by all threads in an order that depends only on what writes to the same
/// particles: a tile's pairs with the walls come after those of touching tiles of lower colours; its fluid pairs after
/// those, and after the wall pairs of all tiles that it touches (which also say in the records what the fluid pairs
/// must know). Whatever has nothing to wait for any more is ready. Each thread has a region of its own, tiles next to
/// each other in space and so in memory; when nothing in it is ready, the thread takes what is ready elsewhere. Sums
/// come out the same for any number of threads.
class TileGraph {
public:
    explicit TileGraph(const Tiles& tiles);

    /// How many particles a tile has to work on, near walls and in all.
    struct Load {
        std::uint32_t near_walls = 0, fluid = 0;
    };
    /// To be called for every tile, by any thread, before prepare().
    void set_load(std::uint32_t tile, const Load& load) { load_[tile] = load; }
    /// By one thread. `threads`: how many will come to work.
    void prepare(int threads);

    /// Calls `near_walls(unit)` and `fluid(unit)` for the units of one tile after the other, until all is done. By
    /// every thread, each with its own number from 0 on.
    template <class NearWalls, class Fluid>
    void work(int thread, const NearWalls& near_walls, const Fluid& fluid) {
        for (int spins = 0; left_.load(std::memory_order_acquire) > 0;) {
            if (const std::optional<Job> job = take(static_cast<std::size_t>(thread))) {
                if (job->is_fluid())
                    tiles_.for_each_unit(job->tile(), fluid);
                else
                    tiles_.for_each_unit(job->tile(), near_walls);
                finish(*job);
                spins = 0;
            } else if (++spins > 1000)
                std::this_thread::yield();
        }
    }

    std::size_t bytes() const;

private:
    /// One of the two passes over a tile.
    struct Job {
        std::uint32_t index;
        Job(std::uint32_t tile, bool fluid) : index(2 * tile + fluid) {}
        std::uint32_t tile() const { return index / 2; }
        bool is_fluid() const { return index % 2 == 1; }
    };
    /// What is ready in a part of the run, the most urgent first.
    struct alignas(64) Region {
        struct Ready {
            std::uint32_t rank;
            Job job;
            bool operator<(const Ready& other) const { return rank > other.rank; }
        };
        std::mutex mutex;
        std::vector<Ready> heap;
        std::atomic<bool> has_any{false};
    };

    bool exists(const Job& job) const {
        return (job.is_fluid() ? load_[job.tile()].fluid : load_[job.tile()].near_walls) > 0;
    }
    /// Calls `use(job)` with the jobs that wait for one.
    template <class Use>
    void for_each_successor(const Job& job, const Use& use) const {
        const int colour = tiles_.colour(job.tile());
        tiles_.for_each_touching(job.tile(), [&](std::uint32_t other) {
            const Job walls(other, false), fluid(other, true);
            const bool is_later = tiles_.colour(other) > colour;
            if (!job.is_fluid() && is_later && exists(walls)) use(walls);
            if ((!job.is_fluid() || is_later) && exists(fluid)) use(fluid);
        });
    }
    void share_out();
    void rank_tiles();
    void push(const Job& job);
    std::optional<Job> take(std::size_t thread);
    void finish(const Job& job);

    const Tiles& tiles_;
    std::vector<Load> load_;
    std::vector<std::uint32_t> rank_;                         ///< of each tile, the lower the earlier
    std::vector<std::uint32_t> row_region_;                   ///< which region has the tiles of a row of tiles
    std::unique_ptr<std::atomic<std::uint32_t>[]> waits_for_; ///< jobs that each job waits for
    std::vector<Region> regions_;
    std::atomic<std::uint32_t> left_{0};
};

} // namespace sluice::cpu
