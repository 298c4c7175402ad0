// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/fluid/interpolator.h"
#include "io/surfaces/surface_files.h"
#include <filesystem>
#include <optional>

namespace sluice {

/// A plane through a point.
struct SlicePlane {
    Vec3d point;  ///< m
    Vec3d normal; ///< of length 1
};

/// The plane through three points, with its normal along (b − a) × (c − a). Throws InputError where they lie on a line.
SlicePlane plane_through(const Vec3d& a, const Vec3d& b, const Vec3d& c);

/// The plane with this normal, of any length above zero. Throws InputError for none.
SlicePlane plane_at(const Vec3d& point, const Vec3d& normal);

/// The part of a plane that lies in the fluid as triangles, in two dimensions too, where the plane of the particles is
/// one. Otherwise as `fluid_slice`.
TriangleMesh fluid_area(const FluidInterpolator& fluid, const SlicePlane& plane, double spacing);

/// The part of a plane that lies in the fluid: where φ ≥ ½, as triangles between the nodes of a lattice of `spacing`
/// (m) in the plane, whose rim is cut to the surface; their normals are that of the plane. In two dimensions the part
/// of the line in which the plane cuts the plane of the particles. Throws InputError if the plane is that of a
/// two-dimensional run, or if the lattice would have more than a quarter of a thousand million nodes.
SurfaceMesh fluid_slice(const FluidInterpolator& fluid, const SlicePlane& plane, double spacing);

struct SliceJob {
    std::filesystem::path dir; ///< an output folder
    std::filesystem::path out; ///< folder to write to
    SlicePlane plane;
    double spacing = 0; ///< of the lattice in the plane, m; 0: the particle spacing
    std::optional<FieldSelection>
        fields{};                  ///< interpolated at the points; by default all that frames hold of the fluid
    int first = 0, last = 1 << 30; ///< numbers of frames, both included
    int every = 1;                 ///< only each so many
    bool overwrite = false;        ///< slices of an earlier call that this one does not write again are removed
};

/// Writes slice_000000.vtp, … with slice.pvd: the fluid in a plane, with values. Returns the number of frames. Throws
/// InputError and RunError.
int write_slices(const SliceJob& job);

} // namespace sluice
