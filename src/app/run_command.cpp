// SPDX-License-Identifier: Apache-2.0
#include "app/backend_choice.h"
#include "app/commands.h"
#include "app/interrupt.h"
#include "app/output_folder.h"
#include "app/run_outputs.h"
#include "app/stored_options.h"
#include "app/version.h"
#include "case/write_effective.h"
#include "core/error.h"
#include "core/log.h"
#include "core/numbers.h"
#include "geometry/generate.h"
#include "io/frame_reader.h"
#include "io/picture.h"
#include "io/run_fingerprint.h"
#include "io/run_json.h"
#include "setup/setup.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <sstream>

namespace sluice {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// A case, read and made into particles: nothing is written yet.
struct PreparedRun {
    Case definition;
    ParticleSet particles;
    RunSetup setup;
    std::unique_ptr<Backend> backend;
};

PreparedRun prepare(const RunOptions& options) {
    PreparedRun run;
    run.definition = read_case(options.case_file, options.overrides);
    run.particles = generate_particles(run.definition, run.definition.diagnostics);
    if (run.particles.size() == run.particles.boundary_count)
        throw InputError(
            fmt::format("{}: the case has no fluid particles (dp {:g} m): a run has nothing to compute; `sluice check` "
                        "shows what is drawn",
                        run.definition.definition.where.text(), run.particles.dp));
    run.setup = make_run_setup(run.definition, run.particles);
    for (const Gauge& gauge : run.definition.gauges) check_gauge(gauge, run.particles.blocks);
    run.backend = make_backend(run.setup, run.particles.size(), options.backend);
    run.backend->set_state(make_initial_state(run.definition, run.particles, run.setup));
    return run;
}

void log_lines(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) spdlog::info("{}", line);
}

void log_start(const PreparedRun& run, const fs::path& folder) {
    const sph::Constants& c = run.setup.constants;
    const BackendInfo info = run.backend->info();
    spdlog::info("Sluice {}: {}", version, run.definition.file.string());
    for (const Diagnostic& d : run.definition.diagnostics)
        if (d.level == Diagnostic::Level::warning) spdlog::warn("warning: {}: {}", d.where.text(), d.message);
    spdlog::info("{} particles ({} fluid, {} boundary), dp = {:g} m, h = {:g} m, c0 = {:g} m/s{}", run.particles.size(),
                 run.particles.size() - run.particles.boundary_count, run.particles.boundary_count, c.dp, c.h, c.c0,
                 c.two_d ? ", 2-D" : "");
    log_lines(info.memory_plan);
    spdlog::info("{}: {}, cells {}, {}, {}, {:.1f} MB", info.backend, info.mode, info.cells, info.simd,
                 info.backend == "cuda" ? info.device : counted(info.threads, "thread"),
                 double(run.backend->memory_bytes()) * 1e-6);
    spdlog::info("results in {}", folder.string());
}

RunSummary initial_summary(const PreparedRun& run) {
    RunSummary s;
    s.case_name = run.definition.file.stem().string();
    s.case_file = run.definition.file.string();
    s.version = version;
    s.started = utc_now();
    const BackendInfo info = run.backend->info();
    s.backend = info.backend;
    s.mode = info.mode;
    s.cells = info.cells;
    s.precision = "homogeneous";
    s.device = info.device;
    s.threads = info.threads;
    s.constants = run.setup.constants;
    s.dp = run.setup.constants.dp;
    s.h = run.setup.constants.h;
    s.particles = run.particles.size();
    s.boundary_particles = run.particles.boundary_count;
    s.fluid_particles = s.particles - s.boundary_particles;
    return s;
}

/// Numbers of `count` of the frames, the last one among them; of fewer, if there are fewer.
std::vector<int> evenly_spaced(const std::vector<FrameEntry>& frames, int count) {
    std::vector<int> numbers;
    for (int k = 1; k <= count; ++k) {
        const double index = double(k) / count * double(frames.size() - 1);
        const int number = frames[static_cast<std::size_t>(std::lround(index))].number;
        if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
    }
    return numbers;
}

/// Draws `count` of the stored frames, evenly spaced, with one colour scale. A picture that cannot be drawn costs a
/// warning: the results are there.
void draw_pictures(const fs::path& folder, const std::string& title, int count) {
    const std::vector<FrameEntry> frames = list_frames(folder);
    if (count <= 0 || frames.empty()) return;
    fs::create_directories(folder / "pictures");
    const ParticleLayout layout = read_layout(folder);
    PictureOptions options;
    options.title = title;
    const std::vector<int> numbers = evenly_spaced(frames, count);
    for (const int number : numbers) {
        const ValueRange own = value_range(read_frame(folder, number), layout.groups, options.value);
        options.range = joined(options.range.value_or(own), own);
    }
    for (const int number : numbers)
        draw_picture(folder / "pictures" / fmt::format("frame_{:06}.png", number), read_frame(folder, number), layout,
                     options);
}

RunLimits limits_of(const PreparedRun& run, const RunOptions& options) {
    const ExecutionParameters& p = run.definition.parameters;
    RunLimits limits;
    limits.time_max = p.time_max;
    if (options.max_steps >= 0) limits.max_steps = options.max_steps;
    const double fluid = run.particles.size() - run.particles.boundary_count;
    double min_fluid = std::ceil(fluid * std::max(p.min_fluid_stop, 1 - p.parts_out_max));
    if (options.stop_on_exclusion) min_fluid = fluid;
    if (options.max_excluded >= 0) min_fluid = std::max(min_fluid, fluid - double(options.max_excluded));
    limits.min_fluid = static_cast<std::uint32_t>(min_fluid);
    return limits;
}

RunStatus status_of(RunEnd end) { return end == RunEnd::interrupted ? RunStatus::interrupted : RunStatus::finished; }

void log_end(const RunSummary& s, const RunResult& result, std::int64_t excluded, const fs::path& folder) {
    spdlog::info("{}: t = {:g} s after {} steps in {} ({:.1f} steps/s, {:.2f} M particle-steps/s, {})",
                 run_end_name(result.end), result.last.time, s.steps, format_duration(s.wall_seconds),
                 s.steps_per_second(), s.particle_steps_per_second() * 1e-6,
                 s.backend == "cuda" ? s.device : counted(s.threads, "thread"));
    if (result.last.dt_min_hits > 0)
        spdlog::warn("warning: the smallest time step (DtMin, CoefDtMin) was larger than the stable one in {} steps",
                     result.last.dt_min_hits);
    if (excluded > 0) spdlog::info("{} particles excluded: see {}", excluded, (folder / "excluded.csv").string());
    if (result.end == RunEnd::interrupted) spdlog::info("to go on: sluice run --resume {}", folder.string());
    spdlog::info("open {} in ParaView; figures in {}", (folder / "fluid.vtkhdf").string(),
                 (folder / "run.json").string());
}

/// The checkpoint to go on from. Throws InputError if there is none, or if it is of another run.
Checkpoint checkpoint_of(const PreparedRun& run, const fs::path& folder) {
    const std::optional<Checkpoint> checkpoint = CheckpointStore(folder).read_newest();
    if (!checkpoint)
        throw InputError(
            fmt::format("{}: holds no checkpoint that is whole; start the run anew with --overwrite", folder.string()));
    const std::string difference = fingerprint_difference(checkpoint->fingerprint, run_fingerprint(run.setup));
    if (!difference.empty())
        throw InputError(fmt::format("{}: the checkpoint belongs to another case: {}; the case file has changed since, "
                                     "restore it, or start the run anew",
                                     folder.string(), difference));
    return *checkpoint;
}

/// The run proper, with all its output, and what is told of it in the end.
int run_prepared(PreparedRun& run, const RunOptions& options, const fs::path& folder,
                 const std::optional<Checkpoint>& checkpoint, Clock::time_point begin) {
    RunSummary summary = initial_summary(run);
    write_run_json(folder / "run.json", summary);
    const auto close = [&](RunStatus status, const std::string& message) {
        summary.status = status;
        summary.message = message;
        summary.wall_seconds = seconds_since(begin);
        summary.ended = utc_now();
        write_run_json(folder / "run.json", summary);
    };
    try {
        const std::atomic<int>& stop = catch_interrupts();
        RunOutputs outputs({run.definition, run.particles, run.setup, *run.backend}, folder, options, checkpoint);
        Simulation simulation(*run.backend, run.setup, limits_of(run, options));
        outputs.attach(simulation);
        const RunResult result = simulation.run(stop);
        outputs.finish(result);
        outputs.fill(summary, result);
        close(status_of(result.end), result.end == RunEnd::finished ? "" : run_end_name(result.end));
        log_end(summary, result, outputs.excluded(), folder);
        try {
            draw_pictures(folder, summary.case_name, options.pictures);
        } catch (const RunError& error) {
            spdlog::warn("warning: no pictures: {}", error.what());
        }
        return result.end == RunEnd::interrupted ? exit_failed : exit_done;
    } catch (const std::exception& error) {
        close(RunStatus::failed, error.what());
        throw;
    }
}

/// Writes the options for `--resume`, and the version of the GPU backend that they led to.
void store_settled_options(const fs::path& folder, RunOptions options, const BackendInfo& info) {
    options.backend.gpu_mode_before.reset();
    for (const auto& mode : gpu_modes)
        if (info.backend == "cuda" && info.mode == mode.name) options.backend.gpu_mode_before = mode.mode;
    store_options(folder, options);
}

} // namespace

int run_command(const RunOptions& options) {
    const auto begin = Clock::now();
    const fs::path folder = output_folder(options.out, options.case_file);
    check_output_folder(folder, options.overwrite);
    PreparedRun run = prepare(options);
    prepare_output_folder(folder);
    add_log_file(folder / "run.log");
    log_start(run, folder);
    store_settled_options(folder, options, run.backend->info());
    write_effective_case(run.definition, folder / "effective-case.xml");
    return run_prepared(run, options, folder, std::nullopt, begin);
}

int resume_command(const RunOptions& given) {
    const auto begin = Clock::now();
    const fs::path& folder = given.resume;
    RunOptions options = load_options(folder);
    if (given.overrides.time_max) options.overrides.time_max = given.overrides.time_max;
    options.max_steps = given.max_steps;
    PreparedRun run = prepare(options);
    const Checkpoint checkpoint = checkpoint_of(run, folder);
    run.backend->set_state(checkpoint.state);
    add_log_file(folder / "run.log");
    log_start(run, folder);
    spdlog::info("going on from step {}, t = {:g} s", checkpoint.state.step, checkpoint.state.time);
    store_settled_options(folder, options, run.backend->info());
    return run_prepared(run, options, folder, checkpoint, begin);
}

} // namespace sluice
