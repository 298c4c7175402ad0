// SPDX-License-Identifier: Apache-2.0
#include "app/run_outputs.h"

#include "app/resume.h"
#include "core/log.h"
#include "io/pictures/view_script.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace sluice {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

/// Takes back what an interrupted run wrote after its checkpoint. A last row that was no regular sample goes too.
void rewind_series(const fs::path& folder, const Checkpoint& checkpoint) {
    for (const fs::path& table : tables_in(folder)) {
        const RowLimit limit = row_limit(table, checkpoint);
        keep_csv_rows(folder / table, limit.column, limit.value);
    }
}

/// The times of frames, and of the tables beside them.
SampleClock frame_clock(const ExecutionParameters& parameters) {
    SampleClock clock(parameters.time_out);
    for (const OutputInterval& i : parameters.output_intervals) clock.change_period(i.begin, i.period);
    return clock;
}

FrameOptions frame_options(const PreparedRun& run, const RunOptions& options, const std::optional<Checkpoint>& from) {
    FrameOptions frames;
    frames.positions_double = run.definition.parameters.positions_double;
    frames.compression = options.compression;
    const BackendInfo info = run.backend->info();
    frames.threads = output_threads(info.ranks * info.threads);
    frames.fields = options.fields;
    frames.setup = run.setup;
    frames.keep_every = options.keep_every;
    if (run.definition.output_parts) frames.selection.emplace(*run.definition.output_parts, run.particles, run.setup);
    frames.first_number = from ? from->next_frame : 0;
    frames.times = frame_clock(run.definition.parameters);
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

std::string excluded_counter(sph::ExclusionCause cause) {
    return fmt::format("excluded_{}", sph::exclusion_cause_name(cause));
}

} // namespace

std::int64_t excluded_before(const Checkpoint& checkpoint, sph::ExclusionCause cause) {
    return std::int64_t(checkpoint.counter(excluded_counter(cause)));
}

RunOutputs::RunOutputs(const PreparedRun& run, const FolderLock& lock, const RunOptions& options,
                       const std::optional<Checkpoint>& checkpoint, Clock::time_point begin)
    : run_(run), folder_(options.out), lock_(lock), begin_(begin), time_limit_(begin, options.time_limit),
      checkpoint_seconds_(options.checkpoint_seconds), checkpoint_clock_(simulated_clock(options, checkpoint)),
      from_(checkpoint), checkpoints_(rewound(options.out, checkpoint)),
      writer_(options.out, run.particles, frame_options(run, options, checkpoint)),
      frames_(writer_, frame_clock(run.definition.parameters)),
      flow_(options.out, run.setup, frame_clock(run.definition.parameters), checkpoint.has_value()),
      bodies_(options.out, run.setup, frame_clock(run.definition.parameters), checkpoint.has_value()),
      joints_(options.out, run.setup, run.definition.mechanisms, frame_clock(run.definition.parameters),
              checkpoint.has_value()),
      lines_(options.out, run.setup.moorings, run.definition.moorings, run.setup.domain.min,
             frame_clock(run.definition.parameters), checkpoint.has_value()),
      contacts_(options.out, run.setup, run.definition.mechanisms, frame_clock(run.definition.parameters),
                checkpoint.has_value()),
      absorption_(make_absorption_samplers(options.out, run.setup, frame_clock(run.definition.parameters),
                                           checkpoint.has_value())),
      excluded_(options.out, checkpoint.has_value()), fluid_(run.setup),
      progress_(options.progress.value_or(isatty(STDERR_FILENO) != 0 && !console_is_quiet() ? ProgressStyle::line
                                                                                            : ProgressStyle::log)) {
    write_view_script(options.out, run.particles, options.fields, run.definition.gauges);
    for (const Gauge& gauge : run.definition.gauges)
        for (auto& sampler :
             make_gauge_samplers(options.out, gauge, run.setup, run.particles.blocks, fluid_, checkpoint.has_value()))
            series_.push_back(std::move(sampler));
    if (!options.probes.empty()) {
        const SampleClock clock(options.probes_dt.value_or(run.definition.parameters.time_out));
        MeasuredSeries probes = options.probes_follow ? probe_series(options.probes, run.setup, *options.probes_follow)
                                                      : probe_series(options.probes);
        series_.push_back(std::make_unique<SeriesSampler>(options.out / "probes.csv", std::move(probes), clock, fluid_,
                                                          checkpoint.has_value()));
    }
    if (!from_) return;
    PassedFluid passed;
    for_each_passed(passed, [&](const std::string& name, auto& figure) {
        figure = static_cast<std::remove_reference_t<decltype(figure)>>(from_->counter("passed_" + name));
    });
    flow_.ledger().resume_passed(passed);
    for (int n = 1; n < sph::exclusion_cause_count; ++n)
        excluded_.set_count(sph::ExclusionCause(n), excluded_before(*from_, sph::ExclusionCause(n)));
}

void RunOutputs::attach(Simulation& simulation, std::atomic<int>& stop) {
    std::vector<Sampler*> samplers{&frames_, &flow_};
    if (!run_.setup.bodies.empty()) samplers.push_back(&bodies_);
    if (!run_.setup.mechanisms.joints.empty()) samplers.push_back(&joints_);
    if (!lines_.tables().empty()) samplers.push_back(&lines_);
    if (contacts_.table()) samplers.push_back(&contacts_);
    for (const auto& piston : absorption_) samplers.push_back(piston.get());
    for (const auto& series : series_) samplers.push_back(series.get());
    for (Sampler* sampler : samplers) {
        if (from_) sampler->clock().resume(from_->state.time);
        simulation.add_sampler(*sampler);
    }
    simulation.on_excluded = [this](const auto& particles) {
        excluded_.add(particles);
        flow_.add_excluded(particles);
    };
    simulation.on_passed = [this](const auto& particles) { flow_.ledger().add_passed(particles); };
    simulation.on_progress = [this, &simulation, &stop](const Progress& now) {
        progress_.show(now);
        if (checkpoint_due(now)) {
            simulation.finish_samples(); // a resumed run goes on from frames and tables that hold all up to here
            write_checkpoint(simulation.result());
        }
        int none = 0;
        if (time_is_up()) stop.compare_exchange_strong(none, stop_for_time_limit);
    };
}

double RunOutputs::seconds_since_begin() const { return seconds_between(begin_, Clock::now()); }

NamedValues<double> RunOutputs::phases(double output_seconds) const {
    const PhaseSeconds here = run_.backend->phase_seconds();
    NamedValues<double> all{{"cell_list", here.cell_list},
                            {"interaction", here.interaction},
                            {"update", here.update},
                            {"transfer", here.transfer},
                            {"output_wait", output_seconds}};
    for (auto& [name, seconds] : all) seconds += before("phase_" + name);
    return all;
}

template <class Visit>
void RunOutputs::for_each_table(Visit&& visit) {
    visit(flow_.table(), true);
    for (CsvWriter& table : bodies_.tables()) visit(table, true);
    for (CsvWriter& table : joints_.tables()) visit(table, false);
    for (CsvWriter& table : lines_.tables()) visit(table, false);
    if (contacts_.table()) visit(*contacts_.table(), false);
    for (const auto& piston : absorption_) visit(piston->table(), false);
    visit(excluded_.table(), false);
    for (const auto& series : series_) visit(series->table(), false);
}

void RunOutputs::require_in_place() {
    lock_.require();
    for_each_table([](CsvWriter& table, bool) { table.require_in_place(); });
}

void RunOutputs::write_checkpoint(const RunResult& result) {
    const auto start = Clock::now();
    require_in_place();
    writer_.finish();
    Checkpoint checkpoint;
    checkpoint.state = run_.backend->state();
    checkpoint.next_frame = writer_.next_number() - (result.sampled_last ? 1 : 0);
    checkpoint.fingerprint = resume_fingerprint(run_, folder_);
    checkpoint.counters = {{"wall_seconds", before("wall_seconds") + seconds_since_begin()},
                           {"loop_seconds", before("loop_seconds") + result.loop_seconds},
                           {"particle_steps", before("particle_steps") + result.particle_steps},
                           {"sampled_last", result.sampled_last ? 1 : 0}};
    for (const auto& [name, seconds] : phases(result.output_seconds))
        checkpoint.counters.emplace_back("phase_" + name, seconds);
    for (int n = 1; n < sph::exclusion_cause_count; ++n) {
        const auto cause = sph::ExclusionCause(n);
        checkpoint.counters.emplace_back(excluded_counter(cause), double(excluded_.count(cause)));
    }
    const PassedFluid passed = flow_.ledger().passed();
    for_each_passed(passed, [&](const std::string& name, auto figure) {
        checkpoint.counters.emplace_back("passed_" + name, static_cast<double>(figure));
    });
    for_each_table([&](const CsvWriter& table, bool wants_last) {
        const std::int64_t rows = table.rows() - (wants_last && result.sampled_last ? 1 : 0);
        checkpoint.counters.emplace_back(rows_counter(fs::relative(table.path(), folder_)), double(rows));
    });
    checkpoints_.write(checkpoint);
    last_checkpoint_ = Clock::now();
    longest_checkpoint_ = std::max(longest_checkpoint_, seconds_between(start, last_checkpoint_));
    has_checkpoint_ = true;
}

bool RunOutputs::checkpoint_due(const Progress& now) {
    constexpr double first = 60; // so that a run that is killed early can be resumed, too
    const double interval = has_checkpoint_ ? checkpoint_seconds_ : std::min(checkpoint_seconds_, first);
    const bool by_wall_time = checkpoint_seconds_ > 0 && seconds_between(last_checkpoint_, Clock::now()) >= interval;
    const bool by_simulated_time = now.now.time >= checkpoint_clock_.next_time();
    if (by_simulated_time) checkpoint_clock_.taken(now.now.time);
    return by_wall_time || by_simulated_time;
}

/// Whether the next steps and the last checkpoint might take longer than there is time.
bool RunOutputs::time_is_up() {
    constexpr double bytes_per_second = 1e8, spare = 1; // of a slow disk; s
    const auto now = Clock::now();
    longest_wait_ = std::max(longest_wait_, seconds_between(last_progress_, now));
    last_progress_ = now;
    const double checkpoint =
        has_checkpoint_ ? longest_checkpoint_ : double(run_.backend->memory_bytes()) / bytes_per_second;
    return time_limit_.left() < 2 * (checkpoint + longest_wait_) + spare;
}

void RunOutputs::finish(const RunResult& result) {
    progress_.finish();
    require_in_place();
    // what went wrong before a run failed lies in its last states: the checkpoints before are worth more
    const bool is_sound = outcome_info(result.end).status != RunStatus::failed || result.end == Outcome::out_of_memory;
    if (is_sound) write_checkpoint(result);
}

void RunOutputs::fill(RunSummary& s, const RunResult& result) const {
    const BackendInfo info = run_.backend->info();
    s.threads = info.threads;
    s.gpus = info.gpus;
    s.frames = writer_.next_number();
    if (run_.definition.output_parts) s.left_out = writer_.left_out();
    s.simulated_seconds = result.last.time;
    s.part = {result.steps_taken, seconds_since_begin(), result.loop_seconds, result.particle_steps};
    s.total = {result.last.step, before("wall_seconds") + s.part.wall_seconds,
               before("loop_seconds") + result.loop_seconds, before("particle_steps") + result.particle_steps};
    s.phases = phases(result.output_seconds);
    s.memory = {{"backend", std::int64_t(run_.backend->memory_bytes())}, {"peak_resident", peak_resident_bytes()}};
    s.ledger = flow_.summary();
    s.excluded.clear();
    for (int cause = 1; cause < sph::exclusion_cause_count; ++cause)
        s.excluded.emplace_back(sph::exclusion_cause_name(sph::ExclusionCause(cause)),
                                excluded_.count(sph::ExclusionCause(cause)));
}

} // namespace sluice
