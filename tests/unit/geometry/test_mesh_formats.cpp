// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "geometry/mesh_file.h"
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

// What the files of meshes hold besides the triangles of test_meshes.cpp: other cells, and numbers as bytes.

using namespace sluice;
using namespace sluice::mesh_format;

namespace {

using Pairs = std::vector<std::array<std::uint32_t, 2>>;
using Threes = std::vector<std::array<std::uint32_t, 3>>;
using Numbers = std::vector<std::uint32_t>;

template <class List>
auto listed(const List& cells) {
    std::vector<std::vector<std::uint32_t>> all;
    for (const auto& cell : cells) all.emplace_back(cell.begin(), cell.end());
    return all;
}

/// The bytes of a number, the greatest first.
template <class T>
std::string big(T value) {
    const char* const bytes = reinterpret_cast<const char*>(&value);
    std::string out(bytes, sizeof value);
    std::ranges::reverse(out);
    return out;
}
template <class T>
std::string little(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

const std::string head = "# vtk DataFile Version 3.0\nwhat it is\n";
const std::string five_points = "POINTS 5 float\n0 0 0  1 0 0  1 1 0  0 1 0  0 0 2\n";

std::string refusal(const std::string& vtk) {
    try {
        parse_vtk(vtk);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST(MeshFormats, VtkCellsOfEveryFlatKind) {
    const Mesh mesh = parse_vtk(head + "ASCII\nDATASET POLYDATA\n" + five_points +
                                "VERTICES 2 5\n1 4\n2 0 1\nLINES 2 7\n3 0 1 2\n2 3 4\nPOLYGONS 1 5\n4 0 1 2 3\n"
                                "TRIANGLE_STRIPS 1 5\n4 0 1 3 2\nPOINT_DATA 5\nSCALARS s float\nPOLYGONS nonsense");
    ASSERT_EQ(mesh.points.size(), 5u);
    EXPECT_EQ(mesh.points[4].z, 2);
    EXPECT_EQ(mesh.points[2].y, 1);
    EXPECT_EQ(mesh.vertices, (Numbers{4, 0, 1}));
    EXPECT_EQ(listed(mesh.lines), listed(Pairs{{0, 1}, {1, 2}, {3, 4}}));
    EXPECT_EQ(listed(mesh.triangles), listed(Threes{{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 3, 2}}));
}

TEST(MeshFormats, VtkCellsOfAnUnstructuredGridHaveTheirTypes) {
    const auto grid = [](const std::string& cells, const std::string& types) {
        return head + "ASCII\nDATASET UNSTRUCTURED_GRID\n" + five_points + cells + types;
    };
    const Mesh mesh = parse_vtk(grid("CELLS 8 31\n4 0 1 3 2\n4 0 1 2 3\n3 0 1 4\n2 1 2\n1 3\n0\n3 0 1 2\n2 0 4\n",
                                     "CELL_TYPES 8\n8 9 5 3 1 0 4 2\n"));
    EXPECT_EQ(listed(mesh.triangles), listed(Threes{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 2, 3}, {0, 1, 4}}));
    EXPECT_EQ(listed(mesh.lines), listed(Pairs{{1, 2}, {0, 1}, {1, 2}}));
    EXPECT_EQ(mesh.vertices, (Numbers{3, 0, 4}));
    EXPECT_TRUE(
        refusal(grid("CELLS 1 5\n4 0 1 2 4\n", "CELL_TYPES 1\n10\n")).starts_with("it has cells of the VTK type 10"));
    EXPECT_TRUE(parse_vtk(grid("CELLS 1 4\n3 0 1 2\n", "CELL_TYPES 1\n8\n")).triangles.empty()) << "a pixel has four";
}

TEST(MeshFormats, VtkNumbersAsBytes) {
    std::string floats, doubles, cells, offsets;
    for (const double x : {0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, -2.25, 0.5}) {
        floats += big(static_cast<float>(x));
        doubles += big(x);
    }
    for (const std::int32_t n : {3, 0, 2, 1}) cells += big(n);
    for (const std::int64_t n : {0, 3}) offsets += big(n);
    const std::string begin = head + "BINARY\nDATASET POLYDATA\nPOINTS 3 ";
    std::string numbers;
    for (const std::int32_t n : {0, 2, 1}) numbers += big(n);
    for (const std::string& text : {begin + "float\n" + floats + "\nPOLYGONS 1 4\n" + cells + "\n",
                                    begin + "double\n" + doubles + "\nPOLYGONS 1 4\n" + cells,
                                    begin + "float\n" + floats + "\nPOLYGONS 2 3\nOFFSETS vtktypeint64\n" + offsets +
                                        "\nCONNECTIVITY vtktypeint32\n" + numbers + "\n"}) {
        const Mesh mesh = parse_vtk(text);
        ASSERT_EQ(mesh.points.size(), 3u);
        EXPECT_EQ(mesh.points[1].x, 1.5);
        EXPECT_EQ(mesh.points[2].y, -2.25);
        EXPECT_EQ(mesh.points[2].z, 0.5);
        EXPECT_EQ(listed(mesh.triangles), listed(Threes{{0, 2, 1}}));
    }
}

TEST(MeshFormats, DamagedVtkFilesSayWhatIsWrong) {
    const std::string points = head + "ASCII\nDATASET POLYDATA\n" + five_points;
    EXPECT_EQ(refusal("solid cube\n"), "it is neither a legacy VTK file nor VTK XML");
    EXPECT_EQ(refusal(head + "ASCII\nDATASET POLYDATA\nPOINTS 1 int\n0 0 0\n"), "points of type int are not supported");
    EXPECT_EQ(refusal(points + "POLYGONS 1 4\n3 0 -1 2\n"), "a cell has a negative point number");
    EXPECT_EQ(refusal(points + "POLYGONS 1 4\n3 0 1 5\n"), "a cell names a point that is not there");
    EXPECT_EQ(refusal(points + "POLYGONS 1 4\n99 0 1 2\n"), "a cell is longer than the file");
    const std::string offsets = points + "POLYGONS 3 5\nOFFSETS vtktypeint64\n";
    EXPECT_EQ(refusal(offsets + "0 3 5\nPOINTS\n"), "it has no CONNECTIVITY where it must be");
    EXPECT_EQ(refusal(offsets + "0 3 2\nCONNECTIVITY vtktypeint64\n0 1 2 3 4\n"),
              "the offsets of its cells do not ascend");
    EXPECT_EQ(refusal(offsets + "0 3 6\nCONNECTIVITY vtktypeint64\n0 1 2 3 4\n"),
              "the offsets of its cells do not ascend");
    EXPECT_EQ(refusal(offsets + "0 3 5\nCONNECTIVITY vtktypeint64\n0 1 2 3 5\n"),
              "a cell names a point that is not there");
    EXPECT_EQ(refusal(offsets + "0 3 5\nCONNECTIVITY vtktypeint64\n0 1 2 3 4\n"), "");
}

// A corner, as every type of number that the format has.
TEST(MeshFormats, VtkXmlNumbersAsBytesOfEveryType) {
    const auto expect = []<class T>(T, const std::string& type) {
        for (const bool is_big : {false, true}) {
            SCOPED_TRACE(type);
            std::string appended;
            const auto array = [&](const char* name, const std::vector<int>& values) {
                const auto put = [&](auto value) { return is_big ? big(value) : little(value); };
                const std::string at = std::to_string(appended.size());
                appended += put(static_cast<std::uint32_t>(values.size() * sizeof(T)));
                for (const int value : values) appended += put(static_cast<T>(value));
                return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" format=\"appended\" offset=\"" + at +
                       "\"/>";
            };
            std::string text = "<VTKFile type=\"PolyData\" byte_order=\"" +
                               std::string(is_big ? "BigEndian" : "LittleEndian") + "\"><PolyData><Piece><Points>";
            text += array("Points", {7, 0, 0, 0, 5, 0, 0, 0, 3});
            text += "</Points><Verts>" + array("connectivity", {1}) + array("offsets", {1});
            text += "</Verts><Lines>" + array("connectivity", {2, 0, 1}) + array("offsets", {3});
            text += "</Lines><Strips>" + array("connectivity", {0, 1, 2}) + array("offsets", {3});
            text += "</Strips><Polys>" + array("connectivity", {2, 0, 1}) + array("offsets", {3});
            text +=
                "</Polys></Piece></PolyData><AppendedData encoding=\"raw\">_" + appended + "</AppendedData></VTKFile>";
            const Mesh mesh = parse_vtk_xml(text);
            ASSERT_EQ(mesh.points.size(), 3u);
            EXPECT_EQ(mesh.points[0].x, 7);
            EXPECT_EQ(mesh.points[1].y, 5);
            EXPECT_EQ(mesh.points[2].z, 3);
            EXPECT_EQ(mesh.vertices, (Numbers{1}));
            EXPECT_EQ(listed(mesh.lines), listed(Pairs{{2, 0}, {0, 1}}));
            EXPECT_EQ(listed(mesh.triangles), listed(Threes{{0, 1, 2}, {2, 0, 1}}));
        }
    };
    expect(std::int8_t{}, "Int8");
    expect(std::uint8_t{}, "UInt8");
    expect(std::int16_t{}, "Int16");
    expect(std::uint16_t{}, "UInt16");
    expect(std::int32_t{}, "Int32");
    expect(std::uint32_t{}, "UInt32");
    expect(std::int64_t{}, "Int64");
    expect(std::uint64_t{}, "UInt64");
    expect(float{}, "Float32");
    expect(double{}, "Float64");
    EXPECT_THROW(expect(float{}, "Float16"), InputError);
}

TEST(MeshFormats, PlyNumbersAsBytesOfEveryType) {
    const auto file = [](const std::string& format, const std::string& type, const std::string& list_type,
                         const std::string& numbers) {
        return "ply\nformat " + format + " 1.0\ncomment two corners\nelement vertex 3\nproperty " + type +
               " x\nproperty " + type + " y\nproperty " + type +
               " z\nproperty uchar red\nelement face 1\nproperty list " + list_type + " " + type +
               " vertex_indices\nend_header\n" + numbers;
    };
    const auto expect = [](const std::string& text) {
        const Mesh mesh = parse_ply(text);
        ASSERT_EQ(mesh.points.size(), 3u);
        EXPECT_EQ(mesh.points[0].x, 7);
        EXPECT_EQ(mesh.points[1].y, 5);
        EXPECT_EQ(mesh.points[2].z, 3);
        EXPECT_EQ(mesh.points[2].x, 0);
        EXPECT_EQ(listed(mesh.triangles), listed(Threes{{2, 0, 1}}));
    };
    const auto each = [&]<class T>(T, const std::string& name, const std::string& other) {
        for (const bool is_big : {false, true}) {
            const auto put = [&](double value) {
                return is_big ? big(static_cast<T>(value)) : little(static_cast<T>(value));
            };
            std::string numbers;
            for (const int k : {7, 0, 0, 0, 5, 0, 0, 0, 3}) {
                numbers += put(k);
                if (numbers.size() % (3 * sizeof(T) + 1) == 3 * sizeof(T)) numbers += '\x11'; // red
            }
            numbers += '\3';
            for (const int k : {2, 0, 1}) numbers += put(k);
            const std::string format = is_big ? "binary_big_endian" : "binary_little_endian";
            SCOPED_TRACE(format + " " + name);
            expect(file(format, name, "uchar", numbers));
            expect(file(format, other, "uint8", numbers));
        }
    };
    each(std::int8_t{}, "char", "int8");
    each(std::uint8_t{}, "uchar", "uint8");
    each(std::int16_t{}, "short", "int16");
    each(std::uint16_t{}, "ushort", "uint16");
    each(std::int32_t{}, "int", "int32");
    each(std::uint32_t{}, "uint", "uint32");
    each(float{}, "float", "float32");
    each(double{}, "double", "float64");
    expect(file("ascii", "float", "uchar", "7 0 0 1 0 5 0 1 0 0 3 1\n3 2 0 1\n"));
    EXPECT_THROW(parse_ply(file("binary_big_endian", "long", "uchar", std::string(100, 0))), InputError);
    EXPECT_THROW(parse_ply("ply\nformat ascii 1.0\nelement vertex 1\nend_header\n1\n"), InputError);
    EXPECT_THROW(parse_ply("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n1\n"), InputError);
    EXPECT_THROW(parse_ply("plx\n"), InputError);
}

// What is no face may have lists, too, and other words of a face are not its corners.
TEST(MeshFormats, PlyListsThatAreNotCornersAreSkipped) {
    const Mesh mesh = parse_ply(
        "ply\nformat ascii 1.0\nelement strip 1\nproperty list uchar int vertex_indices\nelement vertex 4\n"
        "property float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int other\n"
        "property list uchar int vertex_index\nend_header\n3 9 9 9\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 8 8\n4 0 1 2 3\n");
    EXPECT_EQ(mesh.points.size(), 4u);
    EXPECT_EQ(listed(mesh.triangles), listed(Threes{{0, 1, 2}, {0, 2, 3}}));
}
