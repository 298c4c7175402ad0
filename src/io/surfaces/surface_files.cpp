// SPDX-License-Identifier: Apache-2.0
#include "io/surfaces/surface_files.h"

#include "core/error.h"
#include "io/files/file.h"
#include "io/fluid/interpolator.h"
#include <fmt/format.h>
#include <type_traits>
#include <utility>

namespace sluice {

namespace {

template <class T>
void append_raw(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Binary STL: 80 bytes of title, the count, and for each triangle normal, corners and two spare bytes. The zero normal
/// lets the reader take the one that follows from the corners.
std::string stl_bytes(const TriangleMesh& mesh) {
    std::string bytes("Sluice: surface, m");
    bytes.resize(80, ' ');
    append_raw(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const Vec3i& t : mesh.triangles) {
        append_raw(bytes, Vec3f{});
        for (int k = 0; k < 3; ++k) append_raw(bytes, vec_cast<float>(mesh.points[static_cast<std::size_t>(t[k])]));
        bytes.append(2, '\0');
    }
    return bytes;
}

/// The numbers of arrays, in the order of the points: names of properties, and a function that appends a row.
class PlyColumns {
public:
    explicit PlyColumns(const std::vector<VtpArray>& arrays) : arrays_(arrays) {}

    std::string header() const {
        std::string text;
        for (const VtpArray& array : arrays_)
            std::visit(
                [&](const auto& values) {
                    using Value = typename std::decay_t<decltype(values)>::value_type;
                    if constexpr (std::is_arithmetic_v<Value>)
                        text += fmt::format("property float {}\n", array.name);
                    else
                        for (const char* axis : {"x", "y", "z"})
                            text += fmt::format("property float {}{}\n", prefix_of(array.name), axis);
                },
                array.values);
        return text;
    }
    void append_row(std::string& bytes, std::size_t row) const {
        for (const VtpArray& array : arrays_)
            std::visit(
                [&](const auto& values) {
                    using Value = typename std::decay_t<decltype(values)>::value_type;
                    if constexpr (std::is_arithmetic_v<Value>)
                        append_raw(bytes, static_cast<float>(values[row]));
                    else
                        append_raw(bytes, vec_cast<float>(values[row]));
                },
                array.values);
    }

private:
    /// Programs know normals by the names nx, ny, nz.
    static std::string prefix_of(const std::string& name) { return name == "normal" ? "n" : name + "_"; }

    const std::vector<VtpArray>& arrays_;
};

/// Binary PLY, little-endian.
std::string ply_bytes(const TriangleMesh& mesh, const std::vector<VtpArray>& arrays) {
    const PlyColumns columns(arrays);
    std::string bytes = fmt::format("ply\nformat binary_little_endian 1.0\ncomment Sluice: surface, m\n"
                                    "element vertex {}\nproperty float x\nproperty float y\nproperty float z\n{}"
                                    "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
                                    mesh.points.size(), columns.header(), mesh.triangles.size());
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        append_raw(bytes, vec_cast<float>(mesh.points[i]));
        columns.append_row(bytes, i);
    }
    for (const Vec3i& t : mesh.triangles) {
        bytes += '\3';
        for (int k = 0; k < 3; ++k) append_raw(bytes, static_cast<std::int32_t>(t[k]));
    }
    return bytes;
}

} // namespace

const char* suffix_of(SurfaceFormat format) {
    switch (format) {
    case SurfaceFormat::vtp: return "vtp";
    case SurfaceFormat::stl: return "stl";
    case SurfaceFormat::ply: break;
    }
    return "ply";
}

void require_format(const std::filesystem::path& dir, SurfaceFormat format, bool two_d) {
    if (two_d && format != SurfaceFormat::vtp)
        throw InputError(fmt::format("{}: is a two-dimensional run, its surfaces are lines, which {} files cannot "
                                     "hold; use --format vtp",
                                     dir.string(), format == SurfaceFormat::stl ? "STL" : "PLY"));
}

void write_surface_file(const std::filesystem::path& path, SurfaceFormat format, const SurfaceMesh& mesh,
                        std::vector<VtpArray> values) {
    const auto* triangles = std::get_if<TriangleMesh>(&mesh);
    if (format == SurfaceFormat::stl) return write_file_atomically(path, stl_bytes(*triangles));
    values.insert(values.begin(), {"normal", std::visit([](const auto& m) { return normals_of(m); }, mesh)});
    if (format == SurfaceFormat::ply) return write_file_atomically(path, ply_bytes(*triangles, values));
    if (triangles)
        write_vtp(path, {"points", triangles->points}, values, triangles->triangles);
    else
        write_vtp(path, {"points", std::get<LineMesh>(mesh).points}, values, std::get<LineMesh>(mesh).lines);
}

std::vector<VtpArray> values_at(const std::vector<Vec3d>& points, const FluidInterpolator& fluid,
                                const FieldSelection& fields, double least) {
    std::vector<VtpArray> arrays;
    for_each_selected(fields, [&](const FieldInfo& info) {
        if (components_of(info) == 1)
            arrays.push_back({std::string(info.name), std::vector<float>(points.size())});
        else
            arrays.push_back({std::string(info.name), std::vector<Vec3f>(points.size())});
    });
    for (std::size_t i = 0; i < points.size() && !arrays.empty(); ++i) {
        const std::vector<double> components = fluid.at(points[i], fields, least).components;
        const double* next = components.data();
        for (VtpArray& array : arrays) {
            if (auto* numbers = std::get_if<std::vector<float>>(&array.values)) {
                (*numbers)[i] = static_cast<float>(*next++);
            } else {
                std::get<std::vector<Vec3f>>(array.values)[i] = vec_cast<float>(Vec3d{next[0], next[1], next[2]});
                next += 3;
            }
        }
    }
    return arrays;
}

} // namespace sluice
