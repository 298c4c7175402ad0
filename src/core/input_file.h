// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

// Checks that every reader of a file makes: the file's name may come from a stranger or be a mistake.

namespace sluice {

/// "a folder", "a pipe", "a device" …, of what is there and is no regular file; empty for a file, and where nothing is.
std::string not_a_file(const std::filesystem::path& path);

/// A file opened to be read; a stream that has failed where there is none, or it must not be read. Throws InputError
/// for what is no regular file: at a pipe a reader would wait for ever, and it would never come to the end of a device.
std::ifstream open_input(const std::filesystem::path& path, std::ios::openmode mode = std::ios::in);

/// All of a JSON file; nothing if there is none. Throws InputError if its values are nested deeper than any that Sluice
/// writes: what goes through them calls itself at each level, until there is no stack left.
std::optional<std::string> read_json_text(const std::filesystem::path& path);

/// Whether brackets nest deeper than in any JSON that Sluice writes.
bool nests_too_deep(std::string_view json);

/// Throws InputError, at `where`, if links lead from a path below `folder` to a file outside of it.
void require_inside(const std::filesystem::path& folder, const std::filesystem::path& path,
                    const SourceLocation& where);

} // namespace sluice
