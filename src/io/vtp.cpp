// SPDX-License-Identifier: Apache-2.0
#include "io/vtp.h"
#include "io/file.h"

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

template <class T>
constexpr int width_of(const T&) {
    return 1;
}
template <class T>
constexpr int width_of(const Vec3<T>&) {
    return 3;
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

} // namespace

void write_vtp(const std::filesystem::path& path, const VtpArray& points, const std::vector<VtpArray>& arrays) {
    const std::size_t count = std::visit([](const auto& values) { return values.size(); }, points.values);
    std::vector<std::int64_t> index(count), end(count);
    std::iota(index.begin(), index.end(), std::int64_t{0});
    std::iota(end.begin(), end.end(), std::int64_t{1});

    Document document;
    document.xml = "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
    document.xml += fmt::format("<PolyData><Piece NumberOfPoints=\"{0}\" NumberOfVerts=\"{0}\">\n<PointData>\n", count);
    for (const VtpArray& array : arrays) document.add(array);
    document.xml += "</PointData>\n<Points>\n";
    document.add(points);
    document.xml += "</Points>\n<Verts>\n";
    document.add("connectivity", index);
    document.add("offsets", end);
    document.xml += "</Verts>\n</Piece></PolyData>\n<AppendedData encoding=\"raw\">\n_";
    write_file_atomically(path, document.xml + document.data + "\n</AppendedData>\n</VTKFile>\n");
}

} // namespace sluice
