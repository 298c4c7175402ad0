// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace sluice {

/// The folder of a run's results: `out`, or <case>_out in the working directory.
std::filesystem::path output_folder(const std::filesystem::path& out, const std::filesystem::path& case_file);

/// Throws InputError if a run's results lie in `folder` (and `overwrite` is off), or if it is no folder. Changes
/// nothing.
void check_output_folder(const std::filesystem::path& folder, bool overwrite);

/// Removes what a run computed, but not what it was made from: it can begin again at its start. Throws RunError.
void remove_series(const std::filesystem::path& folder);

/// Removes all of an earlier run (and nothing else) where there is one. Throws RunError.
void remove_results(const std::filesystem::path& folder);

} // namespace sluice
