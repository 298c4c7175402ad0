// SPDX-License-Identifier: Apache-2.0
#include "geometry/byte_reader.h"
#include "geometry/mesh_file.h"

#include <optional>

namespace sluice::mesh_format {

namespace {

enum class Encoding { ascii, little, big };

struct Property {
    std::string type, count_type, name; ///< count_type empty: not a list
};

struct PlyElement {
    std::string name;
    std::size_t count = 0;
    std::vector<Property> properties;
};

double read_binary(ByteReader& in, const std::string& type, bool big) {
    if (type == "char" || type == "int8") return in.binary<std::int8_t>(big);
    if (type == "uchar" || type == "uint8") return in.binary<std::uint8_t>(big);
    if (type == "short" || type == "int16") return in.binary<std::int16_t>(big);
    if (type == "ushort" || type == "uint16") return in.binary<std::uint16_t>(big);
    if (type == "int" || type == "int32") return in.binary<std::int32_t>(big);
    if (type == "uint" || type == "uint32") return in.binary<std::uint32_t>(big);
    if (type == "float" || type == "float32") return in.binary<float>(big);
    if (type == "double" || type == "float64") return in.binary<double>(big);
    throw InputError("unknown type " + type);
}

double read_value(ByteReader& in, const std::string& type, Encoding encoding) {
    return encoding == Encoding::ascii ? in.number() : read_binary(in, type, encoding == Encoding::big);
}

struct Header {
    Encoding encoding = Encoding::ascii;
    std::vector<PlyElement> elements;
};

Header read_header(ByteReader& in) {
    Header header;
    if (in.line() != "ply") throw InputError("it does not begin with ply");
    while (!in.at_end()) {
        ByteReader line(in.line());
        const std::string_view word = line.word();
        if (word == "end_header") return header;
        if (word == "format") {
            const std::string_view kind = line.word();
            header.encoding = kind == "ascii"               ? Encoding::ascii
                              : kind == "binary_big_endian" ? Encoding::big
                                                            : Encoding::little;
        } else if (word == "element") {
            PlyElement e;
            e.name = line.word();
            const double count = line.number();
            if (!(count >= 0) || count > double(in.left()) + 1) throw InputError("a count is larger than the file");
            e.count = static_cast<std::size_t>(count);
            header.elements.push_back(e);
        } else if (word == "property" && !header.elements.empty()) {
            Property p;
            p.type = line.word();
            if (p.type == "list") {
                p.count_type = line.word();
                p.type = line.word();
            }
            p.name = line.word();
            header.elements.back().properties.push_back(p);
        }
    }
    throw InputError("the header has no end");
}

void read_list(ByteReader& in, const Property& p, Encoding encoding, Mesh& mesh, bool face) {
    const double n = read_value(in, p.count_type, encoding);
    if (!(n >= 0) || n > double(in.left())) throw InputError("a list is longer than the file");
    std::vector<std::uint32_t> corners;
    for (int i = 0; i < n; ++i) {
        const double v = read_value(in, p.type, encoding);
        if (face && (!(v >= 0) || v >= double(mesh.points.size())))
            throw InputError("a face names a point that is not there");
        corners.push_back(face ? static_cast<std::uint32_t>(v) : 0);
    }
    if (face)
        for (std::size_t i = 2; i < corners.size(); ++i)
            mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

} // namespace

Mesh parse_ply(const std::string& data) {
    ByteReader in(data);
    const Header header = read_header(in);
    Mesh mesh;
    for (const PlyElement& e : header.elements)
        for (std::size_t n = 0; n < e.count; ++n) {
            Vec3d point;
            if (e.properties.empty()) throw InputError("an element has no properties");
            for (const Property& p : e.properties) {
                if (!p.count_type.empty()) {
                    read_list(in, p, header.encoding, mesh, e.name == "face" && p.name.starts_with("vertex_ind"));
                    continue;
                }
                const double v = read_value(in, p.type, header.encoding);
                if (p.name == "x")
                    point.x = v;
                else if (p.name == "y")
                    point.y = v;
                else if (p.name == "z")
                    point.z = v;
            }
            if (e.name == "vertex") mesh.points.push_back(point);
        }
    return mesh;
}

} // namespace sluice::mesh_format
