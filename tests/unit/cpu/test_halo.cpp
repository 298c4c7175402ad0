// SPDX-License-Identifier: Apache-2.0
#include "backends/particle_clouds.h"
#include "cpu/subdomains/halo.h"
#include "cpu/subdomains/row_work.h"
#include "ranks/thread_transport.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <thread>

using namespace sluice;
using namespace sluice::cpu;

namespace {

/// The sorted fluid of a cloud on one of several ranks, without walls.
class Rank {
public:
    Rank(const clouds::Cloud& cloud, Transport& transport, const Split& split = {}, int divisions = 2, int slowest = 0)
        : space_(cloud.setup, divisions, slowest), halo_(space_, threads_, &transport, split, false),
          none_(threads_, false), fluid_(threads_, false) {
        fluid_.load(
            transport.rank() == 0 ? cloud.state : ParticleState(), [](std::uint32_t) { return true; }, space_);
    }

    /// All rows to the last rank.
    void cut_badly() {
        std::vector<std::uint64_t> work(space_.row_count());
        work[0] = halo_.transport().rank() == 0;
        halo_.cut(0, work);
    }
    void sort() {
        fluid_.cells = CellList(space_.cell_count());
        none_.cells = CellList(space_.cell_count());
        halo_.exchange({&fluid_}, nullptr);
        fluid_.sort_unordered(0, space_);
    }
    bool balance() { return halo_.balance(view()); }
    /// Moves every particle to a cell beside its own or lets it be, and creates some where others were at the start.
    void move_and_create(const clouds::Cloud& cloud) {
        fluid_.for_each_own(space_, [&](std::uint32_t i) {
            Vec3d& p = fluid_.state.position[i];
            const double way = space_.cell.x * (double(fluid_.state.id[i] % 3) - 1);
            p.x = std::clamp(p.x + way, 0.0, space_.size.x);
            fluid_.state.key[i] = space_.key(p);
        });
        for (std::uint32_t k = 0; k < 40; ++k)
            fluid_.newcomers.push_back({1000000 + k, cloud.state.position[29 * k], Flow{}});
        fluid_.newcomers.push_back({2000000, {-1, 0, 0}, Flow{}}); // not in the domain
    }
    std::vector<std::uint32_t> own_ids() const {
        std::vector<std::uint32_t> ids;
        fluid_.for_each_own(space_, [&](std::uint32_t i) { ids.push_back(fluid_.state.id[i]); });
        return ids;
    }
    /// Those of the whole grid that any particle or image is in here, in their order.
    std::vector<std::uint32_t> cells_with_particles() const {
        return {fluid_.state.key.data(), fluid_.state.key.data() + fluid_.count};
    }
    Halo& halo() { return halo_; }
    std::uint64_t work() const {
        const std::vector<std::uint64_t> rows = work_of_rows(view());
        return std::accumulate(rows.begin(), rows.end(), std::uint64_t(0));
    }
    std::uint32_t own() const { return fluid_.own_count(); }

private:
    InteractionView view() const {
        InteractionView view;
        view.rows = space_.rows;
        view.boundary_begin = none_.cells.begin();
        view.fluid_begin = fluid_.cells.begin();
        return view;
    }

    ThreadCount threads_{1};
    Space space_;
    Halo halo_;
    SortedGroup none_, fluid_;
};

/// A small domain, periodic along any axes, with a particle in the middle of each cell.
clouds::Cloud one_particle_a_cell(std::mt19937& random, int divisions) {
    clouds::Cloud cloud;
    cloud.setup.constants = clouds::make_constants({}, 0.01);
    for (int axis = 0; axis < 3; ++axis) {
        const bool periodic = random() % 2 == 0;
        const unsigned least = periodic ? 2 * static_cast<unsigned>(divisions) : 1;
        const double cell = 2 * cloud.setup.constants.h / divisions;
        cloud.setup.domain.max[axis] = cell * (least + random() % 4 + (periodic ? 0.001 : -0.001));
        cloud.setup.period.periodic[axis] = periodic;
        if (periodic) cloud.setup.period.shift[axis][axis] = cloud.setup.domain.max[axis];
    }
    const Space space(cloud.setup, divisions, 0);
    ParticleState& state = cloud.state;
    for (int z = 0; z < space.inner.z; ++z)
        for (int y = 0; y < space.inner.y; ++y)
            for (int x = 0; x < space.inner.x; ++x)
                state.position.push_back(
                    {(x + 0.5) * space.cell.x, (y + 0.5) * space.cell.y, (z + 0.5) * space.cell.z});
    state.id.resize(state.position.size());
    std::iota(state.id.begin(), state.id.end(), 0u);
    state.velocity.resize(state.size());
    state.velocity_previous.resize(state.size());
    state.density.assign(state.size(), 1000);
    state.density_previous.assign(state.size(), 1000);
    cloud.setup.set_groups(ParticleGroups::of(0, static_cast<std::uint32_t>(state.size())));
    return cloud;
}

/// Any rank for any row.
Split random_table(std::mt19937& random, const Space& space, int ranks) {
    Split split;
    split.kind = Split::Kind::table;
    split.table.axes = {space.axes[1], space.axes[2]};
    split.table.columns = static_cast<std::uint32_t>(space.inner[space.axes[1]]);
    for (int row = 0; row < space.inner[space.axes[1]] * space.inner[space.axes[2]]; ++row)
        split.table.ranks.push_back(static_cast<RankNumber>(random() % static_cast<unsigned>(ranks)));
    return split;
}

/// Cells of the whole grid, of particles or images, in rows that have a cell within reach of one of a rank's, found by
/// comparing all with all.
std::vector<std::uint32_t> cells_in_reach(const Space& space, const Split& split, int rank) {
    std::vector<Vec3i> all, own;
    const auto inner = [&](const Vec3i& c, int axis) { return c[axis] - space.layers[axis]; };
    for (int z = 0; z < space.count.z; ++z)
        for (int y = 0; y < space.count.y; ++y)
            for (int x = 0; x < space.count.x; ++x) all.push_back({x, y, z});
    for (const Vec3i& c : all) {
        bool holds_particle = true;
        for (int axis = 0; axis < 3; ++axis)
            holds_particle = holds_particle && inner(c, axis) >= 0 && inner(c, axis) < space.inner[axis];
        const int row =
            inner(c, split.table.axes[0]) + inner(c, split.table.axes[1]) * static_cast<int>(split.table.columns);
        if (holds_particle && split.table.ranks[static_cast<std::size_t>(row)] == rank) own.push_back(c);
    }
    std::vector<bool> seen(space.row_count());
    const auto key = [&](const Vec3i& c) {
        return static_cast<std::uint32_t>(c.x * space.stride.x + c.y * space.stride.y + c.z * space.stride.z);
    };
    for (const Vec3i& c : all)
        for (const Vec3i& o : own)
            if (std::max({std::abs(c.x - o.x), std::abs(c.y - o.y), std::abs(c.z - o.z)}) <= space.rows.reach)
                seen[space.row_of(key(c))] = true;
    std::vector<std::uint32_t> cells;
    for (const Vec3i& c : all)
        if (seen[space.row_of(key(c))]) cells.push_back(key(c));
    std::ranges::sort(cells);
    return cells;
}

} // namespace

TEST(Halo, BalancesBadCutsOnceAndThenLetsThemBe) {
    constexpr int count = 3;
    const clouds::Cloud cloud = clouds::make_cloud({}, {60, 5, 6});
    for (const char* split : {"auto", "bisection", "grid:3x1"}) {
        auto ends = make_thread_transports(count);
        std::vector<std::uint64_t> work(count), before(count);
        std::vector<std::thread> threads;
        for (int r = 0; r < count; ++r)
            threads.emplace_back([&, r] {
                const auto at = static_cast<std::size_t>(r);
                Rank rank(cloud, *ends[at], parse_split(split));
                rank.cut_badly();
                rank.sort();
                before[at] = rank.own();
                EXPECT_TRUE(rank.balance()) << split;
                rank.sort();
                work[at] = rank.work();
                EXPECT_FALSE(rank.balance()) << split;
            });
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(*std::ranges::max_element(before), cloud.state.size()) << split;
        const std::uint64_t all = std::accumulate(work.begin(), work.end(), std::uint64_t(0));
        for (const std::uint64_t one : work) EXPECT_NEAR(double(one), double(all) / count, 0.05 * double(all)) << split;
    }
}

TEST(Halo, WhatIsDrawnStaysAsItIsDrawn) {
    constexpr int count = 2;
    const clouds::Cloud cloud = clouds::make_cloud({}, {60, 5, 6});
    Split split;
    split.kind = Split::Kind::table;
    split.table = {{0, 1}, 5, {0, 1, 1, 1, 1}};
    auto ends = make_thread_transports(count);
    std::vector<std::thread> threads;
    for (int r = 0; r < count; ++r)
        threads.emplace_back([&, r] {
            Rank rank(cloud, *ends[static_cast<std::size_t>(r)], split);
            rank.sort();
            EXPECT_FALSE(rank.balance());
        });
    for (std::thread& thread : threads) thread.join();
}

TEST(Halo, WhatIsCreatedComesBehindWhatArrivesFromAnywhere) {
    const clouds::Cloud cloud = clouds::make_cloud({}, {60, 5, 6});
    const auto order = [&](int count) { // of the particles of all ranks, one after the other
        auto ends = make_thread_transports(count);
        std::vector<std::vector<std::uint32_t>> ids(static_cast<std::size_t>(count));
        std::vector<std::thread> threads;
        for (int r = 0; r < count; ++r)
            threads.emplace_back([&, r] {
                Rank rank(cloud, *ends[static_cast<std::size_t>(r)]);
                rank.sort();
                for (int n = 0; n < 2; ++n) {
                    rank.move_and_create(cloud);
                    rank.sort();
                }
                ids[static_cast<std::size_t>(r)] = rank.own_ids();
            });
        for (std::thread& thread : threads) thread.join();
        std::vector<std::uint32_t> all;
        for (const auto& of_rank : ids) all.insert(all.end(), of_rank.begin(), of_rank.end());
        return all;
    };
    const std::vector<std::uint32_t> one = order(1);
    EXPECT_EQ(one.size(), cloud.state.size() + 80);
    for (const int count : {2, 3, 7}) EXPECT_TRUE(one == order(count)) << count;
}

TEST(Halo, ItsMemoryIsThatOfMapsAndMessages) {
    constexpr int count = 2;
    const clouds::Cloud cloud = clouds::make_cloud({}, {60, 5, 6});
    auto ends = make_thread_transports(count);
    std::vector<std::thread> threads;
    for (int r = 0; r < count; ++r)
        threads.emplace_back([&, r] {
            Rank rank(cloud, *ends[static_cast<std::size_t>(r)]);
            const std::size_t before = rank.halo().bytes();
            EXPECT_GT(before, 0u);
            rank.sort(); // rank 1 gets its particles from rank 0, which keeps a list of those that leave
            const std::size_t bytes = rank.halo().bytes() - before;
            EXPECT_GT(bytes, rank.own() * (r == 0 ? sizeof(std::uint32_t) : sizeof(Vec3d) + 2 * sizeof(Flow)));
            EXPECT_LT(bytes, 1000 * cloud.state.size());
        });
    for (std::thread& thread : threads) thread.join();
}

TEST(Halo, AsksThoseWhoAreAtAPlace) {
    constexpr int count = 4;
    const clouds::Cloud cloud = clouds::make_cloud({}, {30, 5, 6});
    auto ends = make_thread_transports(count);
    std::vector<std::thread> threads;
    for (int r = 0; r < count; ++r)
        threads.emplace_back([&, r] {
            Rank rank(cloud, *ends[static_cast<std::size_t>(r)]);
            rank.sort();
            std::vector<Vec3d> places; // other ones on each rank, inside and outside of the domain; the last has none
            for (int k = 0; k < 50 * (count - 1 - r); ++k) places.push_back({0.037 * k - 1, 0.01 * r, 0.02 * (k % 9)});
            places.push_back({std::numeric_limits<double>::quiet_NaN(), 0, 0});
            if (r == count - 1) places.clear();
            const auto answer = [&](const std::vector<Vec3d>& here, float* numbers) {
                for (std::size_t k = 0; k < here.size(); ++k) {
                    EXPECT_TRUE(rank.halo().owns(here[k]));
                    numbers[2 * k] = static_cast<float>(r);
                    numbers[2 * k + 1] = static_cast<float>(here[k].x);
                }
            };
            const std::vector<float> numbers = rank.halo().at_owners(places, 2, answer);
            ASSERT_EQ(numbers.size(), 2 * places.size());
            for (std::size_t k = 0; k < places.size(); ++k) {
                EXPECT_EQ(static_cast<int>(numbers[2 * k]), rank.halo().owner_of(places[k]));
                if (std::isnan(places[k].x)) continue;
                EXPECT_EQ(numbers[2 * k + 1], static_cast<float>(places[k].x));
            }
        });
    for (std::thread& thread : threads) thread.join();
}

TEST(Halo, AThousandRandomMapsSendTheRowsThatComparingAllCellsGives) {
    std::mt19937 random(11);
    for (int n = 0; n < 1000; ++n) {
        const int ranks = 2 + static_cast<int>(random() % 4), divisions = 1 + static_cast<int>(random() % 2),
                  slowest = static_cast<int>(random() % 3);
        const clouds::Cloud cloud = one_particle_a_cell(random, divisions);
        const Space space(cloud.setup, divisions, slowest);
        const Split split = random_table(random, space, ranks);
        auto ends = make_thread_transports(ranks);
        std::vector<std::thread> threads;
        for (int r = 0; r < ranks; ++r)
            threads.emplace_back([&, r] {
                const std::vector<std::uint32_t> expected = cells_in_reach(space, split, r);
                Rank rank(cloud, *ends[static_cast<std::size_t>(r)], split, divisions, slowest);
                for (int sort = 0; sort < 2; ++sort) { // from rank 0, then from where they are
                    rank.sort();
                    EXPECT_EQ(rank.cells_with_particles(), expected) << "rank " << r << " of map " << n;
                }
            });
        for (std::thread& thread : threads) thread.join();
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Halo, WorkIsWhatIsComparedAndOneForEachParticle) {
    const clouds::Cloud cloud = clouds::make_cloud({}, {5, 4, 4}); // all within a few cells
    auto ends = make_thread_transports(1);
    Rank rank(cloud, *ends[0]);
    rank.sort();
    const Space space(cloud.setup, 2, 0);
    std::uint64_t expected = 0;
    const auto cells_apart = [&](const Vec3d& a, const Vec3d& b) {
        int most = 0;
        for (int axis = 0; axis < 3; ++axis)
            most = std::max(most, std::abs(static_cast<int>(space.walked_cell(a[axis], axis)) -
                                           static_cast<int>(space.walked_cell(b[axis], axis))));
        return most;
    };
    for (const Vec3d& a : cloud.state.position) {
        ++expected;
        for (const Vec3d& b : cloud.state.position) expected += cells_apart(a, b) <= space.rows.reach;
    }
    EXPECT_EQ(rank.work(), expected);
}
