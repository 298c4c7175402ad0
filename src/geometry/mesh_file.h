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

/// Reads an STL (ASCII or binary), PLY (ASCII or binary) or legacy VTK (ASCII or binary) file, or a table of heights.
/// Polygons become triangles. Throws InputError at `where` if the file is missing, damaged or not finite.
Mesh read_mesh_file(const std::filesystem::path& path, MeshFormat format, const SourceLocation& where);

/// Whole content of a data file, at most 2 GiB.
std::string read_data_text(const std::filesystem::path& path, const SourceLocation& where);

namespace mesh_format {
Mesh parse_stl(const std::string& data);
Mesh parse_ply(const std::string& data);
Mesh parse_vtk(const std::string& data);
Mesh parse_height_table(const std::string& data);
} // namespace mesh_format

} // namespace sluice
