// SPDX-License-Identifier: Apache-2.0
#include "methods/fvpm/neighbours.h"

#include "core/error.h"
#include "core/morton.h"
#include "unit/methods/fvpm/spheres.h"
#include <algorithm>
#include <gtest/gtest.h>

namespace sluice::fvpm {
namespace {

using test::lattice;

Particles uneven() {
    Particles p = lattice(9, 0.7, 0.3);
    for (std::size_t i = 0; i < p.size(); ++i) p.radius[i] = i % 50 == 0 ? 2.0 : 0.4 + 0.001 * double(i % 100);
    return p;
}

void expect_rows_of_all_pairs(NeighbourSearch& search, const Particles& unsorted) {
    const Particles p = reordered(unsorted, search.order(unsorted));
    NeighbourRows rows;
    search.find(p, rows);
    const NeighbourRows expected = all_pairs(p);
    ASSERT_EQ(rows.first, expected.first) << search.name();
    for (std::size_t i = 0; i < p.size(); ++i) {
        std::vector<std::uint32_t> row(rows.of(i).begin(), rows.of(i).end());
        std::sort(row.begin(), row.end());
        ASSERT_TRUE(std::equal(row.begin(), row.end(), expected.of(i).begin())) << search.name() << " " << i;
    }
    for (std::uint32_t e = 0; e < rows.neighbour.size(); ++e) {
        ASSERT_EQ(rows.mate[rows.mate[e]], e);
        const std::uint32_t j = rows.neighbour[e];
        ASSERT_TRUE(rows.mate[e] >= rows.first[j] && rows.mate[e] < rows.first[j + 1]);
    }
}

TEST(FvpmNeighbours, EverySearchFindsThoseOfAllPairs) {
    for (const Particles& p : {lattice(8, 1, 0.1), lattice(20, 1, 0.1, 2), uneven(), lattice(1, 1, 0)}) {
        expect_rows_of_all_pairs(*make_cell_search(), p);
        for (const int leaf : {1, 4, 32}) expect_rows_of_all_pairs(*make_octree_search(leaf), p);
    }
}

TEST(FvpmNeighbours, TheOctreeEndsWherePointsCoincide) {
    Particles p = lattice(2, 1, 0);
    for (std::size_t i = 0; i < p.size(); ++i) p.position[i] = {0.25 * double(i / 4), 0, 0}; // four and four
    NeighbourRows rows;
    const std::unique_ptr<NeighbourSearch> search = make_octree_search(1);
    const Particles sorted = reordered(p, search->order(p));
    search->find(sorted, rows);
    EXPECT_EQ(rows.neighbour.size(), 8u * 7u);
}

TEST(FvpmNeighbours, TheOctreeIsForUnevenRadii) {
    EXPECT_STREQ(make_search(SearchKind::automatic, lattice(3, 1, 0))->name(), "cells");
    EXPECT_STREQ(make_search(SearchKind::automatic, uneven())->name(), "octree");
    EXPECT_STREQ(make_search(SearchKind::octree, lattice(3, 1, 0))->name(), "octree");
    EXPECT_STREQ(make_search(SearchKind::cells, uneven())->name(), "cells");
}

TEST(FvpmNeighbours, TooManyAreAnError) {
    EXPECT_THROW(all_pairs(lattice(7, 3, 0)), RunError); // 122 within 3 dp, and more
}

TEST(FvpmNeighbours, MortonKeysInterleaveBits) {
    const MortonBox box{{0, 0, 0}, double((1 << 21) - 1)}; // cells of side 1
    EXPECT_EQ(morton_key({1, 0, 0}, box), 1u);
    EXPECT_EQ(morton_key({0, 1, 0}, box), 2u);
    EXPECT_EQ(morton_key({0, 0, 1}, box), 4u);
    EXPECT_EQ(morton_key({3, 5, 6}, box), 427u);
}

} // namespace
} // namespace sluice::fvpm
