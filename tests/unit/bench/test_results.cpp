// SPDX-License-Identifier: Apache-2.0
#include "bench/bench_page.h"
#include "bench/paper_numbers.h"
#include "bench/result_files.h"
#include "core/error.h"
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace sluice;
using namespace sluice::bench;

namespace {

Measurement measurement_of(std::initializer_list<double> walls) {
    Measurement m;
    m.variant = "fast, \"really\"";
    m.particles = 1000;
    m.memory_bytes = 200000;
    for (const double wall : walls) m.samples.push_back({10, wall, {0.1, 0.7, 0.2, 0}});
    return m;
}

ExperimentResult result_of() {
    ExperimentResult result;
    result.name = "cpu-threads";
    result.title = "A <title>";
    result.measurements.push_back(measurement_of({1, 3, 2}));
    result.tables.push_back({"A table", "measured", {"a", "b"}, {{"1", "2"}}});
    result.estimated.push_back("This was estimated.");
    return result;
}

} // namespace

TEST(BenchMeasurement, MedianAndSpreadOfTheSamples) {
    const Measurement odd = measurement_of({1, 30, 2}), even = measurement_of({4, 1, 3, 2});
    EXPECT_DOUBLE_EQ(odd.seconds_per_step(), 0.2);
    EXPECT_DOUBLE_EQ(odd.slowest(), 3);
    EXPECT_DOUBLE_EQ(odd.fastest(), 0.1);
    EXPECT_DOUBLE_EQ(even.seconds_per_step(), 0.25);
    EXPECT_DOUBLE_EQ(odd.particle_steps_per_second(), 5000);
    EXPECT_DOUBLE_EQ(odd.phases_per_step().interaction, 0.07);
}

TEST(BenchFiles, CsvHasALineASampleAndUnits) {
    std::istringstream lines(result_csv(result_of()));
    std::string header, line;
    std::getline(lines, header);
    EXPECT_NE(header.find("wall [s]"), std::string::npos);
    int count = 0;
    for (; std::getline(lines, line); ++count) EXPECT_NE(line.find("\"fast, \"\"really\"\"\""), std::string::npos);
    EXPECT_EQ(count, 3);
}

TEST(BenchFiles, JsonHoldsMachineCommandAndRawSamples) {
    Machine machine;
    machine.processor = "a processor";
    machine.program.command = "sluice bench cpu-threads";
    const auto json = nlohmann::json::parse(result_json(result_of(), machine));
    EXPECT_EQ(json["machine"]["processor"], "a processor");
    EXPECT_EQ(json["command"], "sluice bench cpu-threads");
    EXPECT_EQ(json["measurements"][0]["samples"].size(), 3u);
    EXPECT_EQ(json["measurements"][0]["median_s_per_step"], 0.2);
    EXPECT_EQ(json["estimated"][0], "This was estimated.");
}

TEST(BenchPage, ShowsEverySectionAndWhatDidNotRun) {
    ExperimentResult absent;
    absent.name = "gpu-stages";
    absent.unavailable = "needs a GPU";
    const std::string page = bench_page({result_of(), absent}, {});
    for (const char* part : {"id=\"cpu-threads\"", "id=\"gpu-stages\"", "needs a GPU", "A &lt;title&gt;",
                             "This was estimated.", "A table"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST(PaperNumbers, BelongToExperimentsAndAreFoundByTheCharts) {
    for (const PaperNumber& n : paper_numbers()) {
        EXPECT_NO_THROW(find_experiment(n.experiment)) << n.experiment;
        EXPECT_EQ(paper_number(n.experiment, n.quantity, n.version, n.particles), n.value)
            << "twice: " << n.experiment << " " << n.version;
    }
    EXPECT_TRUE(std::isnan(paper_number("cpu-threads", "speed-up over the single core", "16", 300000)));
}

TEST(BenchMeasurement, BalanceAndExposedCommunicationOfRanks) {
    Measurement m = measurement_of({2, 4, 1});
    EXPECT_DOUBLE_EQ(m.balance(), 1);
    EXPECT_TRUE(std::isnan(m.exposed_communication()));
    m.samples[0].ranks = {{100, 0.9, 0.3}, {200, 1.1, 0.1}}; // 1.1/1.0, 0.2/2
    m.samples[1].ranks = {{100, 1, 1}, {200, 3, 3}};         // 3/2, 2/4
    m.samples[2].ranks = {{100, 0.6, 0.3}, {200, 0.4, 0.1}}; // 0.6/0.5, 0.2/1
    EXPECT_DOUBLE_EQ(m.balance(), 1.2);
    EXPECT_DOUBLE_EQ(m.exposed_communication(), 0.2);
    Measurement gpus = measurement_of({1});
    gpus.backend.gpus = {{0, "a GPU", 0, 5, 300, 0.2}, {1, "a GPU", 5, 9, 500, 0.05}};
    EXPECT_DOUBLE_EQ(gpus.balance(), 1.25);
    EXPECT_DOUBLE_EQ(gpus.exposed_communication(), 0.05);
}

TEST(BenchFiles, JsonTellsWhatEachRankAndGpuHasDone) {
    ExperimentResult result = result_of();
    result.measurements[0].samples[0].ranks = {{100, 0.9, 0.3}, {200, 1.1, 0.1}};
    result.measurements[0].backend.gpus = {{3, "a GPU", 0, 5, 300, 0.25}};
    const auto m = nlohmann::json::parse(result_json(result, {}))["measurements"][0];
    EXPECT_EQ(m["samples"][0]["ranks"][1]["interaction_s"], 1.1);
    EXPECT_EQ(m["samples"][0]["ranks"][1]["exchange_s"], 0.1);
    EXPECT_FALSE(m["samples"][1].contains("ranks"));
    EXPECT_EQ(m["gpus"][0]["device"], 3);
    EXPECT_EQ(m["gpus"][0]["fluid_particles"], 300);
    EXPECT_EQ(m["gpus"][0]["waiting"], 0.25);
}

TEST(Experiments, AreThoseOfTheTable) {
    std::set<std::string> names;
    for (const Experiment& e : experiments()) names.insert(e.name);
    EXPECT_EQ(names.size(), 16u);
    EXPECT_THROW(find_experiment("nonsense"), InputError);
}
