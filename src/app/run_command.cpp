// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/folder_lock.h"
#include "app/interrupt.h"
#include "app/output_folder.h"
#include "app/prepared_run.h"
#include "app/resume.h"
#include "app/run_end.h"
#include "app/run_outputs.h"
#include "app/run_pictures.h"
#include "app/run_record.h"
#include "app/stored_case.h"
#include "app/stored_options.h"
#include "core/error.h"
#include "core/log.h"
#include "core/numbers.h"
#include "io/files/file.h"
#include "io/measures/riding.h"
#include "io/records/run_json.h"
#include "io/report/wave_page.h"
#include <chrono>
#include <fmt/format.h>

namespace sluice {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

/// Steps from where the backend is to an end.
RunResult simulate(PreparedRun& run, const RunOptions& options, const std::optional<Checkpoint>& from,
                   RunOutputs& outputs, RunRecord& record) {
    RunSummary& summary = record.summary();
    Simulation simulation(*run.backend, run.setup, limits_of(run, options, from));
    std::atomic<int>& stop = catch_interrupts();
    outputs.attach(simulation, stop);
    simulation.on_progress = [&record, tell = simulation.on_progress](const Progress& now) {
        tell(now);
        record.renew(now);
    };
    try {
        const RunResult result = simulation.run(stop);
        outputs.finish(result);
        outputs.fill(summary, result);
        return result;
    } catch (...) {
        try {
            simulation.finish_samples();
        } catch (const std::exception&) { // is known already, or less than what is
        }
        outputs.fill(summary, simulation.result());
        throw;
    }
}

/// The run proper, with all its output and its final messages.
int run_prepared(PreparedRun& run, const RunOptions& options, const FolderLock& lock,
                 const std::optional<Checkpoint>& checkpoint, Clock::time_point begin) {
    catch_interrupts(); // from now on there is a record that says that the run goes on
    RunRecord record(lock, options.out, initial_summary(run, options, checkpoint));
    RunSummary& summary = record.summary();
    try {
        RunResult result;
        std::int64_t excluded = 0;
        const int threads_before = summary.threads;
        {
            RunOutputs outputs(run, lock, options, checkpoint, begin);
            result = simulate(run, options, checkpoint, outputs, record);
            excluded = outputs.excluded();
        }
        judge(result, summary);
        const std::string reason = reason_of(run, options, result);
        record.close(result.end, reason);
        if (options.pictures > 0 && outcome_info(result.end).status != RunStatus::interrupted) {
            const auto drawing = Clock::now();
            draw_run_pictures(options.out, summary.case_name, options.pictures);
            const double seconds = std::chrono::duration<double>(Clock::now() - drawing).count();
            summary.phases.emplace_back("pictures", seconds);
            for (RunTimes* times : {&summary.part, &summary.total}) times->wall_seconds += seconds;
            record.close(result.end, reason);
        }
        if (summary.threads != threads_before)
            spdlog::info("the last steps ran on {} of {}: more did not pay", counted(summary.threads, "thread"),
                         threads_before);
        log_end(summary, result, excluded, options.out);
        if (options.progress == ProgressStyle::json) print_end(summary);
        return exit_code(result.end);
    } catch (const std::exception& error) {
        record.close_failed(error);
        if (options.progress == ProgressStyle::json) print_end(summary);
        lock.require(); // a run that has lost its folder cannot write to it: this reports the cause, not the effect
        throw;
    }
}

/// The options with what was chosen for the run in place of "automatic", so that it goes on the same way elsewhere,
/// too.
RunOptions settled(RunOptions options, const BackendInfo& info) {
    BackendOptions& b = options.backend;
    b.gpu_mode_before.reset();
    b.kind = info.backend == "cuda" ? BackendKind::cuda : BackendKind::cpu;
    if (b.kind == BackendKind::cuda) {
        b.gpu_mode_before = mode_of_name(gpu_modes, info.mode);
    } else {
        if (b.processes) b.ranks = 1; // without a launcher one process goes on alone, in the same mode
        b.cpu_mode = mode_of_name(cpu_modes, info.mode);
        b.cells = mode_of_name(cell_sizes, info.cells);
        if (b.cpu_mode == CpuMode::slices) b.threads = info.threads; // whose number is part of the sums
    }
    return options;
}

/// As many threads as were asked for with --resume. Throws InputError where their number is part of the sums.
void take_threads(BackendOptions& options, int asked) {
    if (asked <= 0) return;
    if (options.cpu_mode == CpuMode::slices && options.threads != asked)
        throw InputError(
            fmt::format("run: --threads {}: this run goes on with {} as it began, since in mode slices the "
                        "results depend on their number; leave the option out",
                        asked, counted(options.threads, "thread")));
    options.threads = asked;
}

/// As many ranks as were asked for with --resume, and how they share the space. How others did may not be for these.
void take_ranks(BackendOptions& options, const BackendOptions& asked) {
    if (asked.ranks || asked.split) options.split = asked.split;
    if (asked.ranks) options.ranks = asked.ranks;
}

/// Throws InputError where the probes are to ride on what does not move.
void require_ride(const PreparedRun& run, const RunOptions& options) {
    const std::string why = options.probes_follow ? why_no_ride(run.setup, *options.probes_follow) : "";
    if (!why.empty()) throw InputError(fmt::format("run: --probes-follow {}: {}", *options.probes_follow, why));
}

/// Throws InputError where frames are to have what the method of the run does not compute.
void require_fields(const PreparedRun& run, const RunOptions& options) {
    const FieldSelection lacking = options.fields.from(FieldSource::neighbours);
    if (run.setup.method != Method::sph && !lacking.empty())
        throw InputError(fmt::format("run: --fields: {} {} not computed with Method={}: leave {} out",
                                     names_of(lacking), names_of(lacking).find(',') == std::string::npos ? "is" : "are",
                                     method_name(run.setup.method).word,
                                     names_of(lacking).find(',') == std::string::npos ? "it" : "them"));
}

/// Whether a run that is to go on has come to its end already; says so. Throws InputError if it is to end before that.
bool has_nothing_to_do(const RunOptions& given) {
    const std::optional<double> reached = finished_time(given.resume / "run.json");
    if (!reached || given.redo_gap) return false;
    const double before = read_case(stored_case(given.resume)).parameters.time_max,
                 end = given.overrides.time_max.value_or(before);
    constexpr double last_step = 1; // s: more than any step is long
    if (!(*reached >= 0 && *reached <= before + last_step))
        throw InputError(fmt::format("{}: says that the run came to t = {:g} s, and it ends at {:g} s: the file was "
                                     "changed or is damaged; remove it to go on from the last checkpoint",
                                     (given.resume / "run.json").string(), *reached, before));
    if (end > *reached) return false;
    if (end < before)
        throw InputError(fmt::format("run: --tmax {:g}: the run in {} has come to t = {:g} s already; give a later end",
                                     end, given.resume.string(), *reached));
    spdlog::info("{}: the run has finished (t = {:g} s): there is nothing left to do; --tmax with a later end goes on",
                 given.resume.string(), *reached);
    return true;
}

} // namespace

int run_command(const RunOptions& given) {
    const auto begin = Clock::now();
    RunOptions options = given;
    options.out = output_folder(given.out, given.case_file);
    options.started = utc_now();
    refuse_if_locked(options.out);
    check_output_folder(options.out, options.overwrite);
    PreparedRun run = prepare_run(options.case_file, options.overrides, options.backend);
    require_countable_exclusions(run, options);
    require_ride(run, options);
    require_fields(run, options);
    make_folder(options.out);
    const FolderLock lock(options.out);
    check_output_folder(options.out, options.overwrite); // another run may have been here meanwhile
    remove_results(options.out);
    add_log_file(options.out / "run.log");
    log_start(run, options.case_file.string(), options.out, options.backend.processes);
    store_case(options.out, run.definition, options.overrides, run.particles);
    write_wave_tables(options.out / "waves", run.definition);
    store_options(options.out, settled(options, run.backend->info()));
    return run_prepared(run, options, lock, std::nullopt, begin);
}

int resume_command(const RunOptions& given) {
    const auto begin = Clock::now();
    const fs::path& folder = given.resume;
    if (fs::is_regular_file(folder))
        throw InputError(
            fmt::format("run: --resume wants the output folder of a run, and {} is a file", folder.string()));
    RunOptions options = load_options(folder);
    if (has_nothing_to_do(given)) return exit_done;
    if (given.max_steps >= 0) options.max_steps = given.max_steps;
    options.time_limit = given.time_limit;
    options.progress = given.progress;
    take_threads(options.backend, given.backend.threads);
    take_ranks(options.backend, given.backend);
    if (given.backend.gpus) options.backend.gpus = given.backend.gpus;
    options.backend.goes_on = true;
    options.backend.processes = given.backend.processes;
    options.backend.stop = given.backend.stop;
    const FolderLock lock(folder);
    remove_half_written(folder);
    PreparedRun run = prepare_run(stored_case(folder), given.overrides, options.backend);
    add_log_file(folder / "run.log");
    const std::optional<Checkpoint> checkpoint = checkpoint_to_resume(run, folder, given.redo_gap);
    if (given.overrides.time_max) set_stored_end(folder, *given.overrides.time_max);
    if (checkpoint)
        run.backend->set_state(checkpoint->state);
    else
        remove_series(folder);
    log_start(run, options.case_file.string(), folder, options.backend.processes);
    if (checkpoint) spdlog::info("going on from step {}, t = {:g} s", checkpoint->state.step, checkpoint->state.time);
    store_options(folder, settled(options, run.backend->info()));
    return run_prepared(run, options, lock, checkpoint, begin);
}

} // namespace sluice
