// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include <filesystem>
#include <string>

namespace sluice {

/// The file that is the page, and the heading by which one knows which case it is of.
inline constexpr const char* wave_page_name = "waves.html";
std::string wave_page_heading(const std::string& title);

/// Writes the tables that the paddles of a case ask for (savemotion, saveserie, saveseriewaves) into `folder`:
/// mkboundN_motion_1.csv, mkboundN_series_1.csv, mkboundN_heights_1.csv, … counted by kind. Makes the folder if there
/// is any. Throws RunError.
void write_wave_tables(const std::filesystem::path& folder, const Case& definition);

/// Writes those tables; and for every paddle mkboundN.csv (time, displacement and velocity of the paddle, expected
/// elevation at it), mkboundN_spectrum.csv where it has one, and waves.html with plots of all. Throws RunError.
void write_wave_page(const std::filesystem::path& folder, const std::string& title, const Case& definition);

} // namespace sluice
