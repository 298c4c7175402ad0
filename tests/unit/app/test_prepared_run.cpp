// SPDX-License-Identifier: Apache-2.0
#include "app/prepared_run.h"
#include "commands.h"
#include "unit/idle_backend.h"

using namespace sluice;
using namespace sluice::test;

namespace {

/// Has only what a log begins with.
class SomeBackend final : public IdleBackend {
public:
    BackendInfo of_itself;

    BackendInfo info() const override { return of_itself; }
    std::size_t memory_bytes() const override { return 2'500'000; }
};

/// What is told of a run on such a backend, from the line that names the backend's mode on or what stands before it.
std::vector<std::string> told(const BackendInfo& info) {
    PreparedRun run;
    run.fluid_count = 3;
    run.particles.boundary_count = 4;
    auto backend = std::make_unique<SomeBackend>();
    backend->of_itself = info;
    run.backend = std::move(backend);
    Terminal terminal;
    log_start(run, "tank.xml", "some/where", nullptr);
    return terminal.lines();
}

} // namespace

TEST(PreparedRun, TellsWhichGpusItRunsOnAndWhatLedToTheirMode) {
    BackendInfo info;
    info.backend = "cuda";
    info.mode = "FastCells(h/2)";
    info.cells = "h";
    info.simd = "sm_90";
    info.device = "some GPU";
    info.memory_plan = "2 GB are free\nFastCells takes 1 GB";
    info.gpus = {{0, "the first", 0, 7, 11, 0, 1'500'000, 0}, {3, "the other", 8, 15, 12, 0, 2'500'000, 1}};
    std::vector<std::string> lines = told(info);
    ASSERT_EQ(lines.size(), 8u) << joined(lines);
    EXPECT_TRUE(lines[0].ends_with(": tank.xml"));
    EXPECT_TRUE(lines[1].starts_with("7 particles (3 fluid, 4 boundary), dp = ")) << lines[1];
    EXPECT_EQ(lines[2], "2 GB are free");
    EXPECT_EQ(lines[3], "FastCells takes 1 GB");
    EXPECT_EQ(lines[4], "cuda: FastCells(h/2), cells h, sm_90, some GPU, 2.5 MB");
    EXPECT_EQ(lines[5], "GPU 0: the first, rows of cells 0 to 7, 11 fluid particles, 1.5 MB");
    EXPECT_EQ(lines[6], "GPU 3: the other, rows of cells 8 to 15, 12 fluid particles, 2.5 MB");
    EXPECT_EQ(lines[7], "results in some/where");

    info.ranks = 2;
    lines = told(info);
    EXPECT_EQ(std::ranges::count(lines, "rank 1, GPU 3: the other, rows of cells 8 to 15, 12 fluid particles, 2.5 MB"),
              1)
        << joined(lines);
}

TEST(PreparedRun, TellsHowRanksShareIt) {
    BackendInfo info;
    info.backend = "cpu";
    info.mode = "symmetric";
    info.cells = "2h";
    info.simd = "x86-64-v3";
    info.ranks = 2;
    info.threads = 3;
    info.split = "planes across x";
    info.rank_shares = {{40, 0, 0, 1'500'000}, {50, 0, 0, 2'500'000}};
    const std::vector<std::string> lines = told(info);
    ASSERT_EQ(lines.size(), 7u) << joined(lines);
    EXPECT_EQ(lines[2], "cpu: symmetric, cells 2h, x86-64-v3, 2 ranks of 3 threads, 2.5 MB");
    EXPECT_EQ(lines[3], "rank 0: 40 particles, 1.5 MB");
    EXPECT_EQ(lines[4], "rank 1: 50 particles, 2.5 MB");
    EXPECT_TRUE(lines[5].ends_with("; they share the space by planes across x")) << lines[5];
}
