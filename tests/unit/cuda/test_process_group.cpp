// SPDX-License-Identifier: Apache-2.0
#include "cuda/shares/process_group.h"

#include "core/error.h"
#include "ranks/thread_transport.h"
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace sluice;
using namespace sluice::cuda;

namespace {

/// Has each of some processes, which are threads here, do something with its end of the transport.
void on_all(int processes, const std::function<void(std::size_t, Transport&)>& work) {
    const auto ends = make_thread_transports(processes);
    std::vector<std::thread> threads;
    for (std::size_t p = 0; p < ends.size(); ++p) threads.emplace_back([&, p] { work(p, *ends[p]); });
    for (std::thread& thread : threads) thread.join();
}

} // namespace

TEST(ProcessGroup, DevicesAreNumberedProcessByProcess) {
    on_all(3, [](std::size_t p, Transport& end) {
        const ProcessGroup group(&end, p + 1); // 0 | 1 2 | 3 4 5
        EXPECT_FALSE(group.alone());
        EXPECT_EQ(group.devices(), 6u);
        EXPECT_EQ(group.processes(), 3u);
        EXPECT_EQ(group.first(), p * (p + 1) / 2);
        const std::size_t of[] = {0, 1, 1, 2, 2, 2};
        for (std::size_t d = 0; d < 6; ++d) {
            EXPECT_EQ(group.process_of(d), of[d]);
            EXPECT_EQ(group.is_here(d), of[d] == p);
        }
    });
}

TEST(ProcessGroup, AllKnowWhatEachHasOfItsDevices) {
    on_all(3, [](std::size_t p, Transport& end) {
        const ProcessGroup group(&end, p + 1);
        std::vector<double> numbers(6, -1);
        std::vector<std::vector<int>> lists(6);
        for (std::size_t d = 0; d < 6; ++d)
            if (group.is_here(d)) {
                numbers[d] = 10.0 * double(d);
                lists[d].resize(d);
                std::iota(lists[d].begin(), lists[d].end(), int(d));
            }
        group.complete(numbers);
        group.complete(lists);
        for (std::size_t d = 0; d < 6; ++d) {
            EXPECT_EQ(numbers[d], 10.0 * double(d));
            ASSERT_EQ(lists[d].size(), d);
            if (d > 0) {
                EXPECT_EQ(lists[d].back(), int(2 * d - 1));
            }
        }
        EXPECT_EQ(group.largest(int(p)), 2);
        EXPECT_EQ(group.smallest(double(p)), 0);
        EXPECT_TRUE(group.any(p == 1));
        EXPECT_FALSE(group.all(p == 1));
        EXPECT_TRUE(group.all(true));
        EXPECT_FALSE(group.any(false));
    });
}

TEST(ProcessGroup, AProcessAloneHasAllDevices) {
    const ProcessGroup alone(nullptr, 4);
    EXPECT_TRUE(alone.alone());
    EXPECT_EQ(alone.devices(), 4u);
    EXPECT_EQ(alone.first(), 0u);
    EXPECT_TRUE(alone.is_here(3));
    std::vector<int> numbers{1, 2, 3, 4};
    alone.complete(numbers);
    EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3, 4}));
    EXPECT_EQ(alone.largest(7), 7);
    EXPECT_FALSE(alone.all(false));
}

TEST(ProcessGroup, MoreDevicesThanCanShareARunAreRefusedByAll) {
    on_all(3, [](std::size_t, Transport& end) { EXPECT_THROW(ProcessGroup(&end, 11), InputError); });
}

TEST(ProcessGroup, ProcessesOfAHostTakeItsDevicesInTurn) {
    on_all(3, [](std::size_t p, Transport& end) {
        const int first = int(2 * p);
        EXPECT_EQ(devices_of_process(end, 0, 2, 8), (std::vector<int>{first, first + 1}));
        EXPECT_EQ(devices_of_process(end, 1, 2, 8), (std::vector<int>{first + 1, first + 2}));
        EXPECT_EQ(devices_of_process(end, 0, 1, 2), std::vector<int>{int(p) % 2});
        EXPECT_EQ(devices_of_process(end, 0, 2, 1), (std::vector<int>{0, 0}));
    });
}
