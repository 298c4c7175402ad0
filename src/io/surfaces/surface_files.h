// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/files/vtp.h"
#include "io/fluid/isosurface.h"
#include "model/fields.h"
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace sluice {

class FluidInterpolator;

/// Files of a surface, one a frame.
enum class SurfaceFormat {
    vtp, ///< with values at the points, and a .pvd that names the times
    stl, ///< binary; triangles alone
    ply  ///< binary; with normals and values at the points
};

/// "vtp", "stl" or "ply": the suffix of its files.
const char* suffix_of(SurfaceFormat format);

/// A surface of triangles, or in two dimensions a line.
using SurfaceMesh = std::variant<TriangleMesh, LineMesh>;

/// Throws InputError, naming the folder, for a format that cannot hold what a two-dimensional run has: lines.
void require_format(const std::filesystem::path& dir, SurfaceFormat format, bool two_d);

/// Writes a surface with its normals (array "normal"), which point out of what it encloses, and with values at its
/// points as far as the format has a place for them. Throws RunError.
void write_surface_file(const std::filesystem::path& path, SurfaceFormat format, const SurfaceMesh& mesh,
                        std::vector<VtpArray> values = {});

/// Some fields of the fluid at points, an array each; NaN where less than `least` of the volume is fluid.
std::vector<VtpArray> values_at(const std::vector<Vec3d>& points, const FluidInterpolator& fluid,
                                const FieldSelection& fields, double least);

} // namespace sluice
