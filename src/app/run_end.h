// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/commands.h"
#include "app/prepared_run.h"
#include "io/records/checkpoint.h"
#include "io/records/run_json.h"
#include "run/simulation.h"
#include <optional>
#include <string>

namespace sluice {

/// Throws InputError for options that count excluded particles where fluid comes and goes.
void require_countable_exclusions(const PreparedRun& run, const RunOptions& options);

/// When the run ends, as the case and the options have it.
RunLimits limits_of(const PreparedRun& run, const RunOptions& options, const std::optional<Checkpoint>& from);

/// Why a run came to its end, for people; empty where it came to TimeMax.
std::string reason_of(const PreparedRun& run, const RunOptions& options, const RunResult& result);

/// A run so much of whose energy came from nowhere that its results are of no use (EnergyVerdict::is_ruinous) has not
/// done what was asked for, though it came to its end: it is blown_up.
void judge(RunResult& result, const RunSummary& summary);

/// Tells in the log how it ended. `excluded`: particles, since the start.
void log_end(const RunSummary& summary, const RunResult& result, std::int64_t excluded,
             const std::filesystem::path& folder);

/// For programs: how a run ended, as the last JSON line of its progress.
void print_end(const RunSummary& summary);

} // namespace sluice
