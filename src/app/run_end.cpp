// SPDX-License-Identifier: Apache-2.0
#include "app/run_end.h"

#include "app/run_outputs.h"
#include "core/log.h"
#include "core/numbers.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sluice {

namespace fs = std::filesystem;

namespace {

/// How much fluid has to be left, and which rule says so.
struct FluidRule {
    double least = 0; ///< particles
    std::string name;
};

FluidRule fluid_rule(const PreparedRun& run, const RunOptions& options) {
    const ExecutionParameters& p = run.definition.parameters;
    const double fluid = run.fluid_count;
    FluidRule rule;
    const auto at_least = [&](double least, std::string name) {
        if (least > rule.least) rule = {least, std::move(name)};
    };
    at_least(std::ceil(fluid * p.min_fluid_stop), fmt::format("MinFluidStop {:g}", p.min_fluid_stop));
    at_least(std::ceil(fluid * (1 - p.parts_out_max)), fmt::format("PartsOutMax {:g}", p.parts_out_max));
    if (options.stop_on_exclusion) at_least(fluid, "--on-exclude stop");
    if (options.max_excluded >= 0)
        at_least(fluid - double(options.max_excluded), fmt::format("--max-excluded {}", options.max_excluded));
    return rule;
}

void log_energy(const LedgerSummary& ledger, const sph::Constants& constants) {
    const FlowStatistics &from = ledger.first.fluid, &to = ledger.last.fluid;
    const EnergyBalance& balance = ledger.last.balance;
    const std::string gravity = balance.gravity_work != 0
                                    ? fmt::format("work of gravity {:.4g} J", balance.gravity_work)
                                    : fmt::format("potential {:+.4g} J", to.potential_energy - from.potential_energy);
    std::string work;
    const double of_walls = to.wall_energy - from.wall_energy;
    if (of_walls != 0) work += fmt::format("compression of walls {:+.4g} J, ", of_walls);
    const StructureEnergy &rest = ledger.first.balance.structures, &bent = balance.structures;
    const double of_structures = total(bent) - total(rest);
    if (of_structures != 0) work += fmt::format("flexible bodies {:+.4g} J, ", of_structures);
    for_each_outer_work(balance, [&](const char*, const char* whose, double joules) {
        if (joules != 0) work += fmt::format("work of {} {:+.4g} J, ", whose, joules);
    });
    spdlog::info(
        "energy since the start{}: kinetic {:+.4g} J, {}, internal {:+.4g} J, {}excluded {:.4g} J, dissipated {:.4g} J",
        constants.two_d ? ", per metre" : "", to.kinetic_energy - from.kinetic_energy, gravity,
        to.internal_energy - from.internal_energy, work, balance.excluded_energy, balance.dissipated);
}

EnergyVerdict verdict_of(const RunSummary& s) {
    if (!s.ledger || !(s.ledger->first.fluid.mass > 0)) return {};
    return energy_verdict(s.ledger->first, s.ledger->last, s.ledger->also_held,
                          s.constants.value_or(sph::Constants()).gravity);
}

std::string told(const EnergyVerdict& verdict) {
    return fmt::format("{:.4g} J of energy came from nowhere, {:.3g} % of what moved: the run was unstable and its "
                       "results are wrong; sluice check tells what its time step bears, else try a smaller cflnumber "
                       "or DtFixed",
                       verdict.gained, 100 * verdict.part_of_moved);
}

} // namespace

void require_countable_exclusions(const PreparedRun& run, const RunOptions& options) {
    if (run.setup.open.any() && (options.stop_on_exclusion || options.max_excluded >= 0))
        throw InputError("--on-exclude stop and --max-excluded are not supported with open boundaries (special/inout), "
                         "where fluid comes and goes: leave them out, or use MinFluidStop");
}

RunLimits limits_of(const PreparedRun& run, const RunOptions& options, const std::optional<Checkpoint>& from) {
    constexpr double bad_share = 0.1; // of the fluid: no flow that is computed well loses so much by its density
    RunLimits limits;
    limits.time_max = run.definition.parameters.time_max;
    if (options.max_steps >= 0) limits.max_steps = options.max_steps;
    limits.min_fluid = static_cast<std::uint32_t>(fluid_rule(run, options).least);
    const std::uint32_t fluid = run.fluid_count;
    limits.max_density_excluded = static_cast<std::int64_t>(bad_share * fluid);
    if (from) limits.density_excluded = excluded_before(*from, sph::ExclusionCause::density);
    limits.sample_start = from && from->counter("sampled_last") != 0; // which was taken back
    return limits;
}

/// Why a run came to its end, for people; empty where it just did what was asked for.
std::string reason_of(const PreparedRun& run, const RunOptions& options, const RunResult& result) {
    switch (result.end) {
    case Outcome::finished: return "";
    case Outcome::step_limit: return fmt::format("the {} steps of --steps are done", options.max_steps);
    case Outcome::stopped:
        return fmt::format("{} stopped the run: {} of {} fluid particles are left", fluid_rule(run, options).name,
                           result.last.particles - run.setup.groups.boundary_count(), run.fluid_count);
    case Outcome::lost_fluid:
        return fmt::format(
            "the run has lost its fluid: no particle is left at t = {:g} s (excluded.csv tells where they "
            "left and why); try a smaller cflnumber or DtFixed, and look for holes in the walls",
            result.last.time);
    case Outcome::interrupted: return "a signal asked the run to stop";
    case Outcome::time_limit: return "the time that the run may take on this machine is up";
    default: return result.reason;
    }
}

void judge(RunResult& result, const RunSummary& s) {
    if (result.end != Outcome::finished && result.end != Outcome::step_limit) return;
    const EnergyVerdict verdict = verdict_of(s);
    if (!verdict.is_ruinous) return;
    result.end = Outcome::blown_up;
    result.reason = told(verdict);
}

void print_end(const RunSummary& s) {
    const Outcome end = s.outcome.value_or(Outcome::failed);
    const nlohmann::json line{{"outcome", outcome_info(end).name},
                              {"exit_code", exit_code(end)},
                              {"message", s.message},
                              {"step", s.total.steps},
                              {"time", s.simulated_seconds},
                              {"wall_seconds", s.total.wall_seconds}};
    fmt::print("{}\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    std::fflush(stdout);
}

void log_end(const RunSummary& s, const RunResult& result, std::int64_t excluded, const fs::path& folder) {
    const OutcomeInfo& end = outcome_info(result.end);
    const std::string part = s.part.steps == s.total.steps
                                 ? format_duration(s.total.wall_seconds)
                                 : fmt::format("{}, the last {} in {}", format_duration(s.total.wall_seconds),
                                               s.part.steps, format_duration(s.part.wall_seconds));
    spdlog::info("{}: t = {:g} s after {} steps in {} ({:.1f} steps/s, {:.2f} M particle-steps/s, {})", end.name,
                 result.last.time, s.total.steps, part, s.part.steps_per_second(),
                 s.part.particle_steps_per_second() * 1e-6,
                 s.backend == "cuda" ? s.device : threads_text(s.ranks, s.threads));
    if (!s.gpus.empty()) {
        const auto [least, most] = std::ranges::minmax(s.gpus, {}, &GpuShare::waiting);
        spdlog::info("GPUs: of their time they waited for one another {:.1f} % to {:.1f} %", 100 * least.waiting,
                     100 * most.waiting);
    }
    if (result.last.dt_min_hits > 0)
        spdlog::warn("warning: the smallest time step (DtMin, CoefDtMin) was larger than the stable one in {} steps",
                     result.last.dt_min_hits);
    if (excluded > 0) spdlog::info("{} particles excluded: see {}", excluded, (folder / "excluded.csv").string());
    if (s.ledger) log_energy(*s.ledger, s.constants.value_or(sph::Constants()));
    const EnergyVerdict verdict = verdict_of(s);
    if (verdict.came_from_nowhere && s.message != told(verdict)) spdlog::warn("warning: {}", told(verdict));
    if (end.status == RunStatus::failed)
        spdlog::error("error: {}", s.message);
    else if (!s.message.empty())
        spdlog::info("{}", s.message);
    if (end.status == RunStatus::interrupted) spdlog::info("to go on: sluice run --resume {}", folder.string());
    spdlog::info("open {} in ParaView, {} before 5.12, or load {} as a state; figures in {}",
                 (folder / "fluid.vtkhdf").string(), (folder / "fluid.xdmf").string(), (folder / "view.py").string(),
                 (folder / "run.json").string());
}

} // namespace sluice
