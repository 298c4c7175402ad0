// SPDX-License-Identifier: Apache-2.0
#include "app/check_part.h"
#include "app/check_report.h"
#include "app/commands.h"
#include "app/prepared_run.h"
#include "app/spacing_check.h"
#include "backend/state_frame.h"
#include "case/language.h"
#include "case/lattice_constants.h"
#include "core/error.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/terminal.h"
#include "geometry/generate.h"
#include "geometry/lint.h"
#include "io/frames/particle_selection.h"
#include "io/measures/export.h"
#include "io/measures/gauges.h"
#include "io/pictures/gauge_marks.h"
#include "io/pictures/picture.h"
#include "io/report/motion_page.h"
#include "io/report/wave_page.h"
#include "run/way_out.h"
#include "setup/absorbing_paddle.h"
#include "setup/bounds.h"
#include "setup/flexible.h"
#include "setup/fluids.h"
#include "setup/forcing.h"
#include "setup/mechanisms.h"
#include "setup/moorings/moorings.h"
#include "setup/motion.h"
#include "setup/moving_walls.h"
#include "setup/setup.h"
#include "setup/wave_paddle.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace sluice {

namespace {

/// Particles whose interaction is computed on the processor: a slab of a larger case gives the same rate in a fraction
/// of the memory.
constexpr std::uint32_t most_measured = 2'000'000;

/// Particles of which a picture is drawn to see how long that takes; for runs of more it is of no account.
constexpr std::uint32_t most_drawn = 1'000'000;

/// Time step, and how long a step takes here; of all particles, though only a part may have been computed. The slab of
/// a large case begins to flow at its cut faces: its time step is that of the first step. Pictures, too, take a while.
void measure_steps(CheckReport& report, Backend& backend) {
    report.timing = time_first_steps(backend, report.time_max);
    const bool part = report.measured_particles < report.count;
    const double share = double(report.count) / report.measured_particles;
    for (double* seconds :
         {&report.timing.seconds_per_step, &report.timing.fewest_seconds, &report.timing.most_seconds})
        *seconds *= share;
    report.estimated_steps = std::ceil(report.time_max / (part ? report.timing.first_dt : report.timing.dt));
    if (report.count <= most_drawn)
        report.picture_seconds = time_pictures(backend.snapshot(state_fields)->get(), layout_of(report.particles),
                                               std::min(report.frames, double(RunOptions{}.pictures)));
}

void log_written(const std::filesystem::path& path) { spdlog::info("{}", path.string()); }

/// The initial particles as the run would start from them.
void show_particles(const CheckOptions& options, const CheckReport& report, const Case& definition,
                    const ParticleState& state) {
    if (options.picture.empty() && options.vtp.empty()) return;
    const ParticleLayout layout = layout_of(report.particles);
    const Frame frame = make_frame(state, report.setup);
    if (!options.picture.empty()) {
        PictureOptions picture;
        picture.title = options.case_file.stem().string();
        picture.value = PictureValue::mk;
        picture.show_time = false;
        picture.marks = gauge_marks(definition.gauges);
        draw_picture(options.picture, frame, layout, picture);
        log_written(options.picture);
    }
    if (options.vtp.empty()) return;
    write_particles_vtp(options.vtp, frame, layout, report.particles.normals);
    log_written(options.vtp);
}

void add_reason(CheckReport& report, const std::string& reason) {
    if (std::find(report.reasons.begin(), report.reasons.end(), reason) == report.reasons.end())
        report.reasons.push_back(reason);
}

/// Keeps what a step towards a run throws as a reason against it. False if it threw.
template <class Step>
bool try_step(CheckReport& report, Step&& step) {
    try {
        step();
        return true;
    } catch (const InputError& e) {
        add_reason(report, e.what());
    } catch (const RunError& e) {
        add_reason(report, e.what());
    }
    return false;
}

/// The folder of a page of tables is new, empty, or has the page of the same case: no other files are overwritten.
void require_folder_for(const char* option, const std::filesystem::path& folder, const char* page,
                        const std::string& heading) {
    std::error_code error;
    if (!std::filesystem::exists(folder, error)) return;
    if (!std::filesystem::is_directory(folder, error))
        throw InputError(fmt::format("check: {} {}: is no folder; name another one", option, folder.string()));
    if (std::filesystem::is_empty(folder, error)) return;
    std::ifstream in(folder / page);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.find(heading) == std::string::npos)
        throw InputError(fmt::format("check: {} {}: holds files of something else, which would be written over; name "
                                     "another folder",
                                     option, folder.string()));
}

void show_motion(const CheckOptions& options, CheckReport& report, const Case& definition) {
    if (definition.motion.empty())
        throw InputError({options.case_file.string(), 0}, "--motion: the case has no <motion>, leave the option out");
    const std::string title = options.case_file.stem().string();
    require_folder_for("--motion", options.motion, motion_page_name, motion_page_heading(title));
    try_step(report, [&] { // the set-up of the run may have failed before the motion, or because of it
        write_motion_page(options.motion, title, make_motions(definition, report.time_max), report.particles.blocks,
                          report.time_max);
        log_written(options.motion);
    });
}

void show_waves(const CheckOptions& options, CheckReport& report, const Case& definition) {
    if (paddles_of(definition).empty())
        throw InputError({options.case_file.string(), 0},
                         "--waves: the case has no <wavepaddles>, leave the option out");
    const std::string title = options.case_file.stem().string();
    require_folder_for("--waves", options.waves, wave_page_name, wave_page_heading(title));
    try_step(report, [&] {
        write_wave_page(options.waves, title, definition);
        log_written(options.waves);
    });
}

/// The set-up of a run, or where there can be none, one that only serves to show the particles.
void prepare_setup(CheckReport& report, Case& definition) {
    const bool is_whole = definition.errors_beside_drawing.empty();
    if (is_whole && has_nothing_to_compute(definition, report.particles)) {
        report.has_constants = false;
        report.reasons.push_back(no_fluid_message(definition, report.particles));
    }
    const bool could =
        is_whole && try_step(report, [&] { report.setup = make_run_setup(definition, report.particles); });
    if (could) {
        for (Diagnostic& d : check_bounds(definition, report.setup.constants))
            definition.diagnostics.push_back(std::move(d));
        return;
    }
    report.has_constants = false;
    report.setup.method = definition.parameters.method;
    report.setup.set_groups(groups_of(report.particles.blocks));
    report.setup.constants.dp = report.particles.dp;
    report.setup.constants.h = smoothing_length_of(definition);
    report.setup.constants.two_d = report.particles.two_d;
    report.setup.constants.c0 = 1500;
    report.setup.constants.b = 1500.0 * 1500.0 * report.setup.constants.rho0 / report.setup.constants.gamma;
}

void estimate_run(CheckReport& report, const Case& definition, ParticleState state, const BackendOptions& options) {
    const Spread spread(state);
    RunPart part{report.setup, std::move(state)};
    const BackendOptions here = as_far_as_here(options);
    const bool on_host = settled_kind(here, report.setup) == BackendKind::cpu;
    report.gpu_plan = gpu_memory_plan(report.setup, report.count, options);
    const bool asks_for_gpu = options.kind == BackendKind::cuda || options.gpu_mode || options.gpus;
    if (on_host && asks_for_gpu && report.gpu_plan && !report.gpu_plan->choice) // of a GPU elsewhere
        add_reason(report, "GPU memory: " + report.gpu_plan->why);
    try_step(report, [&] {
        report.rank_memory = rank_memory(report.setup, part.state, here);
        require_rank_memory(report.setup, part.state, here, available_memory());
    });
    if (on_host && report.count > most_measured) part = middle_slab(part.setup, part.state, most_measured);
    report.measured_particles = static_cast<std::uint32_t>(part.state.size());
    if (on_host) try_step(report, [&] { require_cpu_memory(report.setup, spread, here); });
    std::unique_ptr<Backend> backend;
    if (!try_step(report, [&] { backend = make_backend(part.setup, report.measured_particles, here); })) return;
    if (!try_step(report, [&] { backend->set_state(part.state); })) return;
    part.state = {};
    try {
        measure_steps(report, *backend);
    } catch (const RunError& error) { // it would start, but not get far
        const bool left = error.outcome() == Outcome::left_domain && !part.setup.bodies.empty();
        report.diagnostics.push_back({Diagnostic::Level::error, definition.definition.where,
                                      fmt::format("the first seconds of the run failed: {}{}", error.what(),
                                                  left ? way_out(part.setup, backend->state()) : "")});
    }
    report.backend = backend->info();
    report.memory = memory_estimates(report.setup, spread, options);
}

/// The particles of a case. Where they cannot be drawn, the error has what else is wrong with the case before it.
ParticleSet draw(Case& definition) {
    try {
        return generate_particles(definition, definition.diagnostics);
    } catch (const InputError& error) {
        if (definition.errors_beside_drawing.empty()) throw;
        throw InputError(fmt::format("{}\n{}", fmt::join(definition.errors_beside_drawing, "\n"), error.what()));
    }
}

int check_case(const CheckOptions& options) {
    CaseOverrides overrides = options.overrides;
    overrides.allow_unsupported = true;
    overrides.keep_errors_beside_drawing = true;
    Case definition = read_case(options.case_file, overrides);
    CheckReport report;
    report.case_file = options.case_file.string();
    report.reasons = definition.errors_beside_drawing;
    report.particles = draw(definition);
    report.count = report.particles.size();
    if (overrides.dp)
        for (Diagnostic& d : compare_with_own_spacing(options.case_file, overrides, definition, report.particles))
            definition.diagnostics.push_back(std::move(d));
    report.time_max = definition.parameters.time_max;
    report.scheme = definition.scheme;
    report.frames = definition.parameters.frame_count();
    for (const UnsupportedFeature& f : definition.unsupported_in_run)
        report.reasons.emplace_back(InputError(f.where, f.message()).what());
    for (const Gauge& gauge : definition.gauges) try_step(report, [&] { check_gauge(gauge, report.particles.blocks); });
    prepare_setup(report, definition);
    for (const Gauge& gauge : definition.gauges)
        if (report.has_constants && try_step(report, [&] { check_ride(gauge, report.setup); }))
            for (Diagnostic& note : gauge_notes(gauge, report.setup, report.time_max))
                definition.diagnostics.push_back(std::move(note));
    const bool is_whole = definition.errors_beside_drawing.empty();
    if (is_whole)
        for (Diagnostic& d : wave_notes(definition)) definition.diagnostics.push_back(std::move(d));
    lint_particles(definition, report.particles, report.has_constants ? report.setup.constants.h : report.particles.dp,
                   definition.diagnostics);
    if (report.has_constants) {
        for (Diagnostic& d : fluid_notes(definition, report.setup)) definition.diagnostics.push_back(std::move(d));
        lint_motion_series(definition, definition.diagnostics);
        lint_moving_walls(definition, report.setup, definition.diagnostics);
        lint_rotations(definition, report.setup.forcing, definition.diagnostics);
        lint_damping(definition, report.particles, definition.diagnostics);
        lint_paddles(definition, report.particles, definition.diagnostics);
        lint_absorbers(definition, report.setup, definition.diagnostics);
        lint_mechanisms(definition, report.setup, definition.diagnostics);
        lint_moorings(definition, report.particles, report.setup, definition.diagnostics);
        lint_flexible_bodies(definition, report.setup, definition.diagnostics);
    }
    ParticleState state;
    if (try_step(report, [&] { state = make_initial_state(definition, report.particles, report.setup); })) {
        report.created = state.created;
        report.taken = report.count + state.created - static_cast<std::uint32_t>(state.size());
        report.count = static_cast<std::uint32_t>(state.size());
        report.particles.position = {};
        report.particles.velocity = {};
        show_particles(options, report, definition, state);
        if (definition.output_parts)
            try_step(report, [&] {
                const ParticleSelection selection(*definition.output_parts, report.particles, report.setup);
                report.left_out = selection.left_out(make_frame(state, report.setup));
            });
    }
    if (is_whole && !options.motion.empty()) show_motion(options, report, definition);
    if (is_whole && !options.waves.empty()) show_waves(options, report, definition);
    if (report.has_constants && state.size() > 0) estimate_run(report, definition, std::move(state), options.backend);
    report.diagnostics.insert(report.diagnostics.begin(), definition.diagnostics.begin(), definition.diagnostics.end());
    std::fputs((options.json ? check_json(report) : check_text(report, console_is_quiet())).c_str(), stdout);
    return report.runnable() ? exit_done : exit_bad_input;
}

} // namespace

int check_command(const CheckOptions& options) {
    if (options.explain) {
        std::fputs((options.json ? language_json() : explain_language(columns_behind(STDOUT_FILENO))).c_str(), stdout);
        return exit_done;
    }
    if (!options.picture.empty()) check_picture_suffix(options.picture);
    try {
        return check_case(options);
    } catch (const InputError& error) {
        if (options.json) std::fputs(refused_json(options.case_file.string(), error.what()).c_str(), stdout);
        throw;
    }
}

} // namespace sluice
