// SPDX-License-Identifier: Apache-2.0
#include "app/interrupt.h"
#include "app/launched.h"
#include "app/version.h"
#include "backend/modes.h"
#include "commands.h"
#include "cpu/cpu_backend.h"
#include "cpu/processor.h"
#include "io/csv.h"
#include "io/picture.h"
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sys/resource.h>
#include <tuple>

// What the commands do, beside the tables of the run book.

using namespace sluice;
using namespace sluice::test;
namespace fs = std::filesystem;

namespace {

std::string joined(const std::vector<std::string>& lines) {
    return std::accumulate(lines.begin(), lines.end(), std::string(),
                           [](const std::string& all, const std::string& line) { return all + line + "\n"; });
}

/// A variable of the environment, until the end of the scope.
class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
    ~Variable() { ::unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
};

} // namespace

// The numbers that the others are compared with begin from these.
TEST_F(Commands, TheFirstRowOfFlowIsWhatAPencilMakesOfIt) {
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

TEST_F(Commands, NoStepsLeaveTheFirstStateAlone) {
    run(named("lattice"), {"--steps", "0", "--pictures", "0"});
    std::vector<std::string> rows = lines_of(std::ifstream(data.path() / "out/flow.csv"));
    std::erase_if(rows, [](const std::string& row) { return row.starts_with('#'); });
    ASSERT_EQ(rows.size(), 2U); // titles, and the state of time 0
    EXPECT_TRUE(rows[1].starts_with("0,0,")) << rows[1];
}

TEST_F(Commands, PicturesAreOfWhatWasAskedForOrAreRefused) {
    const fs::path out = data.path() / "out", png = data.path() / "p.png";
    run(named("gauges in a plane"), {"--pictures", "0", "--steps", "40", "--tout", "0.002"});
    const auto draw = [&](std::vector<std::string> words) {
        fs::remove(png);
        words.insert(words.begin(), {"picture", out, "-o", png});
        const std::vector<std::string> lines = command(words);
        return lines.empty() ? std::string() : lines.front();
    };
    const auto size = [&](bool height) {
        std::ifstream file(png, std::ios::binary);
        file.seekg(height ? 20 : 16);
        int value = 0;
        for (int n = 0; n < 4; ++n) value = 256 * value + file.get();
        return value;
    };
    EXPECT_EQ(draw({}), "p.png");
    EXPECT_EQ(size(false), PictureOptions().width);
    EXPECT_EQ(draw({"--time", "0.004", "--width", "700", "--height", "400", "--colour", "mk", "--range", "0", "1"}),
              "p.png");
    EXPECT_EQ(size(true), 400);
    EXPECT_LT(size(false), 700); // so high that it is narrower
    draw({"--width", "700"});
    EXPECT_EQ(size(false), 700);
    EXPECT_TRUE(
        draw({"--time", "9"}).starts_with("stops: picture: --time 9: no frame is near to it; they go from 0 to"));
    EXPECT_EQ(draw({"--range", "3", "1"}), "stops: --range: the low end is not below the high one (3 1)");
    EXPECT_EQ(draw({"--range", "3", "3"}), "stops: --range: the low end is not below the high one (3 3)");
    EXPECT_EQ(draw({"--colour", "vorticity"}),
              "stops: out: the frames do not hold vorticity: take another --colour, or run with --fields +vorticity");
    EXPECT_TRUE(
        draw({"--crop", "5", "0", "5", "6", "1", "6"}).starts_with("stops: --crop: no particle lies in the box"));
    EXPECT_EQ(draw({"--azimuth", "10"}),
              "warning: --azimuth, --elevation: the case has two dimensions and is seen from the "
              "side; they change nothing");
    EXPECT_TRUE(fs::exists(png));
    EXPECT_TRUE(draw({"--frame", "77"}).starts_with("stops: "));
    EXPECT_FALSE(fs::exists(png));
}

// A time that lies between frames means the nearest; frames that somebody has removed are told of.
TEST_F(Commands, TimesMeanTheNearestFrameAndGapsAreToldOf) {
    const fs::path out = data.path() / "out", table = data.path() / "p.csv";
    run(named("constants outright"), {"--pictures", "0", "--steps", "40", "--tout", "0.002"});
    const auto measured = [&](const char* from, const char* to) {
        const std::vector<std::string> lines =
            command({"measure", out, "--point", "0.5", "0.5", "0.3", "--from", from, "--to", to, "-o", table});
        std::vector<double> times;
        for (const std::string& row : lines_of(std::ifstream(table)))
            if (!row.starts_with('#') && !row.starts_with("time")) times.push_back(std::stod(row));
        fs::remove(table);
        return times;
    };
    for (const auto& [from, to, first, last] :
         std::vector<std::tuple<const char*, const char*, double, double>>{{"0.0042", "0.0042", 0.004, 0.004},
                                                                           {"0.0058", "0.0058", 0.006, 0.006},
                                                                           {"0", "0", 0, 0},
                                                                           {"0.003", "0.0091", 0.004, 0.008}}) {
        const std::vector<double> times = measured(from, to);
        ASSERT_EQ(times.size(), static_cast<std::size_t>(std::lround((last - first) / 0.002)) + 1) << from;
        EXPECT_NEAR(times.front(), first, 0.0007) << from;
        EXPECT_NEAR(times.back(), last, 0.0007) << from;
    }
    EXPECT_TRUE(measured("7", "9").empty());
    EXPECT_TRUE(measured("7", "7").empty());

    const auto told = [&] {
        for (const std::string& line : command({"measure", out, "--point", "0.5", "0.5", "0.3", "-o", table}))
            if (line.starts_with("warning")) return line;
        return std::string();
    };
    EXPECT_EQ(told(), "");
    fs::remove(out / "frames/frame_000001.h5");
    EXPECT_EQ(told(), "warning: out: a frame is missing from the series (1)");
    for (const char* number : {"2", "3", "5", "6", "7"})
        fs::remove(out / "frames" / ("frame_00000" + std::string(number) + ".h5"));
    EXPECT_EQ(told(), "warning: out: frames are missing from the series (1, 2, 3, 5, 6, …)");
}

TEST_F(Commands, AFailedRunTellsHowFarItCame) {
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

TEST_F(Commands, InfoTellsWhatProgramAndMachineCan) {
    const auto info = nlohmann::json::parse(joined(command({"info", "--json"})));
    EXPECT_EQ(info["version"], version);
    EXPECT_EQ(info["threads"], default_threads());
    EXPECT_EQ(info["cuda"], bool(SLUICE_HAVE_CUDA));
    const auto options_of = [](const nlohmann::json& list) {
        std::vector<std::string> all;
        for (const auto& entry : list) all.push_back(entry["option"]);
        return all;
    };
    EXPECT_EQ(options_of(info["cpu_modes"]), (std::vector<std::string>{"asymmetric", "symmetric", "slices"}));
    EXPECT_EQ(options_of(info["cells"]), (std::vector<std::string>{"2h", "h"}));
    EXPECT_EQ(info["gpu_modes"].size(), std::size(gpu_modes));
    EXPECT_EQ(options_of(info["simd"]).at(0), "off");
    EXPECT_EQ(info["simd"][0]["available"], true);
    EXPECT_EQ(info["ranks"]["transport"], "threads");
    EXPECT_EQ(info["ranks"]["processes"], 1);
    EXPECT_NE(info["ranks"]["mpi"].is_null(), info["ranks"]["why_no_mpi"].is_null());

    const Variable size("PMI_SIZE", "3"), rank("PMI_RANK", "0");
    const auto launched = nlohmann::json::parse(joined(command({"info", "--json"})))["ranks"];
    EXPECT_EQ(launched["transport"], launched["mpi"].is_null() ? "none" : "mpi");
    EXPECT_EQ(launched["processes"], 3);
    EXPECT_EQ(launched["why"], "mpiexec has started 3 processes (PMI_SIZE=3)");
}

TEST_F(Commands, InfoIsToldToPeopleToo) {
    const std::vector<std::string> lines = command({"info"});
    const auto has = [&](const std::string& beginning) {
        return std::ranges::any_of(lines, [&](const std::string& line) { return line.starts_with(beginning); });
    };
    EXPECT_TRUE(lines.at(0).starts_with(fmt::format("Sluice {} (", version)));
    for (const auto& level : simd_levels()) EXPECT_TRUE(has(fmt::format("  {:<12} {}", level.name, level.description)));
    EXPECT_EQ(joined(lines).find("not on this processor") == std::string::npos,
              std::ranges::all_of(simd_levels(), [](const auto& level) { return level.available; }));
    EXPECT_TRUE(has("CPU modes (--cpu-mode):"));
    for (const auto& mode : cpu_modes) EXPECT_TRUE(has(fmt::format("  {:<12} ", mode.option))) << mode.option;
    EXPECT_TRUE(has("  now          threads: no launcher has started several processes"));
    EXPECT_TRUE(has(SLUICE_HAVE_CUDA ? "GPUs (--device, --gpus):" : "GPUs: this build has no CUDA"));
}

// Of several processes that a launcher has started, one tells what is to be told, and only a run shares its work.
TEST_F(Commands, OfSeveralProcessesOneTells) {
    const auto process = [](int rank, std::vector<std::string> words) {
        words.insert(words.begin(), "sluice");
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        const Launch launch{"mpiexec", "PMI_SIZE=3", rank, 3};
        Terminal terminal;
        int calls = 0;
        const int code =
            run_launched(launch, static_cast<int>(arguments.size()), arguments.data(), [&](Transport* ranks) {
                EXPECT_EQ(ranks, nullptr);
                ++calls;
                return 7;
            });
        return std::tuple(calls, code, joined(terminal.lines()));
    };
    EXPECT_EQ(process(0, {"info"}), std::tuple(1, 7, ""));
    EXPECT_EQ(process(1, {"info"}), std::tuple(0, 0, ""));
    EXPECT_EQ(process(0, {"--help"}), std::tuple(1, 7, ""));
    EXPECT_EQ(process(2, {}), std::tuple(0, 0, ""));
    EXPECT_EQ(process(0, {"-q", "check", "case.xml"}),
              std::tuple(0, 2,
                         "error: check: mpiexec has started 3 processes (PMI_SIZE=3), and only sluice run shares its "
                         "work: start one; SLUICE_MPI=off lets each of them act for itself\n"));
    EXPECT_EQ(process(1, {"check", "case.xml"}), std::tuple(0, 2, "")); // rank 0 has told
}

TEST_F(Commands, HelpIsACommandToo) {
    EXPECT_EQ(command({"help"}), command({"--help"}));
    EXPECT_EQ(command({"help", "measure"}), command({"measure", "--help"}));
    EXPECT_TRUE(
        command({"help", "mesure"})
            .at(0)
            .starts_with(
                "stops: sluice: there is no command 'mesure' (did you mean measure?); the commands are run, check, "));
    EXPECT_EQ(command({"--version"}), std::vector{fmt::format("sluice {}", version)});
    EXPECT_EQ(
        command({"run", "case.xml", "--probes-d", "1"}),
        std::vector<std::string>{
            "stops: run: there is no option --probes-d (did you mean --probes-dt?); sluice run --help lists them"});
    EXPECT_EQ(
        command({"run", "case.xml", "--checkpoint=1"}),
        std::vector<std::string>{"stops: run: there is no option --checkpoint (did you mean --checkpoint-interval "
                                 "or --checkpoint-dt?); sluice run --help lists them"});
}

TEST_F(Commands, ChecksShowTheInitialParticles) {
    std::ofstream(data.path() / "case.xml") << text_of(named("constants outright").blocks);
    const auto check = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"check", data.path() / "case.xml", "--backend", "cpu", "--tmax", "0.001"});
        return command(words);
    };
    const std::vector<std::string> said =
        check({"--picture", data.path() / "p.png", "--vtp", data.path() / "p.vtp", "--json"});
    const auto end = std::ranges::find(said, "}"); // of the JSON, behind which stands what is logged
    ASSERT_NE(end, said.end());
    EXPECT_EQ(std::count(end, said.end(), "p.png"), 1);
    EXPECT_EQ(std::count(end, said.end(), "p.vtp"), 1);
    const auto report = nlohmann::json::parse(joined({said.begin(), end + 1}));
    char png[5] = "";
    std::ifstream(data.path() / "p.png", std::ios::binary).read(png, 4);
    EXPECT_STREQ(png, "\x89PNG");
    const std::string vtp = joined(lines_of(std::ifstream(data.path() / "p.vtp")));
    EXPECT_NE(vtp.find(fmt::format("NumberOfPoints=\"{}\"", report["particles"]["total"].get<int>())),
              std::string::npos);

    EXPECT_EQ(
        check({"--vtp", "p.txt"}),
        std::vector<std::string>{
            "stops: check: --vtp: a file name with .vtp is wanted (p.txt is given); sluice check --help tells more"});
    EXPECT_EQ(check({"--motion", data.path() / "m"}).at(0),
              "stops: case.xml: --motion: the case has no <motion>, leave the option out");
    EXPECT_EQ(check({"--waves", data.path() / "w"}).at(0),
              "stops: case.xml: --waves: the case has no <wavepaddles>, leave the option out");
    EXPECT_EQ(command({"export", data.path(), "-o", data.path(), "--box", "0", "2", "0", "1", "1", "1"}),
              std::vector<std::string>{"stops: export: --box: the box ends at 1 before it begins at 2: XMIN YMIN ZMIN "
                                       "XMAX YMAX ZMAX are wanted; sluice export --help tells more"});
}

TEST_F(Commands, ProbesAreSampledAtTheirTimes) {
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

TEST_F(Commands, CheckpointsAreWrittenAtTheirTimes) {
    const fs::path out = data.path() / "out";
    run(named("constants outright"),
        {"--pictures", "0", "--tmax", "0.01", "--tout", "0.1", "--checkpoint-dt", "0.004"});
    const auto left = std::distance(fs::directory_iterator(out / "checkpoints"), {});
    EXPECT_EQ(left, 2); // the newest ones: of 0.008 and of the end
    fs::remove_all(out);
    run(named("constants outright"), {"--pictures", "0", "--tmax", "0.01", "--tout", "0.1"});
    EXPECT_EQ(std::distance(fs::directory_iterator(out / "checkpoints"), {}), 1);
}

// Which leaves what has been computed, with a checkpoint to go on from.
TEST_F(Commands, ATimeLimitStopsARun) {
    const fs::path out = data.path() / "out";
    const std::vector<std::string> said =
        run(named("constants outright"), {"--pictures", "0", "--tmax", "1000", "--time-limit", "1"});
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

TEST_F(Commands, ADiskThatIsFullFailsTheRunAndIsTold) {
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
