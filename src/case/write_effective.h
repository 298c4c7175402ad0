// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "case/read_case.h"
#include <string>

// The case as a run used it: a case file of its own, which gives the same run without any option.

namespace sluice {

/// The text of the case with what the command line changed written into it, and with every constant and parameter that
/// the file leaves to a default. A comment on each says where its value comes from. `data_folder`: where, relative to
/// the new file, the data files of the case are.
std::string effective_case(const Case& the_case, const CaseOverrides& overrides, const std::string& data_folder);

/// The same effective case with another TimeMax (s).
std::string with_time_max(const std::string& effective, double time_max);

/// All of an effective case that changes what a run computes and writes up to any time: everything but TimeMax. Two
/// texts of one case that differ only in blanks and comments give the same.
std::string essence_of(const std::string& effective);

} // namespace sluice
