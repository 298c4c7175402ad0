// SPDX-License-Identifier: Apache-2.0
#include "app/run_record.h"
#include "temporary_folder.h"
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace sluice;

namespace {

PreparedRun dam_break() {
    CaseOverrides overrides;
    overrides.dp = 0.05;
    BackendOptions backend;
    backend.kind = BackendKind::cpu;
    backend.threads = 1;
    backend.cpu_mode = CpuMode::symmetric;
    return prepare_run(std::string(SLUICE_SOURCE_DIR) + "/tests/data/dam-break-2d.xml", overrides, backend);
}

} // namespace

TEST(RunRecord, BeginsWithWhatIsRunAndOnWhat) {
    const PreparedRun run = dam_break();
    RunOptions options;
    options.case_file = "some/where/dam.xml";
    options.started = "2026-01-02T03:04:05Z";
    const RunSummary s = initial_summary(run, options, {});
    EXPECT_EQ(s.case_name, "dam");
    EXPECT_EQ(s.case_file, "some/where/dam.xml");
    EXPECT_EQ(s.started, options.started);
    EXPECT_EQ(s.dp, 0.05);
    EXPECT_EQ(s.h, run.setup.constants.h);
    EXPECT_EQ(s.constants, run.setup.constants);
    EXPECT_EQ(s.backend, "cpu");
    EXPECT_EQ(s.threads, 1);
    EXPECT_EQ(s.ranks, 1);
    EXPECT_EQ(s.particles, run.particles.size());
    EXPECT_GT(s.boundary_particles, 0u);
    EXPECT_GT(s.fluid_particles, 0u);
    EXPECT_EQ(s.boundary_particles + s.fluid_particles, s.particles);
    EXPECT_EQ(s.simulated_seconds, 0);
    EXPECT_EQ(s.frames, 0);
}

TEST(RunRecord, GoesOnFromACheckpoint) {
    Checkpoint from;
    from.state.time = 0.75;
    from.state.step = 321;
    from.next_frame = 9;
    from.counters = {{"wall_seconds", 12}, {"loop_seconds", 11}, {"particle_steps", 5e6}};
    const RunSummary s = initial_summary(dam_break(), {}, from);
    EXPECT_EQ(s.simulated_seconds, 0.75);
    EXPECT_EQ(s.frames, 9);
    EXPECT_EQ(s.total.steps, 321);
    EXPECT_EQ(s.total.wall_seconds, 12);
    EXPECT_EQ(s.total.stepping_seconds, 11);
    EXPECT_EQ(s.total.particle_steps, 5e6);
}

TEST(RunRecord, SaysWhileItRunsThatItDoes) {
    const TemporaryFolder folder;
    const FolderLock lock(folder.path());
    const auto written = [&] { return nlohmann::json::parse(std::ifstream(folder.path() / "run.json")); };
    RunRecord record(lock, folder.path(), initial_summary(dam_break(), {}, {}));
    EXPECT_EQ(written()["status"], "running");
    EXPECT_TRUE(written()["outcome"].is_null());
    record.summary().simulated_seconds = 0.25;
    record.close(Outcome::finished, "all of it");
    EXPECT_EQ(written()["outcome"], "finished");
    EXPECT_EQ(written()["message"], "all of it");
    EXPECT_EQ(written()["simulated_seconds"], 0.25);
}
