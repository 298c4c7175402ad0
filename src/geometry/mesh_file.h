// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/commands.h"
#include "core/error.h"
#include <array>
#include <filesystem>
#include <vector>

namespace sluice {

/// Points with what joins them, in the units of the file.
struct Mesh {
    std::vector<Vec3d> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<std::array<std::uint32_t, 2>> lines;
    std::vector<std::uint32_t> vertices;
};

/// One surface of a .vtm file.
struct MeshPart {
    std::string name;
    std::string file; ///< relative to the .vtm file
};

/// Reads an STL, PLY or VTK file (legacy, .vtp or .vtu), or a table of heights; text or binary. Polygons become
/// triangles, and vertices that differ by rounding are welded. Throws InputError at `where` if the file is missing,
/// damaged, not finite or without anything to draw.
Mesh read_mesh_file(const std::filesystem::path& path, MeshFormat format, const SourceLocation& where);

/// Moves points within 1e-6 of the longest side of the mesh to the first of them. What joins points stays.
void weld_vertices(Mesh& mesh);

/// Whole content of a data file, at most 2 GiB. Throws InputError at `where`, also for one that links lead to from the
/// folder of that file, the case, to outside of it.
std::string read_data_text(const std::filesystem::path& path, const SourceLocation& where);

namespace mesh_format {
Mesh parse_stl(const std::string& data);
Mesh parse_ply(const std::string& data);
/// Legacy VTK or VTK XML, as the file begins.
Mesh parse_vtk(const std::string& data);
Mesh parse_vtk_xml(const std::string& data);
/// The surfaces that a .vtm file names, in its order.
std::vector<MeshPart> parse_multiblock(const std::string& data);
/// Adds a cell of a VTK type: vertices, lines, strips and polygons. Throws InputError for volumes.
void add_vtk_cell(Mesh& mesh, int type, const std::vector<std::uint32_t>& corners);
Mesh parse_height_table(const std::string& data);
} // namespace mesh_format

} // namespace sluice
