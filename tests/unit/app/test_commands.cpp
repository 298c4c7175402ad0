// SPDX-License-Identifier: Apache-2.0
#include "../case/case_text.h"
#include "app/launched.h"
#include "app/version.h"
#include "app/version_line.h"
#include "backend/modes.h"
#include "commands.h"
#include "cpu/backend/cpu_backend.h"
#include "cpu/particles/processor.h"
#include "io/pictures/picture.h"
#include <nlohmann/json.hpp>
#include <regex>
#include <tuple>

// What the commands do, beside the tables of the run book.

using namespace sluice;
using namespace sluice::test;
namespace fs = std::filesystem;

namespace {

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
    const auto bytes = [&] {
        std::ifstream file(png, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    const std::string with_time = bytes();
    draw({"--width", "700"});
    EXPECT_EQ(bytes(), with_time);
    draw({"--width", "700", "--no-time"});
    EXPECT_EQ(size(false), 700);
    EXPECT_NE(bytes(), with_time) << "the time is left out";
    EXPECT_TRUE(
        draw({"--time", "9"}).starts_with("stops: picture: --time 9: no frame is near to it; they go from 0 to"));
    const double last = nlohmann::json::parse(std::ifstream(out / "run.json"))["simulated_seconds"];
    EXPECT_EQ(draw({"--time", std::to_string(last + 0.0005)}), "p.png");
    EXPECT_TRUE(draw({"--time", std::to_string(last + 0.0025)}).starts_with("stops: picture: --time"))
        << "further than half a time between frames";
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

// What is drawn or measured of the fluid needs its density; frames without it are told of, as nothing else would be.
TEST_F(Commands, FramesThatLackAFieldAreToldOf) {
    const fs::path out = data.path() / "out";
    run(named("constants outright"), {"--pictures", "0", "--steps", "1", "--fields", "velocity,pressure"});
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"surface", out, "-o", data.path() / "s", "-q"},
          {"measure", out, "--point", "0.5", "0.5", "0.3", "-o", data.path() / "p.csv", "-q"}}) {
        const std::vector<std::string> said = command(words);
        ASSERT_EQ(said.size(), 1u) << words[0];
        EXPECT_TRUE(said[0].starts_with("stops: out: its frames hold no density")) << said[0];
    }
}

// What a run has written stays apart from what is made of it.
TEST_F(Commands, ExportsDoNotGoIntoTheFoldersOfTheRun) {
    const fs::path out = data.path() / "out";
    run(named("gauges in a plane"), {"--pictures", "1", "--steps", "1"});
    int folders = 0;
    for (const auto& entry : fs::directory_iterator(out)) {
        if (!entry.is_directory()) continue;
        ++folders;
        EXPECT_EQ(command({"export", out, "-o", entry.path(), "-q"}),
                  std::vector{fmt::format("stops: export: --out out/{}: the run has written into this folder; name "
                                          "another one",
                                          entry.path().filename().string())});
    }
    EXPECT_GE(folders, 5); // frames, checkpoints, gauges, inputs, pictures
    EXPECT_EQ(command({"export", out, "-o", out, "-q"}).size(), 1u);
    EXPECT_EQ(command({"export", out, "-o", out / "vtp", "-q"}), std::vector<std::string>{});
    EXPECT_TRUE(fs::exists(out / "vtp/fluid.pvd"));
}

TEST_F(Commands, OfDamagedFramesItIsToldHowTheyCanBeComputedAgain) {
    const fs::path out = data.path() / "out", frame = out / "frames/frame_000001.h5";
    run(named("constants outright"), {"--pictures", "0", "--steps", "9", "--tout", "0.002"});
    EXPECT_EQ(command({"measure", out, "--point", "0.5", "0.5", "-o", data.path() / "p.csv"}).at(0),
              "stops: measure: --point: needs X Y Z (2 numbers given)");
    fs::resize_file(frame, fs::file_size(frame) / 2);
    const std::vector<std::string> said =
        command({"measure", out, "--point", "0.5", "0.5", "0.3", "-o", data.path() / "p.csv"});
    EXPECT_EQ(said.size(), 2u) << joined(said);
    EXPECT_TRUE(said[0].starts_with("stops: out/frames/frame_000001.h5")) << said[0];
    EXPECT_EQ(said[1], "warning: out: frames are damaged; sluice run --resume out --redo-gap computes them again");
    EXPECT_EQ(command({"measure", data.path() / "none", "--point", "0", "0", "0", "-o", data.path() / "p.csv"}).at(0),
              "stops: none: there is no such folder");
}

// A point that no fluid can come to has a wrong unit or sign, most often.
TEST_F(Commands, PointsOutsideOfTheDomainAreToldOf) {
    const fs::path out = data.path() / "out";
    run(named("constants outright"), {"--pictures", "0", "--steps", "1"});
    const auto told = [&](const char* x, const char* y, const char* z, bool elevation = false) {
        std::vector<std::string> words{"measure", out, "--line", "0.5", "0.5", "0.3", x, y, z, "2"};
        if (elevation) words.emplace_back("--elevation");
        words.insert(words.end(), {"-o", data.path() / "p.csv"});
        const std::vector<std::string> lines = command(words);
        return std::ranges::count_if(lines, [](const std::string& line) {
            return line.starts_with("warning: 1 of 2 points are outside the domain of the run, (") &&
                   line.find("; the first of them is point 1: (") != line.npos;
        });
    };
    EXPECT_EQ(told("0.6", "0.5", "0.3"), 0);
    EXPECT_EQ(told("60", "0.5", "0.3"), 1);
    EXPECT_EQ(told("0.6", "-50", "0.3"), 1);
    EXPECT_EQ(told("0.6", "0.5", "30"), 1);
    EXPECT_EQ(told("0.6", "0.5", "30", true), 0); // whose height is what is asked for
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
    EXPECT_TRUE(lines.at(0).starts_with(fmt::format("Sluice {}, ", version_line())));
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
    EXPECT_EQ(command({"--version"}), std::vector{"sluice " + version_line()});
    EXPECT_EQ(
        command({"run", "case.xml", "--probes-d", "1"}),
        std::vector<std::string>{
            "stops: run: there is no option --probes-d (did you mean --probes-dt?); sluice run --help lists them"});
    EXPECT_EQ(
        command({"run", "case.xml", "--checkpoint=1"}),
        std::vector<std::string>{"stops: run: there is no option --checkpoint (did you mean --checkpoint-interval "
                                 "or --checkpoint-dt?); sluice run --help lists them"});
}

// Where the value is one that an option takes, the command goes on and stops at what is missing next.
TEST_F(Commands, OptionsTakeValuesWithinTheirLimits) {
    using Words = std::vector<std::string>;
    struct Option {
        std::string command, name;
        Words taken, refused;
    };
    const Option options[] = {
        {"run", "--threads", {"1", "1024"}, {"0", "1025", "1.5"}},
        {"run", "--ranks", {"1", "1024"}, {"0", "1025"}},
        {"run", "--device", {"0", "7"}, {"-1"}},
        {"run", "--gpus", {"1", "32", "auto"}, {"0", "33", "all"}},
        {"run", "--backend", {"auto", "cpu", "cuda"}, {"gpus"}},
        {"run", "--neighbour-list", {"auto", "on", "off"}, {"yes"}},
        {"run", "--steps", {"0", "9223372036854775807"}, {"-1", "9223372036854775808"}},
        {"run", "--max-excluded", {"0", "9223372036854775807"}, {"-1"}},
        {"run", "--pictures", {"0"}, {"-1"}},
        {"run", "--every-nth-particle", {"1", "1000000"}, {"0", "1000001"}},
        {"run", "--compression", {"0", "9"}, {"-1", "10"}},
        {"run", "--checkpoint-interval", {"0", "0.5"}, {"-0.5"}},
        {"run", "--checkpoint-dt", {"1e-9"}, {"0"}},
        {"run", "--probes-dt", {"1e-9"}, {"0"}},
        {"run", "--on-exclude", {"stop", "continue"}, {"go"}},
        {"run", "--dp", {"1e-9"}, {"0"}},
        {"run", "--tmax", {"1e-9"}, {"0"}},
        {"run", "--tout", {"1e-9"}, {"0"}},
        {"check", "--threads", {"1", "1024"}, {"0", "1025"}},
        {"check", "--vtp", {"a.vtp"}, {"a.vtk"}},
        {"report", "--player-size", {"0.1"}, {"0"}},
        {"report", "--out", {"a.html"}, {"a.htm"}},
        {"export", "--first", {"0"}, {"-1"}},
        {"export", "--last", {"0"}, {"-1"}},
        {"export", "--every", {"1"}, {"0"}},
        {"export", "--format", {"vtp", "csv"}, {"stl"}},
        {"movie", "--fps", {"1"}, {"0"}},
        {"movie", "--width", {"600", "10000"}, {"599", "10001"}},
        {"picture", "--height", {"300", "10000"}, {"299", "10001"}},
        {"picture", "--frame", {"0"}, {"-1"}},
        {"movie", "--speed", {"1e-9"}, {"0"}},
        {"movie", "--fluid", {"particles", "surface"}, {"mesh"}},
        {"surface", "--format", {"vtp", "stl", "ply"}, {"csv"}},
        {"surface", "--level", {"0.01", "0.99"}, {"0.0099", "0.991"}},
        {"surface", "--spacing", {"1e-9"}, {"0"}},
        {"surface", "--fields", {"velocity,pressure"}, {"wall_pressure"}},
        {"slice", "--spacing", {"1e-9"}, {"0"}},
        {"walls", "--shape", {"drawn", "particles"}, {"box"}},
    };
    for (const Option& option : options) {
        const bool on_folder = option.command != "run" && option.command != "check";
        const auto said = [&](const std::string& value) {
            Words words{option.command};
            if (on_folder) words.emplace_back("nowhere");
            if (on_folder && option.command != "report") words.insert(words.end(), {"-o", "out"});
            words.push_back(option.name + "=" + value);
            return command(words).at(0);
        };
        const std::string next = on_folder ? "stops: nowhere: there is no such folder"
                                           : "stops: " + option.command + ": no case file given; ";
        for (const std::string& value : option.taken)
            EXPECT_TRUE(said(value).starts_with(next)) << option.name << ' ' << value << ": " << said(value);
        for (const std::string& value : option.refused)
            EXPECT_TRUE(said(value).starts_with("stops: " + option.command + ": " + option.name + ": "))
                << option.name << ' ' << value << ": " << said(value);
    }
    const auto stops = [&](Words words) { return command(std::move(words)).at(0); };
    EXPECT_EQ(stops({"run", "--set", "Visco"}), "stops: --set: needs KEY=VALUE (Visco), e.g. --set Visco=0.05");
    EXPECT_EQ(stops({"run", "--set", "=1"}), "stops: --set: needs KEY=VALUE (=1), e.g. --set Visco=0.05");
    EXPECT_TRUE(stops({"run", "--set", "a="}).starts_with("stops: run: no case file given"));
    EXPECT_TRUE(stops({"run", "a.xml", "--resume", "out"}).starts_with("stops: run: both a case (a.xml) and --resume"));
    EXPECT_TRUE(stops({"run", "a.xml", "--split", "x"}).starts_with("stops: run: --split x says how ranks share"));
    EXPECT_EQ(stops({"check", "--explain"}).find("no case file"), std::string::npos);
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

// What is not known of a case that cannot be run is left out; what is known is told.
TEST_F(Commands, ChecksTellHowLongARunWouldTake) {
    const fs::path file = data.path() / "case.xml";
    const auto check = [&](const std::string& text) {
        std::ofstream(file) << text;
        return command({"check", file, "--backend", "cpu", "--threads", "1", "--tmax", "0.01"});
    };
    const auto has = [](const std::vector<std::string>& lines, const std::string& pattern) {
        return std::ranges::any_of(
            lines, [wanted = std::regex(pattern)](const std::string& line) { return std::regex_search(line, wanted); });
    };
    const std::string text = text_of(named("times of frames").blocks);
    const std::vector<std::string> whole = check(text);
    EXPECT_TRUE(has(whole, R"(^first time step      \S+ s$)"));
    EXPECT_TRUE(has(whole, R"(^to TimeMax = 0\.01 s  about \d+ steps, )"));
    EXPECT_TRUE(has(whole, R"(^case\.xml: 1210 particles, dp = 0\.1 m$)"));
    EXPECT_FALSE(has(whole, "would refuse this case"));

    const auto without_water = [](std::string dry) {
        const std::size_t water = dry.find("<setmkfluid"), end = dry.find("</mainlist>");
        return water == dry.npos ? "no water to leave out" : dry.erase(water, end - water);
    };
    const std::vector<std::string> none = check(without_water(text));
    EXPECT_EQ(none.at(0), "exit code 2");
    EXPECT_TRUE(has(none, "would refuse this case"));
    EXPECT_TRUE(has(none, R"(the case has no fluid particles \(dp 0\.1 m\): a run has nothing to compute)"));
    EXPECT_FALSE(has(none, "^first time step"));
    EXPECT_FALSE(has(none, "^smoothing length")); // what a run would have, there is none

    // constants that follow from no fluid change nothing about that
    const std::vector<std::string> set = check(without_water(text_of(named("constants outright").blocks)));
    EXPECT_TRUE(has(set, "the case has no fluid particles"));
    EXPECT_FALSE(has(set, "^first time step"));
    EXPECT_FALSE(has(set, "^smoothing length"));
}

// A paddle that absorbs, whose gauge stands where waves come late: both commands tell.
TEST_F(Commands, TellOfGaugesFarFromTheirPaddle) {
    test::CaseText text = test::flume();
    for (const auto& [x, far] : {std::pair{"0.2", false}, {"1.0", true}}) {
        text.special = R"(<wavepaddles><piston><mkbound value="10"/><depth value="0.7"/><waveheight value="0.1"/>
<waveperiod value="2"/><awas_zsurf><response value="tuned"/><swl value="0.7"/><gaugex value=")" +
                       std::string(x) + R"("/></awas_zsurf></piston></wavepaddles>)";
        std::ofstream(data.path() / "case.xml") << text.text();
        const std::vector<std::string> checked =
            command({"check", data.path() / "case.xml", "--backend", "cpu", "--tmax", "0.001"});
        const std::vector<std::string> run =
            command({"run", data.path() / "case.xml", "-o", data.path() / (std::string("out") + x), "--backend", "cpu",
                     "--tmax", "0.001", "-q"});
        const auto tells = [](const std::vector<std::string>& lines) {
            return std::ranges::any_of(lines, [](const std::string& line) {
                return line.find("the gauge is 1 m before the piston") != line.npos;
            });
        };
        EXPECT_EQ(tells(checked), far) << x;
        EXPECT_EQ(tells(run), far) << x;
    }
}

// Which walls have a surface that fluid is extrapolated from, and how many of their particles know it.
TEST_F(Commands, ChecksTellHowManyParticlesHaveNormals) {
    const std::vector<std::string> blocks{
        R"(<normals><norplane mkbound="0"><point x="0" y="0" z="0.05"/><normal x="0" y="0" z="1"/></norplane></normals>)",
        R"(<parameters><parameter key="Boundary" value="2"/></parameters>)"};
    std::ofstream(data.path() / "case.xml") << text_of(blocks);
    const std::vector<std::string> lines =
        command({"check", data.path() / "case.xml", "--backend", "cpu", "--tmax", "0.001"});
    const auto title = std::ranges::find(lines, "normals to the surface of the wall:");
    ASSERT_NE(title, lines.end());
    EXPECT_EQ(*(title + 1), "  mkbound 0            121 of 121 particles");
    const std::vector<std::string> json =
        command({"check", data.path() / "case.xml", "--backend", "cpu", "--tmax", "0.001", "--json"});
    const auto end = std::ranges::find(json, "}");
    const auto report = nlohmann::json::parse(joined({json.begin(), end + 1}));
    for (const auto& block : report["particles"]["blocks"]) {
        EXPECT_EQ(block.contains("normals"), block.contains("mkbound"));
        if (block.contains("normals")) {
            EXPECT_EQ(block["normals"], 121);
        }
    }
}

TEST_F(Commands, TheWordsOfTheLanguageAreListedForProgramsToo) {
    const auto words = nlohmann::json::parse(joined(command({"check", "--explain", "--json"})));
    EXPECT_GT(words.size(), 200u);
    std::set<std::string> supports;
    for (const auto& word : words) {
        EXPECT_FALSE(word["word"].get<std::string>().empty());
        EXPECT_FALSE(word["section"].get<std::string>().empty()) << word;
        supports.insert(word["support"]);
    }
    EXPECT_TRUE(supports.contains("honoured"));
    const auto of = [&](const char* name) {
        return *std::ranges::find_if(words, [&](const auto& word) { return word["word"] == name; });
    };
    EXPECT_EQ(of("TimeMax")["support"], "honoured");
    EXPECT_EQ(of("cflnumber")["default"], "auto");
}
