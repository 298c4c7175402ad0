// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/fluid/isosurface.h"
#include "model/constants.h"
#include "model/frame.h"
#include "model/particle_groups.h"
#include <cstdint>
#include <filesystem>

namespace sluice {

/// The fluid's fraction of the volume, φ = Σ_b (m/ρ_b) W, at the nodes of a lattice around the fluid of a frame, as
/// wide as the kernel reaches; in two dimensions one layer of them. Nodes lie at multiples of `spacing`, the same ones
/// in all frames. Throws InputError if the lattice would have more than a thousand million nodes.
LatticeField fluid_fraction_field(const Frame& frame, const ParticleGroups& groups, const sph::Constants& constants,
                                  double spacing);

enum class SurfaceFormat {
    vtp, ///< surface_000000.vtp, … with surface.pvd that names the times; the points have the fluid's velocity if
         ///< frames do
    stl  ///< surface_000000.stl, … (binary)
};

struct SurfaceJob {
    std::filesystem::path dir; ///< an output folder
    std::filesystem::path out; ///< folder to write to
    SurfaceFormat format = SurfaceFormat::vtp;
    double level = 0.5;            ///< fraction of the volume at which the surface is
    double spacing = 0;            ///< of the lattice, m; 0: the particle spacing
    int first = 0, last = 1 << 30; ///< numbers of frames, both included
    int every = 1;                 ///< only each so many
    bool overwrite = false;        ///< surfaces of an earlier call that this one does not write again are removed
};

/// Writes the closed surface of the fluid for stored frames; in two dimensions, the closed line around it. At the faces
/// of periodic sides it ends, open. Returns the number of frames. Throws InputError (a two-dimensional run as STL, no
/// such frames) and RunError.
int write_surfaces(const SurfaceJob& job);

} // namespace sluice
