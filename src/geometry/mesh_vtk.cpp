// SPDX-License-Identifier: Apache-2.0
#include "geometry/byte_reader.h"
#include "geometry/mesh_file.h"

// Legacy VTK: POLYDATA and UNSTRUCTURED_GRID with their cells as lists of point numbers.

namespace sluice::mesh_format {

namespace {

class VtkReader {
public:
    explicit VtkReader(const std::string& data) : in_(data) {}

    Mesh read() {
        if (!in_.line().starts_with("# vtk DataFile"))
            throw InputError("it is not a legacy VTK file (write .vtp and .vtu files as legacy .vtk)");
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
            for_cells([&](const auto& c) { mesh_.vertices.insert(mesh_.vertices.end(), c.begin(), c.end()); });
        else if (word == "LINES")
            for_cells([&](const auto& c) { add_line(c); });
        else if (word == "POLYGONS")
            for_cells([&](const auto& c) { add_polygon(c); });
        else if (word == "TRIANGLE_STRIPS")
            for_cells([&](const auto& c) { add_strip(c); });
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

    std::uint32_t read_index() {
        const double v = binary_ ? in_.binary<std::int32_t>(true) : in_.number();
        if (!(v >= 0) || v > 4e9) throw InputError("a cell has a negative point number");
        return static_cast<std::uint32_t>(v);
    }

    Cells read_cells() {
        const std::size_t count = in_.count();
        in_.count();
        if (binary_) in_.line();
        Cells cells;
        for (std::size_t c = 0; c < count; ++c) {
            const std::uint32_t n = read_index();
            if (n > in_.left()) throw InputError("a cell is longer than the file");
            std::vector<std::uint32_t> corners;
            for (std::uint32_t i = 0; i < n; ++i) {
                corners.push_back(read_index());
                if (corners.back() >= mesh_.points.size()) throw InputError("a cell names a point that is not there");
            }
            cells.push_back(std::move(corners));
        }
        return cells;
    }

    template <class Visit>
    void for_cells(Visit&& visit) {
        for (const auto& cell : read_cells()) visit(cell);
    }

    void read_types() {
        const std::size_t count = in_.count();
        if (binary_) in_.line();
        for (std::size_t i = 0; i < count; ++i) types_.push_back(read_index());
    }

    void add_line(const std::vector<std::uint32_t>& c) {
        for (std::size_t i = 1; i < c.size(); ++i) mesh_.lines.push_back({c[i - 1], c[i]});
    }
    void add_polygon(const std::vector<std::uint32_t>& c) {
        for (std::size_t i = 2; i < c.size(); ++i) mesh_.triangles.push_back({c[0], c[i - 1], c[i]});
    }
    void add_strip(const std::vector<std::uint32_t>& c) {
        for (std::size_t i = 2; i < c.size(); ++i) mesh_.triangles.push_back({c[i - 2], c[i - 1], c[i]});
    }

    void add_unstructured_cells() {
        for (std::size_t i = 0; i < std::min(types_.size(), unstructured_.size()); ++i) {
            const auto& c = unstructured_[i];
            switch (types_[i]) {
            case 1:
            case 2: mesh_.vertices.insert(mesh_.vertices.end(), c.begin(), c.end()); break;
            case 3:
            case 4: add_line(c); break;
            case 5:
            case 7:
            case 9: add_polygon(c); break;
            case 6: add_strip(c); break;
            default: break; // volumes have no surface of their own
            }
        }
    }

    ByteReader in_;
    bool binary_ = false;
    Mesh mesh_;
    Cells unstructured_;
    std::vector<std::uint32_t> types_;
};

} // namespace

Mesh parse_vtk(const std::string& data) { return VtkReader(data).read(); }

} // namespace sluice::mesh_format
