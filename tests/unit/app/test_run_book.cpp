// SPDX-License-Identifier: Apache-2.0
#include "../pages.h"
#include "commands.h"
#include "io/records/constants_json.h"
#include <nlohmann/json.hpp>
#include <regex>

// Some steps of cases of the case book, and what the commands make of their results, with the tables that they leave:
// see run_book/README.md.

using namespace sluice;
using namespace sluice::test;
namespace fs = std::filesystem;

namespace {

const fs::path run_book = fs::path(SLUICE_SOURCE_DIR) / "tests/unit/app/run_book";

class RunBook : public Commands {};

} // namespace

TEST_F(RunBook, StepsLeaveTheTablesThatAreWrittenDown) {
    std::vector<Page> pages;
    for (const BookCase& c : book.cases) {
        if (c.name.starts_with("documented")) continue;
        Page page{c.name, run(c, {"--pictures", "0", "--steps", "30", "--tout", "0.004"})};
        if (fs::exists(data.path() / "out")) add_tables(page.second, data.path() / "out");
        fs::remove_all(data.path() / "out");
        pages.push_back(page);
    }
    expect_pages(pages, run_book / "tables.txt", 1e-4, 1e-6);
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
                 {"surface", out, "--value", "pressure", "500", "--fields", "pressure", "--last", "0", "-o",
                  made + "/w"},
                 {"surface", out, "--format", "ply", "--last", "0", "-o", made + "/q"},
                 {"surface", out, "-o", out + "/frames"},
                 {"slice", out, "--point", "0.5", "0.5", "0.3", "--normal", "0", "1", "0", "--every", "2", "-o",
                  made + "/c"},
                 {"slice", out, "--through", "0", "0", "0", "1", "1", "1", "2", "2", "2", "-o", made + "/n"},
                 {"slice", out, "--point", "0", "0", "0", "-o", made + "/n"},
                 {"walls", out, "--every", "2", "-o", made + "/m"},
                 {"walls", out, "--shape", "particles", "--format", "ply", "--last", "0", "-o", made + "/k"},
                 {"walls", out, "--mkbound", "77", "-o", made + "/n"},
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
    expect_pages(pages, run_book / "commands.txt", 1e-4, 1e-6);
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
    // constants at their defaults, of which a new one would change this book
    std::set<std::string> usual;
    const auto defaults = constants_to_json(sph::Constants{});
    for (const auto& [name, value] : defaults.items()) usual.insert(fmt::format("    \"{}\": {}", name, value.dump()));
    const auto check = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"check", file, "--json", "--backend", "cpu", "--threads", "1", "--simd", "off"};
        words.insert(words.end(), {"--cpu-mode", "symmetric", "--cells", "h", "--gpu-memory", "8G"});
        words.insert(words.end(), more.begin(), more.end());
        std::vector<std::string> lines = command(words);
        const std::regex machine("second|threads|measured_|steps|bytes|^CPU: ");
        std::erase_if(lines, [&](const std::string& line) {
            return usual.contains(line.substr(0, line.find_last_not_of(',') + 1)) || std::regex_search(line, machine);
        });
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
    expect_pages(pages, run_book / "records.txt", 1e-4, 1e-6);
}

TEST_F(RunBook, WordsOnTheCommandLineAreAnsweredAsIsWrittenDown) {
    std::ofstream(data.path() / "case.xml") << text_of({});
    std::ofstream(data.path() / "probes.txt") << "0.5 0.5 0.5\n0.2 0.3 x\n";
    const std::string file = data.path() / "case.xml", out = data.path() / "out";
    std::vector<Page> pages;
    for (const char* name : {"run", "check", "report", "export", "measure", "movie", "forces", "surface", "slice",
                             "walls", "picture", "info"})
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
             {"surface", out, "-o", out, "--value", "depth", "1"},
             {"surface", out, "-o", out, "--value", "vx", "fast"},
             {"slice", out, "-o", "a.csv"},
             {"movie", out, "-o", out, "--between", "interpolate"},
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
