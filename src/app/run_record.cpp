// SPDX-License-Identifier: Apache-2.0
#include "app/run_record.h"

#include "app/version.h"
#include "core/log.h"
#include "io/files/file.h"
#include <algorithm>
#include <span>
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
    s.method = run.setup.method;
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
    if (const auto& parts = run.definition.output_parts) {
        s.left_out.emplace();
        s.whole_every = parts->whole_every;
    }
    s.constants = run.setup.constants;
    s.domain = run.setup.domain;
    s.period = run.setup.period;
    s.fluids = run.setup.fluids;
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

void RunRecord::renew(const Progress& now) {
    const auto begin = std::chrono::steady_clock::now();
    if (!renews_ || begin < next_) return;
    const ProgressFigures figures = progress_figures(now);
    RunSummary shown = summary_;
    shown.simulated_seconds = now.now.time;
    shown.part.steps = now.now.step - now.start_step;
    shown.total.steps = now.now.step;
    for (RunTimes* times : {&shown.part, &shown.total}) {
        times->stepping_seconds += now.wall_seconds;
        times->wall_seconds += now.wall_seconds;
        times->particle_steps += now.particle_steps;
    }
    shown.progress = {figures.done, figures.seconds_left, now.time_max, rate_.look(now),
                      now.now.dt,   now.now.particles,    utc_now()};
    try {
        const std::string text = run_json(shown);
        write_file_atomically(path_, std::as_bytes(std::span(text)), false);
    } catch (const std::exception& error) {
        spdlog::warn("warning: {}; it does not tell how far the run is from here on", error.what());
        renews_ = false;
    }
    using Seconds = std::chrono::duration<double>;
    const Seconds took = std::chrono::steady_clock::now() - begin;
    next_ = begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::max(Seconds(1), 100 * took));
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
