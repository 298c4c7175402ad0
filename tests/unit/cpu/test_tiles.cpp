// SPDX-License-Identifier: Apache-2.0
#include "cpu/particles/tiles.h"
#include <gtest/gtest.h>
#include <mutex>
#include <omp.h>
#include <set>

using namespace sluice::cpu;

namespace {

constexpr Rows some_rows{70, 13, 9, 2};

} // namespace

TEST(Tiles, UnitsCoverEveryCellOnce) {
    const Tiles tiles(some_rows);
    std::vector<int> visits(70 * 13 * 9);
    for (std::uint32_t tile = 0; tile < tiles.count(); ++tile)
        tiles.for_each_unit(tile, [&](const WorkUnit& unit) {
            for (std::uint32_t x = unit.x_begin; x < unit.x_end; ++x) ++visits[unit.row * 70 + x];
        });
    EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), std::ptrdiff_t(visits.size()));
}

TEST(Tiles, TilesWithoutOrderBetweenThemNeverWriteToTheSameCell) {
    const Tiles tiles(some_rows);
    const auto written = [&](std::uint32_t tile) { // the tile's cells and all within reach
        std::set<std::uint32_t> cells;
        tiles.for_each_unit(tile, [&](const WorkUnit& unit) {
            const int y = int(unit.row) % 13, z = int(unit.row) / 13;
            for (int dz = -2; dz <= 2; ++dz)
                for (int dy = -2; dy <= 2; ++dy)
                    for (int x = int(unit.x_begin) - 2; x < int(unit.x_end) + 2; ++x)
                        if (z + dz >= 0 && z + dz < 9 && y + dy >= 0 && y + dy < 13 && x >= 0 && x < 70)
                            cells.insert(std::uint32_t(x + 70 * (y + dy + 13 * (z + dz))));
        });
        return cells;
    };
    std::vector<std::set<std::uint32_t>> cells, predecessors(tiles.count());
    for (std::uint32_t tile = 0; tile < tiles.count(); ++tile) {
        cells.push_back(written(tile));
        tiles.for_each_touching(tile, [&](std::uint32_t other) {
            if (tiles.colour(other) < tiles.colour(tile)) predecessors[tile].insert(other);
        });
    }
    for (std::uint32_t a = 0; a < tiles.count(); ++a)
        for (std::uint32_t b = 0; b < a; ++b) {
            const bool disjoint =
                std::none_of(cells[a].begin(), cells[a].end(), [&](auto cell) { return cells[b].contains(cell); });
            EXPECT_TRUE(disjoint || predecessors[a].contains(b) != predecessors[b].contains(a)) << a << " and " << b;
        }
}

namespace {

/// A run of the graph: for every job, tile and pass, when it began and ended.
struct Times {
    int begin = -1, end = -1;
};

} // namespace

TEST(TileGraph, DoesEveryJobOnceAfterAllThatWriteToTheSameParticles) {
    const Tiles tiles(some_rows);
    TileGraph graph(tiles);
    for (const int threads : {1, 3, 8})
        for (int again = 0; again < 20; ++again) {
            std::vector<TileGraph::Load> loads(tiles.count());
            for (std::uint32_t tile = 0; tile < tiles.count(); ++tile) {
                if (tile % 7 != 3) loads[tile] = {tile % 3 == 0 ? 1u : 0u, tile + 1};
                graph.set_load(tile, loads[tile]);
            }
            std::vector<std::uint32_t> tile_of(70 * 13 * 9), units(tiles.count());
            for (std::uint32_t tile = 0; tile < tiles.count(); ++tile)
                tiles.for_each_unit(tile, [&](const WorkUnit& unit) {
                    for (std::uint32_t x = unit.x_begin; x < unit.x_end; ++x) tile_of[unit.row * 70 + x] = tile;
                    ++units[tile];
                });
            std::vector<Times> walls(tiles.count()), fluid(tiles.count());
            std::vector<std::uint32_t> seen_walls(tiles.count()), seen_fluid(tiles.count());
            std::mutex mutex;
            int clock = 0;
#pragma omp parallel num_threads(threads)
            {
#pragma omp single
                graph.prepare(omp_get_num_threads());
                const auto record = [&](std::vector<Times>& times, std::vector<std::uint32_t>& seen,
                                        const WorkUnit& unit) {
                    const std::lock_guard lock(mutex);
                    const std::uint32_t tile = tile_of[unit.row * 70 + unit.x_begin];
                    if (seen[tile]++ == 0) times[tile].begin = clock++;
                    if (seen[tile] == units[tile]) times[tile].end = clock++;
                };
                graph.work(
                    omp_get_thread_num(), [&](const WorkUnit& unit) { record(walls, seen_walls, unit); },
                    [&](const WorkUnit& unit) { record(fluid, seen_fluid, unit); });
            }
            for (std::uint32_t tile = 0; tile < tiles.count(); ++tile) {
                EXPECT_EQ(seen_walls[tile], loads[tile].near_walls > 0 ? units[tile] : 0);
                EXPECT_EQ(seen_fluid[tile], loads[tile].fluid > 0 ? units[tile] : 0);
                tiles.for_each_touching(tile, [&](std::uint32_t other) {
                    if (loads[tile].fluid > 0 && loads[other].near_walls > 0) {
                        EXPECT_LT(walls[other].end, fluid[tile].begin);
                    }
                    if (tiles.colour(other) >= tiles.colour(tile)) return;
                    if (loads[tile].near_walls > 0 && loads[other].near_walls > 0) {
                        EXPECT_LT(walls[other].end, walls[tile].begin);
                    }
                    if (loads[tile].fluid > 0 && loads[other].fluid > 0) {
                        EXPECT_LT(fluid[other].end, fluid[tile].begin);
                    }
                });
            }
        }
}
