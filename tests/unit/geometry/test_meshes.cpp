// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_draw.h"
#include "geometry/mesh_file.h"
#include "geometry_case.h"
#include "temporary_folder.h"

#include <cstring>
#include <fstream>
#include <libdeflate.h>
#include <sstream>

using namespace sluice;
using namespace sluice::test;

namespace {

const char* mesh_space =
    R"(<definition dp="0.1"><pointmin x="0" y="0" z="0"/><pointmax x="2" y="2" z="2"/></definition>)";

/// Corners and triangles of the cube from 0.5 to 1.5.
const float corners[8][3] = {{.5f, .5f, .5f},  {1.5f, .5f, .5f},  {1.5f, 1.5f, .5f},  {.5f, 1.5f, .5f},
                             {.5f, .5f, 1.5f}, {1.5f, .5f, 1.5f}, {1.5f, 1.5f, 1.5f}, {.5f, 1.5f, 1.5f}};
const int sides[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                          {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

std::string ascii_stl(int triangles = 12) {
    std::string out = "solid cube\n";
    for (int t = 0; t < triangles; ++t) {
        out += "facet normal 0 0 0\nouter loop\n";
        for (int c : sides[t])
            out += "vertex " + std::to_string(corners[c][0]) + " " + std::to_string(corners[c][1]) + " " +
                   std::to_string(corners[c][2]) + "\n";
        out += "endloop\nendfacet\n";
    }
    return out + "endsolid cube\n";
}

std::string binary_stl() {
    std::string out(80, 's');
    const auto put = [&](const void* data, std::size_t size) { out.append(static_cast<const char*>(data), size); };
    const std::uint32_t n = 12;
    put(&n, 4);
    for (const auto& side : sides) {
        out.append(12, '\0');
        for (int c : side) put(corners[c], 12);
        out.append(2, '\0');
    }
    return out;
}

std::string ply() {
    std::string out = "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float "
                      "z\nelement face 12\nproperty list uchar int vertex_indices\nend_header\n";
    for (const auto& c : corners)
        out += std::to_string(c[0]) + " " + std::to_string(c[1]) + " " + std::to_string(c[2]) + "\n";
    for (const auto& s : sides)
        out += "3 " + std::to_string(s[0]) + " " + std::to_string(s[1]) + " " + std::to_string(s[2]) + "\n";
    return out;
}

std::string vtk() {
    std::string out = "# vtk DataFile Version 3.0\ncube\nASCII\nDATASET POLYDATA\nPOINTS 8 float\n";
    for (const auto& c : corners)
        out += std::to_string(c[0]) + " " + std::to_string(c[1]) + " " + std::to_string(c[2]) + "\n";
    out += "POLYGONS 12 48\n";
    for (const auto& s : sides)
        out += "3 " + std::to_string(s[0]) + " " + std::to_string(s[1]) + " " + std::to_string(s[2]) + "\n";
    return out;
}

/// The cube as VTK 5.1 writes it: offsets and point numbers apart.
std::string vtk_with_offsets() {
    std::string out = "# vtk DataFile Version 5.1\ncube\nASCII\nDATASET POLYDATA\nPOINTS 8 float\n";
    for (const auto& c : corners)
        out += std::to_string(c[0]) + " " + std::to_string(c[1]) + " " + std::to_string(c[2]) + "\n";
    out += "POLYGONS 13 36\nOFFSETS vtktypeint64\n0";
    for (int i = 1; i <= 12; ++i) out.append(" ").append(std::to_string(3 * i));
    out += "\nCONNECTIVITY vtktypeint64\n";
    for (const auto& s : sides)
        out += std::to_string(s[0]) + " " + std::to_string(s[1]) + " " + std::to_string(s[2]) + "\n";
    return out;
}

std::string base64(const std::string& bytes) {
    const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    return out;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

enum class Packing { text, base64, zlib, raw, raw_zlib };

/// The arrays of a VTK XML file, in one of the ways that VTK packs them.
class XmlArrays {
public:
    explicit XmlArrays(Packing packing) : packing_(packing) {}

    template <class T>
    std::string add(const char* attributes, const std::vector<T>& values) {
        std::string out = std::string("<DataArray ") + attributes;
        if (packing_ == Packing::text) {
            out += " format=\"ascii\">";
            for (T v : values) out += std::to_string(v) + " ";
        } else if (packing_ == Packing::raw || packing_ == Packing::raw_zlib) {
            out += " format=\"appended\" offset=\"" + std::to_string(appended_.size()) + "\">";
            const auto [header, data] = pack(bytes_of(values));
            appended_ += header + data;
        } else {
            const auto [header, data] = pack(bytes_of(values));
            out += " format=\"binary\">";
            out += packing_ == Packing::zlib ? base64(header) + base64(data) : base64(header + data);
        }
        return out + "</DataArray>";
    }
    std::string file(const std::string& kind, const std::string& piece) const {
        const bool zlib = packing_ == Packing::zlib || packing_ == Packing::raw_zlib;
        std::string out = "<?xml version=\"1.0\"?><VTKFile type=\"" + kind + "\" byte_order=\"LittleEndian\"" +
                          " header_type=\"UInt64\"" + (zlib ? " compressor=\"vtkZLibDataCompressor\"" : "") + "><" +
                          kind + ">" + piece + "</" + kind + ">";
        if (!appended_.empty()) out += "<AppendedData encoding=\"raw\">_" + appended_ + "</AppendedData>";
        return out + "</VTKFile>";
    }

private:
    std::pair<std::string, std::string> pack(const std::string& data) const {
        if (packing_ == Packing::base64 || packing_ == Packing::raw)
            return {bytes_of<std::uint64_t>({data.size()}), data};
        // blocks of 64 bytes, so that there are several; the size of the last one is 0 where it is full
        constexpr std::size_t block = 64;
        std::vector<std::uint64_t> header{(data.size() + block - 1) / block, block, data.size() % block};
        std::string all;
        libdeflate_compressor* tool = libdeflate_alloc_compressor(6);
        for (std::size_t at = 0; at < data.size(); at += block) {
            const std::string part = data.substr(at, block);
            std::string packed(2 * block, '\0');
            packed.resize(libdeflate_zlib_compress(tool, part.data(), part.size(), packed.data(), packed.size()));
            header.push_back(packed.size());
            all += packed;
        }
        libdeflate_free_compressor(tool);
        return {bytes_of(header), all};
    }

    Packing packing_;
    std::string appended_;
};

std::string vtk_xml(const std::string& kind, Packing packing) {
    std::vector<float> xyz;
    for (const auto& c : corners) xyz.insert(xyz.end(), c, c + 3);
    std::vector<std::int64_t> connectivity, offsets;
    for (const auto& s : sides) {
        connectivity.insert(connectivity.end(), s, s + 3);
        offsets.push_back(std::int64_t(connectivity.size()));
    }
    XmlArrays arrays(packing);
    std::string piece = "<Piece NumberOfPoints=\"8\"><Points>" +
                        arrays.add("type=\"Float32\" NumberOfComponents=\"3\"", xyz) + "</Points>";
    const std::string cells = arrays.add("type=\"Int64\" Name=\"connectivity\"", connectivity) +
                              arrays.add("type=\"Int64\" Name=\"offsets\"", offsets);
    if (kind == "PolyData")
        piece += "<Polys>" + cells + "</Polys>";
    else
        piece += "<Cells>" + cells + arrays.add("type=\"Int32\" Name=\"types\"", std::vector<std::int32_t>(12, 5)) +
                 "</Cells>";
    return arrays.file(kind, piece + "</Piece>");
}

class MeshFiles : public testing::Test {
protected:
    void write(const std::string& name, const std::string& content) {
        std::ofstream(folder_.path() / name, std::ios::binary) << content;
    }
    ParticleSet draw(const std::string& content, const std::string& name, const std::string& command) {
        write(name, content);
        CaseText t;
        t.definition = mesh_space;
        t.commands = "<setmkbound mk=\"0\"/>" + command;
        std::vector<Diagnostic> d;
        return generate_particles(read_case_text(t.text(), folder_.path() / "case.xml"), d);
    }

    TemporaryFolder folder_;
};

} // namespace

TEST_F(MeshFiles, AnAsciiFileThatIsCutOffIsRefused) {
    const std::string whole = ascii_stl();
    EXPECT_EQ(mesh_format::parse_stl(whole).triangles.size(), 12u);
    EXPECT_EQ(mesh_format::parse_stl(whole + whole).triangles.size(), 24u); // two solids
    const std::size_t sixth = whole.find("facet normal", whole.size() / 2);
    EXPECT_THROW(mesh_format::parse_stl(whole.substr(0, sixth)), InputError);
    EXPECT_THROW(mesh_format::parse_stl(whole + whole.substr(0, sixth)), InputError);
    for (const std::size_t length : {std::size_t(10), std::size_t(200)}) {
        try {
            mesh_format::parse_stl(std::string(length, 'x'));
            ADD_FAILURE();
        } catch (const InputError& e) {
            EXPECT_NE(std::string(e.what()).find("it is no STL"), std::string::npos) << e.what();
        }
    }
}

TEST_F(MeshFiles, AreClosedOrNot) {
    EXPECT_EQ(open_edges(mesh_format::parse_stl(ascii_stl())), 0u);
    EXPECT_EQ(open_edges(mesh_format::parse_stl(ascii_stl(11))), 3u); // around the triangle that is missing
}

// The longest side is 2 m: points within 2e-6 m are one, that of the first of them.
TEST_F(MeshFiles, VerticesThatDifferByRoundingAreWelded) {
    Mesh mesh;
    mesh.points = {{0, 0, 0},       {2, 0, 0},       {0, 1, 0},    {2 - 1.9e-6, 0, 0},
                   {0, 1, -1.9e-6}, {2, -2.1e-6, 0}, {2, -3e-6, 0}};
    mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
    weld_vertices(mesh);
    EXPECT_EQ(mesh.points[3], mesh.points[1]);
    EXPECT_EQ(mesh.points[4], mesh.points[2]);
    EXPECT_EQ(mesh.points[5], (Vec3d{2, -2.1e-6, 0}));
    EXPECT_EQ(mesh.points[6], mesh.points[5]);
    EXPECT_EQ(mesh.triangles[1][0], 3u);
    Mesh dot;
    dot.points = {{1, 1, 1}, {1, 1, 1}};
    weld_vertices(dot);
    EXPECT_EQ(dot.points[1], (Vec3d{1, 1, 1}));
}

// A cube whose corners lie halfway between planes of the lattice, in some of its triangles a bit below.
TEST_F(MeshFiles, CornersThatDifferByRoundingAreNoHoles) {
    std::ostringstream stl;
    stl.precision(9);
    stl << "solid cube\n";
    for (int t = 0; t < 12; ++t)
        for (int c : sides[t])
            stl << "vertex " << corners[c][0] << ' ' << corners[c][1] - (t < 4 ? 0 : 4e-7) << ' ' << corners[c][2]
                << '\n';
    stl << "endsolid cube\n";
    const auto set =
        draw(stl.str(), "c.stl",
             R"(<drawfilestl file="c.stl" autofill="true"><drawmove x="0" y="0.05" z="0"/></drawfilestl>)");
    EXPECT_EQ(set.size(), 1331u);
    EXPECT_NEAR(block(set, 10).min.y, 0.6, 1e-9);
    EXPECT_NEAR(block(set, 10).max.y, 1.6, 1e-9);
}

TEST_F(MeshFiles, AllFormatsGiveTheSameCube) {
    const std::uint32_t shell = 11 * 11 * 11 - 9 * 9 * 9;
    EXPECT_EQ(draw(ascii_stl(), "c.stl", R"(<drawfilestl file="c.stl"/>)").size(), shell);
    EXPECT_EQ(draw(binary_stl(), "c.stl", R"(<drawfilestl file="c.stl"/>)").size(), shell);
    EXPECT_EQ(draw(ply(), "c.ply", R"(<drawfileply file="c.ply"/>)").size(), shell);
    EXPECT_EQ(draw(vtk(), "c.vtk", R"(<drawfilevtk file="c.vtk"/>)").size(), shell);
}

TEST_F(MeshFiles, VtkAsEveryVersionWritesIt) {
    const std::uint32_t shell = 11 * 11 * 11 - 9 * 9 * 9;
    EXPECT_EQ(draw(vtk_with_offsets(), "c.vtk", R"(<drawfilevtk file="c.vtk"/>)").size(), shell);
    for (Packing p : {Packing::text, Packing::base64, Packing::zlib, Packing::raw, Packing::raw_zlib}) {
        EXPECT_EQ(draw(vtk_xml("PolyData", p), "c.vtp", R"(<drawfilevtk file="c.vtp"/>)").size(), shell) << int(p);
        EXPECT_EQ(
            draw(vtk_xml("UnstructuredGrid", p), "c.vtu", R"(<drawfilevtk file="c.vtu" autofill="true"/>)").size(),
            1331u)
            << int(p);
    }
}

TEST_F(MeshFiles, SurfacesOfAMultiblockFile) {
    const char* blocks = R"(<VTKFile type="vtkMultiBlockDataSet"><vtkMultiBlockDataSet>
        <DataSet index="0" name="Cube" file="c.vtp"/>
        <Block index="1" name="Group"><DataSet index="0" file="c.vtp"/></Block>
        </vtkMultiBlockDataSet></VTKFile>)";
    write("c.vtp", vtk_xml("PolyData", Packing::zlib));
    const std::uint32_t shell = 11 * 11 * 11 - 9 * 9 * 9;
    EXPECT_EQ(draw(blocks, "s.vtm", R"(<drawfilevtm file="s.vtm"/>)").size(), shell);
    const auto set =
        draw(blocks, "s.vtm", R"(<drawfilevtm file="s.vtm"><onlysurfaces index="0" mkbound="3"/></drawfilevtm>
        <drawfilevtm file="s.vtm"><drawscale x="0.5" y="0.5" z="0.5"/><onlysurfaces name="group" mkfluid="1"/></drawfilevtm>)");
    EXPECT_EQ(count(set, 2), 6u * 6 * 6 - 4 * 4 * 4);
    EXPECT_GT(count(set, 13), 0u);
    EXPECT_THROW(draw(blocks, "s.vtm", R"(<drawfilevtm file="s.vtm"><onlysurfaces index="2"/></drawfilevtm>)"),
                 InputError);
    EXPECT_THROW(draw(blocks, "s.vtm", R"(<drawfilevtm file="s.vtm"><onlysurfaces name="x"/></drawfilevtm>)"),
                 InputError);
    try {
        draw(blocks, "s.vtm", "<drawfilevtm file=\"s.vtm\">\n<onlysurfaces index=\"7\"/></drawfilevtm>");
        ADD_FAILURE() << "a surface that is not there";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(":14: <onlysurfaces> index 7"), std::string::npos) << error.what();
    }
    EXPECT_THROW(draw(R"(<VTKFile><vtkMultiBlockDataSet><DataSet file="../c.vtp"/></vtkMultiBlockDataSet></VTKFile>)",
                      "s.vtm", R"(<drawfilevtm file="s.vtm"/>)"),
                 InputError);
}

TEST_F(MeshFiles, DamagedVtkXmlIsRefused) {
    const auto refused = [&](std::string text) {
        EXPECT_THROW(draw(text, "c.vtp", R"(<drawfilevtk file="c.vtp"/>)"), InputError) << text.substr(0, 200);
    };
    const std::string raw = vtk_xml("PolyData", Packing::raw_zlib), text = vtk_xml("PolyData", Packing::text);
    refused(raw.substr(0, raw.size() - 120));
    refused("<VTKFile><PolyData>");
    refused("<VTKFile><RectilinearGrid/></VTKFile>");
    const auto replaced = [](std::string in, const std::string& what, const std::string& by) {
        return in.replace(in.find(what), what.size(), by);
    };
    refused(replaced(text, "<Polys>", "<Polygons>"));
    refused(replaced(text, "offsets", "offset"));
    refused(replaced(raw, "vtkZLibDataCompressor", "vtkLZ4DataCompressor"));
    refused(replaced(raw, "offset=\"0\"", "offset=\"999999\""));
    refused(replaced(text, "Int64\" Name=\"connectivity\" format=\"ascii\">0",
                     "Int64\" Name=\"connectivity\" format=\"ascii\">77"));
}

TEST_F(MeshFiles, AutofillAndPlacement) {
    EXPECT_EQ(draw(binary_stl(), "c.stl", R"(<drawfilestl file="c.stl" autofill="true"/>)").size(), 1331u);
    const auto set = draw(
        binary_stl(), "c.stl",
        R"(<drawfilestl file="c.stl" autofill="true"><drawscale x="0.5" y="0.5" z="0.5"/><drawmove x="0.15" y="0" z="0.45"/></drawfilestl>)");
    EXPECT_EQ(set.size(), 216u);
    EXPECT_NEAR(block(set, 10).min.z, 0.7, 1e-9);
}

// The two faces across x lie on nodes, 10 by 10 each, the others between them. A row along x ends at the second face.
TEST_F(MeshFiles, ReverseReachesAsFarAsTheFaceWhereARowLeaves) {
    for (const char* reverse : {"false", "true"}) {
        const auto set = draw(binary_stl(), "c.stl",
                              std::string(R"(<drawfilestl file="c.stl" advanced="true" reverse=")") + reverse +
                                  R"("><drawmove x="0" y="0.05" z="0.05"/><depth depthmax="0.03"/></drawfilestl>)");
        EXPECT_EQ(set.size(), 200u) << reverse;
        EXPECT_NEAR(block(set, 10).min.x, 0.5, 1e-9);
        EXPECT_NEAR(block(set, 10).max.x, 1.5, 1e-9);
    }
}

// A mesh that lost a face is filled all the same: two rays of three see it closed.
TEST_F(MeshFiles, AutofillOfADirtyMesh) {
    EXPECT_NEAR(draw(ascii_stl(10), "c.stl", R"(<drawfilestl file="c.stl" autofill="true"/>)").size(), 1331, 130);
}

TEST_F(MeshFiles, HeightTable) {
    const auto set = draw("y\\x;0;1;2\n0;0.5;0.5;0.5\n1;0.5;0.5;0.5\n2;0.5;0.5;0.5\n", "h.csv",
                          R"(<drawfilecsv file="h.csv" mode="bathymetry"/>)");
    EXPECT_EQ(set.size(), 20u * 20);
    const char* command = R"(<drawfilecsv file="h.csv" mode="bathymetry"/>)";
    EXPECT_EQ(draw("y\\x;0;2\n0;0.5;0.5\n2;0.5;0.5\n", "h.csv", command).size(), 20u * 20) << "two by two heights";
    EXPECT_THROW(draw("y\\x;0;2\n0;0.5;0.5\n", "h.csv", command), InputError) << "one row of heights";
    EXPECT_THROW(draw("y\\x;0\n0;0.5\n2;0.5\n", "h.csv", command), InputError) << "one column";
}

TEST_F(MeshFiles, Bathymetry) {
    std::string points;
    for (int i = 0; i <= 40; ++i)
        for (int j = 0; j <= 40; ++j)
            points += std::to_string(0.05 * i) + " " + std::to_string(0.05 * j) + " " +
                      std::to_string(0.5 + 0.25 * 0.05 * i) + "\n";
    const auto set = draw(
        points, "b.xyz",
        R"(<drawbathymetry><zpoints file="b.xyz"/><grid dp="0.5"><initdomain><point x="0.5" y="0.5"/><size x="1" y="1"/></initdomain>
        <expands><xmin size="0.5" z="1.5"/></expands></grid></drawbathymetry>)");
    EXPECT_NEAR(block(set, 10).min.x, 0, 1e-9);
    EXPECT_NEAR(block(set, 10).max.x, 1.5, 1e-9);
    EXPECT_NEAR(block(set, 10).max.z, 1.5, 1e-9);
    EXPECT_NEAR(block(set, 10).min.z, 0.6, 0.06);
}

// Four points on a grid of three by three nodes, whose sides are periodic: heights by the reference generator (GenCase
// 5.4.354, 2026) are 0.15, 0, 0.15; 0.15, 0, 0.15; 0.35, 0.6, 0.35.
TEST_F(MeshFiles, BathymetryOfFewPoints) {
    const auto set = draw("0.2 0.2 0\n1.2 0.2 0.3\n0.2 1.2 0.6\n1.2 1.2 0.1\n", "b.xyz",
                          R"(<drawbathymetry><zpoints file="b.xyz"/><grid dp="0.5"><periodicx rampwidth="0"/></grid>
        </drawbathymetry>)");
    EXPECT_NEAR(block(set, 10).min.z, 0, 1e-9);
    EXPECT_NEAR(block(set, 10).max.z, 0.6, 1e-9);
}

// Heights are held in single precision, as the reference generator holds them: 0.45 m is a little less there, and its
// nearest plane 0.4.
TEST_F(MeshFiles, BathymetryInSinglePrecision) {
    const auto set = draw("0.2 0.2 0.45\n1.2 0.2 0.45\n0.2 1.2 0.45\n1.2 1.2 0.45\n", "b.xyz",
                          R"(<drawbathymetry><zpoints file="b.xyz"/><grid dp="0.5"/></drawbathymetry>)");
    EXPECT_NEAR(block(set, 10).min.z, 0.4, 1e-9);
    EXPECT_NEAR(block(set, 10).max.z, 0.4, 1e-9);
}

// Without initdomain whole cells cover the points: 1.4 x 0.2 m are three cells of 0.5 m by one.
TEST_F(MeshFiles, BathymetryCoversItsPoints) {
    const auto set = draw("0.2 0.2 1\n1.6 0.2 1\n0.2 0.4 1\n1.6 0.4 1\n", "b.xyz",
                          R"(<drawbathymetry><zpoints file="b.xyz"/><grid dp="0.5"/></drawbathymetry>)");
    EXPECT_NEAR(block(set, 10).min.x, 0.2, 1e-9);
    EXPECT_NEAR(block(set, 10).max.x, 1.7, 1e-9);
    EXPECT_NEAR(block(set, 10).max.y, 0.7, 1e-9);
}

TEST_F(MeshFiles, BathymetryFilesMayHaveEmptyLinesAndComments) {
    const char* command = R"(<drawbathymetry><grid file="g.xyz"/></drawbathymetry>)";
    const std::string plain = "0 0 0.2\n1 0 0.2\n0 1 0.6\n1 1 0.6\n";
    const auto expected = draw(plain, "g.xyz", command).position;
    EXPECT_EQ(draw("# x y z\n0,0,0.2\n\n1;0;0.2\n  \t\r\n0 1 0.6\r\n#\n1\t1 0.6", "g.xyz", command).position, expected);
    try {
        draw("# x y z\n\n0 0 0.2\n1 0\n", "g.xyz", command);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("g.xyz:4: the row has 2 numbers"), std::string::npos) << error.what();
    }
}

TEST_F(MeshFiles, BathymetryFromAGridFile) {
    const auto set =
        draw("0 0 0.2\n1 0 0.2\n0 1 0.6\n1 1 0.6\n", "g.xyz",
             R"(<drawbathymetry><grid file="g.xyz"><finalmove x="0" y="0" z="0.1"/></grid></drawbathymetry>)");
    EXPECT_NEAR(block(set, 10).min.z, 0.3, 1e-9);
    EXPECT_NEAR(block(set, 10).max.z, 0.7, 1e-9);
    EXPECT_NEAR(block(set, 10).max.x, 1, 1e-9);
    EXPECT_THROW(
        draw("0 0 0.2\n1 0 0.2\n0 1 0.6\n", "g.xyz", R"(<drawbathymetry><grid file="g.xyz"/></drawbathymetry>)"),
        InputError);
}

TEST_F(MeshFiles, ListsOfAPlyFileMayBeEmpty) {
    std::string text = ply();
    text.replace(text.find("element face 12"), 15, "element face 13");
    EXPECT_EQ(mesh_format::parse_ply(text + "0\n").triangles.size(), 12u);
    EXPECT_THROW(mesh_format::parse_ply(text + "-1\n"), InputError);
}

TEST_F(MeshFiles, DamagedFilesAreRefused) {
    EXPECT_THROW(draw("", "c.stl", R"(<drawfilestl file="c.stl"/>)"), InputError);
    EXPECT_THROW(draw(binary_stl().substr(0, 300), "c.stl", R"(<drawfilestl file="c.stl"/>)"), InputError);
    EXPECT_THROW(draw(std::string(80, 'c') + "\xff\xff\xff\xff" + std::string(100, 'x'), "c.stl",
                      R"(<drawfilestl file="c.stl"/>)"),
                 InputError);
    EXPECT_THROW(draw("solid x\nvertex 1 2 nan\n", "c.stl", R"(<drawfilestl file="c.stl"/>)"), InputError);
    EXPECT_THROW(draw("ply\nformat ascii 1.0\nelement vertex 99999999999\nproperty float x\nend_header\n", "c.ply",
                      R"(<drawfileply file="c.ply"/>)"),
                 InputError);
    EXPECT_THROW(
        draw("# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n0 0 0\nPOLYGONS 1 4\n3 0 1 2\n",
             "c.vtk", R"(<drawfilevtk file="c.vtk"/>)"),
        InputError);
    EXPECT_THROW(draw("x", "c.stl", R"(<drawfilestl file="missing.stl"/>)"), InputError);
    EXPECT_THROW(draw("1;2\n", "h.csv", R"(<drawfilecsv file="h.csv"/>)"), InputError);
}
