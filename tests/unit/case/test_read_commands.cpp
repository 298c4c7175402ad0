// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "case_text.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace sluice;
using sluice::test::CaseText;

namespace {

Case read_commands_of(const std::string& commands) {
    CaseText text;
    text.commands = commands;
    return read_case_text(text.text(), "case.xml", {});
}

/// The last command of a kind that the commands come to.
template <class Action>
Action last_of(const std::string& commands) {
    const Case c = read_commands_of(commands);
    for (auto command = c.commands.rbegin(); command != c.commands.rend(); ++command)
        if (const auto* action = std::get_if<Action>(&command->action)) return *action;
    ADD_FAILURE() << "no such command: " << commands;
    return {};
}

/// Where the commands put the place (1, 2, 3).
Vec3d place_after(const std::string& commands) { return last_of<SetMatrix>(commands).matrix({1, 2, 3}); }

void expect_near(const Vec3d& value, const Vec3d& expected, const std::string& of) {
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(value[axis], expected[axis], 1e-12) << of << ", axis " << axis;
}

std::vector<ClipHalfSpace> clips_of(const std::string& commands) {
    std::vector<ClipHalfSpace> clips;
    for (const GeometryCommand& command : read_commands_of(commands).commands)
        if (const auto* clip = std::get_if<ClipHalfSpace>(&command.action)) clips.push_back(*clip);
    return clips;
}

} // namespace

TEST(ReadCommands, WhatAVectorLeavesOutChangesNothing) {
    const std::pair<const char*, Vec3d> transformations[] = {
        {R"(<move x="5"/>)", {6, 2, 3}},
        {R"(<move z="5"/>)", {1, 2, 8}},
        {R"(<scale y="2"/>)", {1, 4, 3}},
        {R"(<scale x="2" z="4"/>)", {2, 2, 12}},
        // clockwise when one looks against the axis
        {R"(<rotate ang="90" x="1"/>)", {1, 3, -2}},
        {R"(<rotate ang="90" z="2"/>)", {2, -1, 3}},
    };
    for (const auto& [command, place] : transformations) expect_near(place_after(command), place, command);

    const auto placement = [](const std::string& inside) {
        return last_of<DrawMesh>("<setmkbound mk=\"0\"/><drawfilestl file=\"a.stl\">" + inside + "</drawfilestl>")
            .placement;
    };
    EXPECT_EQ(placement(R"(<drawmove x="5"/>)").move, (Vec3d{5, 0, 0}));
    EXPECT_EQ(placement(R"(<drawmove z="5"/>)").move, (Vec3d{0, 0, 5}));
    EXPECT_EQ(placement(R"(<drawscale x="5"/>)").scale, (Vec3d{5, 1, 1}));
    EXPECT_EQ(placement(R"(<drawscale z="5"/>)").scale, (Vec3d{1, 1, 5}));
    EXPECT_EQ(placement(R"(<drawcenter x="5"/>)").center, (Vec3d{5, 0, 0}));
    EXPECT_EQ(placement(R"(<drawcenter z="5"/>)").center, (Vec3d{0, 0, 5}));
    EXPECT_EQ(placement(R"(<drawrotate angx="5"/>)").angles, (Vec3d{5, 0, 0}));
    EXPECT_EQ(placement(R"(<drawrotate angz="5"/>)").angles, (Vec3d{0, 0, 5}));

    const auto bathymetry = [](const std::string& points, const std::string& grid) {
        return last_of<DrawBathymetry>("<setmkbound mk=\"0\"/><drawbathymetry><zpoints file=\"a.xyz\">" + points +
                                       "</zpoints><grid dp=\"1\">" + grid + "</grid></drawbathymetry>");
    };
    EXPECT_EQ(bathymetry(R"(<move x="5"/>)", "").move, (Vec3d{5, 0, 0}));
    EXPECT_EQ(bathymetry(R"(<move z="5"/>)", "").move, (Vec3d{0, 0, 5}));
    EXPECT_EQ(bathymetry(R"(<scale x="5"/>)", "").scale, (Vec3d{5, 1, 1}));
    EXPECT_EQ(bathymetry(R"(<scale z="5"/>)", "").scale, (Vec3d{1, 1, 5}));
    EXPECT_EQ(bathymetry(R"(<rotate angx="5"/>)", "").angles, (Vec3d{5, 0, 0}));
    EXPECT_EQ(bathymetry(R"(<rotate z="5"/>)", "").angles, (Vec3d{0, 0, 5}));
    EXPECT_EQ(bathymetry("", R"(<finalmove x="5"/>)").final_move, (Vec3d{5, 0, 0}));
    EXPECT_EQ(bathymetry("", R"(<finalmove z="5"/>)").final_move, (Vec3d{0, 0, 5}));

    CaseText text;
    text.casedef = R"(<initials><velocity mkfluid="0" x="5"/><velocity mkfluid="0" z="5"/><move mkfluid="0" x="5"/>
<move mkfluid="0" z="5"/></initials><floatings><floating mkbound="1" rhopbody="500">
<translationDOF x="0"/><rotationDOF z="0"/></floating><floating mkbound="2" rhopbody="500">
<translationDOF z="0"/><rotationDOF x="0"/></floating></floatings>)";
    const std::string plane = R"(<dampingzone><limitmin x="1" y="0" z="0"/><limitmax x="2" y="0" z="0"/><factorxyz )";
    text.special = "<damping>" + plane + "x=\"5\"/></dampingzone>" + plane + "z=\"5\"/></dampingzone></damping>";
    const Case c = read_case_text(text.text(), "case.xml", {});
    ASSERT_EQ(c.initials.size(), 4U);
    EXPECT_EQ(c.initials[0].velocity, (Vec3d{5, 0, 0}));
    EXPECT_EQ(c.initials[1].velocity, (Vec3d{0, 0, 5}));
    EXPECT_EQ((*c.initials[2].displacement)({1, 2, 3}), (Vec3d{6, 2, 3}));
    EXPECT_EQ((*c.initials[3].displacement)({1, 2, 3}), (Vec3d{1, 2, 8}));
    ASSERT_EQ(c.floatings.size(), 2U);
    EXPECT_EQ(c.floatings[0].translation_dof, (Vec3d{0, 1, 1}));
    EXPECT_EQ(c.floatings[0].rotation_dof, (Vec3d{1, 1, 0}));
    EXPECT_EQ(c.floatings[1].translation_dof, (Vec3d{1, 1, 0}));
    EXPECT_EQ(c.floatings[1].rotation_dof, (Vec3d{0, 1, 1}));
    ASSERT_EQ(c.damping.size(), 2U);
    EXPECT_EQ(c.damping[0].factor, (Vec3d{5, 1, 1}));
    EXPECT_EQ(c.damping[1].factor, (Vec3d{1, 1, 5}));
}

TEST(ReadCommands, TransformationsFollowOneAnother) {
    // The one that comes last acts first.
    expect_near(place_after(R"(<move x="1" y="0" z="0"/><scale x="2" y="1" z="1"/>)"), {3, 2, 3}, "moved, scaled");
    expect_near(place_after(R"(<scale x="2" y="1" z="1"/><move x="1" y="0" z="0"/>)"), {4, 2, 3}, "scaled, moved");
    expect_near(
        place_after(R"(<rotateline ang="90"><point x="1" y="0" z="0"/><point x="1" y="0" z="5"/></rotateline>)"),
        {3, 0, 3}, "turned about a line");
    expect_near(place_after(R"(<move x="5"/><matrixsave/><move x="7"/><matrixload/><move y="1"/>)"), {6, 3, 3},
                "loaded");
    expect_near(place_after(R"(<move x="5"/><matrixreset/><move y="1"/>)"), {1, 3, 3}, "reset");
    expect_near(place_after(R"(<rotateadv ang1="90" ang2="90" axes="ZXY"/>)"), {3, 1, 2}, "turned about its own axes");
    expect_near(place_after(R"(<rotateadv ang1="90" ang2="90" axes="ZXY" intrinsic="false"/>)"), {-2, -3, 1},
                "turned about fixed axes");
    expect_near(place_after(R"(<rotateadv ang3="90"/>)"), {-2, 1, 3}, "turned about the third of x, y, z");
    expect_near(place_after(R"(<rotateadv ang3="90"><center x="1" y="0" z="0"/></rotateadv>)"), {-1, 0, 3},
                "turned about a place");
}

TEST(ReadCommands, AClippingBoxHasTheFacesThatAreNamed) {
    const auto clips = [](const std::string& inside) {
        return clips_of(R"(<clipbox><point x="1" y="2" z="3"/><size x="4" y="5" z="6"/>)" + inside + "</clipbox>");
    };
    struct Face {
        const char* name;
        Vec3d point, normal, turned_point, turned_normal;
    };
    // Turned by 90° about y, then x, then z, as the reference generator does it, the axes lead along −x, z and y.
    const Face faces[] = {
        {"left", {1, 2, 3}, {1, 0, 0}, {1, 2, 3}, {-1, 0, 0}},  {"right", {5, 2, 3}, {-1, 0, 0}, {-3, 2, 3}, {1, 0, 0}},
        {"front", {1, 2, 3}, {0, 1, 0}, {1, 2, 3}, {0, 0, 1}},  {"back", {1, 7, 3}, {0, -1, 0}, {1, 2, 8}, {0, 0, -1}},
        {"bottom", {1, 2, 3}, {0, 0, 1}, {1, 2, 3}, {0, 1, 0}}, {"top", {1, 2, 9}, {0, 0, -1}, {1, 8, 3}, {0, -1, 0}},
    };
    for (const Face& face : faces) {
        const std::string words = std::string("<boxfaces>") + face.name + "</boxfaces>";
        const auto plain = clips(words), turned = clips(words + R"(<angles x="90" y="90" z="90"/>)");
        ASSERT_EQ(plain.size(), 1U) << face.name;
        ASSERT_EQ(turned.size(), 1U) << face.name;
        expect_near(plain[0].point, face.point, face.name);
        expect_near(plain[0].normal, face.normal, face.name);
        expect_near(turned[0].point, face.turned_point, face.name);
        expect_near(turned[0].normal, face.turned_normal, face.name);
    }
    EXPECT_EQ(clips("").size(), 6U);
    EXPECT_EQ(clips("<boxfaces>all</boxfaces>").size(), 6U);
    EXPECT_EQ(clips("<boxfaces>all ^ top</boxfaces>").size(), 5U);
    const auto two = clips(R"(<boxfaces>top | right</boxfaces><angles z="90"/>)");
    ASSERT_EQ(two.size(), 2U);
    expect_near(two[0].point, {1, 6, 3}, "right, turned about z");
    expect_near(two[0].normal, {0, -1, 0}, "right, turned about z");
    expect_near(two[1].point, {1, 2, 9}, "top, turned about z");
    const auto about_x = clips(R"(<boxfaces>back</boxfaces><angles x="90"/>)");
    expect_near(about_x.at(0).point, {1, 2, 8}, "back, turned about x");
    // a box may be given from its far corner
    const auto other = clips_of(R"(<clipbox><point x="5" y="7" z="9"/><endpoint x="1" y="2" z="3"/></clipbox>)");
    ASSERT_EQ(other.size(), 6U);
    expect_near(other[0].point, {1, 2, 3}, "left");
    expect_near(other[5].point, {1, 2, 9}, "top");
}

TEST(ReadCommands, ClipsByAPlaneAndByTheDomain) {
    const auto by_points = clips_of(R"(<clipplane><point1 x="1" y="0" z="0"/><point2 x="3" y="0" z="0"/>
        <point3 x="1" y="5" z="0"/></clipplane>)");
    ASSERT_EQ(by_points.size(), 1U);
    expect_near(by_points[0].point, {1, 0, 0}, "three points");
    // what the normal points to is cut off
    expect_near(by_points[0].normal, {0, 0, -10}, "three points");
    const auto slanted = clips_of(R"(<clipplane><point1 x="0" y="0" z="0"/><point2 x="1" y="2" z="3"/>
        <point3 x="4" y="5" z="7"/></clipplane>)");
    expect_near(slanted.at(0).normal, {3 * 5 - 2 * 7, 1 * 7 - 3 * 4, 2 * 4 - 1 * 5}, "three points, slanted");
    const auto by_vector = clips_of(R"(<clipplane><point x="1" y="0" z="0"/><vector x="0" y="2" z="0"/></clipplane>)");
    expect_near(by_vector.at(0).normal, {0, -2, 0}, "vector");
    // from (−1, 0, −1) to (2, 0, 2)
    const auto domain = clips_of(R"(<clipdomain resize="0.5"/>)");
    ASSERT_EQ(domain.size(), 6U);
    expect_near(domain[0].point, {-1.5, 0, -1}, "x from below");
    expect_near(domain[0].normal, {1, 0, 0}, "x from below");
    expect_near(domain[1].point, {2.5, 0, 2}, "x from above");
    expect_near(domain[1].normal, {-1, 0, 0}, "x from above");
    expect_near(domain[3].point, {2, 0.5, 2}, "y from above");
    expect_near(domain[4].point, {-1, 0, -1.5}, "z from below");
    expect_near(domain[5].normal, {0, 0, -1}, "z from above");
    expect_near(clips_of("<clipdomain/>").at(0).point, {-1, 0, -1}, "as large as the domain");
}

TEST(ReadCommands, StatesAreKeptAndGivenBack) {
    const auto state = [](const std::string& commands) {
        const std::string all = R"(<setmkbound mk="4"/><setdrawmode mode="wire"/><setboxlimitmode mode="full"/>
            <setfrdrawmode auto="true"/><setnormalinvert/><setactive drawpoints="0" drawshapes="1"/><move x="1"/>)" +
                                commands;
        return fmt::format("{} {} {} {} {} {}{} {}", last_of<SetMk>(all).mk, int(last_of<SetDrawMode>(all).mode),
                           last_of<SetBoxLimit>(all).inclusive, last_of<SetFreeDraw>(all).free,
                           last_of<SetNormalInvert>(all).invert, last_of<SetActive>(all).draw,
                           last_of<SetActive>(all).shapes, last_of<SetMatrix>(all).matrix({}).x);
    };
    const std::string other = R"(<setmkfluid mk="3"/><setdrawmode mode="face"/><setboxlimitmode mode="inner"/>
        <setfrdrawmode auto="false"/><setnormalinvert invert="false"/><setactive drawpoints="1" drawshapes="0"/>
        <move x="2"/>)";
    const std::string first = "4 3 true true true falsetrue 1", then = "3 2 false false false truefalse 3";
    EXPECT_EQ(state(""), first);
    EXPECT_EQ(state(other), then);
    EXPECT_EQ(state("<statesave/>" + other + "<stateload/>"), first);
    EXPECT_EQ(state("<statesave/><statesave/>" + other + "<stateload/>" + other + "<stateload/>"), first);
    EXPECT_EQ(state(other + "<stateload/>"), then) << "nothing was saved";
    EXPECT_EQ(state(other + "<resetdraw/>"), "3 1 false false false truetrue 0") << "the mk stays";
    EXPECT_EQ(last_of<SetMk>("<setmkfluid mk=\"3\"/><mksave/><setmkbound mk=\"1\"/><mkload/>").mk, 3);
    EXPECT_EQ(last_of<SetActive>(R"(<setactive drawpoints="0"/>)").shapes, true);
    EXPECT_EQ(last_of<SetActive>(R"(<setactive drawshapes="0"/>)").draw, true);
    EXPECT_EQ(last_of<SetFreeDraw>("<setfrdrawmode/>").free, true);
}

TEST(ReadCommands, ShapesAreForTheFilesThatAreNamed) {
    const auto mode = [](const std::string& words) {
        const auto shapes = last_of<SetShapeMode>("<setshapemode>" + words + "</setshapemode>");
        return fmt::format("{} {} {}", shapes.actual, shapes.on_lattice, shapes.bound);
    };
    EXPECT_EQ(mode("actual"), "true false true");
    EXPECT_EQ(mode("real"), "true false true");
    EXPECT_EQ(mode("dp"), "false true true");
    EXPECT_EQ(mode("dp | actual"), "true true true");
    EXPECT_EQ(mode("bound"), "true true true");
    EXPECT_EQ(mode("fluid"), "true true false");
    EXPECT_EQ(mode("void"), "true true false");
    EXPECT_EQ(mode("null | dp"), "false true false");
    EXPECT_EQ(mode("bound | fluid"), "true true true");
    EXPECT_EQ(mode("all"), "true true true");
    EXPECT_EQ(mode("fluid | all"), "true true true");
    EXPECT_EQ(last_of<ShapeOut>("<shapeout file=\"a\"/>").reset, true);
    EXPECT_EQ(last_of<ShapeOut>("<shapeout file=\"a\" reset=\"false\"/>").reset, false);
}

TEST(ReadCommands, MasksTakeFacesAway) {
    const auto cylinder = [](const std::string& mask) {
        const auto drawn =
            last_of<DrawCylinder>("<setmkbound mk=\"0\"/><drawcylinder radius=\"1\" mask=\"" + mask +
                                  R"("><point x="0" y="0" z="0"/><point x="0" y="0" z="1"/></drawcylinder>)");
        return fmt::format("{} {} {} {}", drawn.cover_from, drawn.cover_to, drawn.tube, drawn.closed());
    };
    EXPECT_EQ(cylinder("0"), "true true true true");
    EXPECT_EQ(cylinder("1"), "false true true false");
    EXPECT_EQ(cylinder("2"), "true false true false");
    // one number is a sum of bits, joined ones are faces
    EXPECT_EQ(cylinder("3"), "false false true false");
    EXPECT_EQ(cylinder("4"), "true true false false");
    EXPECT_EQ(cylinder("5"), "false true false false");
    EXPECT_EQ(cylinder("8"), "true true true true");
    EXPECT_EQ(cylinder("1 | 2"), "false false true false");
    EXPECT_EQ(cylinder("3|3"), "true true false false");
    EXPECT_EQ(cylinder("3,1"), "false true false false");

    const std::string base = R"(<point x="0" y="0" z="0"/><point x="1" y="0" z="0"/><point x="0" y="1" z="0"/>)";
    const auto faces = [](const DrawFaces& drawn) {
        std::string all = fmt::format("{} {}:", int(drawn.body), drawn.first_base);
        for (const auto& face : drawn.faces) {
            all += ' ';
            for (const int corner : face) all += std::to_string(corner);
        }
        return all;
    };
    const auto drawn = [&](const std::string& name, const std::string& mask) {
        return faces(last_of<DrawFaces>("<setmkbound mk=\"0\"/><" + name + " mask=\"" + mask + "\">" + base + base +
                                        "</" + name + ">"));
    };
    EXPECT_EQ(drawn("drawprism", "0"), "2 0: 012 345 0143 1254 2035");
    EXPECT_EQ(drawn("drawprism", "1"), "0 -1: 345 0143 1254 2035");
    EXPECT_EQ(drawn("drawprism", "2"), "0 0: 012 0143 1254 2035");
    EXPECT_EQ(drawn("drawprism", "4|5"), "0 0: 012 345 0143");
    EXPECT_EQ(drawn("drawpyramid", "0"), "1 -1: 15432 012 023 034 045 051");
    EXPECT_EQ(drawn("drawpyramid", "1"), "0 -1: 012 023 034 045 051");
    EXPECT_EQ(drawn("drawprism", "24"), "0 0: 012 345 0143");
    EXPECT_EQ(drawn("drawpyramid", "32"), "0 -1: 15432 012 023 034 045");
    EXPECT_EQ(drawn("drawpyramid", "64"), "0 -1: 15432 012 023 034 045 051") << "there is no such face";
    EXPECT_EQ(drawn("drawtrianglesstrip", "0"), "0 -1: 012 123 234 345");
    EXPECT_EQ(drawn("drawtrianglesfan", "0"), "0 -1: 012 023 034 045");
}

TEST(ReadCommands, FacesOfABoxAreAddedAndTakenAway) {
    const auto fill = [](const std::string& words) {
        return last_of<DrawBox>("<setmkbound mk=\"0\"/><drawbox><boxfill>" + words +
                                R"(</boxfill><point x="0" y="0" z="0"/><size x="1" y="1" z="1"/></drawbox>)")
            .fill;
    };
    EXPECT_EQ(fill("solid"), 64U);
    EXPECT_EQ(fill("all"), 63U);
    EXPECT_EQ(fill("bottom | left"), 1U + 4U);
    EXPECT_EQ(fill("top|right"), 2U + 8U);
    EXPECT_EQ(fill("front | back"), 16U + 32U);
    EXPECT_EQ(fill("all ^ top"), 63U - 2U);
    EXPECT_EQ(fill("all^top^left|top"), 63U - 4U);
    EXPECT_EQ(fill("Bottom|TOP"), 3U);
    const auto layers = [](const std::string& vdp) {
        return last_of<DrawSphere>(
                   R"(<setmkbound mk="0"/><drawsphere radius="1"><point x="0" y="0" z="0"/><layers vdp=")" + vdp +
                   "\"/></drawsphere>")
            .layers;
    };
    EXPECT_EQ(layers("0,-1, 2.5").drawn, (std::vector<double>{0, -1, 2.5}));
    EXPECT_EQ(layers("0,-1, 2.5").shapes, (std::vector<double>{0, -1, 2.5}));
    EXPECT_EQ(layers("0,-1*,2*").drawn, (std::vector<double>{0, -1, 2}));
    EXPECT_EQ(layers("0,-1*,2*").shapes, (std::vector<double>{-1, 2}));
}
