// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/prepared_run.h"
#include "io/records/checkpoint.h"
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// What a run and a checkpoint must have in common for the one to go on from the other, a line "NAME VALUE" each: what
/// it was made from (inputs_fingerprint) and what followed from that (run_fingerprint).
std::string resume_fingerprint(const PreparedRun& run, const std::filesystem::path& folder);

/// Which rows of a run's tables are from before a checkpoint: those with a number of at most `value` in `column`.
struct RowLimit {
    const char* column;
    double value;
};
/// `table`: relative to the folder of the run.
RowLimit row_limit(const std::filesystem::path& table, const Checkpoint& checkpoint);

/// The tables that a run adds rows to and that are there, relative to its folder.
std::vector<std::filesystem::path> tables_in(const std::filesystem::path& folder);

/// The name of the counter that says how many such rows of a table there were.
std::string rows_counter(const std::filesystem::path& table);

/// The checkpoint to go on from; none if the run has to begin at its start, because it never came to a checkpoint, or
/// because `redo_gap` asks for it. The log names frames that are missing or damaged; the damaged ones are set aside
/// (*.damaged); with `redo_gap` the run goes on from before the first of them, else with a gap. The
/// same holds for rows of tables; but the books of the run, flow.csv and excluded.csv, have to be whole. Throws
/// InputError if they are not, if the folder holds no checkpoint that is whole, or if it is of another run.
std::optional<Checkpoint> checkpoint_to_resume(const PreparedRun& run, const std::filesystem::path& folder,
                                               bool redo_gap);

/// Removes what the killed run has left half written.
void remove_half_written(const std::filesystem::path& folder);

} // namespace sluice
