// SPDX-License-Identifier: Apache-2.0
#include "app/backend_choice.h"
#include "backends/particle_clouds.h"
#include "core/error.h"
#include "ranks/thread_transport.h"
#include <gtest/gtest.h>

using namespace sluice;

namespace {

double sum(const std::vector<RankMemory>& ranks, std::size_t first_ones) {
    double bytes = 0;
    for (std::size_t r = 0; r < first_ones; ++r) bytes += ranks[r].bytes;
    return bytes;
}

/// What is said where so many bytes are free; empty: they do.
std::string refusal(const clouds::Cloud& cloud, const BackendOptions& options, double available) {
    try {
        require_rank_memory(cloud.setup, cloud.state, options, available);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST(RankMemory, RanksOfOneProcessThatDoNotFitAreToldHowManyWould) {
    const clouds::Cloud cloud = clouds::make_cloud({}, {60, 20, 20});
    BackendOptions options;
    options.ranks = 3;
    const double three = sum(rank_memory(cloud.setup, cloud.state, options), 3);
    options.ranks = 6;
    const double six = sum(rank_memory(cloud.setup, cloud.state, options), 6);
    EXPECT_EQ(refusal(cloud, options, six), "");
    EXPECT_NE(refusal(cloud, options, three).find("are free: 3 ranks would fit, or use a larger dp"), std::string::npos)
        << refusal(cloud, options, three);
    EXPECT_EQ(refusal(cloud, options, 1000).find("would fit"), std::string::npos) << refusal(cloud, options, 1000);
    options.ranks = 1; // alone it is as without ranks
    EXPECT_EQ(refusal(cloud, options, 1000), "");
    options.ranks.reset();
    EXPECT_EQ(refusal(cloud, options, 1000), "");
}

// Each host has as many of more processes, and so a smaller part of the run.
TEST(RankMemory, OfProcessesMoreMayFit) {
    const clouds::Cloud cloud = clouds::make_cloud({}, {60, 20, 20});
    const auto ends = make_thread_transports(2); // both here
    BackendOptions options;
    options.processes = ends[0].get();
    const double two = sum(rank_memory(cloud.setup, cloud.state, options), 2);
    BackendOptions of_four;
    of_four.ranks = 4;
    const double two_of_four = sum(rank_memory(cloud.setup, cloud.state, of_four), 2);
    ASSERT_LT(two_of_four, two);
    EXPECT_EQ(refusal(cloud, options, two), "");
    EXPECT_NE(refusal(cloud, options, two_of_four).find("4 processes, as many on each host, would fit"),
              std::string::npos)
        << refusal(cloud, options, two_of_four);
}
