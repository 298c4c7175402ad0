// SPDX-License-Identifier: Apache-2.0
#include "app/check_part.h"
#include "app/check_report.h"
#include "app/commands.h"
#include "backend/state_frame.h"
#include "case/language.h"
#include "core/error.h"
#include "geometry/generate.h"
#include "geometry/lint.h"
#include "io/export.h"
#include "io/gauges.h"
#include "io/picture.h"
#include "setup/setup.h"
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace sluice {

namespace {

/// Particles whose interaction is computed on the processor: a slab of a larger case tells as much, in a fraction of
/// the memory.
constexpr std::uint32_t most_measured = 2'000'000;

/// Time step, and how long a step takes here; of all particles, though only a part may have been computed. The slab of
/// a large case begins to flow at its cut faces: its time step is that of the first step.
void measure_steps(CheckReport& report, Backend& backend) {
    report.timing = time_first_steps(backend, report.time_max);
    const bool part = report.measured_particles < report.count;
    const double share = double(report.count) / report.measured_particles;
    for (double* seconds :
         {&report.timing.seconds_per_step, &report.timing.fewest_seconds, &report.timing.most_seconds})
        *seconds *= share;
    report.estimated_steps = std::ceil(report.time_max / (part ? report.timing.first_dt : report.timing.dt));
}

/// The initial particles as the run would start from them.
void show_particles(const CheckOptions& options, const CheckReport& report, const ParticleState& state) {
    if (options.picture.empty() && options.vtp.empty()) return;
    const ParticleLayout layout = layout_of(report.particles);
    const Frame frame = make_frame(state, report.setup);
    if (!options.picture.empty()) {
        PictureOptions picture;
        picture.title = options.case_file.stem().string();
        picture.value = PictureValue::mk;
        picture.show_time = false;
        draw_picture(options.picture, frame, layout, picture);
    }
    if (!options.vtp.empty()) write_particles_vtp(options.vtp, frame, layout);
}

/// Whether a run could start from these particles. If not, a diagnostic says why, and the set-up is one that only
/// serves to show them.
bool prepare_run(CheckReport& report, Case& definition) {
    const bool has_fluid = report.particles.boundary_count < report.particles.size();
    try {
        report.setup = make_run_setup(definition, report.particles);
        return has_fluid;
    } catch (const InputError& e) {
        std::string_view what = e.what();
        if (const std::string place = definition.file.string() + ": "; what.starts_with(place))
            what.remove_prefix(place.size());
        if (has_fluid)
            definition.diagnostics.push_back(
                {Diagnostic::Level::error, definition.definition.where, std::string(what)});
    }
    Case still = definition;
    still.constants.speed_sound = 1500;
    still.constants.gravity = {};
    report.setup = make_run_setup(still, report.particles);
    return false;
}

void estimate_run(CheckReport& report, const Case& definition, ParticleState state, const BackendOptions& options) {
    for (const Gauge& gauge : definition.gauges) check_gauge(gauge, report.particles.blocks);
    RunPart part{report.setup, std::move(state)};
    const BackendOptions here = as_far_as_here(options);
    const bool on_host = settled_kind(here) == BackendKind::cpu;
    if (on_host && report.count > most_measured) part = middle_slab(part.setup, part.state, most_measured);
    report.measured_particles = static_cast<std::uint32_t>(part.state.size());
    const auto backend = make_backend(part.setup, report.measured_particles, here);
    backend->set_state(part.state);
    part.state = {};
    try {
        measure_steps(report, *backend);
    } catch (const RunError& error) {
        report.diagnostics.push_back({Diagnostic::Level::error, definition.definition.where,
                                      fmt::format("the first seconds of the run failed: {}", error.what())});
    }
    report.backend = backend->info();
    report.memory = memory_estimates(report.setup, report.count, options);
    report.gpu_plan = gpu_memory_plan(report.setup, report.count, options);
    report.frames = std::uint64_t(report.time_max / definition.parameters.time_out) + 1;
}

} // namespace

int check_command(const CheckOptions& options) {
    if (options.explain) {
        std::fputs((options.json ? language_json() : explain_language()).c_str(), stdout);
        return exit_done;
    }
    if (!options.picture.empty()) check_picture_suffix(options.picture);
    CaseOverrides overrides = options.overrides;
    overrides.allow_unsupported = true;
    Case definition = read_case(options.case_file, overrides);
    CheckReport report;
    report.case_file = options.case_file.string();
    report.particles = generate_particles(definition, definition.diagnostics);
    report.count = report.particles.size();
    report.time_max = definition.parameters.time_max;
    report.runnable = prepare_run(report, definition);
    lint_particles(definition, report.particles, report.setup.constants.h, definition.diagnostics);
    ParticleState state = make_initial_state(definition, report.particles, report.setup);
    report.particles.position = {};
    report.particles.velocity = {};
    show_particles(options, report, state);
    if (report.runnable) estimate_run(report, definition, std::move(state), options.backend);
    report.diagnostics.insert(report.diagnostics.begin(), definition.diagnostics.begin(), definition.diagnostics.end());
    for (const UnsupportedFeature& f : definition.unsupported_in_run)
        report.diagnostics.push_back(
            {Diagnostic::Level::error, f.where, fmt::format("`sluice run` cannot do {}: {}", f.name, f.advice)});
    std::fputs((options.json ? check_json(report) : check_text(report)).c_str(), stdout);
    return exit_done;
}

} // namespace sluice
