// SPDX-License-Identifier: Apache-2.0
#include "geometry/shape_surface.h"
#include "geometry_case.h"
#include <cmath>

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
