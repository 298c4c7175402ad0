// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "geometry/wall_shapes.h"
#include "io/fluid/carried_surface.h"
#include "io/fluid/layout.h"
#include "io/surfaces/surface_files.h"
#include "model/frame.h"
#include "model/run_setup.h"
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sluice {

/// What stands for a wall or a body.
enum class WallShape {
    drawn,    ///< what the case drew, triangles or lines
    particles ///< the surface around its particles
};

struct WallSurfaceJob {
    std::filesystem::path dir; ///< an output folder
    std::filesystem::path out; ///< folder to write to
    SurfaceFormat format = SurfaceFormat::vtp;
    WallShape shape = WallShape::drawn;
    std::map<int, DrawnWall> drawn{}; ///< by mkbound, from the case of the run
    std::vector<int> mk_bound{};      ///< which; empty: all of the boundary
    double spacing = 0;               ///< of the lattice of a surface around particles, m; 0: half of theirs
    int first = 0, last = 1 << 30;    ///< numbers of frames, both included
    int every = 1;                    ///< only each so many
    bool overwrite = false;           ///< surfaces of an earlier call that this one does not write again are removed
};

/// A drawn wall as a mesh whose points are shared.
SurfaceMesh mesh_of(const DrawnWall& wall, bool two_d);

/// The surface around boundary particles, at half a spacing from the outermost of them: where the sum of kernels over
/// them with h = dp, each with the volume dp³ (dp² in two dimensions), is ½, on a lattice of `spacing`, m. Throws
/// InputError where that has too many nodes.
SurfaceMesh surface_around(const std::vector<Vec3d>& particles, double dp, bool two_d, double spacing);

/// A wall or a body, and its surface in each frame.
class MovedWall {
public:
    /// `drawn`: the whole boundary at the start. The set-up and the block must stay. Throws InputError where a surface
    /// around particles has too many nodes.
    MovedWall(const WallSurfaceJob& job, const ParticleLayout& layout, const RunSetup& setup,
              const ParticleBlock& block, const Frame& drawn);

    /// "mkbound_N".
    std::string name() const;
    /// A wall without a motion that is where it was; not a piston at rest.
    bool stands_still_in(const Frame& frame) const;
    /// Its surface where the particles of a frame have taken it. Of a wall at rest the frame may lack particles, which
    /// are then where they were drawn. Throws InputError where the case leaves out some of what moves, RunError for a
    /// damaged frame.
    SurfaceMesh in(const Frame& frame) const;

private:
    SurfaceMesh mesh(const WallSurfaceJob& job, const ParticleLayout& layout) const;
    bool rests_in(const Frame& frame) const;

    const RunSetup& setup_;
    const ParticleBlock& block_;
    bool selected_;
    std::vector<Vec3d> start_;
    CarriedSurface surface_;
};

/// The walls and bodies of a job. Layout and set-up must stay. Throws InputError (no such mkbound), RunError.
std::vector<MovedWall> moved_walls(const WallSurfaceJob& job, const ParticleLayout& layout, const RunSetup& setup);

/// Writes mkbound_N_000000.vtp, … for each wall and body: its surface where the particles of each frame have taken it
/// (CarriedSurface), with mkbound_N.pvd. Of fixed ones that stand still one file is enough: that of the first frame.
/// What was not drawn by shapes has the surface around its particles, with a note. Returns the number of frames. Throws
/// InputError (a two-dimensional run as STL or PLY, no such mkbound, no such frames) and RunError.
int write_wall_surfaces(const WallSurfaceJob& job);

} // namespace sluice
