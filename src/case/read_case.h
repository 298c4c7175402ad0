// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// What the command line changes in a case before it is evaluated.
struct CaseOverrides {
    std::optional<double> dp;                 ///< m; every expression with Dp sees it
    std::optional<double> time_max, time_out; ///< s
    /// KEY=VALUE of `--set`: a key of execution/parameters or an element of constantsdef.
    std::vector<std::pair<std::string, std::string>> set;
    /// Read cases with features that the simulation lacks; they are in `Case::unsupported_in_run`. Otherwise the
    /// first of them is an error.
    bool allow_unsupported = false;
    /// Read cases whose particles can be drawn although other parts of them are wrong; these errors are in
    /// `Case::errors_beside_drawing`.
    bool keep_errors_beside_drawing = false;
};

/// Reads and checks a case file. Throws InputError with "file:line: what is wrong (value), what to do"; several
/// errors are joined by line ends.
Case read_case(const std::filesystem::path& file, const CaseOverrides& overrides = {});

/// The same from memory; `file` names it in messages and is where data files are looked for.
Case read_case_text(const std::string& text, const std::filesystem::path& file, const CaseOverrides& overrides = {});

} // namespace sluice
