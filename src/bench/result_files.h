// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/experiment.h"
#include "bench/machine.h"
#include <filesystem>
#include <string>

namespace sluice::bench {

/// One line a sample, with a header line that names columns and units.
std::string result_csv(const ExperimentResult& result);

/// Everything: machine, program, command, raw samples, tables, what was measured and what estimated.
std::string result_json(const ExperimentResult& result, const Machine& machine);

/// The result's tables and sentences for a terminal.
std::string result_text(const ExperimentResult& result);

/// Writes NAME.csv, NAME.json, NAME.svg (and NAME-2.svg, …) into the folder.
void write_result_files(const ExperimentResult& result, const Machine& machine, const std::filesystem::path& folder);

} // namespace sluice::bench
