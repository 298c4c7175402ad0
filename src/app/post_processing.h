// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace sluice {

/// Adds the commands that work on the stored results of a run: report, export, measure, movie, forces, those of
/// `add_water_commands`, those of `add_surface_commands`, picture. Each does its work in its callback, while the
/// command line is parsed.
void add_post_processing(CLI::App& app);

} // namespace sluice
