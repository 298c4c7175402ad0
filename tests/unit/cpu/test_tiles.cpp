// SPDX-License-Identifier: Apache-2.0
#include "cpu/tiles.h"
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

TEST(Tiles, AreThickerWhereThereArePlenty) {
    const Tiles few(Rows{64, 140, 100, 2}), many(Rows{64, 400, 80, 2});
    EXPECT_EQ(few.count(), 2u * 35 * 25);
    EXPECT_EQ(many.count(), 2u * 50 * 10);
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
        tiles.for_each_predecessor(tile, [&](std::uint32_t other) { predecessors[tile].insert(other); });
    }
    for (std::uint32_t a = 0; a < tiles.count(); ++a)
        for (std::uint32_t b = 0; b < a; ++b) {
            const bool disjoint =
                std::none_of(cells[a].begin(), cells[a].end(), [&](auto cell) { return cells[b].contains(cell); });
            EXPECT_TRUE(disjoint || predecessors[a].contains(b) != predecessors[b].contains(a)) << a << " and " << b;
        }
}

TEST(TilePass, VisitsTheAcceptedTilesOnceEachAfterItsPredecessors) {
    const Tiles tiles(some_rows);
    const auto accept = [](const WorkUnit& unit) { return unit.row % 5 != 0; };
    TilePass pass(tiles);
    for (const int threads : {1, 3}) { // few and many for the tiles: layer by layer, and colour by colour
        std::mutex mutex;
        std::multiset<std::uint32_t> rows;
#pragma omp parallel num_threads(threads)
        {
#pragma omp single
            pass.prepare(omp_get_num_threads(), [&](const WorkUnit& unit) { return accept(unit) ? unit.row + 1 : 0; });
            pass.work(omp_get_thread_num(), [&](const WorkUnit& unit) {
                const std::lock_guard lock(mutex);
                rows.insert(unit.row * 100 + unit.x_begin);
            });
        }
        std::multiset<std::uint32_t> expected;
        for (std::uint32_t tile = 0; tile < tiles.count(); ++tile) {
            bool wanted = false;
            tiles.for_each_unit(tile, [&](const WorkUnit& unit) { wanted |= accept(unit); });
            if (wanted)
                tiles.for_each_unit(tile,
                                    [&](const WorkUnit& unit) { expected.insert(unit.row * 100 + unit.x_begin); });
        }
        EXPECT_EQ(rows, expected);
    }
}
