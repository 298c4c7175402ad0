// SPDX-License-Identifier: Apache-2.0
#include "app/check_report.h"
#include "app/commands.h"
#include "geometry/generate.h"
#include "run/setup.h"
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>

namespace sluice {

namespace {

/// First time step, and how long an interaction takes here: the second of two, as the first also warms caches.
void measure_first_step(CheckReport& report, Backend& backend) {
    backend.next_time_step();
    const auto begin = std::chrono::steady_clock::now();
    report.first_dt = backend.next_time_step();
    report.seconds_per_step = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report.estimated_steps = std::ceil(report.time_max / report.first_dt);
}

} // namespace

int check_command(const CheckOptions& options) {
    CaseOverrides overrides = options.overrides;
    overrides.allow_unsupported = true;
    Case definition = read_case(options.case_file, overrides);
    CheckReport report;
    report.case_file = options.case_file.string();
    report.particles = generate_particles(definition, definition.diagnostics);
    report.setup = make_run_setup(definition, report.particles);
    report.time_max = definition.parameters.time_max;
    const auto backend = make_backend(report.setup, report.particles.size(), options.backend);
    backend->set_state(make_initial_state(definition, report.particles, report.setup));
    report.backend = backend->info();
    measure_first_step(report, *backend);
    report.memory = memory_estimates(report.setup, report.particles.size(), options.backend);
    report.gpu_plan = gpu_plan_text(report.setup, report.particles.size(), options.backend);
    report.diagnostics = definition.diagnostics;
    for (const UnsupportedFeature& f : definition.unsupported_in_run)
        report.diagnostics.push_back({Diagnostic::Level::error, f.where, fmt::format("`sluice run` cannot do {}: {}", f.name, f.advice)});
    std::fputs((options.json ? check_json(report) : check_text(report)).c_str(), stdout);
    return exit_done;
}

} // namespace sluice
