// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "io/records/checkpoint.h"
#include <nlohmann/json.hpp>
#include <sys/stat.h>

// Runs that go on after their end.

using namespace sluice;
using namespace sluice::test;
namespace fs = std::filesystem;

namespace {

class Resume : public Commands {
protected:
    /// What resuming says, with these options.
    std::vector<std::string> resume(std::vector<std::string> words) {
        words.insert(words.begin(), {"run", "--resume", out});
        return command(words);
    }
    std::vector<std::string> tables() const {
        std::vector<std::string> all;
        add_tables(all, out);
        return all;
    }
    nlohmann::json record() const { return nlohmann::json::parse(std::ifstream(out / "run.json")); }
    void replace(const fs::path& file, const std::string& before, const std::string& after) const {
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        std::string all = text.str();
        ASSERT_NE(all.find(before), std::string::npos);
        std::ofstream(file) << all.replace(all.find(before), before.size(), after);
    }
    const fs::path out = data.path() / "out";
};

} // namespace

// Bit for bit what a run in one go leaves, so the tables' numbers are the same to the last digit.
TEST_F(Resume, ARunThatIsResumedLeavesTheTablesOfOneThatIsNot) {
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
        for (const std::string& line : command({"run", "--resume", data.path() / "out", "--steps", "30", "-q"}))
            EXPECT_NE(line.find("may fill up or run dry"), std::string::npos) << line; // of the case with an outlet
        add_tables(parts, data.path() / "out");
        ASSERT_EQ(whole.size(), parts.size());
        for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_EQ(whole[k], parts[k]);
    }
}

// Frames that are lost between two parts of a run leave a gap that is told, or are computed again.
TEST_F(Resume, FramesThatWereLostAreToldOfAndComputedAgain) {
    const fs::path lost = out / "frames/frame_000001.h5";
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

// Rows of the books that are lost stop it, others are told; a table that lost its header gets it back.
TEST_F(Resume, RowsThatWereLostAreToldOf) {
    const auto run_to_20 = [&](const char* name) {
        fs::remove_all(out);
        run(named(name), {"--pictures", "0", "--steps", "20", "--tout", "0.0005"});
    };
    const auto cut = [](const fs::path& table, std::size_t lines) {
        std::ifstream in(table);
        std::string kept, line;
        for (std::size_t k = 0; k < lines && std::getline(in, line); ++k) kept += line + "\n";
        in.close();
        std::ofstream(table) << kept;
    };
    const auto lines_of = [](const fs::path& table) {
        std::ifstream in(table);
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        return lines;
    };
    for (const bool whole : {true, false}) {
        run_to_20("floating bodies");
        if (whole)
            fs::remove(out / "flow.csv");
        else
            cut(out / "flow.csv", lines_of(out / "flow.csv").size() - 3);
        const auto said = resume({"--steps", "30", "-q"});
        ASSERT_EQ(said.size(), 1U);
        EXPECT_TRUE(said[0].starts_with("stops: out: rows of tables were removed since the checkpoint at t = "))
            << said[0];
        EXPECT_NE(said[0].find("flow.csv ("), std::string::npos) << said[0];
    }
    run_to_20("floating bodies");
    const fs::path bodies = fs::directory_iterator(out / "bodies")->path();
    const std::vector<std::string> before = lines_of(bodies);
    cut(bodies, 1); // in the middle of the comments
    auto said = resume({"--steps", "30", "-q"});
    ASSERT_GE(said.size(), 1U);
    EXPECT_NE(said[0].find("warning: out: rows of tables were removed"), std::string::npos) << said[0];
    const std::vector<std::string> after = lines_of(bodies);
    ASSERT_GT(after.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(after[k], before[k]) << "comments and header";

    run_to_20("floating bodies");
    fs::remove(bodies);
    EXPECT_EQ(resume({"--steps", "30", "-q", "--redo-gap"}), std::vector<std::string>{});
    EXPECT_GE(lines_of(bodies).size(), before.size());
}

// One that has come to its end has nothing to do; with a later end it becomes the run that had that end from the start.
TEST_F(Resume, AFinishedRunGoesOnToALaterEndAlone) {
    const std::vector<std::string> whole_run{"--pictures", "0", "--tout", "0.002", "--tmax", "0.013"};
    run(named("floating bodies"), whole_run);
    const std::vector<std::string> whole = tables();
    const auto steps = record()["steps"];
    fs::remove_all(out);
    run(named("floating bodies"), {"--pictures", "0", "--tout", "0.002", "--tmax", "0.009"});
    ASSERT_EQ(record()["outcome"], "finished");
    const double reached = record()["simulated_seconds"];
    const auto before = record();

    const std::string finished =
        fmt::format("out: the run has finished (t = {:g} s): there is nothing left to do; --tmax "
                    "with a later end goes on",
                    reached);
    EXPECT_EQ(resume({}), std::vector{finished});
    EXPECT_EQ(resume({"--tmax", "0.009"}), std::vector{finished});
    EXPECT_EQ(resume({"--tmax", "0.005"}),
              std::vector{fmt::format("stops: run: --tmax 0.005: the run in out has come to t = {:g} s already; give a "
                                      "later end",
                                      reached)});
    EXPECT_EQ(record(), before);
    nlohmann::json forged = before;
    forged["simulated_seconds"] = 1e300;
    std::ofstream(out / "run.json") << forged.dump(2);
    const auto refused = resume({});
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_NE(refused[0].find("says that the run came to t = 1e+300 s"), std::string::npos) << refused[0];
    std::ofstream(out / "run.json") << before.dump(2);

    EXPECT_EQ(resume({"--tmax", "0.013", "-q"}), std::vector<std::string>{});
    EXPECT_EQ(record()["steps"], steps);
    EXPECT_EQ(record()["outcome"], "finished");
    EXPECT_EQ(tables(), whole);
    EXPECT_EQ(resume({}).size(), 1u); // the later end is its end now
    EXPECT_EQ(record()["steps"], steps);
}

TEST_F(Resume, ARunWithoutACheckpointBeginsAtItsStart) {
    const auto run_to = [&](const char* step) {
        run(named("gauges in a plane"), {"--pictures", "0", "--tout", "0.002", "--steps", step});
    };
    run_to("20");
    const std::vector<std::string> whole = tables();
    run_to("9");
    ASSERT_TRUE(fs::remove_all(out / "checkpoints") > 1);
    const std::vector<std::string> said = resume({"--steps", "20"});
    EXPECT_EQ(std::ranges::count(said, "out: the run was stopped before its first checkpoint: it begins at its start"),
              1);
    EXPECT_EQ(tables(), whole);
    EXPECT_EQ(record()["steps"], 20);
}

// The record of a resumed run is that of all its parts, and its log goes on.
TEST_F(Resume, TimesAndLogsOfPartsAddUp) {
    run(named("constants outright"), {"--pictures", "0", "--steps", "9"});
    const auto first = record();
    ASSERT_EQ(resume({"--steps", "20", "-q"}), std::vector<std::string>{});
    const auto both = record();
    EXPECT_EQ(both["steps"], 20);
    EXPECT_EQ(both["part"]["steps"], 11);
    for (const char* phase : {"interaction", "cell_list", "update"}) {
        EXPECT_GT(first["phases"][phase], 0) << phase;
        EXPECT_GT(both["phases"][phase], first["phases"][phase]) << phase;
    }
    EXPECT_GT(both["wall_seconds"], first["stepping_seconds"]);
    EXPECT_GT(both["stepping_seconds"], first["stepping_seconds"]);
    EXPECT_GT(both["stepping_seconds"], both["part"]["stepping_seconds"]);
    EXPECT_EQ(both["started"], first["started"]);
    int starts = 0, going_on = 0;
    for (const std::string& line : lines_of(std::ifstream(out / "run.log"))) {
        starts += line.find(" results in ") != std::string::npos;
        going_on += line.find(" going on from step 9, t = ") != std::string::npos;
    }
    EXPECT_EQ(starts, 2);
    EXPECT_EQ(going_on, 1);
}

TEST_F(Resume, ADamagedCheckpointIsNotGoneOnFrom) {
    run(named("constants outright"), {"--pictures", "0", "--steps", "9", "--tout", "0.002"});
    for (const fs::path& file : CheckpointStore(out).files()) fs::resize_file(file, fs::file_size(file) / 2);
    const std::vector<std::string> said = resume({"--steps", "20", "-q"});
    EXPECT_EQ(said.at(0), "stops: out: holds no checkpoint that is whole; start the run anew with --overwrite");
    EXPECT_EQ(record()["steps"], 9);
}

// What the run was made of has to be there, and as it was.
TEST_F(Resume, ARunGoesOnAsTheSameOrNotAtAll) {
    run(named("regular waves"), {"--pictures", "0", "--steps", "5"});
    const auto refuses = [&](const std::string& beginning) {
        const std::vector<std::string> said = resume({"--steps", "9", "-q"});
        EXPECT_TRUE(said.at(0).starts_with(beginning)) << said[0];
        EXPECT_EQ(record()["steps"], 5);
    };
    const fs::path stored = out / "effective-case.xml", kept = data.path() / "kept.xml";
    fs::copy_file(stored, kept);
    replace(stored, "<gravity", "<gravitas");
    refuses("stops: out/effective-case.xml:");
    fs::copy_file(kept, stored, fs::copy_options::overwrite_existing);
    replace(stored, "-9.81", "-9.80");
    refuses("stops: out: the run would go on as another one: ");
    fs::copy_file(kept, stored, fs::copy_options::overwrite_existing);
    EXPECT_EQ(resume({"--steps", "9", "-q"}), std::vector<std::string>{});
    EXPECT_EQ(record()["steps"], 9);
    EXPECT_EQ(command({"run", "--resume", stored}),
              std::vector<std::string>{"stops: run: --resume wants the output folder of a run, and "
                                       "out/effective-case.xml is a file"});
    EXPECT_EQ(
        resume({"--dp", "0.2"}),
        std::vector<std::string>{"stops: run: --dp cannot be given with --resume; the run goes on as it was started"});
}

TEST_F(Resume, TablesOfAnotherVersionAreNotGoneOnWith) {
    run(named("constants outright"), {"--pictures", "0", "--steps", "3"});
    replace(out / "flow.csv", "mass [kg]", "mass [g]");
    EXPECT_EQ(resume({"--steps", "6", "-q"}).at(0),
              "stops: out/flow.csv: has other columns than this version writes: resume the run with the version that "
              "began it, or run the case anew");
}

// Files that the case names are copied into the folder: the run goes on without them, and not without the copies.
TEST_F(Resume, FilesOfTheCaseAreKeptInTheFolder) {
    run(named("normals of a mesh"), {"--pictures", "0", "--steps", "3"});
    const fs::path copy = out / "inputs/body.stl";
    ASSERT_TRUE(fs::exists(copy));
    EXPECT_EQ(fs::file_size(copy), fs::file_size(data.path() / "body.stl"));
    fs::remove(data.path() / "body.stl");
    resume({"--steps", "6", "-q"});
    EXPECT_EQ(record()["steps"], 6);
    replace(copy, "vertex", "vertex ");
    EXPECT_TRUE(resume({"--steps", "9", "-q"}).at(0).starts_with("stops: out: the run would go on as another one: "));
    fs::remove(copy);
    EXPECT_TRUE(resume({"--steps", "9", "-q"}).at(0).starts_with("stops: "));
    EXPECT_EQ(record()["steps"], 6);
}

// In mode slices the sums are made by threads; in the others a run may go on with another number of them.
TEST_F(Resume, ThreadsMayChangeWhereTheyChangeNothing) {
    const std::vector<std::string> short_run{"--pictures", "0", "--steps", "4"};
    run(named("constants outright"), short_run);
    EXPECT_EQ(resume({"--steps", "6", "-q", "--threads", "2"}), std::vector<std::string>{});
    EXPECT_EQ(record()["threads"], 2);
    EXPECT_EQ(resume({"--steps", "8", "-q"}), std::vector<std::string>{});
    EXPECT_EQ(record()["threads"], 2); // as it was told before
    fs::remove_all(out);

    std::vector<std::string> words{"run", data.path() / "case.xml", "-o", out};
    for (const char* word : {"--backend", "cpu", "--threads", "2", "--cpu-mode", "slices", "-q"})
        words.emplace_back(word);
    words.insert(words.end(), short_run.begin(), short_run.end());
    EXPECT_EQ(command(words), std::vector<std::string>{});
    EXPECT_EQ(resume({"--steps", "6", "-q", "--threads", "1"}),
              std::vector<std::string>{
                  "stops: run: --threads 1: this run goes on with 2 threads as it began, since in mode slices the "
                  "results depend on their number; leave the option out"});
    EXPECT_EQ(resume({"--steps", "6", "-q", "--threads", "2"}), std::vector<std::string>{});
    EXPECT_EQ(record()["steps"], 6);
}

TEST_F(Resume, AForgedCheckpointThatTellsOfMoreFramesThanThereCanBeIsRefused) {
    run(named("constants outright"), {"--pictures", "0", "--steps", "10", "--tout", "0.002"});
    const CheckpointStore store(out);
    Checkpoint checkpoint = *store.read_newest();
    checkpoint.next_frame = 2000000000;
    store.write(checkpoint);
    const std::vector<std::string> said = resume({"--steps", "20", "-q"});
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].find("stops: out: the checkpoint says that 2000000000 frames are stored"), 0u) << said[0];
}

TEST_F(Resume, NobodyWaitsForWhatIsNoFileInTheFolder) {
    run(named("constants outright"), {"--pictures", "0", "--steps", "10"});
    for (const char* name : {"options.json", "effective-case.xml", "flow.csv", "excluded.csv", "run.json"}) {
        const fs::path file = out / name, kept = data.path() / "kept";
        fs::rename(file, kept);
        ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
        const std::string said = joined(resume({"--steps", "20", "-q"}));
        EXPECT_NE(said.find("out/" + std::string(name)), std::string::npos) << name << ": " << said;
        EXPECT_EQ(said.find("stops: "), 0u) << name << ": " << said;
        fs::remove(file);
        fs::rename(kept, file);
    }
}
