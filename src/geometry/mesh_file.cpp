// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_file.h"

#include "core/input_file.h"
#include "core/nearest_file.h"
#include "core/table_rows.h"
#include "core/text.h"
#include "geometry/byte_reader.h"
#include <cmath>
#include <fmt/format.h>
#include <sstream>

namespace sluice {

std::string read_data_text(const std::filesystem::path& path, const SourceLocation& where) {
    if (!where.file.empty()) require_inside(std::filesystem::path(where.file).parent_path(), path, where);
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error || !std::filesystem::is_regular_file(path, error))
        throw InputError(where, fmt::format("the file {} cannot be read, put it beside the case{}", path.string(),
                                            suggest_file(path)));
    if (size > (std::uintmax_t(1) << 31))
        throw InputError(where, fmt::format("the file {} is too large ({} bytes)", path.string(), size));
    std::ifstream in = open_input(path, std::ios::binary);
    std::string text(size, '\0');
    in.read(text.data(), static_cast<std::streamsize>(size));
    if (!in) throw InputError(where, fmt::format("the file {} cannot be read", path.string()));
    return text;
}

namespace mesh_format {

namespace {

Mesh parse_binary_stl(const std::string& data) {
    constexpr std::size_t header = 84;
    if (data.size() < header)
        throw InputError("it is no STL: it does not begin with \"solid\", and is too short for a binary one");
    ByteReader in(data);
    in.skip(80);
    const auto count = in.binary<std::uint32_t>(false);
    if (in.left() / 50 < count)
        throw InputError(fmt::format("it is no STL, or cut off: as a binary one it announces {} triangles and has room "
                                     "for {}, and text would begin with \"solid\"",
                                     count, in.left() / 50));
    Mesh mesh;
    mesh.points.reserve(3 * std::size_t(count));
    for (std::uint32_t t = 0; t < count; ++t) {
        in.skip(12);
        const auto first = static_cast<std::uint32_t>(mesh.points.size());
        for (int corner = 0; corner < 3; ++corner) {
            Vec3d p;
            for (int axis = 0; axis < 3; ++axis) p[axis] = in.binary<float>(false);
            mesh.points.push_back(p);
        }
        in.skip(2);
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

Mesh parse_ascii_stl(const std::string& data) {
    ByteReader in(data);
    Mesh mesh;
    bool has_ended = false;
    while (!in.at_end()) {
        const std::string_view word = in.word();
        if (word == "endsolid" || word == "facet") has_ended = word == "endsolid";
        if (word != "vertex") continue;
        Vec3d p;
        // Single precision, as in binary files: it decides which node a corner halfway between two belongs to.
        for (int axis = 0; axis < 3; ++axis) p[axis] = static_cast<float>(in.number());
        mesh.points.push_back(p);
    }
    if (mesh.points.size() % 3) throw InputError("the number of vertices is not a multiple of three");
    if (!has_ended)
        throw InputError(
            "it ends without endsolid, as if it were cut off: write it anew, or add that line if it is whole");
    for (std::uint32_t i = 0; i + 2 < mesh.points.size(); i += 3) mesh.triangles.push_back({i, i + 1, i + 2});
    return mesh;
}

/// The cells of a line between separators; a title, NaN, in the first if `has_title`.
std::vector<double> split_numbers(std::string_view line, char separator, bool has_title) {
    std::vector<double> out;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(separator, begin), line.size());
        const bool is_title = has_title && begin == 0;
        out.push_back(is_title ? std::nan("") : cell_number(line.substr(begin, end - begin)));
        begin = end + 1;
    }
    return out;
}

} // namespace

Mesh parse_stl(const std::string& data) {
    // Binary files may begin with "solid" too; their length decides it.
    if (data.size() >= 84) {
        std::uint32_t count;
        std::memcpy(&count, data.data() + 80, 4);
        if (data.size() == 84 + 50 * std::size_t(count)) return parse_binary_stl(data);
    }
    if (data.substr(0, 5) == "solid") return parse_ascii_stl(data);
    return parse_binary_stl(data);
}

/// First row: a title, then x; then rows of y and the heights.
Mesh parse_height_table(const std::string& data) {
    ByteReader in(data);
    std::vector<std::vector<double>> rows;
    for (int number = 1; !in.at_end(); ++number) {
        const std::string_view line = in.line();
        if (line.empty() || line[0] == '#') continue;
        const auto separates = [&](char c) { return line.find(c) != std::string_view::npos; };
        try {
            rows.push_back(split_numbers(line, separates(';') ? ';' : separates('\t') ? '\t' : ',', rows.empty()));
        } catch (const InputError& e) {
            throw InputError(fmt::format("line {}: {}", number, e.what()));
        }
    }
    if (rows.size() < 3 || rows[0].size() < 3)
        throw InputError("the table needs at least two columns and two rows of heights");
    Mesh mesh;
    const std::size_t columns = rows[0].size() - 1;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        if (rows[r].size() != columns + 1)
            throw InputError(
                fmt::format("row {} has {} cells, the first row has {}", r + 1, rows[r].size(), columns + 1));
        for (std::size_t c = 1; c <= columns; ++c) mesh.points.push_back({rows[0][c], rows[r][0], rows[r][c]});
    }
    for (std::uint32_t r = 0; r + 2 < rows.size(); ++r)
        for (std::uint32_t c = 0; c + 1 < columns; ++c) {
            const auto n = static_cast<std::uint32_t>(columns), i = r * n + c;
            mesh.triangles.push_back({i, i + 1, i + n + 1});
            mesh.triangles.push_back({i, i + n + 1, i + n});
        }
    return mesh;
}

} // namespace mesh_format

Mesh read_mesh_file(const std::filesystem::path& path, MeshFormat format, const SourceLocation& where) {
    std::string data = read_data_text(path, where);
    data.erase(0, data.size() - without_byte_order_mark(data).size()); // no binary file begins with it
    try {
        Mesh mesh;
        switch (format) {
        case MeshFormat::stl: mesh = mesh_format::parse_stl(data); break;
        case MeshFormat::ply: mesh = mesh_format::parse_ply(data); break;
        case MeshFormat::vtk: mesh = mesh_format::parse_vtk(data); break;
        case MeshFormat::bathymetry_csv: mesh = mesh_format::parse_height_table(data); break;
        }
        for (const Vec3d& p : mesh.points)
            if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
                throw InputError("a coordinate is not a finite number");
        if (mesh.triangles.empty() && mesh.lines.empty() && mesh.vertices.empty())
            throw InputError(
                fmt::format("it has {} points, but nothing to draw: no faces, lines or vertices", mesh.points.size()));
        weld_vertices(mesh);
        return mesh;
    } catch (const InputError& e) {
        throw InputError(where,
                         fmt::format("the file {} is damaged or of another format: {}", path.string(), e.what()));
    }
}

} // namespace sluice
