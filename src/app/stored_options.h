// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/commands.h"
#include <filesystem>
#include <string>

namespace sluice {

/// Writes into a run's folder (options.json) how it was started beyond its case, so that it can be resumed. Throws
/// RunError.
void store_options(const std::filesystem::path& folder, const RunOptions& options);

/// Reads it back. Throws InputError if there is none or it cannot be read.
RunOptions load_options(const std::filesystem::path& folder);

/// Those of the stored options that change what a run computes and writes. Throws as load_options does.
std::string essence_of_options(const std::filesystem::path& folder);

} // namespace sluice
