// SPDX-License-Identifier: Apache-2.0
#include "geometry/shape_surface.h"
#include "geometry_case.h"
#include "temporary_folder.h"
#include <cmath>
#include <fstream>
#include <numbers>

using namespace sluice;
using namespace sluice::test;

namespace {

SurfaceInk ink_of(const Transform& matrix, double dp = 0.1) {
    SurfaceInk ink;
    ink.matrix = matrix;
    ink.dp = dp;
    return ink;
}

/// The triangles of the one shape that a command draws.
std::vector<Facet> surface(const std::string& command, const Transform& matrix = {}) {
    CaseText text;
    text.commands = "<setmkbound mk=\"0\"/>" + command;
    const Case read = read_case_text(text.text(), "case.xml");
    for (const GeometryCommand& drawn : read.commands)
        if (const std::vector<Facet> facets = surface_of(drawn.action, ink_of(matrix)); !facets.empty()) return facets;
    ADD_FAILURE() << "draws no surface: " << command;
    return {};
}

/// What triangles enclose, positive if their normals point out of it, by the divergence theorem.
double volume(const std::vector<Facet>& facets) {
    double sum = 0;
    for (const Facet& f : facets) sum += dot(f[0], cross(f[1], f[2])) / 6;
    return sum;
}

Vec3d area(const std::vector<Facet>& facets) {
    Vec3d sum;
    for (const Facet& f : facets) sum = sum + 0.5 * cross(f[1] - f[0], f[2] - f[0]);
    return sum;
}

} // namespace

TEST(ShapeSurface, NormalsPointOutOfBodiesHoweverTheirPointsGoRound) {
    const std::string base = R"(<point x="0" y="0" z="0"/><point x="2" y="0" z="0"/><point x="0" y="3" z="0"/>)",
                      other = R"(<point x="0" y="3" z="0"/><point x="2" y="0" z="0"/><point x="0" y="0" z="0"/>)",
                      top = R"(<point x="0" y="0" z="5"/><point x="2" y="0" z="5"/><point x="0" y="3" z="5"/>)",
                      other_top = R"(<point x="0" y="3" z="5"/><point x="2" y="0" z="5"/><point x="0" y="0" z="5"/>)";
    const std::string apex = R"(<point x="0.5" y="0.5" z="5"/>)", low_apex = R"(<point x="0.5" y="0.5" z="-5"/>)";
    const std::string corners = R"(<drawfigure><points><point x="0" y="0" z="0"/><point x="2" y="0" z="0"/>
        <point x="0" y="3" z="0"/><point x="0" y="0" z="5"/></points><triangles>)";
    const std::vector<std::pair<std::string, double>> bodies{
        {R"(<drawbox><boxfill>solid</boxfill><point x="1" y="2" z="3"/><size x="2" y="3" z="5"/></drawbox>)", 30},
        {R"(<drawbox><boxfill>all</boxfill><point x="1" y="2" z="3"/><size x="2" y="3" z="5"/></drawbox>)", 30},
        {"<drawprism>" + base + top + "</drawprism>", 15}, // half of the box
        {"<drawprism>" + other + other_top + "</drawprism>", 15},
        {"<drawprism>" + top + base + "</drawprism>", 15},
        {"<drawpyramid>" + apex + base + "</drawpyramid>", 5}, // a third of the prism
        {"<drawpyramid>" + apex + other + "</drawpyramid>", 5},
        {"<drawpyramid>" + low_apex + base + "</drawpyramid>", 5},
        {corners + R"(<triangle x="0" y="2" z="1"/><triangle x="0" y="1" z="3"/><triangle x="1" y="2" z="3"/>
            <triangle x="2" y="0" z="3"/></triangles></drawfigure>)",
         5},
        {corners + R"(<triangle x="0" y="1" z="2"/><triangle x="0" y="3" z="1"/><triangle x="1" y="3" z="2"/>
            <triangle x="2" y="3" z="0"/></triangles></drawfigure>)",
         5}};
    for (const auto& [command, expected] : bodies) {
        EXPECT_NEAR(volume(surface(command)), expected, 1e-9) << command;
        EXPECT_NEAR(volume(surface(command, scaling({-1, 1, 1}))), expected, 1e-9) << "mirrored " << command;
        EXPECT_NEAR(volume(surface(command, translation({1, 2, 3}) * scaling({2, -2, 2}))), 8 * expected, 1e-9)
            << command;
    }
}

TEST(ShapeSurface, FacesOfNoBodyKeepTheSideOfTheirCornersAlsoMirrored) {
    const std::string triangle =
        R"(<drawtriangle><point x="0" y="0" z="1"/><point x="2" y="0" z="1"/><point x="0" y="3" z="1"/></drawtriangle>)";
    EXPECT_NEAR(area(surface(triangle)).z, 3, 1e-12);
    EXPECT_NEAR(area(surface(triangle, scaling({-1, 1, 1}))).z, 3, 1e-12);
    EXPECT_NEAR(area(surface(triangle, rotation(180, {1, 0, 0}))).z, -3, 1e-12);
}

TEST(ShapeSurface, StripsOfAPlaneStandAcrossTheCutAndFaceAsTheirTriangles) {
    // Upright at x = 1; at half of its height, y = 0, it is half as wide: 2 m. The strips are two dp wide.
    const Facet plane{Vec3d{1, -1, 0}, Vec3d{1, 1, 2}, Vec3d{1, 1, -2}};
    const double dp = 0.1;
    for (const bool backwards : {false, true}) {
        const Facet facet = backwards ? Facet{plane[0], plane[2], plane[1]} : plane;
        const Vec3d whole = cross(facet[1] - facet[0], facet[2] - facet[0]);
        const std::vector<Facet> strips = strips_across({facet}, 0, dp);
        ASSERT_EQ(strips.size(), 2u);
        EXPECT_NEAR(area(strips).x, std::copysign(2 * 2 * dp, whole.x), 1e-12);
        EXPECT_NEAR(area(strips).z, 0, 1e-12);
        for (const Facet& strip : strips)
            for (const Vec3d& corner : strip) {
                EXPECT_EQ(corner.x, 1);
                EXPECT_NEAR(std::abs(corner.y), dp, 1e-15);
                EXPECT_NEAR(std::abs(corner.z), 1, 1e-12);
            }
    }
    EXPECT_TRUE(strips_across({plane}, 1.5, dp).empty()) << "beside the plane";
    EXPECT_TRUE(strips_across({plane}, -1, dp).empty()) << "touches it with a corner";
    EXPECT_TRUE(strips_across({{Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 0, 1}}}, 0, dp).empty()) << "lies in it";
}

TEST(ShapeSurface, AnEdgeInThePlaneUpToRoundingIsACut) {
    // Rounding is a share of dp: half of 1e-9 dp is in the plane, five times that is beside it.
    for (const double dp : {0.01, 100.0}) {
        const auto strips = [&](double off) {
            return strips_across({{Vec3d{0, off, 0}, Vec3d{dp, off, 0}, Vec3d{0, dp, 0}}}, 0, dp).size();
        };
        EXPECT_EQ(strips(0), 2u);
        EXPECT_EQ(strips(0.5e-9 * dp), 2u) << dp;
        EXPECT_EQ(strips(5e-9 * dp), 0u) << dp;
        EXPECT_EQ(strips(-0.5e-9 * dp), 2u) << dp;
    }
}

namespace {

/// The surfaces of all shapes that a command draws, of a case that lies in a folder, in two dimensions or three.
std::vector<Facet> surface_in(const std::filesystem::path& folder, const std::string& command,
                              const Transform& matrix = {}, bool two_d = false) {
    CaseText text;
    text.commands = "<setmkbound mk=\"0\"/>" + command;
    SurfaceInk ink = ink_of(matrix);
    ink.data_folder = folder;
    ink.two_d = two_d;
    std::vector<Facet> all;
    for (const GeometryCommand& drawn : read_case_text(text.text(), folder / "case.xml").commands)
        for (const Facet& facet : surface_of(drawn.action, ink)) all.push_back(facet);
    return all;
}

Extent extent_of(const std::vector<Facet>& facets) {
    Extent extent;
    for (const Facet& f : facets)
        for (const Vec3d& p : f) extent.add(p);
    return extent;
}

void expect_near(const Vec3d& a, const Vec3d& b, double within) {
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], within) << "axis " << axis;
}

} // namespace

TEST(ShapeSurface, BallsHaveTheirVolumeAndNormalsPointOut) {
    constexpr double pi = std::numbers::pi;
    const std::string sphere = R"(<drawsphere radius="2"><point x="1" y="2" z="3"/></drawsphere>)";
    EXPECT_NEAR(volume(surface(sphere)), 4 * pi / 3 * 8, 0.05);
    expect_near(extent_of(surface(sphere)).min, {-1, 0, 1}, 0.003);
    expect_near(extent_of(surface(sphere)).max, {3, 4, 5}, 0.003);
    EXPECT_NEAR(volume(surface(sphere, scaling({3, 3, 3}))), 27 * 4 * pi / 3 * 8, 1.3);
    // The sum of the distances to the foci is 5, and they are 3 apart: 2.5 along, 2 across.
    for (const auto& [far, size] : std::vector<std::pair<const char*, Vec3d>>{{R"(x="1" y="2" z="6")", {2, 2, 2.5}},
                                                                              {R"(x="4" y="2" z="3")", {2.5, 2, 2}},
                                                                              {R"(x="1" y="5" z="3")", {2, 2.5, 2}}}) {
        const std::vector<Facet> ellipsoid = surface(std::string(R"(<drawellipsoid radius="5">
            <point x="1" y="2" z="3"/><point )") + far +
                                                     "/></drawellipsoid>");
        EXPECT_NEAR(volume(ellipsoid), 4 * pi / 3 * 2 * 2 * 2.5, 0.06) << far;
        const Extent extent = extent_of(ellipsoid);
        expect_near(0.5 * (extent.max - extent.min), size, 0.004);
    }
}

// However it stands: across the axis there are two directions at right angles to it and to each other.
TEST(ShapeSurface, CylindersAreRoundAboutTheirAxes) {
    for (const Vec3d& along : {Vec3d{0, 0, 4}, Vec3d{4, 0, 0}, Vec3d{0, -4, 0}, Vec3d{2, 3, 1}, Vec3d{3, 0.2, 1}}) {
        const Vec3d from{1, 2, 3}, to = from + along;
        const auto point = [](const Vec3d& p) {
            return "<point x=\"" + std::to_string(p.x) + "\" y=\"" + std::to_string(p.y) + "\" z=\"" +
                   std::to_string(p.z) + "\"/>";
        };
        const std::vector<Facet> cylinder =
            surface("<drawcylinder radius=\"2\">" + point(from) + point(to) + "</drawcylinder>");
        const double length = std::sqrt(dot(along, along));
        EXPECT_NEAR(volume(cylinder), std::numbers::pi * 4 * length, 0.003 * 4 * length);
        for (const Facet& facet : cylinder)
            for (const Vec3d& p : facet) {
                const double on = dot(p - from, along) / length;
                const Vec3d off = p - from - (on / length) * along;
                const double radius = std::sqrt(dot(off, off));
                EXPECT_TRUE(std::abs(radius - 2) < 1e-9 || radius < 1e-9) << radius;
                EXPECT_TRUE(std::abs(on) < 1e-9 || std::abs(on - length) < 1e-9) << on;
            }
    }
}

// A layer of 2 is two spacings of 0.1 m outside of the shape.
TEST(ShapeSurface, LayersLieSoManySpacingsFromTheirShape) {
    const std::string layers = R"(<layers vdp="2"/>)";
    const Extent box =
        extent_of(surface(R"(<drawbox><boxfill>solid</boxfill><point x="1" y="2" z="3"/><size x="2" y="3" z="5"/>)" +
                          layers + "</drawbox>"));
    expect_near(box.min, {0.8, 1.8, 2.8}, 1e-9);
    expect_near(box.max, {3.2, 5.2, 8.2}, 1e-9);
    const Extent ball =
        extent_of(surface(R"(<drawsphere radius="2"><point x="1" y="2" z="3"/>)" + layers + "</drawsphere>"));
    expect_near(ball.max, {3.2, 4.2, 5.2}, 0.004);
    const Extent pipe =
        extent_of(surface(R"(<drawcylinder radius="2"><point x="1" y="2" z="3"/><point x="1" y="2" z="7"/>)" + layers +
                          "</drawcylinder>"));
    EXPECT_NEAR(pipe.max.x, 3.2, 0.01);
    EXPECT_NEAR(pipe.min.y, -0.2, 0.01);
    const Extent sheet = extent_of(surface(
        R"(<drawextrude closed="false"><extrude x="0" y="2" z="0"/><point x="0" y="0" z="1"/><point x="4" y="0" z="1"/>)" +
        layers + "</drawextrude>"));
    EXPECT_NEAR(std::abs(sheet.min.z - 1), 0.2, 1e-9);
    EXPECT_NEAR(sheet.max.z, sheet.min.z, 1e-9);
    EXPECT_NEAR(sheet.max.y, 2, 1e-9);
}

TEST(ShapeSurface, MeshesAreAsInTheirFilesUnlessReversed) {
    const TemporaryFolder folder;
    // a pyramid of edges 1, 2 and 3: its volume is 1
    std::ofstream(folder.path() / "m.ply") << "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty "
                                              "float y\nproperty float z\nelement face 4\nproperty list uchar int "
                                              "vertex_indices\nend_header\n0 0 0\n1 0 0\n0 2 0\n0 0 3\n3 0 2 1\n3 0 "
                                              "1 3\n3 1 2 3\n3 2 0 3\n";
    const auto drawn = [&](const std::string& attributes, const std::string& inside, const Transform& matrix = {}) {
        return surface_in(folder.path(), "<drawfileply file=\"m.ply\" " + attributes + ">" + inside + "</drawfileply>",
                          matrix);
    };
    EXPECT_NEAR(volume(drawn("", "")), 1, 1e-6);
    EXPECT_NEAR(volume(drawn("", "<drawscale x=\"-2\" y=\"1\" z=\"1\"/>")), 2, 1e-6);
    EXPECT_NEAR(volume(drawn("", "", scaling({1, -1, 1}))), 1, 1e-6);
    EXPECT_NEAR(volume(drawn("", "<drawscale x=\"-2\" y=\"1\" z=\"1\"/>", scaling({1, -1, 1}))), 2, 1e-6);
    EXPECT_NEAR(volume(drawn("advanced=\"true\" reverse=\"true\"", "")), -1, 1e-6);
    const Extent moved = extent_of(drawn("", "<drawmove x=\"1\" y=\"2\" z=\"3\"/>"));
    expect_near(moved.min, {1, 2, 3}, 1e-6);
    expect_near(moved.max, {2, 4, 6}, 1e-6);
}

TEST(ShapeSurface, BathymetriesFaceUp) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "d.xyz") << "0 0 0\n2 0 0\n0 2 1\n2 2 1\n0 4 2\n2 4 2\n"; // a slope
    const std::string command = R"(<drawbathymetry><grid file="d.xyz"/></drawbathymetry>)";
    for (const Transform& matrix : {Transform{}, scaling({-1, 1, 1}), scaling({1, -1, 1})}) {
        const Vec3d sum = area(surface_in(folder.path(), command, matrix));
        EXPECT_NEAR(sum.z, 8, 0.01);
        EXPECT_NEAR(std::abs(sum.y), 4, 0.2);
        EXPECT_NEAR(sum.x, 0, 1e-6);
    }
    const Extent extent = extent_of(surface_in(folder.path(), command));
    expect_near(extent.min, {0, 0, 0}, 1e-6);
    expect_near(extent.max, {2, 4, 2}, 0.01);
}

// Where a case is a plane, a box in it stands out of it, so that it can be cut.
TEST(ShapeSurface, ABoxWithoutDepthHasSomeInTwoDimensions) {
    const std::string flat = R"(<drawbox><boxfill>solid</boxfill><point x="0" y="1" z="0"/><size x="2" y="0" z="3"/>
        </drawbox>)";
    EXPECT_NEAR(volume(surface_in("", flat)), 0, 1e-12);
    const std::vector<Facet> deep = surface_in("", flat, {}, true);
    EXPECT_NEAR(volume(deep), 2 * 3 * 0.2, 1e-12); // dp on either side
    EXPECT_NEAR(extent_of(deep).min.y, 0.9, 1e-12);
    EXPECT_NEAR(extent_of(deep).max.y, 1.1, 1e-12);
}
