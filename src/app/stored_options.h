// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/commands.h"
#include <filesystem>

namespace sluice {

/// Writes how a run was started into its folder (options.json), so that it can be resumed. Throws RunError.
void store_options(const std::filesystem::path& folder, const RunOptions& options);

/// Reads it back. Throws InputError if there is none or it cannot be read.
RunOptions load_options(const std::filesystem::path& folder);

} // namespace sluice
