// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

namespace sluice {

/// How a command came out: what a run's log, run.json and report say, and the exit code of the program.
enum class Outcome {
    finished,
    step_limit,
    failed,
    bad_input,
    interrupted,
    time_limit,
    stopped,
    blown_up,
    lost_fluid,
    left_domain,
    output_failed,
    out_of_memory
};

/// The coarse word of an outcome, `status` in run.json. `running` is written at the start of a run, so that a killed
/// run can be told from a finished one.
enum class RunStatus { running, finished, interrupted, stopped, failed };

struct OutcomeInfo {
    Outcome outcome;
    std::string_view name;
    RunStatus status;
    int exit_code;
    std::string_view meaning;
};

/// Every way in which a command ends. docs/output.md shows this table; a test compares them.
inline constexpr std::array<OutcomeInfo, 12> outcomes{{
    {Outcome::finished, "finished", RunStatus::finished, 0, "done: a run has come to TimeMax"},
    {Outcome::step_limit, "step_limit", RunStatus::stopped, 0, "the steps of --steps are done"},
    {Outcome::failed, "failed", RunStatus::failed, 1, "anything else: a device is lost, the folder was removed, …"},
    {Outcome::bad_input, "bad_input", RunStatus::failed, 2,
     "the command line, the case or a file cannot be used: nothing was written"},
    {Outcome::interrupted, "interrupted", RunStatus::interrupted, 3, "a signal ended the run: --resume goes on"},
    {Outcome::time_limit, "time_limit", RunStatus::interrupted, 4,
     "the run stopped before its time on this machine was up: --resume goes on"},
    {Outcome::stopped, "stopped", RunStatus::stopped, 5,
     "a rule stopped the run: --on-exclude, --max-excluded, PartsOutMax, MinFluidStop"},
    {Outcome::blown_up, "blown_up", RunStatus::failed, 6,
     "the numbers are no longer physical: not finite, or a tenth of the fluid left the bounds of its density; at the "
     "end of a run, a hundredth, or energy came from nowhere"},
    {Outcome::lost_fluid, "lost_fluid", RunStatus::failed, 7, "no fluid particle is left"},
    {Outcome::output_failed, "output_failed", RunStatus::failed, 8,
     "a result could not be written: disk full, no permission, device error"},
    {Outcome::out_of_memory, "out_of_memory", RunStatus::failed, 9, "the memory did not suffice"},
    {Outcome::left_domain, "left_domain", RunStatus::failed, 10, "a moving wall or a floating body left the domain"},
}};

constexpr const OutcomeInfo& outcome_info(Outcome outcome) {
    for (const OutcomeInfo& info : outcomes)
        if (info.outcome == outcome) return info;
    return outcomes[2];
}

constexpr int exit_code(Outcome outcome) { return outcome_info(outcome).exit_code; }

inline constexpr int exit_done = exit_code(Outcome::finished), exit_bad_input = exit_code(Outcome::bad_input);

} // namespace sluice
