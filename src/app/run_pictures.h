// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace sluice {

/// Draws `count` of the stored frames, evenly spaced, with one colour scale. A picture that cannot be drawn costs a
/// warning: the results are there.
void draw_run_pictures(const std::filesystem::path& folder, const std::string& title, int count);

} // namespace sluice
