// SPDX-License-Identifier: Apache-2.0
#include "backends/particle_clouds.h"
#include "cpu/halo.h"
#include "cpu/row_work.h"
#include "ranks/thread_transport.h"
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace sluice;
using namespace sluice::cpu;

namespace {

/// The sorted fluid of a cloud on one of several ranks, without walls.
class Rank {
public:
    Rank(const clouds::Cloud& cloud, Transport& transport)
        : space_(cloud.setup, 2, 0), halo_(cloud.setup, space_, threads_, &transport), none_(space_, threads_, false),
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
