// SPDX-License-Identifier: Apache-2.0
#include "io/files/file.h"
#include "io/frames/frame_store.h"

#include <fmt/format.h>
#include <type_traits>

// The XDMF files: text that says where in frames/ the arrays of each time are. What XDMF leaves open was decided by
// reading the files back with the three readers of ParaView 5.11 (two of XDMF 3, one of XDMF 2, which PyVista has,
// too).

namespace sluice {
namespace {

std::string frame_name(int number) { return "frames/" + frame_path({}, number).filename().string(); }
constexpr const char* geometry_name = "frames/geometry.h5";

/// A dataset of an HDF5 file that has the type T and so many rows.
template <class T>
std::string data_item(const std::string& file, const std::string& dataset, std::uint64_t rows) {
    using Number =
        std::conditional_t<std::is_same_v<T, Vec3d>, double, std::conditional_t<std::is_same_v<T, Vec3f>, float, T>>;
    const char* type = std::is_floating_point_v<Number>       ? "Float"
                       : std::is_same_v<Number, std::uint8_t> ? "UChar"
                       : std::is_unsigned_v<Number>           ? "UInt"
                                                              : "Int";
    return fmt::format(R"(<DataItem Format="HDF" NumberType="{}" Precision="{}" Dimensions="{}{}">{}:/{}</DataItem>)",
                       type, sizeof(Number), rows, std::is_same_v<T, Number> ? "" : " 3", file, dataset);
}

/// One grid of particles: what is where at one time.
class Grid {
public:
    Grid(const char* name, const FrameEntry& frame, std::uint64_t count) : count_(count) {
        text_ = fmt::format("<Grid Name=\"{}\">\n<Time Value=\"{}\"/>\n", name, frame.sampling_time);
        add_figure("exact_time", "Float", frame.time);
        add_figure("step", "Int", frame.step);
    }

    /// One vertex a particle. Without a list of their points, the readers of XDMF 3 make no cells; that of XDMF 2 asks
    /// for the extent of the whole dataset that the list is a part of.
    void add_vertices(const std::string& file, std::uint64_t stored) {
        text_ += fmt::format("<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{0}\" NodesPerElement=\"1\">"
                             "<DataItem ItemType=\"HyperSlab\" Dimensions=\"{0}\">"
                             "<DataItem Format=\"XML\" NumberType=\"Int\" Dimensions=\"3 1\">0 1 {0}</DataItem>{1}"
                             "</DataItem></Topology>\n",
                             count_, data_item<std::int64_t>(file, count_up_dataset, stored));
    }
    void add_points(const std::string& file, const std::string& dataset, bool as_double) {
        text_ +=
            fmt::format("<Geometry GeometryType=\"XYZ\">{}</Geometry>\n",
                        as_double ? data_item<Vec3d>(file, dataset, count_) : data_item<Vec3f>(file, dataset, count_));
    }
    template <class T>
    void add_values(std::string_view name, const std::string& file, const std::string& dataset) {
        const bool vector = std::is_same_v<T, Vec3f>;
        text_ += fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>\n", name,
                             vector ? "Vector" : "Scalar", data_item<T>(file, dataset, count_));
    }
    std::string text() const { return text_ + "</Grid>\n"; }

private:
    /// A number that belongs to the grid as a whole: field data in VTK.
    void add_figure(const char* name, const char* type, auto value) {
        text_ += fmt::format("<Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"Grid\"><DataItem Format=\"XML\" "
                             "NumberType=\"{}\" Precision=\"8\" Dimensions=\"1\">{}</DataItem></Attribute>\n",
                             name, type, value);
    }

    std::uint64_t count_;
    std::string text_;
};

void add_fields(Grid& grid, const FieldSelection& fields, const std::string& file, const std::string& group) {
    for_each_selected(fields, [&](const FieldInfo& info) {
        std::visit(
            [&]<class T>(std::vector<T> Frame::*) {
                grid.add_values<T>(info.name, file, fmt::format("{}{}", group, info.name));
            },
            info.member);
    });
}

void add_kinds(Grid& grid, const std::string& file, const std::string& group) {
    grid.add_values<std::uint32_t>("id", file, group + "id");
    grid.add_values<std::uint16_t>("mk", file, group + "mk");
    grid.add_values<std::uint8_t>("type", file, group + "type");
}

std::string fluid_grid(const ParticleLayout& layout, bool positions_double, const FrameEntry& frame) {
    const std::string file = frame_name(frame.number);
    Grid grid("fluid", frame, frame.fluid_count);
    const bool own = has_own_count_up(layout, frame.fluid_count);
    grid.add_vertices(own ? file : geometry_name, (own ? frame.fluid_count : layout.groups.particle_count()) + 2);
    grid.add_points(file, "fluid/position", positions_double);
    add_fields(grid, layout.fields.of_fluid(), file, "fluid/");
    add_kinds(grid, file, "fluid/");
    return grid.text();
}

std::string boundary_grid(const ParticleLayout& layout, bool positions_double, const FrameEntry& frame) {
    const std::string file = frame_name(frame.number);
    Grid grid("boundary", frame, layout.selected ? frame.boundary_count : layout.groups.boundary_count());
    grid.add_vertices(geometry_name, std::uint64_t(layout.groups.particle_count()) + 2);
    const bool own_points = layout.boundary_moves() || layout.selected;
    grid.add_points(own_points ? file : geometry_name, "boundary/position", positions_double);
    add_fields(grid, layout.boundary_fields(), file, "boundary/");
    add_kinds(grid, layout.selected ? file : geometry_name, "boundary/");
    return grid.text();
}

void write_collection(const std::filesystem::path& path, const char* name, const std::string& grids) {
    const std::string text = fmt::format("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n<Grid Name=\"{}\" "
                                         "GridType=\"Collection\" CollectionType=\"Temporal\">\n{}</Grid>\n</Domain>\n"
                                         "</Xdmf>\n",
                                         name, grids);
    write_file_atomically(path, std::as_bytes(std::span(text)), false);
}

} // namespace

void write_xdmf(const std::filesystem::path& dir, const ParticleLayout& layout, bool positions_double,
                const std::vector<FrameEntry>& frames) {
    std::string fluid, boundary;
    for (const FrameEntry& frame : frames) {
        if (frame.fluid_count > 0) fluid += fluid_grid(layout, positions_double, frame);
        const std::uint64_t walls = layout.selected ? frame.boundary_count : layout.groups.boundary_count();
        if (walls > 0) boundary += boundary_grid(layout, positions_double, frame);
    }
    if (has_xdmf(frames))
        write_collection(dir / "fluid.xdmf", "fluid", fluid);
    else
        std::filesystem::remove(dir / "fluid.xdmf");
    if (!boundary.empty()) write_collection(dir / "boundary.xdmf", "boundary", boundary);
}

} // namespace sluice
