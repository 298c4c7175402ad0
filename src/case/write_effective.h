// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include <filesystem>

namespace sluice {

/// Writes every constant and parameter as the run uses it, with whether the case gave it or the default stands.
/// Throws RunError if the file cannot be written.
void write_effective_case(const Case& the_case, const std::filesystem::path& path);

} // namespace sluice
