// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace sluice {

/// Adds the commands that write surfaces of stored frames for other programs: surface (of the fluid, or of a value in
/// it), slice (a plane through the fluid) and walls (walls and bodies, moved to the times of the frames).
void add_surface_commands(CLI::App& app);

} // namespace sluice
