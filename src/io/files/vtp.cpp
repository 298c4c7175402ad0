// SPDX-License-Identifier: Apache-2.0
#include "io/files/vtp.h"
#include "io/files/file.h"
#include "io/files/row_width.h"

#include <fmt/format.h>
#include <numeric>

namespace sluice {
namespace {

constexpr const char* name_of(float) { return "Float32"; }
constexpr const char* name_of(double) { return "Float64"; }
constexpr const char* name_of(std::int64_t) { return "Int64"; }
constexpr const char* name_of(std::uint32_t) { return "UInt32"; }
constexpr const char* name_of(std::uint16_t) { return "UInt16"; }
constexpr const char* name_of(std::uint8_t) { return "UInt8"; }
template <class T>
constexpr const char* name_of(Vec3<T>) {
    return name_of(T{});
}

/// The two halves of the file: the description, and the bytes that it points into.
struct Document {
    std::string xml, data;

    template <class T>
    void add(const std::string& name, const std::vector<T>& values) {
        xml += fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)",
                           name_of(T{}), name, width_of(T{}), data.size());
        xml += '\n';
        const std::uint64_t bytes = values.size() * sizeof(T);
        data.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
        data.append(reinterpret_cast<const char*>(values.data()), bytes);
    }
    void add(const VtpArray& array) {
        std::visit([&](const auto& values) { add(array.name, values); }, array.values);
    }
};

struct Cells {
    const char* kind;
    std::vector<std::int64_t> index, end;
};

Cells vertex_cells(std::size_t count) {
    Cells cells{"Verts", std::vector<std::int64_t>(count), std::vector<std::int64_t>(count)};
    std::iota(cells.index.begin(), cells.index.end(), std::int64_t{0});
    std::iota(cells.end.begin(), cells.end.end(), std::int64_t{1});
    return cells;
}

Cells connected_cells(const VtpCells& connected, std::size_t point_count) {
    if (std::holds_alternative<std::monostate>(connected)) return vertex_cells(point_count);
    Cells cells{"", {}, {}};
    const auto add = [&](const std::vector<int>& corners) {
        cells.index.insert(cells.index.end(), corners.begin(), corners.end());
        cells.end.push_back(static_cast<std::int64_t>(cells.index.size()));
    };
    if (const auto* triangles = std::get_if<std::vector<Vec3i>>(&connected)) {
        cells.kind = "Polys";
        for (const Vec3i& t : *triangles) add({t.x, t.y, t.z});
    } else {
        cells.kind = "Lines";
        if (const auto* segments = std::get_if<std::vector<std::array<int, 2>>>(&connected))
            for (const auto& [a, b] : *segments) add({a, b});
        else
            for (const Polyline& line : std::get<std::vector<Polyline>>(connected)) add(line);
    }
    return cells;
}

} // namespace

void write_vtp(const std::filesystem::path& path, const VtpArray& points, const std::vector<VtpArray>& arrays,
               const VtpCells& connected) {
    const std::size_t count = std::visit([](const auto& values) { return values.size(); }, points.values);
    const Cells cells = connected_cells(connected, count);

    Document document;
    document.xml = "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
    document.xml += fmt::format("<PolyData><Piece NumberOfPoints=\"{}\" NumberOf{}=\"{}\">\n<PointData>\n", count,
                                cells.kind, cells.end.size());
    for (const VtpArray& array : arrays) document.add(array);
    document.xml += "</PointData>\n<Points>\n";
    document.add(points);
    document.xml += fmt::format("</Points>\n<{}>\n", cells.kind);
    document.add("connectivity", cells.index);
    document.add("offsets", cells.end);
    document.xml += fmt::format("</{}>\n</Piece></PolyData>\n<AppendedData encoding=\"raw\">\n_", cells.kind);
    write_file_atomically(path, document.xml + document.data + "\n</AppendedData>\n</VTKFile>\n");
}

void write_pvd(const std::filesystem::path& path, const std::vector<TimedFile>& files) {
    std::string text = "<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
    for (const TimedFile& file : files)
        text += fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", file.time, file.name);
    write_file_atomically(path, text + "</Collection>\n</VTKFile>\n");
}

} // namespace sluice
