// SPDX-License-Identifier: Apache-2.0
#include "backends/particle_clouds.h"
#include "cpu/halo.h"
#include "cpu/row_work.h"
#include "ranks/thread_transport.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <thread>

using namespace sluice;
using namespace sluice::cpu;

namespace {

/// The sorted fluid of a cloud on one of several ranks, without walls.
class Rank {
public:
    Rank(const clouds::Cloud& cloud, Transport& transport)
        : space_(cloud.setup, 2, 0), halo_(space_, threads_, &transport, false), none_(space_, threads_, false),
          fluid_(space_, threads_, false) {
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
        for (std::uint32_t i = fluid_.own.begin; i < fluid_.own.end; ++i) {
            Vec3d& p = fluid_.state.position[i];
            const double way = space_.cell.x * (double(fluid_.state.id[i] % 3) - 1);
            p.x = std::clamp(p.x + way, 0.0, space_.size.x);
            fluid_.state.key[i] = space_.key(p);
        }
        for (std::uint32_t k = 0; k < 40; ++k)
            fluid_.newcomers.push_back({1000000 + k, cloud.state.position[29 * k], Flow{}});
        fluid_.newcomers.push_back({2000000, {-1, 0, 0}, Flow{}}); // not in the domain
    }
    std::vector<std::uint32_t> own_ids() const {
        return {fluid_.state.id.data() + fluid_.own.begin, fluid_.state.id.data() + fluid_.own.end};
    }
    Halo& halo() { return halo_; }
    std::uint64_t work() const {
        const std::vector<std::uint64_t> rows = work_of_rows(view());
        return std::accumulate(rows.begin(), rows.end(), std::uint64_t(0));
    }
    std::uint32_t own() const { return fluid_.own.count(); }

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

} // namespace

TEST(Halo, BalancesBadCutsOnceAndThenLetsThemBe) {
    constexpr int count = 3;
    const clouds::Cloud cloud = clouds::make_cloud({}, {60, 5, 6});
    auto ends = make_thread_transports(count);
    std::vector<std::uint64_t> work(count), before(count);
    std::vector<std::thread> threads;
    for (int r = 0; r < count; ++r)
        threads.emplace_back([&, r] {
            const auto at = static_cast<std::size_t>(r);
            Rank rank(cloud, *ends[at]);
            rank.cut_badly();
            rank.sort();
            before[at] = rank.own();
            EXPECT_TRUE(rank.balance());
            rank.sort();
            work[at] = rank.work();
            EXPECT_FALSE(rank.balance());
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(*std::ranges::max_element(before), cloud.state.size());
    const std::uint64_t all = std::accumulate(work.begin(), work.end(), std::uint64_t(0));
    for (const std::uint64_t one : work) EXPECT_NEAR(double(one), double(all) / count, 0.05 * double(all));
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
