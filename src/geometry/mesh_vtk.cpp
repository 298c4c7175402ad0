// SPDX-License-Identifier: Apache-2.0
#include "geometry/byte_reader.h"
#include "geometry/mesh_file.h"

// Legacy VTK: POLYDATA and UNSTRUCTURED_GRID. Cells are lists of point numbers, each with its length before it, or
// since version 5.1 offsets and point numbers apart.

namespace sluice::mesh_format {

namespace {

class VtkReader {
public:
    explicit VtkReader(const std::string& data) : in_(data) {}

    Mesh read() {
        if (!in_.line().starts_with("# vtk DataFile")) throw InputError("it is neither a legacy VTK file nor VTK XML");
        in_.line();
        binary_ = in_.word() == "BINARY";
        while (!in_.at_end()) section(in_.word());
        add_unstructured_cells();
        return std::move(mesh_);
    }

private:
    using Cells = std::vector<std::vector<std::uint32_t>>;

    void section(std::string_view word) {
        if (word == "POINTS")
            read_points();
        else if (word == "VERTICES")
            for_cells(2);
        else if (word == "LINES")
            for_cells(4);
        else if (word == "POLYGONS")
            for_cells(7);
        else if (word == "TRIANGLE_STRIPS")
            for_cells(6);
        else if (word == "CELLS")
            unstructured_ = read_cells();
        else if (word == "CELL_TYPES")
            read_types();
        else if (word == "POINT_DATA" || word == "CELL_DATA")
            in_.skip(in_.left()); // nothing below matters here
    }

    void read_points() {
        const std::size_t count = in_.count();
        const std::string type(in_.word());
        if (type != "float" && type != "double") throw InputError("points of type " + type + " are not supported");
        if (binary_) in_.line();
        for (std::size_t i = 0; i < count; ++i) {
            Vec3d p;
            for (int axis = 0; axis < 3; ++axis)
                p[axis] = !binary_          ? in_.number()
                          : type == "float" ? in_.binary<float>(true)
                                            : in_.binary<double>(true);
            mesh_.points.push_back(p);
        }
    }

    double read_integer(bool wide) {
        if (!binary_) return in_.number();
        return wide ? static_cast<double>(in_.binary<std::int64_t>(true)) : in_.binary<std::int32_t>(true);
    }
    std::uint32_t read_index(bool wide = false) {
        const double v = read_integer(wide);
        if (!(v >= 0) || v > 4e9) throw InputError("a cell has a negative point number");
        return static_cast<std::uint32_t>(v);
    }
    std::uint32_t read_corner(bool wide) {
        const std::uint32_t corner = read_index(wide);
        if (corner >= mesh_.points.size()) throw InputError("a cell names a point that is not there");
        return corner;
    }

    Cells read_cells() {
        const std::size_t count = in_.count(), numbers = in_.count();
        ByteReader ahead = in_;
        if (ahead.word() == "OFFSETS") return read_offset_cells(count, numbers);
        if (binary_) in_.line();
        Cells cells;
        for (std::size_t c = 0; c < count; ++c) {
            const std::uint32_t n = read_index();
            if (n > in_.left()) throw InputError("a cell is longer than the file");
            std::vector<std::uint32_t> corners;
            for (std::uint32_t i = 0; i < n; ++i) corners.push_back(read_corner(false));
            cells.push_back(std::move(corners));
        }
        return cells;
    }

    /// OFFSETS type, numbers; CONNECTIVITY type, numbers.
    std::vector<std::uint32_t> read_array(std::string_view title, std::size_t count) {
        if (in_.word() != title) throw InputError("it has no " + std::string(title) + " where it must be");
        const bool wide = in_.word() == "vtktypeint64";
        if (binary_) in_.line();
        std::vector<std::uint32_t> out;
        for (std::size_t i = 0; i < count; ++i) out.push_back(read_index(wide));
        return out;
    }
    Cells read_offset_cells(std::size_t offset_count, std::size_t corner_count) {
        const auto offsets = read_array("OFFSETS", offset_count), corners = read_array("CONNECTIVITY", corner_count);
        Cells cells;
        for (std::size_t c = 0; c + 1 < offsets.size(); ++c) {
            if (offsets[c + 1] < offsets[c] || offsets[c + 1] > corners.size())
                throw InputError("the offsets of its cells do not ascend");
            cells.emplace_back(corners.begin() + offsets[c], corners.begin() + offsets[c + 1]);
            for (std::uint32_t corner : cells.back())
                if (corner >= mesh_.points.size()) throw InputError("a cell names a point that is not there");
        }
        return cells;
    }

    void for_cells(int type) {
        for (const auto& cell : read_cells()) add_vtk_cell(mesh_, type, cell);
    }

    void read_types() {
        const std::size_t count = in_.count();
        if (binary_) in_.line();
        for (std::size_t i = 0; i < count; ++i) types_.push_back(read_index());
    }

    void add_unstructured_cells() {
        for (std::size_t i = 0; i < std::min(types_.size(), unstructured_.size()); ++i)
            add_vtk_cell(mesh_, static_cast<int>(types_[i]), unstructured_[i]);
    }

    ByteReader in_;
    bool binary_ = false;
    Mesh mesh_;
    Cells unstructured_;
    std::vector<std::uint32_t> types_;
};

} // namespace

void add_vtk_cell(Mesh& mesh, int type, const std::vector<std::uint32_t>& c) {
    switch (type) {
    case 0: break;
    case 1:
    case 2: mesh.vertices.insert(mesh.vertices.end(), c.begin(), c.end()); break;
    case 3:
    case 4:
        for (std::size_t i = 1; i < c.size(); ++i) mesh.lines.push_back({c[i - 1], c[i]});
        break;
    case 5:
    case 7:
    case 9:
        for (std::size_t i = 2; i < c.size(); ++i) mesh.triangles.push_back({c[0], c[i - 1], c[i]});
        break;
    case 6:
        for (std::size_t i = 2; i < c.size(); ++i) mesh.triangles.push_back({c[i - 2], c[i - 1], c[i]});
        break;
    case 8: // a pixel: a rectangle whose points go row by row
        if (c.size() == 4) mesh.triangles.insert(mesh.triangles.end(), {{c[0], c[1], c[3]}, {c[0], c[3], c[2]}});
        break;
    default:
        throw InputError("it has cells of the VTK type " + std::to_string(type) +
                         ", only points, lines and flat faces can be drawn: extract its surface first");
    }
}

Mesh parse_vtk(const std::string& data) {
    const std::size_t first = data.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first != std::string::npos && data[first] == '<') return parse_vtk_xml(data);
    return VtkReader(data).read();
}

} // namespace sluice::mesh_format
