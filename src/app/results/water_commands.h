// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace sluice {

/// Adds the commands that say where water is and goes: runup, overtopping, volumes, trace, and reflection, which alone
/// works on tables.
void add_water_commands(CLI::App& app);

} // namespace sluice
