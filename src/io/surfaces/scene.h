// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/files/alembic.h"
#include "io/surfaces/wall_surfaces.h"
#include <filesystem>
#include <map>
#include <vector>

namespace sluice {

/// What a scene can have.
enum class ScenePart {
    surface, ///< of the fluid, in two dimensions its area, with velocities
    walls,   ///< and bodies, where the frames have them; none in two dimensions, where they are lines
    points   ///< the fluid particles with ids and velocities
};

struct SceneJob {
    std::filesystem::path dir; ///< an output folder
    std::filesystem::path out; ///< file to write, .abc
    std::vector<ScenePart> parts{ScenePart::surface, ScenePart::walls};
    UpAxis up = UpAxis::y;
    double level = 0.5; ///< fraction of the volume at which the surface of the fluid is
    double spacing = 0; ///< of the lattice that it is found on, m; 0: the particle spacing
    WallShape shape = WallShape::drawn;
    std::map<int, DrawnWall> drawn{}; ///< by mkbound, from the case of the run
    std::vector<int> mk_bound{};      ///< which walls and bodies; empty: all
    int first = 0, last = 1 << 30;    ///< numbers of frames, both included
    int every = 1;                    ///< only each so many

    bool has(ScenePart part) const;
};

/// Writes stored frames as one Alembic file: objects "fluid", "mkbound_N" and "points", each with a sample at the time
/// for which a frame was taken. Returns the number of frames. Throws InputError (another suffix, no such frames, no
/// such mkbound, values that are not stored) and RunError.
int write_scene(const SceneJob& job);

} // namespace sluice
