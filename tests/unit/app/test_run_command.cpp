// SPDX-License-Identifier: Apache-2.0
#include "app/folder_lock.h"
#include "app/interrupt.h"
#include "app/prepared_run.h"
#include "commands.h"
#include "io/files/csv.h"
#include "io/records/run_json.h"
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <regex>
#include <sys/resource.h>

// What runs leave and tell, beside the tables of the run book.

using namespace sluice;
using namespace sluice::test;
namespace fs = std::filesystem;

namespace {

class RunCommand : public Commands {};

} // namespace

// The numbers that the others are compared with begin from these.
TEST_F(RunCommand, TheFirstRowOfFlowIsWhatAPencilMakesOfIt) {
    run(named("times of frames"), {"--steps", "1", "--pictures", "0"});
    std::vector<std::string> rows = lines_of(std::ifstream(data.path() / "out/flow.csv"));
    std::erase_if(rows, [](const std::string& row) { return row.starts_with('#'); });
    ASSERT_GE(rows.size(), 2U);
    const auto cells = [](const std::string& row) {
        std::vector<std::string> all;
        std::istringstream in(row);
        for (std::string cell; std::getline(in, cell, ',');) all.push_back(cell);
        return all;
    };
    const std::vector<std::string> titles = cells(rows[0]), first = cells(rows[1]);
    const auto value = [&](const std::string& title) {
        const auto place = std::ranges::find(titles, title) - titles.begin();
        return std::stod(first.at(std::size_t(place)));
    };
    EXPECT_EQ(value("n_fluid"), 1089);
    EXPECT_NEAR(value("mass [kg]"), 1089, 1e-9); // 11 by 11 by 9 particles of 1 kg
    EXPECT_NEAR(value("z_centroid [m]"), 0.5, 1e-12);
    EXPECT_NEAR(value("z_max [m]"), 0.9, 1e-12);
    EXPECT_NEAR(value("potential_energy [J]"), 1089 * 9.81 * 0.5, 1e-8);
    EXPECT_EQ(value("kinetic_energy [J]"), 0);
}

TEST_F(RunCommand, NoStepsLeaveTheFirstStateAlone) {
    run(named("lattice"), {"--steps", "0", "--pictures", "0"});
    std::vector<std::string> rows = lines_of(std::ifstream(data.path() / "out/flow.csv"));
    std::erase_if(rows, [](const std::string& row) { return row.starts_with('#'); });
    ASSERT_EQ(rows.size(), 2U); // titles, and the state of time 0
    EXPECT_TRUE(rows[1].starts_with("0,0,")) << rows[1];
}

TEST_F(RunCommand, AFailedRunTellsHowFarItCame) {
    const fs::path out = data.path() / "out";
    const std::vector<std::string> said = run(named("constants outright"), {"--set", "RhopOutMax=1002", "--pictures",
                                                                            "0", "--tout", "0.001", "--steps", "200"});
    ASSERT_EQ(said.size(), 2u);
    EXPECT_EQ(said[0], "exit code 6");
    EXPECT_TRUE(said[1].starts_with("error: the run has blown up")) << said[1];
    const auto record = nlohmann::json::parse(std::ifstream(out / "run.json"));
    EXPECT_EQ(record["outcome"], "blown_up");
    EXPECT_EQ(record["status"], "failed");
    EXPECT_EQ(record["exit_code"], 6);
    EXPECT_EQ("error: " + record["message"].get<std::string>(), said[1]);
    EXPECT_GT(record["steps"], 2);
    EXPECT_LT(record["steps"], 200);
    EXPECT_GT(record["frames"], 1);
    EXPECT_GT(record["excluded"]["density"], 2178 / 10);
    EXPECT_GT(record["particle_steps_per_second"], 0);
    const std::vector<std::string> rows = lines_of(std::ifstream(out / "excluded.csv"));
    EXPECT_EQ(std::ranges::count_if(rows, [](const std::string& row) { return row.find("density,") != row.npos; }),
              record["excluded"]["density"]);
    // what has blown up does so again
    const std::vector<std::string> again = command({"run", "--resume", out, "-q"});
    ASSERT_EQ(again.size(), 2u);
    EXPECT_EQ(again[0], "exit code 6");
}

TEST_F(RunCommand, ProbesAreSampledAtTheirTimes) {
    std::ofstream(data.path() / "probes.txt") << "# x y z\n0.5 0.5 0.3\n0.5 0.5 7\n";
    run(named("times of frames"),
        {"--pictures", "0", "--probes", data.path() / "probes.txt", "--probes-dt", "0.003", "--tmax", "0.0085"});
    std::vector<std::string> rows = lines_of(std::ifstream(data.path() / "out/probes.csv"));
    std::erase_if(rows, [](const std::string& row) { return row.starts_with('#'); });
    ASSERT_EQ(rows.size(), 7u); // titles, and two probes at the times 0, 0.003 and 0.006
    for (std::size_t k = 0; k < 6; ++k) {
        const std::vector<std::string> cells = split_csv_line(rows[k + 1]); // time, probe, place, fraction, values
        EXPECT_NEAR(csv_number(cells[0]), 0.003 * double(k / 2), 0.001);
        EXPECT_EQ(csv_number(cells[1]), k % 2);
        EXPECT_EQ(csv_number(cells[2]), 0.5);
        EXPECT_EQ(csv_number(cells[4]), k % 2 == 0 ? 0.3 : 7);
        if (k % 2 == 0) { // in the water, that of the other is nowhere near
            EXPECT_NEAR(csv_number(cells[5]), 1, 0.1);
        } else {
            EXPECT_EQ(csv_number(cells[5]), 0);
        }
        EXPECT_EQ(std::isnan(csv_number(cells[6])), k % 2 == 1);
    }
}

TEST_F(RunCommand, CheckpointsAreWrittenAtTheirTimes) {
    const fs::path out = data.path() / "out";
    run(named("constants outright"),
        {"--pictures", "0", "--tmax", "0.01", "--tout", "0.002", "--checkpoint-dt", "0.004"});
    const auto left = std::distance(fs::directory_iterator(out / "checkpoints"), {});
    EXPECT_EQ(left, 2); // the newest ones: of 0.008 and of the end
    fs::remove_all(out);
    run(named("constants outright"), {"--pictures", "0", "--tmax", "0.01", "--tout", "0.002"});
    EXPECT_EQ(std::distance(fs::directory_iterator(out / "checkpoints"), {}), 1);
}

// Which leaves what has been computed, with a checkpoint to go on from.
TEST_F(RunCommand, ATimeLimitStopsARun) {
    const fs::path out = data.path() / "out";
    const std::vector<std::string> said =
        run(named("constants outright"), {"--pictures", "0", "--tmax", "1000", "--time-limit", "1", "--set",
                                          "StepAlgorithm=2", "--set", "DensityDT=2"});
    catch_interrupts() = 0; // for other runs of this process
    EXPECT_EQ(said, (std::vector<std::string>{"exit code 4"}));
    const auto record = nlohmann::json::parse(std::ifstream(out / "run.json"));
    EXPECT_EQ(record["outcome"], "time_limit");
    EXPECT_EQ(record["message"], "the time that the run may take on this machine is up");
    const int steps = record["steps"];
    EXPECT_GT(steps, 0);
    EXPECT_EQ(command({"run", "--resume", out, "--steps", std::to_string(steps + 2), "-q"}),
              std::vector<std::string>{});
    EXPECT_EQ(nlohmann::json::parse(std::ifstream(out / "run.json"))["steps"], steps + 2);
}

TEST_F(RunCommand, ADiskThatIsFullFailsTheRunAndIsTold) {
    const fs::path out = data.path() / "out";
    struct Limit { // of the size of files
        Limit() {
            getrlimit(RLIMIT_FSIZE, &before);
            const rlimit small{70'000, before.rlim_max};
            setrlimit(RLIMIT_FSIZE, &small);
            handler = std::signal(SIGXFSZ, SIG_IGN);
        }
        ~Limit() {
            setrlimit(RLIMIT_FSIZE, &before);
            std::signal(SIGXFSZ, handler);
        }
        rlimit before{};
        void (*handler)(int) = nullptr;
    };
    std::vector<std::string> said;
    {
        const Limit limit;
        said = run(named("constants outright"),
                   {"--pictures", "0", "--tout", "0.001", "--steps", "20", "--compression", "0"});
    }
    EXPECT_NE(joined(said).find("File too large"), std::string::npos) << joined(said);
    const auto record = nlohmann::json::parse(std::ifstream(out / "run.json"));
    EXPECT_EQ(record["status"], "failed");
    EXPECT_EQ(record["outcome"], "output_failed");
    EXPECT_TRUE(record["message"].get<std::string>().ends_with(said.at(0).substr(std::string("stops: ").size())));
    EXPECT_FALSE(fs::exists(out / "run.lock"));
}

// Results are not lost by a second call; with --overwrite they are replaced, and what is not a run's stays.
TEST_F(RunCommand, AFolderOfResultsIsReplacedIfThatIsAskedForAlone) {
    const fs::path out = data.path() / "out";
    run(named("constants outright"), {"--pictures", "0", "--steps", "0"}); // for its case
    fs::remove_all(out);
    const auto call = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"run", data.path() / "case.xml", "-o", out, "--backend", "cpu", "-q"};
        words.insert(words.end(), {"--threads", "1", "--pictures", "0"});
        words.insert(words.end(), more.begin(), more.end());
        return command(words);
    };
    ASSERT_EQ(call({"--steps", "9", "--tout", "0.001"}), std::vector<std::string>{});
    const auto frames = std::distance(fs::directory_iterator(out / "frames"), {});
    EXPECT_EQ(
        call({"--steps", "2"}),
        std::vector<std::string>{"stops: out: holds the results of an earlier run (frames); choose another folder "
                                 "with -o, or replace them with --overwrite"});
    EXPECT_EQ(std::distance(fs::directory_iterator(out / "frames"), {}), frames);
    fs::remove_all(out / "frames");
    EXPECT_EQ(call({"--steps", "2"}).size(), 1u); // of the rest, too
    std::ofstream(out / "notes.txt") << "mine";
    std::ofstream(out / "report.html") << "of the run before";
    EXPECT_EQ(call({"--steps", "2", "--overwrite"}), std::vector<std::string>{});
    EXPECT_EQ(nlohmann::json::parse(std::ifstream(out / "run.json"))["steps"], 2);
    EXPECT_TRUE(fs::exists(out / "notes.txt"));
    EXPECT_FALSE(fs::exists(out / "report.html"));
    std::ofstream(data.path() / "file") << "x";
    EXPECT_EQ(command({"run", data.path() / "case.xml", "-o", data.path() / "file"}),
              std::vector<std::string>{"stops: file: is not a folder; choose another with -o"});
}

// Who is told to replace the results of a run that goes on would lose it.
TEST_F(RunCommand, AFolderOfARunThatGoesOnIsLeftAlone) {
    const fs::path out = data.path() / "out";
    run(named("constants outright"), {"--pictures", "0", "--steps", "0"});
    const FolderLock other(out);
    for (const bool overwrite : {false, true}) {
        std::vector<std::string> words{"run", data.path() / "case.xml", "-o", out, "--backend", "cpu", "-q"};
        if (overwrite) words.emplace_back("--overwrite");
        const std::vector<std::string> said = command(words);
        ASSERT_EQ(said.size(), 1u);
        EXPECT_TRUE(said[0].starts_with("stops: out: a run is alive in this folder")) << said[0];
        EXPECT_TRUE(fs::exists(out / "frames"));
    }
}

TEST_F(RunCommand, ARunDrawsAsManyPicturesAsAreAskedFor) {
    const fs::path out = data.path() / "out";
    run(named("gauges in a plane"), {"--pictures", "2", "--steps", "9", "--tout", "0.001"});
    EXPECT_EQ(std::distance(fs::directory_iterator(out / "pictures"), {}), 2);
    auto record = nlohmann::json::parse(std::ifstream(out / "run.json"));
    EXPECT_GT(record["phases"]["pictures"], 0);
    const int last = record["frames"].get<int>() - 1;
    EXPECT_TRUE(fs::exists(out / "pictures" / fmt::format("frame_{:06}.png", last)));
    fs::remove_all(out);
    run(named("gauges in a plane"), {"--pictures", "0", "--steps", "9", "--tout", "0.001"});
    EXPECT_FALSE(fs::exists(out / "pictures"));
    record = nlohmann::json::parse(std::ifstream(out / "run.json"));
    EXPECT_FALSE(record["phases"].contains("pictures"));
}

TEST_F(RunCommand, ARunTellsWhatItDoesAndHowItEnded) {
    std::ofstream(data.path() / "case.xml") << text_of(named("times of frames").blocks);
    std::vector<std::string> words{"run", data.path() / "case.xml", "-o", data.path() / "out"};
    for (const char* word : {"--backend", "cpu", "--threads", "1", "--simd", "off", "--cpu-mode", "symmetric",
                             "--cells", "h", "--pictures", "0", "--steps", "7"})
        words.emplace_back(word);
    const std::vector<std::string> lines = command(words);
    const auto has = [&](const std::string& pattern) {
        const std::regex wanted(pattern);
        EXPECT_EQ(
            std::ranges::count_if(lines, [&](const std::string& line) { return std::regex_search(line, wanted); }), 1)
            << pattern << " in\n"
            << joined(lines);
    };
    has(R"(^Sluice \S+: case\.xml$)");
    has(R"(^1210 particles \(1089 fluid, 121 boundary\), dp = 0\.1 m, h = )");
    has(R"(^cpu: symmetric, cells h, \S.*, 1 thread, [\d.]+ MB$)");
    has("^results in out$");
    has(R"(^step_limit: t = \S+ s after 7 steps in .* steps/s, .* M particle-steps/s, 1 thread\)$)");
    has(R"(^energy since the start: kinetic \S+ J, potential [+-]\S+ J, internal \S+ J, compression of walls \S+ J, excluded 0 J, dissipated )");
    has("^the 7 steps of --steps are done$");
    has(R"(^open out/fluid\.vtkhdf in ParaView, out/fluid\.xdmf before 5\.12, or load out/view\.py as a state; figures in out/run\.json$)");
    EXPECT_EQ(std::ranges::count_if(lines, [](const std::string& line) { return line.starts_with("to go on"); }), 0);
    const std::string log = joined(lines_of(std::ifstream(data.path() / "out/run.log")));
    EXPECT_NE(log.find("Z I results in "), log.npos);
    EXPECT_NE(log.find("Z I the 7 steps of --steps are done\n"), log.npos);
}

// Commands read constants, domain and period of a run back from its record.
TEST_F(RunCommand, ItsRecordHoldsTheSetUp) {
    for (const char* name : {"periodic with a step", "periodic across", "viscosity in time", "parameters"}) {
        SCOPED_TRACE(name);
        run(named(name), {"--pictures", "0", "--steps", "0"});
        const RunSetup stored = read_run_setup(data.path() / "out/run.json");
        BackendOptions cpu;
        cpu.kind = BackendKind::cpu;
        const RunSetup made = prepare_run(data.path() / "case.xml", {}, cpu).setup;
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_EQ(stored.period.periodic[axis], made.period.periodic[axis]);
            EXPECT_EQ(stored.period.shift[axis], made.period.shift[axis]);
        }
        EXPECT_EQ(stored.domain.min, made.domain.min);
        EXPECT_EQ(stored.domain.max, made.domain.max);
        EXPECT_EQ(stored.constants.h, made.constants.h);
        EXPECT_EQ(stored.constants.viscosity, made.constants.viscosity);
    }
}
