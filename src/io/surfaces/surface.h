// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/fluid/fluid_value.h"
#include "io/fluid/interpolator.h"
#include "io/fluid/isosurface.h"
#include "io/fluid/layout.h"
#include "io/surfaces/surface_files.h"
#include "model/constants.h"
#include "model/frame.h"
#include "model/run_setup.h"
#include <filesystem>
#include <optional>

namespace sluice {

/// The fraction of the volume that is fluid, φ, at the surface of the fluid.
inline constexpr double surface_level = 0.5;

/// The fluid's fraction of the volume, φ = Σ_b (m/ρ_b) W, at the nodes of a lattice around the fluid of a frame, as
/// wide as the kernel reaches; in two dimensions one layer of them. Nodes lie at multiples of `spacing`, the same ones
/// in all frames. Throws InputError if the lattice would have more than a thousand million nodes.
LatticeField fluid_fraction_field(const Frame& frame, const ParticleGroups& groups, const sph::Constants& constants,
                                  double spacing);

/// A value of the fluid at the nodes of the lattice of `fraction`, made by fluid_fraction_field() of the same fluid:
/// f(x) = Σ_b f_b (m/ρ_b) W / φ, and NaN where φ < `least_fraction`.
LatticeField fluid_value_field(const LatticeField& fraction, const FluidInterpolator& fluid, const FluidValue& value);

/// The closed surface at which the fluid's fraction of the volume equals `level`; in two dimensions the closed line.
SurfaceMesh fluid_surface(const LatticeField& fraction, double level, bool two_d);

/// The surface inside of the fluid at which a value equals `level`, around the greater ones. It ends, open, at the
/// surface of the fluid, where φ = `rim`.
SurfaceMesh value_surface(const LatticeField& fraction, const FluidInterpolator& fluid, const FluidValue& value,
                          double level, double rim = surface_level);

/// The part of a surface between the periodic faces of a run, beyond which the same surface goes on.
SurfaceMesh between_periodic_faces(SurfaceMesh mesh, const RunSetup& setup);

/// Adds what is seen across periodic sides, as surfaces and slices need it on a lattice of `spacing`, m. Throws
/// InputError where a period is too short.
void add_images_for_surfaces(Frame& frame, const RunSetup& setup, double spacing);

/// The fluid of a stored frame with what is seen across periodic sides, as surfaces and slices need it on a lattice of
/// `spacing`, m. Throws InputError where a period is too short, RunError for a damaged frame.
Frame frame_for_surfaces(const std::filesystem::path& dir, int number, const RunSetup& setup, double spacing);

/// The fields that an option names, or all of `usual` that the frames hold. Throws InputError for one that they do not
/// hold.
FieldSelection carried_fields(const std::filesystem::path& dir, const ParticleLayout& layout,
                              const std::optional<FieldSelection>& named, const FieldSelection& usual);

struct SurfaceJob {
    std::filesystem::path dir; ///< an output folder
    std::filesystem::path out; ///< folder to write to
    SurfaceFormat format = SurfaceFormat::vtp;
    double level = surface_level;           ///< fraction of the volume at which the surface of the fluid is
    std::optional<FluidValue> value{};      ///< whose surface is written instead, inside of that of the fluid
    double value_level = 0;                 ///< of the value, in its unit
    double spacing = 0;                     ///< of the lattice, m; 0: the particle spacing
    std::optional<FieldSelection> fields{}; ///< carried onto the surface; by default the velocity, if frames hold it
    int first = 0, last = 1 << 30;          ///< numbers of frames, both included
    int every = 1;                          ///< only each so many
    bool overwrite = false; ///< surfaces of an earlier call that this one does not write again are removed
};

/// Writes surface_000000.vtp, …: the closed surface of the fluid for stored frames (in two dimensions, the closed line
/// around it), or the surface of a value inside of it. At the faces of periodic sides it ends, open. Returns the number
/// of frames. Throws InputError (a two-dimensional run as STL or PLY, no such frames) and RunError.
int write_surfaces(const SurfaceJob& job);

} // namespace sluice
