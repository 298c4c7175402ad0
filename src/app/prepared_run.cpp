// SPDX-License-Identifier: Apache-2.0
#include "app/prepared_run.h"

#include "app/version.h"
#include "core/error.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "geometry/generate.h"
#include "geometry/lint.h"
#include "io/frames/particle_selection.h"
#include "io/measures/gauges.h"
#include "ranks/thread_transport.h"
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
#include <fmt/format.h>
#include <sstream>

namespace sluice {

namespace fs = std::filesystem;

namespace {

void log_lines(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) spdlog::info("{}", line);
}

} // namespace

std::string no_fluid_message(const Case& definition, const ParticleSet& particles) {
    return fmt::format("{}: the case has no fluid particles (dp {:g} m): a run has nothing to compute; `sluice check` "
                       "shows what is drawn",
                       definition.definition.where.text(), particles.dp);
}

PreparedRun prepare_run(const fs::path& case_file, const CaseOverrides& overrides, const BackendOptions& backend) {
    PreparedRun run;
    run.definition = read_case(case_file, overrides);
    run.particles = generate_particles(run.definition, run.definition.diagnostics);
    if (has_nothing_to_compute(run.definition, run.particles))
        throw InputError(no_fluid_message(run.definition, run.particles));
    run.setup = make_run_setup(run.definition, run.particles);
    for (Diagnostic& d : check_bounds(run.definition, run.setup.constants))
        run.definition.diagnostics.push_back(std::move(d));
    for (Diagnostic& d : wave_notes(run.definition)) run.definition.diagnostics.push_back(std::move(d));
    for (Diagnostic& d : fluid_notes(run.definition, run.setup)) run.definition.diagnostics.push_back(std::move(d));
    for (const Gauge& gauge : run.definition.gauges) {
        check_gauge(gauge, run.particles.blocks);
        check_ride(gauge, run.setup);
        for (Diagnostic& note : gauge_notes(gauge, run.setup, run.definition.parameters.time_max))
            run.definition.diagnostics.push_back(std::move(note));
    }
    if (run.definition.output_parts) // an mk that it names may not be there
        ParticleSelection(*run.definition.output_parts, run.particles, run.setup);
    lint_particles(run.definition, run.particles, run.setup.constants.h, run.definition.diagnostics);
    lint_motion_series(run.definition, run.definition.diagnostics);
    lint_moving_walls(run.definition, run.setup, run.definition.diagnostics);
    lint_rotations(run.definition, run.setup.forcing, run.definition.diagnostics);
    lint_damping(run.definition, run.particles, run.definition.diagnostics);
    lint_paddles(run.definition, run.particles, run.definition.diagnostics);
    lint_absorbers(run.definition, run.setup, run.definition.diagnostics);
    lint_mechanisms(run.definition, run.setup, run.definition.diagnostics);
    lint_moorings(run.definition, run.particles, run.setup, run.definition.diagnostics);
    lint_flexible_bodies(run.definition, run.setup, run.definition.diagnostics);
    const ParticleState start = make_initial_state(run.definition, run.particles, run.setup);
    if (!backend.processes &&
        settled_kind(backend, run.setup) == BackendKind::cpu) // those have their parts on their hosts
        require_cpu_memory(run.setup, Spread(start), backend);
    run.backend = make_backend(run.setup, run.particles.size(), backend);
    require_rank_memory(run.setup, start, backend, available_memory());
    run.fluid_count = static_cast<std::uint32_t>(start.size()) - run.particles.boundary_count;
    run.backend->set_state(start);
    return run;
}

void log_start(const PreparedRun& run, const std::string& name, const fs::path& folder, const Transport* processes) {
    const sph::Constants& c = run.setup.constants;
    const BackendInfo info = run.backend->info();
    spdlog::info("Sluice {}: {}", version, name);
    for (const Diagnostic& d : run.definition.diagnostics)
        if (d.level == Diagnostic::Level::warning) spdlog::warn("warning: {}: {}", d.where.text(), d.message);
    spdlog::info("{} particles ({} fluid, {} boundary), dp = {:g} m, h = {:g} m, c0 = {:g} m/s{}",
                 run.particles.boundary_count + run.fluid_count, run.fluid_count, run.particles.boundary_count, c.dp,
                 c.h, c.c0, c.two_d ? ", 2-D" : "");
    if (run.setup.method != Method::sph) spdlog::info("{}", method_text(run.setup.method));
    if (!run.definition.scheme.empty()) spdlog::info("{}", scheme_text(run.definition.scheme));
    for (const Diagnostic& d : wave_notes(run.definition))
        if (d.level == Diagnostic::Level::info) spdlog::info("{}", d.message);
    for (const Diagnostic& d : fluid_notes(run.definition, run.setup))
        if (d.level == Diagnostic::Level::info) spdlog::info("{}", d.message);
    log_lines(info.memory_plan);
    spdlog::info("{}: {}, cells {}, {}, {}, {:.1f} MB", info.backend, info.mode, info.cells, info.simd,
                 info.backend == "cuda" ? info.device : threads_text(info.ranks, info.threads),
                 double(run.backend->memory_bytes()) * 1e-6);
    for (const GpuShare& gpu : info.gpus)
        spdlog::info("{}GPU {}: {}, rows of cells {} to {}, {} fluid particles, {:.1f} MB",
                     info.ranks > 1 ? fmt::format("rank {}, ", gpu.process) : "", gpu.device, gpu.name, gpu.first_row,
                     gpu.last_row, gpu.fluid_particles, double(gpu.memory) * 1e-6);
    for (std::size_t r = 0; r < info.rank_shares.size(); ++r)
        spdlog::info("rank {}: {} particles, {:.1f} MB", r, info.rank_shares[r].particles,
                     double(info.rank_shares[r].memory) * 1e-6);
    if (info.ranks > 1)
        spdlog::info("ranks are {}; they share the space by {}",
                     processes ? processes->description() : thread_transport_description(), info.split);
    spdlog::info("results in {}", folder.string());
}

} // namespace sluice
