// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/prepared_run.h"
#include "io/checkpoint.h"
#include <filesystem>
#include <optional>
#include <string>

namespace sluice {

/// What a run and a checkpoint must have in common for the one to go on from the other, a line "NAME VALUE" each: what
/// it was made from (inputs_fingerprint) and what followed from that (run_fingerprint).
std::string resume_fingerprint(const PreparedRun& run, const std::filesystem::path& folder);

/// The checkpoint to go on from; none if the run has to begin at its start, because it never came to a checkpoint, or
/// because `redo_gap` asks for it. Frames that are missing or damaged are told in the log, the damaged ones set aside
/// (*.damaged); with `redo_gap` the run goes on from before the first of them, else with a gap. Throws InputError if
/// the folder holds no checkpoint that is whole, or if it is of another run.
std::optional<Checkpoint> checkpoint_to_resume(const PreparedRun& run, const std::filesystem::path& folder,
                                               bool redo_gap);

/// Removes what the killed run has left half written.
void remove_half_written(const std::filesystem::path& folder);

} // namespace sluice
