// SPDX-License-Identifier: Apache-2.0
#include "bench/scaling_prediction.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice::bench;

namespace {

const SimulatedMachine& first_machine() { return simulated_machines().front(); }

double error_at(const ScalingCosts& costs, const SharedStep& s) {
    return predict_step(costs, first_machine(), s.particles, s.gpus, Cut::layers, s.overlap).step() / s.seconds - 1;
}

} // namespace

// The figures of docs/benchmarks.md: how far the model is off the steps that two GPUs were measured to take.
TEST(ScalingPrediction, IsAsFarOffTwoGpusAsItsPageSays) {
    const KnownCosts known = lab_book_costs(first_machine());
    ASSERT_EQ(known.shared.size(), 3u);
    for (const SharedStep& s : known.shared) EXPECT_LT(std::abs(error_at(known.costs, s)), 0.015) << s.particles;
    const double expected[] = {0.079, -0.020, 0.027}; // each from the other two
    for (std::size_t left_out = 0; left_out < 3; ++left_out) {
        std::vector<SharedStep> others = known.shared;
        others.erase(others.begin() + std::ptrdiff_t(left_out));
        const ScalingCosts costs = calibrated(known.costs, first_machine(), others);
        EXPECT_NEAR(error_at(costs, known.shared[left_out]), expected[left_out], 0.004) << left_out;
    }
}

// Two H100: fitted to steps without overlap alone, it tells what they take with it.
TEST(ScalingPrediction, TellsWhatOverlapGains) {
    const std::vector<SharedStep> in_turn{{1013148, 2, 0.454e-3}, {4010760, 2, 1.389e-3}, {14626156, 2, 4.569e-3}};
    const KnownCosts known = costs_of_this_machine(
        "H100", {{171327, 0.182e-3}, {1013148, 0.699e-3}, {4010760, 2.507e-3}, {14626156, 8.629e-3}}, in_turn, 1095,
        first_machine());
    for (const SharedStep& s : {SharedStep{1013148, 2, 0.437e-3, true}, SharedStep{4010760, 2, 1.362e-3, true},
                                SharedStep{14626156, 2, 4.508e-3, true}})
        EXPECT_LT(std::abs(error_at(known.costs, s)), 0.013) << s.particles;
}

TEST(ScalingPrediction, StartsFromTheMeasurementsOfThisMachine) {
    const KnownCosts alone = costs_of_this_machine("a GPU", {{1e6, 2e-3}}, {}, 500, first_machine());
    EXPECT_EQ(alone.costs.one_gpu.seconds(1e6), 2e-3);
    EXPECT_EQ(alone.costs.sharing, lab_book_costs(first_machine()).costs.sharing);
    EXPECT_NE(alone.costs.source.find("H200"), std::string::npos); // whose cost of sharing it is
    const KnownCosts shared = costs_of_this_machine("a GPU", {{1e6, 2e-3}}, {{1e6, 2, 1.5e-3}}, 500, first_machine());
    EXPECT_NEAR(error_at(shared.costs, shared.shared[0]), 0, 1e-9);
    EXPECT_EQ(shared.costs.source.find("H200"), std::string::npos);
}

TEST(ScalingPrediction, ShowsTablesChartsAndEveryAssumption) {
    ExperimentResult result;
    add_prediction(result, lab_book_costs(first_machine()), first_machine());
    EXPECT_EQ(result.charts.size(), 3u);
    ASSERT_EQ(result.tables.size(), 4u);
    for (const ResultTable& table : result.tables) {
        EXPECT_NE(table.source.find("calculated"), std::string::npos);
        for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.caption;
    }
    const auto& strong = result.tables[1].rows;
    for (const char* gpus : {"64", "512", "4096"})
        EXPECT_TRUE(std::ranges::any_of(strong, [&](const auto& row) { return row[1] == gpus; })) << gpus;
    // 1 G particles do not fit into two GPUs, and 59.8 G cannot be numbered
    EXPECT_TRUE(std::ranges::none_of(strong, [](const auto& row) { return row[0] == "1 G" && row[1] == "2"; }));
    EXPECT_NE(result.tables[2].rows.back()[0].find('*'), std::string::npos);
    std::string words;
    for (const std::string& sentence : result.estimated) words += sentence;
    for (const char* assumption : {"assumptions", "386 GB/s", "10 µs", "votes", "halo is 7.62", "32 bytes", "renewed",
                                   "does not exist yet", "4.29 G"})
        EXPECT_NE(words.find(assumption), std::string::npos) << assumption;
}
