// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace sluice {

/// The tables of a run over the time, as HTML with SVG: the flow, bodies, joints, mooring lines, contacts, gauges and
/// probes. Nothing for a folder without tables. InputError names a table that cannot be read.
std::string series_plots(const std::filesystem::path& dir);

} // namespace sluice
