// SPDX-License-Identifier: Apache-2.0
#include "app/run_record.h"

#include "app/version.h"
#include "core/log.h"
#include <utility>

namespace sluice {

namespace fs = std::filesystem;

RunSummary initial_summary(const PreparedRun& run, const RunOptions& options, const std::optional<Checkpoint>& from) {
    RunSummary s;
    s.case_name = options.case_file.stem().string();
    s.case_file = options.case_file.string();
    s.version = version;
    s.started = options.started;
    s.fields = options.fields;
    s.part_started = utc_now();
    if (from) {
        s.simulated_seconds = from->state.time;
        s.frames = from->next_frame;
        s.total = {from->state.step, from->counter("wall_seconds"), from->counter("loop_seconds"),
                   from->counter("particle_steps")};
    }
    const BackendInfo info = run.backend->info();
    s.backend = info.backend;
    s.mode = info.mode;
    s.cells = info.cells;
    s.precision = "homogeneous";
    s.device = info.device;
    s.threads = info.threads;
    s.ranks = info.ranks;
    s.split = info.split;
    s.gpus = info.gpus;
    s.scheme = run.definition.scheme;
    s.constants = run.setup.constants;
    s.domain = run.setup.domain;
    s.period = run.setup.period;
    s.viscosity = run.setup.viscosity;
    s.dp = run.setup.constants.dp;
    s.h = run.setup.constants.h;
    s.boundary_particles = run.particles.boundary_count;
    s.fluid_particles = run.fluid_count;
    s.particles = s.boundary_particles + s.fluid_particles;
    return s;
}

RunRecord::RunRecord(const FolderLock& lock, const fs::path& folder, RunSummary summary)
    : lock_(lock), path_(folder / "run.json"), reserved_(folder), summary_(std::move(summary)) {
    write_run_json(path_, summary_);
}

void RunRecord::close(Outcome outcome, const std::string& message) {
    summary_.outcome = outcome;
    summary_.message = message;
    summary_.ended = utc_now();
    lock_.require();
    reserved_.write(path_, run_json(summary_));
}

void RunRecord::close_failed(const std::exception& error) {
    try {
        close(outcome_of(error), error.what());
    } catch (const std::exception& other) {
        if (lock_.held()) spdlog::error("error: {}", other.what());
    }
}

} // namespace sluice
