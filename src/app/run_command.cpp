// SPDX-License-Identifier: Apache-2.0
#include "app/backend_choice.h"
#include "app/commands.h"
#include "app/interrupt.h"
#include "app/output_folder.h"
#include "app/samplers.h"
#include "app/version.h"
#include "case/write_effective.h"
#include "core/error.h"
#include "core/log.h"
#include "geometry/generate.h"
#include "io/frame_reader.h"
#include "io/gauges.h"
#include "io/picture.h"
#include "io/run_json.h"
#include "run/progress.h"
#include "run/setup.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

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
    run.setup = make_run_setup(run.definition, run.particles);
    run.backend = make_backend(run.setup, run.particles.size(), options.backend);
    run.backend->set_state(make_initial_state(run.definition, run.particles, run.setup));
    return run;
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
    spdlog::info("{}: {}, cells {}, {}, {} thread{}, {:.1f} MB", info.backend, info.mode, info.cells, info.simd, info.threads,
                 info.threads == 1 ? "" : "s", double(run.backend->memory_bytes()) * 1e-6);
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
    s.dp = run.setup.constants.dp;
    s.h = run.setup.constants.h;
    s.particles = run.particles.size();
    s.boundary_particles = run.particles.boundary_count;
    s.fluid_particles = s.particles - s.boundary_particles;
    return s;
}

std::int64_t peak_resident_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::int64_t(usage.ru_maxrss) * 1024;
}

void fill_result(RunSummary& s, const RunResult& result, const Backend& backend, const ExclusionList& excluded, int frames) {
    s.steps = result.steps_taken;
    s.frames = frames;
    s.simulated_seconds = result.simulated_seconds;
    s.stepping_seconds = result.loop_seconds;
    s.particle_steps = result.particle_steps;
    const PhaseSeconds phases = backend.phase_seconds();
    s.phases = {{"cell_list", phases.cell_list}, {"interaction", phases.interaction}, {"update", phases.update}, {"transfer", phases.transfer}};
    s.memory = {{"backend", std::int64_t(backend.memory_bytes())}, {"peak_resident", peak_resident_bytes()}};
    s.excluded.clear();
    for (int cause = 1; cause < sph::exclusion_cause_count; ++cause)
        s.excluded.emplace_back(sph::exclusion_cause_name(sph::ExclusionCause(cause)), excluded.count(sph::ExclusionCause(cause)));
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
    int last = -1;
    for (int k = 1; k <= count; ++k) {
        const auto index = static_cast<int>(std::lround(double(k) / count * double(frames.size() - 1)));
        if (index == last) continue;
        last = index;
        const int number = frames[static_cast<std::size_t>(index)].number;
        draw_picture(folder / "pictures" / fmt::format("frame_{:06}.png", number), read_frame(folder, number), layout, options);
    }
}

RunLimits limits_of(const PreparedRun& run, const RunOptions& options) {
    const ExecutionParameters& p = run.definition.parameters;
    RunLimits limits;
    limits.time_max = p.time_max;
    if (options.max_steps >= 0) limits.max_steps = options.max_steps;
    const double fluid = run.particles.size() - run.particles.boundary_count;
    limits.min_fluid = static_cast<std::uint32_t>(std::ceil(fluid * std::max(p.min_fluid_stop, 1 - p.parts_out_max)));
    return limits;
}

RunStatus status_of(RunEnd end) { return end == RunEnd::interrupted ? RunStatus::interrupted : RunStatus::finished; }

void log_end(const RunSummary& s, const RunResult& result, const fs::path& folder) {
    spdlog::info("{}: t = {:g} s after {} steps in {} ({:.1f} steps/s, {:.2f} M particle-steps/s)", run_end_name(result.end),
                 result.last.time, s.steps, format_duration(s.wall_seconds), s.steps_per_second(), s.particle_steps_per_second() * 1e-6);
    if (result.last.dt_min_hits > 0)
        spdlog::warn("warning: the smallest time step (DtMin, CoefDtMin) was larger than the stable one in {} steps", result.last.dt_min_hits);
    std::int64_t excluded = 0;
    for (const auto& [cause, count] : s.excluded) excluded += count;
    if (excluded > 0) spdlog::info("{} particles excluded: see {}", excluded, (folder / "excluded.csv").string());
    spdlog::info("open {} in ParaView; figures in {}", (folder / "fluid.vtkhdf").string(), (folder / "run.json").string());
}

/// The run proper, with all its output. Fills `summary` as far as it gets.
RunResult run_prepared(PreparedRun& run, const RunOptions& options, const fs::path& folder, RunSummary& summary) {
    const ExecutionParameters& p = run.definition.parameters;
    const std::atomic<int>& stop = catch_interrupts();
    FrameOptions frame_options;
    frame_options.positions_double = p.positions_double;
    frame_options.compression = options.compression;
    FrameWriter writer(folder, run.particles, frame_options);
    FrameSampler frames(writer, p.time_out);
    FlowSampler flow(folder, run.setup, p.time_out);
    ExclusionList excluded(folder);
    std::vector<std::unique_ptr<SwlGaugeSampler>> gauges;
    for (const SwlGauge& gauge : run.definition.gauges) gauges.push_back(std::make_unique<SwlGaugeSampler>(folder, gauge, run.setup));

    Simulation simulation(*run.backend, run.setup, limits_of(run, options));
    simulation.add_sampler(frames);
    simulation.add_sampler(flow);
    for (const auto& gauge : gauges) simulation.add_sampler(*gauge);
    ProgressLine progress(isatty(STDERR_FILENO) != 0);
    simulation.on_excluded = [&](const auto& particles) { excluded.add(particles); };
    simulation.on_progress = [&](const Progress& now) { progress.show(now); };
    const RunResult result = simulation.run(stop);
    progress.finish();
    fill_result(summary, result, *run.backend, excluded, frames.count());
    return result;
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
    write_effective_case(run.definition, folder / "effective-case.xml");
    RunSummary summary = initial_summary(run);
    write_run_json(folder / "run.json", summary);
    try {
        const RunResult result = run_prepared(run, options, folder, summary);
        summary.status = status_of(result.end);
        if (result.end != RunEnd::finished) summary.message = run_end_name(result.end);
        summary.wall_seconds = seconds_since(begin);
        summary.ended = utc_now();
        write_run_json(folder / "run.json", summary);
        log_end(summary, result, folder);
        draw_pictures(folder, summary.case_name, options.pictures);
        return result.end == RunEnd::interrupted ? exit_failed : exit_done;
    } catch (const std::exception& error) {
        summary.status = RunStatus::failed;
        summary.message = error.what();
        summary.wall_seconds = seconds_since(begin);
        summary.ended = utc_now();
        write_run_json(folder / "run.json", summary);
        spdlog::error("error: {}", error.what());
        return exit_failed;
    }
}

} // namespace sluice
