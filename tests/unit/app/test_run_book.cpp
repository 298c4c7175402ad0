// SPDX-License-Identifier: Apache-2.0
#include "../pages.h"
#include "../setup/case_book.h"
#include "app/command_line.h"
#include "core/log.h"
#include "io/picture.h"
#include "temporary_folder.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <spdlog/sinks/ostream_sink.h>
#include <tuple>

// Some steps of cases of the case book, and what the commands make of their results, with the tables that they leave:
// see run_book/README.md.

using namespace sluice;
using namespace sluice::test;
namespace fs = std::filesystem;

namespace {

const fs::path run_book = fs::path(SLUICE_SOURCE_DIR) / "tests/unit/app/run_book";

std::vector<std::string> lines_of(std::istream&& in) {
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// What a program says while it does its work.
class Terminal {
public:
    Terminal() : before_(spdlog::default_logger()) {
        spdlog::set_default_logger(
            std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log_)));
        spdlog::set_pattern("%v");
        testing::internal::CaptureStdout();
    }
    ~Terminal() { spdlog::set_default_logger(before_); }

    std::vector<std::string> lines() {
        std::vector<std::string> all = lines_of(std::istringstream(testing::internal::GetCapturedStdout()));
        for (const std::string& line : lines_of(std::istringstream(log_.str()))) all.push_back(line);
        return all;
    }

private:
    std::shared_ptr<spdlog::logger> before_;
    std::ostringstream log_;
};

class RunBook : public testing::Test {
protected:
    RunBook() { book.write_files(data.path()); }

    /// What the command says, without the folder and without what differs from call to call.
    std::vector<std::string> command(std::vector<std::string> words) {
        words.insert(words.begin(), "sluice");
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        std::vector<std::string> lines;
        {
            Terminal terminal;
            try {
                const int code = run_command_line(static_cast<int>(arguments.size()), arguments.data(), nullptr);
                if (code != 0) lines.push_back(fmt::format("exit code {}", code));
            } catch (const std::exception& error) {
                lines.push_back(std::string("stops: ") + error.what());
            }
            for (const std::string& line : terminal.lines()) lines.push_back(line);
        }
        for (std::string& line : lines)
            for (auto at = line.find(data.path()); at != line.npos; at = line.find(data.path()))
                line.erase(at, data.path().string().size() + 1);
        return lines;
    }
    /// Adds all tables below a folder, of a long one some rows.
    static void add_tables(std::vector<std::string>& lines, const fs::path& folder) {
        std::set<fs::path> tables;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".csv") tables.insert(entry.path());
        for (const fs::path& table : tables) {
            lines.push_back("-- " + table.lexically_relative(folder).string());
            std::vector<std::string> rows = lines_of(std::ifstream(table));
            std::erase_if(rows, [](const std::string& row) { return row.starts_with('#'); });
            lines.push_back(fmt::format("{} rows", rows.size()));
            for (std::size_t n = 0; n < rows.size(); n += 1 + rows.size() / 12) lines.push_back(shortened(rows[n]));
        }
    }
    /// A row without commas, and its numbers with no more digits than are compared.
    static std::string shortened(std::string row) {
        std::ranges::replace(row, ',', ' ');
        std::istringstream words(row);
        std::string out;
        for (std::string word; words >> word;) {
            char* end = nullptr;
            const double number = std::strtod(word.c_str(), &end);
            out += (out.empty() ? "" : " ") + (*end ? word : fmt::format("{:.7g}", number));
        }
        return out;
    }
    /// A run of some steps in a domain with room around the particles; what it says.
    std::vector<std::string> run(const BookCase& c, const std::vector<std::string>& more = {}) {
        std::vector<std::string> blocks = c.blocks;
        const std::string all = text_of(blocks);
        if (all.find("simulationdomain") == all.npos && all.find("Periodic") == all.npos)
            blocks.emplace_back(R"(<parameters><simulationdomain><posmin x="default - 0.5" y="default - 0.4"
z="default - 0.3"/><posmax x="default + 0.6" y="default + 0.7" z="default + 0.8"/></simulationdomain></parameters>)");
        std::ofstream(data.path() / "case.xml") << text_of(blocks);
        std::vector<std::string> words{"run", data.path() / "case.xml", "-o", data.path() / "out", "--overwrite"};
        for (const char* word :
             {"--backend", "cpu", "--threads", "1", "--simd", "off", "--cpu-mode", "symmetric", "-q"})
            words.emplace_back(word);
        words.insert(words.end(), more.begin(), more.end());
        return command(words);
    }
    const BookCase& named(const std::string& name) const {
        return *std::ranges::find_if(book.cases, [&](const BookCase& c) { return c.name == name; });
    }

    Book book;
    TemporaryFolder data;
};

} // namespace

// The numbers that the others are compared with begin from these.
TEST_F(RunBook, TheFirstRowOfFlowIsWhatAPencilMakesOfIt) {
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

TEST_F(RunBook, NoStepsLeaveTheFirstStateAlone) {
    run(named("lattice"), {"--steps", "0", "--pictures", "0"});
    std::vector<std::string> rows = lines_of(std::ifstream(data.path() / "out/flow.csv"));
    std::erase_if(rows, [](const std::string& row) { return row.starts_with('#'); });
    ASSERT_EQ(rows.size(), 2U); // titles, and the state of time 0
    EXPECT_TRUE(rows[1].starts_with("0,0,")) << rows[1];
}

TEST_F(RunBook, StepsLeaveTheTablesThatAreWrittenDown) {
    std::vector<Page> pages;
    for (const BookCase& c : book.cases) {
        if (c.name.starts_with("documented")) continue;
        Page page{c.name, run(c, {"--pictures", "0", "--steps", "30", "--tout", "0.004"})};
        if (fs::exists(data.path() / "out")) add_tables(page.second, data.path() / "out");
        fs::remove_all(data.path() / "out");
        pages.push_back(page);
    }
    expect_pages(pages, run_book / "tables.txt", 1e-3, 1e-5);
}

TEST_F(RunBook, CommandsMakeOfResultsWhatIsWrittenDown) {
    std::vector<Page> pages;
    const std::string out = data.path() / "out", made = data.path() / "made";
    for (const char* name : {"floating bodies", "gauges in a plane", "open boundaries in a plane"}) {
        run(named(name), {"--pictures", "0", "--steps", "25", "--tout", "0.002", "--fields", "+vorticity"});
        for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
                 {"measure", out, "--point", "0.5", "0.5", "0.3", "--point", "0.2", "0.5", "0.5", "-o",
                  made + "/p.csv"},
                 {"measure", out, "--line", "0.1", "0.5", "0.2", "0.9", "0.5", "0.6", "5", "--from", "0.003", "-o",
                  made + "/l.csv"},
                 {"measure", out, "--grid", "0.1", "0.5", "0.2", "0.9", "0.5", "0.6", "0.4", "0.1", "0.2", "--first",
                  "1", "--last", "2", "-o", made + "/g.csv"},
                 {"measure", out, "--line", "0.1", "0.5", "0", "0.9", "0.5", "0", "3", "--elevation", "--to", "0.005",
                  "-o", made + "/e.csv"},
                 {"forces", out, "--mkbound", "0", "--about", "0.5", "0.4", "0.3", "-o", made + "/f.csv"},
                 {"forces", out, "--mkbound", "1", "--first", "2", "-o", made + "/f1.csv"},
                 {"forces", out, "--mkbound", "77", "-o", made + "/f2.csv"},
                 {"export", out, "--format", "csv", "--every", "2", "--mkfluid", "0", "--mkbound", "0", "-o",
                  made + "/x"},
                 {"export", out, "--format", "csv", "--last", "1", "--boundary", "-o", made + "/b"},
                 {"export", out, "--format", "csv", "--box", "0.15", "0", "0.15", "0.35", "1", "0.45", "-o",
                  made + "/y"},
                 {"export", out, "-o", made + "/v", "--first", "2"},
                 {"surface", out, "--every", "2", "-o", made + "/s"},
                 {"surface", out, "--format", "stl", "--level", "0.4", "--spacing", "0.08", "--last", "0", "-o",
                  made + "/t"},
                 {"measure", out, "-o", made + "/n.csv"},
                 {"measure", out, "--point", "0.5", "0.5", "0.3", "--first", "7", "--last", "3", "-o", made + "/n.csv"},
                 {"export", out, "--from", "5", "-o", made + "/n"}}) {
            fs::create_directories(made);
            std::string title = name;
            for (std::string word : words) {
                if (word.starts_with(data.path().string())) word.erase(0, data.path().string().size() + 1);
                title += " " + word;
            }
            Page page{title, command(words)};
            add_tables(page.second, made);
            std::set<std::string> files;
            for (const auto& entry : fs::recursive_directory_iterator(made))
                if (entry.is_regular_file())
                    files.insert(fmt::format("{} {}", entry.path().filename().string(), entry.file_size()));
            page.second.insert(page.second.end(), files.begin(), files.end());
            pages.push_back(page);
            fs::remove_all(made);
        }
    }
    expect_pages(pages, run_book / "commands.txt", 1e-3, 1e-5);
}

TEST_F(RunBook, ChecksSayWhatIsWrittenDown) {
    // what depends on the machine, and on how fast it is
    const std::regex machine(
        " s |seconds|GB|GiB|MB|MiB|KiB|thread|instruction|AVX|a step|hour|minute|machine|first time step|^$");
    std::vector<Page> pages;
    for (const char* name : {"parameters", "motions at once and carried", "regular waves", "irregular waves",
                             "focused and solitary waves", "floating bodies"}) {
        const BookCase& c = named(name);
        const std::string text = text_of(c.blocks);
        std::ofstream(data.path() / "case.xml") << text;
        std::vector<std::string> words{"check", data.path() / "case.xml", "--backend", "cpu"};
        for (const char* word : {"--threads", "1", "--simd", "off", "--cpu-mode", "symmetric", "--cells", "h"})
            words.emplace_back(word);
        const fs::path made = data.path() / "made";
        if (text.find("<objreal") != text.npos) words.insert(words.end(), {"--motion", made / "moves"});
        if (text.find("<wavepaddles>") != text.npos) words.insert(words.end(), {"--waves", made / "waves"});
        Page page{c.name, command(words)};
        std::erase_if(page.second, [&](const std::string& line) { return std::regex_search(line, machine); });
        if (fs::exists(made)) add_tables(page.second, made);
        fs::remove_all(made);
        pages.push_back(page);
    }
    expect_pages(pages, run_book / "checks.txt", 1e-5, 1e-7);
}

// Bit for bit what a run in one go leaves, so the tables' numbers are the same to the last digit.
TEST_F(RunBook, ARunThatIsResumedLeavesTheTablesOfOneThatIsNot) {
    for (const char* name :
         {"gauges", "regular waves", "floating bodies", "open boundaries in a plane", "times of frames"}) {
        SCOPED_TRACE(name);
        const auto run_to = [&](const char* step) {
            fs::remove_all(data.path() / "out");
            run(named(name), {"--pictures", "0", "--steps", step});
        };
        std::vector<std::string> whole, parts;
        run_to("30");
        add_tables(whole, data.path() / "out");
        run_to("11");
        EXPECT_EQ(command({"run", "--resume", data.path() / "out", "--steps", "30", "-q"}), std::vector<std::string>{});
        add_tables(parts, data.path() / "out");
        ASSERT_EQ(whole.size(), parts.size());
        for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_EQ(whole[k], parts[k]);
    }
}

// What run.json and check --json tell, without what depends on the machine, on the time of day, and on how fast it is.
TEST_F(RunBook, RecordsAreWhatIsWrittenDown) {
    std::vector<Page> pages;
    const fs::path out = data.path() / "out", file = data.path() / "case.xml";
    const auto add = [&](const std::string& title, const std::vector<std::string>& lines) {
        Page& page = pages.emplace_back(title, std::vector<std::string>{});
        for (const std::string& entry : lines) // messages may have several lines
            for (std::string& line : lines_of(std::istringstream(entry)))
                page.second.push_back(line.substr(0, line.find_last_not_of(',') + 1));
    };
    const auto add_record = [&](const std::string& title) {
        auto record = nlohmann::json::parse(std::ifstream(out / "run.json"));
        for (const char* key : {"version", "started", "ended", "device", "threads", "phases", "memory", "wall_seconds",
                                "stepping_seconds", "steps_per_second", "particle_steps_per_second", "part",
                                "constants", "fields", "domain", "case_file"})
            record.erase(key); // those of the set-up have books of their own
        std::vector<std::string> lines = lines_of(std::istringstream(record.dump(1)));
        add_tables(lines, out);
        add(title, lines);
    };
    for (const char* name : {"floating bodies", "open boundaries in a plane"}) {
        run(named(name), {"--pictures", "0", "--steps", "12", "--tout", "0.003"});
        add_record(std::string(name) + ", 12 steps");
        add(std::string(name) + ", 20 steps", command({"run", "--resume", out, "--steps", "20", "-q"}));
        add_record(std::string(name) + ", record of 20 steps");
        fs::remove_all(out);
    }
    // particles that leave, and what rules make of them
    for (const std::vector<std::string>& rule :
         std::vector<std::vector<std::string>>{{"--max-excluded", "400"},
                                               {"--max-excluded", "3"},
                                               {"--on-exclude", "stop"},
                                               {"--set", "PartsOutMax=0.001"},
                                               {"--set", "MinFluidStop=0.999"}}) {
        std::vector<std::string> words{"--set", "RhopOutMax=1002.8", "--pictures", "0", "--tout",
                                       "0.002", "--steps",           "20"};
        words.insert(words.end(), rule.begin(), rule.end());
        const std::string title = "particles that leave: " + rule[0] + " " + rule[1];
        add(title, run(named("constants outright"), words));
        add_record(title + ", record");
        if (rule[1] == "400") {
            add(title + ", resumed", command({"run", "--resume", out, "--steps", "25", "-q"}));
            add_record(title + ", record of 25 steps");
        }
        fs::remove_all(out);
    }
    const auto check = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"check", file, "--json", "--backend", "cpu", "--threads", "1", "--simd", "off"};
        words.insert(words.end(), {"--cpu-mode", "symmetric", "--cells", "h", "--gpu-memory", "8G"});
        words.insert(words.end(), more.begin(), more.end());
        std::vector<std::string> lines = command(words);
        const std::regex machine("second|threads|measured_|steps|bytes|^CPU: ");
        std::erase_if(lines, [&](const std::string& line) { return std::regex_search(line, machine); });
        return lines;
    };
    for (const char* name : {"gauges", "floating bodies"}) {
        std::ofstream(file) << text_of(named(name).blocks);
        add(std::string("check --json of ") + name, check({"--set", "TimeMax=0.003"})); // soon over on any machine
    }
    for (const char* word : {"TimeMax=x", "Kernel=7", "CFLnumber=-1", "CoefDtMin=2"})
        add(std::string("check --json --set ") + word, check({"--set", word}));
    std::ofstream(file) << "<case>\n<casedef>\n</case>\n";
    add("check --json of broken XML", check({}));
    std::ofstream(file) << "<case>\n<casedef><x/></casedef>\n<execution/>\n</case>\n";
    add("check --json of hardly a case", check({}));
    expect_pages(pages, run_book / "records.txt", 1e-3, 1e-5);
}

// Frames that are lost between two parts of a run leave a gap that is told, or are computed again.
TEST_F(RunBook, FramesThatWereLostAreToldOfAndComputedAgain) {
    const fs::path out = data.path() / "out", lost = out / "frames/frame_000001.h5";
    const auto run_to_30 = [&] {
        fs::remove_all(out);
        run(named("constants outright"), {"--pictures", "0", "--steps", "30", "--tout", "0.002"});
    };
    run_to_30();
    ASSERT_TRUE(fs::exists(lost));
    std::vector<std::string> whole;
    add_tables(whole, out);
    const auto size = fs::file_size(lost);
    const auto resume = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"run", "--resume", out, "--steps", "40", "-q"};
        words.insert(words.end(), more.begin(), more.end());
        return command(words);
    };

    fs::remove(lost);
    std::vector<std::string> said = resume({});
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0], "warning: out: frames are missing or damaged (1): the series of frames stays with a gap; "
                       "--redo-gap computes them again");
    EXPECT_FALSE(fs::exists(lost));

    run_to_30();
    fs::resize_file(lost, size / 2);
    said = resume({});
    ASSERT_EQ(said.size(), 3U);
    EXPECT_EQ(said[1], "warning: out/frames/frame_000001.h5: damaged, now called frame_000001.h5.damaged");
    EXPECT_TRUE(fs::exists(lost.string() + ".damaged"));

    run_to_30();
    fs::remove(lost);
    said = resume({"--redo-gap"});
    EXPECT_EQ(said, std::vector<std::string>{});
    EXPECT_EQ(fs::file_size(lost), size);
}

TEST_F(RunBook, PicturesAreOfWhatWasAskedForOrAreRefused) {
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
TEST_F(RunBook, TimesMeanTheNearestFrameAndGapsAreToldOf) {
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

TEST_F(RunBook, AFailedRunTellsHowFarItCame) {
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

TEST_F(RunBook, WordsOnTheCommandLineAreAnsweredAsIsWrittenDown) {
    std::ofstream(data.path() / "case.xml") << text_of({});
    std::ofstream(data.path() / "probes.txt") << "0.5 0.5 0.5\n0.2 0.3 x\n";
    const std::string file = data.path() / "case.xml", out = data.path() / "out";
    std::vector<Page> pages;
    for (const char* name :
         {"run", "check", "report", "export", "measure", "movie", "forces", "surface", "picture", "info"})
        pages.emplace_back(std::string(name) + " --help", command({name, "--help"}));
    pages.emplace_back("--help", command({"--help"}));
    pages.emplace_back("check --explain", command({"check", "--explain"}));
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {},
             {"rum"},
             {"run"},
             {"run", "nothing.xml"},
             {"run", file, "--dp", "0"},
             {"run", file, "--dp", "-0.1"},
             {"run", file, "--dp", "x"},
             {"run", file, "--tmax", "0"},
             {"run", file, "--tout", "-1"},
             {"run", file, "--set", "Visco"},
             {"run", file, "--set", "Visko=1"},
             {"run", file, "--set", "Visco=x"},
             {"run", file, "--steps", "-1"},
             {"run", file, "--steps", "1.5"},
             {"run", file, "--pictures", "-1"},
             {"run", file, "--fields", "speed"},
             {"run", file, "--every-nth-particle", "0"},
             {"run", file, "--compression", "10"},
             {"run", file, "--compression", "-1"},
             {"run", file, "--checkpoint-interval", "-1"},
             {"run", file, "--time-limit", "0"},
             {"run", file, "--time-limit", "x"},
             {"run", file, "--checkpoint-dt", "0"},
             {"run", file, "--resume", out},
             {"run", "--resume", out},
             {"run", file, "--probes", data.path() / "probes.txt", "-o", out},
             {"run", file, "--probes", "none.txt", "-o", out},
             {"run", file, "--on-exclude", "halt"},
             {"run", file, "--max-excluded", "-2"},
             {"run", file, "--backend", "gpu"},
             {"run", file, "-o", out, "--steps", "0", "-q", "--backend", "cpu", "--device", "1"},
             {"run", file, "-o", out, "--steps", "0", "-q", "--backend", "cpu", "--gpu-mode", "list"},
             {"run", file, "--threads", "0"},
             {"run", file, "--threads", "100000"},
             {"run", file, "--ranks", "0"},
             {"run", file, "-o", out, "--steps", "0", "-q", "--backend", "cpu", "--ranks", "2", "--cpu-mode",
              "symmetric"},
             {"run", file, "--backend", "cpu", "--ranks", "2000"},
             {"run", file, "--cpu-mode", "fast"},
             {"run", file, "-o", out, "--steps", "0", "-q", "--backend", "cpu", "--slice-axis", "x", "--cpu-mode",
              "symmetric"},
             {"run", file, "--backend", "cpu", "--slice-axis", "w"},
             {"run", file, "--cells", "3h"},
             {"run", file, "--simd", "v9"},
             {"run", file, "--gpu-memory", "x"},
             {"run", file, "--gpu-memory", "-1G"},
             {"run", file, "--gpus", "0"},
             {"check", file, "--motion", out},
             {"check", file, "--waves", out},
             {"check", file, "--picture", data.path() / "p.gif"},
             {"measure", out},
             {"export", out, "-o", out, "--first", "-1"},
             {"export", out, "-o", out, "--every", "0"},
             {"export", out, "-o", out, "--format", "vtk"},
             {"export", out, "-o", out, "--box", "0", "0", "0", "1", "1"},
             {"surface", out, "-o", out, "--level", "0.001"},
             {"surface", out, "-o", out, "--level", "0.995"},
             {"surface", out, "-o", out, "--spacing", "0"},
             {"picture", out, "-o", out, "--width", "599"},
             {"picture", out, "-o", out, "--width", "10001"},
             {"picture", out, "-o", out, "--height", "299"},
             {"picture", out, "-o", out, "--frame", "0", "--time", "1"},
             {"forces", out, "-o", out},
             {"info", "more"}}) {
        std::string title;
        for (std::string word : words) {
            if (word.starts_with(data.path().string())) word.erase(0, data.path().string().size() + 1);
            title += word + " ";
        }
        pages.emplace_back(title, command(words));
        fs::remove_all(out);
    }
    expect_pages(pages, run_book / "words.txt", 0, 0);
}
