// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace sluice {

/// Where a file that is not at `path` may be meant to be, as the end of a message: "; there is ball.stl" for a name
/// that differs in case only, "; there is meshes/ball.stl" where one of that name lies in a folder up to two below,
/// beside or above that of `path`. "" if there is none. Looks at a few thousand names at most.
std::string suggest_file(const std::filesystem::path& path);

} // namespace sluice
