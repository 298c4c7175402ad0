// SPDX-License-Identifier: Apache-2.0
#include "app/run_outputs.h"

#include "core/log.h"
#include "io/run_fingerprint.h"
#include <fmt/format.h>
#include <limits>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace sluice {

namespace fs = std::filesystem;

namespace {

/// Takes back what an interrupted run wrote after its checkpoint. A last row that was no regular sample goes too.
void rewind_series(const fs::path& folder, const Checkpoint& checkpoint) {
    const double step = double(checkpoint.state.step), last = checkpoint.counter("sampled_last");
    keep_csv_rows(folder / "flow.csv", "step", step - last);
    keep_csv_rows(folder / "excluded.csv", "step", step);
    keep_csv_rows(folder / "probes.csv", "time [s]", checkpoint.state.time);
    if (!fs::exists(folder / "gauges")) return;
    for (const auto& entry : fs::directory_iterator(folder / "gauges"))
        keep_csv_rows(entry.path(), "time [s]", checkpoint.state.time);
}

FrameOptions frame_options(const RunDescription& run, const RunOptions& options,
                           const std::optional<Checkpoint>& from) {
    FrameOptions frames;
    frames.positions_double = run.definition.parameters.positions_double;
    frames.compression = options.compression;
    frames.threads = output_threads(run.backend.info().threads);
    frames.fields = options.fields;
    frames.keep_every = options.keep_every;
    frames.first_number = from ? from->next_frame : 0;
    return frames;
}

/// Before any series is opened for appending.
const fs::path& rewound(const fs::path& folder, const std::optional<Checkpoint>& from) {
    if (from) rewind_series(folder, *from);
    return folder;
}

/// The times of checkpoints that are still to come; none without --checkpoint-dt.
SampleClock simulated_clock(const RunOptions& options, const std::optional<Checkpoint>& from) {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (!options.checkpoint_dt) return SampleClock(1, never, 0);
    SampleClock clock(*options.checkpoint_dt, *options.checkpoint_dt);
    if (from) clock.resume(from->state.time);
    return clock;
}

std::int64_t peak_resident_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::int64_t(usage.ru_maxrss) * 1024;
}

std::string excluded_counter(int cause) {
    return fmt::format("excluded_{}", sph::exclusion_cause_name(sph::ExclusionCause(cause)));
}

} // namespace

RunOutputs::RunOutputs(const RunDescription& run, const fs::path& folder, const RunOptions& options,
                       const std::optional<Checkpoint>& checkpoint)
    : run_(run), checkpoint_seconds_(options.checkpoint_seconds),
      checkpoint_clock_(simulated_clock(options, checkpoint)), from_(checkpoint),
      checkpoints_(rewound(folder, checkpoint)),
      writer_(folder, run.particles, frame_options(run, options, checkpoint)),
      frames_(writer_, SampleClock(run.definition.parameters.time_out)),
      flow_(folder, run.setup, SampleClock(run.definition.parameters.time_out), checkpoint.has_value()),
      excluded_(folder, checkpoint.has_value()), fluid_(run.setup.groups, run.setup.constants),
      progress_(isatty(STDERR_FILENO) != 0 && !console_is_quiet()) {
    for (const Gauge& gauge : run.definition.gauges)
        for (auto& sampler :
             make_gauge_samplers(folder, gauge, run.setup, run.particles.blocks, fluid_, checkpoint.has_value()))
            series_.push_back(std::move(sampler));
    if (!options.probes.empty()) {
        const SampleClock clock(options.probes_dt.value_or(run.definition.parameters.time_out));
        series_.push_back(std::make_unique<SeriesSampler>(folder / "probes.csv", probe_series(options.probes), clock,
                                                          fluid_, checkpoint.has_value()));
    }
    if (!from_) return;
    for (int cause = 1; cause < sph::exclusion_cause_count; ++cause)
        excluded_.set_count(sph::ExclusionCause(cause), std::int64_t(from_->counter(excluded_counter(cause))));
}

void RunOutputs::attach(Simulation& simulation) {
    std::vector<Sampler*> samplers{&frames_, &flow_};
    for (const auto& series : series_) samplers.push_back(series.get());
    for (Sampler* sampler : samplers) {
        if (from_) sampler->clock().resume(from_->state.time);
        simulation.add_sampler(*sampler);
    }
    simulation.on_excluded = [this](const auto& particles) { excluded_.add(particles); };
    simulation.on_progress = [this, &simulation](const Progress& now) {
        progress_.show(now);
        if (!checkpoint_due(now)) return;
        simulation.finish_samples(); // a resumed run goes on from frames and tables that hold all up to here
        write_checkpoint(now.wall_seconds, now.particle_steps, false);
    };
}

void RunOutputs::write_checkpoint(double loop_seconds, double particle_steps, bool sampled_last) {
    writer_.finish();
    Checkpoint checkpoint;
    checkpoint.state = run_.backend.state();
    checkpoint.next_frame = writer_.next_number() - (sampled_last ? 1 : 0);
    checkpoint.fingerprint = run_fingerprint(run_.setup);
    const auto before = [&](const char* name) { return from_ ? from_->counter(name) : 0; };
    checkpoint.counters = {{"loop_seconds", before("loop_seconds") + loop_seconds},
                           {"particle_steps", before("particle_steps") + particle_steps},
                           {"sampled_last", sampled_last ? 1 : 0}};
    for (int cause = 1; cause < sph::exclusion_cause_count; ++cause)
        checkpoint.counters.emplace_back(excluded_counter(cause), double(excluded_.count(sph::ExclusionCause(cause))));
    checkpoints_.write(checkpoint);
    last_checkpoint_ = std::chrono::steady_clock::now();
}

bool RunOutputs::checkpoint_due(const Progress& now) {
    const double since = std::chrono::duration<double>(std::chrono::steady_clock::now() - last_checkpoint_).count();
    const bool by_wall_time = checkpoint_seconds_ > 0 && since >= checkpoint_seconds_;
    const bool by_simulated_time = now.now.time >= checkpoint_clock_.next_time();
    if (by_simulated_time) checkpoint_clock_.taken(now.now.time);
    return by_wall_time || by_simulated_time;
}

void RunOutputs::finish(const RunResult& result) {
    progress_.finish();
    write_checkpoint(result.loop_seconds, result.particle_steps, result.sampled_last);
}

void RunOutputs::fill(RunSummary& s, const RunResult& result) const {
    const auto before = [&](const char* name) { return from_ ? from_->counter(name) : 0; };
    s.threads = run_.backend.info().threads;
    s.steps = result.last.step;
    s.frames = writer_.next_number();
    s.simulated_seconds = result.last.time;
    s.stepping_seconds = before("loop_seconds") + result.loop_seconds;
    s.particle_steps = before("particle_steps") + result.particle_steps;
    const PhaseSeconds phases = run_.backend.phase_seconds();
    s.phases = {{"cell_list", phases.cell_list},
                {"interaction", phases.interaction},
                {"update", phases.update},
                {"transfer", phases.transfer},
                {"output_wait", result.output_seconds}};
    s.memory = {{"backend", std::int64_t(run_.backend.memory_bytes())}, {"peak_resident", peak_resident_bytes()}};
    s.excluded.clear();
    for (int cause = 1; cause < sph::exclusion_cause_count; ++cause)
        s.excluded.emplace_back(sph::exclusion_cause_name(sph::ExclusionCause(cause)),
                                excluded_.count(sph::ExclusionCause(cause)));
}

} // namespace sluice
