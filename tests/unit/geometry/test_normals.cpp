// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "geometry/normals.h"
#include "geometry_case.h"
#include "temporary_folder.h"
#include <cmath>
#include <fstream>

// Normals by rules, worked out by hand: the vector from a boundary particle to the surface, m. dp is 0.1, h too.

using namespace sluice;
using namespace sluice::test;

namespace {

const char* lattice_3d =
    R"(<definition dp="0.1"><pointref x="0" y="0" z="0"/><pointmin x="-1" y="-1" z="-1"/><pointmax x="1.1" y="1.1" z="1.1"/></definition>)";
/// Three layers of floor, at z = 0, -0.1 and -0.2, as mkbound 0, and water on it.
const char* floor_commands = R"(<setmkbound mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="-0.3" y="-0.3" z="-0.2"/><size x="0.6" y="0.6" z="0.2"/></drawbox>
<setmkfluid mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="-0.3" y="-0.3" z="0.1"/><size x="0.6" y="0.6" z="0.2"/></drawbox>)";

CaseText with(const std::string& normals, const std::string& initialize = "") {
    CaseText t;
    t.constants = R"(<gravity x="0" y="0" z="-9.81"/><hdp value="1"/>)";
    if (!normals.empty()) t.casedef = "<normals>" + normals + "</normals>";
    t.parameters = R"(<parameter key="Boundary" value="2"/>)";
    if (!initialize.empty()) t.special = "<initialize>" + initialize + "</initialize>";
    return t;
}

/// The normal of the boundary particle at a place.
Vec3f normal_at(const ParticleSet& set, const Vec3d& place) {
    EXPECT_EQ(set.normals.size(), set.boundary_count);
    for (std::uint32_t id = 0; id < set.normals.size(); ++id) {
        const Vec3d d = set.position[id] - place;
        if (dot(d, d) < 1e-12) return set.normals[id];
    }
    ADD_FAILURE() << "no particle at " << place.x << ", " << place.y << ", " << place.z;
    return {};
}

void expect_normal(const ParticleSet& set, const Vec3d& place, const Vec3d& expected) {
    const Vec3f n = normal_at(set, place);
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(n[axis], expected[axis], 1e-6) << "axis " << axis;
}

} // namespace

TEST(Normals, AreNoneWithoutWordsOfThem) { EXPECT_TRUE(generate(floor_commands, lattice_3d).normals.empty()); }

TEST(Normals, OfAPlaneThroughAPoint) {
    const auto set =
        generate(floor_commands, lattice_3d, nullptr,
                 with(R"(<norplane mkbound="0"><point x="0" y="0" z="0.06"/><normal x="0" y="0" z="3"/></norplane>)"));
    expect_normal(set, {0.1, 0, 0}, {0, 0, 0.06});
    expect_normal(set, {0.1, 0, -0.1}, {0, 0, 0.16});
    expect_normal(set, {0.1, 0, -0.2}, {}); // farther than 2 h
}

TEST(Normals, OfAPlaneBeforeTheForemostParticle) {
    const auto set = generate(
        floor_commands, lattice_3d, nullptr,
        with(
            "",
            R"(<boundnormal_plane mkbound="0"><point auto="true"/><normal x="0" y="0" z="1"/><maxdisth v="3"/></boundnormal_plane>)"));
    for (int k = 0; k < 3; ++k) expect_normal(set, {0, 0, -0.1 * k}, {0, 0, 0.1 * (k + 0.5)});
    const auto nearer = generate(
        floor_commands, lattice_3d, nullptr,
        with(
            R"(<norplane mkbound="0"><point auto="true"/><limitdist vdp="0.25"/><normal x="0" y="0" z="1"/></norplane>)"));
    expect_normal(nearer, {0, 0, 0}, {0, 0, 0.025});
}

TEST(Normals, GivenOutright) {
    const auto set = generate(floor_commands, lattice_3d, nullptr, with(R"(<norset mkbound="0-3">
        <onlypos><posmin x="-0.05"/><posmax x="0.05" z="-0.05"/></onlypos><normal x="0.1" y="0" z="0.05"/></norset>)"));
    expect_normal(set, {0, 0.1, -0.1}, {0.1, 0, 0.05});
    expect_normal(set, {0, 0, 0}, {});
    expect_normal(set, {0.1, 0, -0.1}, {});
}

// Surfaces of drawn shapes.

namespace {

/// A tank in 2-D with three layers of wall: inside from x = 0 to 1 and above z = 0, its particles from -dp/2 outwards,
/// so that its surface is where the lattice has no node.
const char* tank_lattice =
    R"(<definition dp="0.1"><pointref x="0.05" y="0" z="0.05"/><pointmin x="-1" y="0" z="-1"/><pointmax x="2" y="0" z="2"/></definition>)";
const char* tank_shape = R"(<drawextrude closed="false">
<point x="0" y="-1" z="1"/><point x="0" y="-1" z="0"/><point x="1" y="-1" z="0"/><point x="1" y="-1" z="1"/>
<extrude x="0" y="2" z="0"/></drawextrude>)";
const char* tank_particles = R"(<setmkbound mk="0"/><drawextrude closed="false">
<point x="0" y="-1" z="1"/><point x="0" y="-1" z="0"/><point x="1" y="-1" z="0"/><point x="1" y="-1" z="1"/>
<extrude x="0" y="2" z="0"/><layers vdp="-0.5,-1.5,-2.5"/></drawextrude>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0.05" y="-1" z="0.05"/><endpoint x="0.95" y="1" z="0.55"/></drawbox>)";

/// Commands that draw shapes alone, for shapeout "hdp", and then particles.
std::string shapes_then(const std::string& shapes, const std::string& particles) {
    return R"(<setactive drawpoints="0" drawshapes="1"/><setshapemode>actual | bound</setshapemode><setmkbound mk="0"/>)" +
           shapes + R"(<shapeout file="hdp"/><resetdraw/><setdrawmode mode="full"/>)" + particles;
}

const char* hdp = R"(<distanceh value="4"/><geometryfile file="[CaseName]_hdp_Actual.vtk"/>)";

ParticleSet tank_of(const std::string& shapes, std::vector<Diagnostic>* diagnostics = nullptr,
                    const std::string& normals = hdp) {
    return generate(shapes_then(shapes, tank_particles), tank_lattice, diagnostics, with(normals));
}

void expect_tank(const ParticleSet& set, int line = __builtin_LINE()) {
    SCOPED_TRACE(line);
    expect_normal(set, {0.45, 0, -0.05}, {0, 0, 0.05});
    expect_normal(set, {0.45, 0, -0.25}, {0, 0, 0.25});
    expect_normal(set, {-0.15, 0, 0.45}, {0.15, 0, 0});
    expect_normal(set, {1.25, 0, 0.45}, {-0.25, 0, 0});
    // Behind both planes: the corner, however far, as long as the planes are near enough.
    for (int layer = 0; layer < 3; ++layer) {
        const double d = 0.05 + 0.1 * layer;
        expect_normal(set, {-d, 0, -d}, {d, 0, d});
        expect_normal(set, {1 + d, 0, -d}, {-d, 0, d});
    }
    expect_normal(set, {-0.05, 0, -0.25}, {0.05, 0, 0.25});
}

std::string messages(const std::vector<Diagnostic>& diagnostics) {
    std::string all;
    for (const Diagnostic& d : diagnostics) all += d.where.text() + ": " + d.message + "\n";
    return all;
}

} // namespace

TEST(Normals, OfATankLeadToItsFloorWallsAndCorners) {
    std::vector<Diagnostic> diagnostics;
    expect_tank(tank_of(tank_shape, &diagnostics));
    EXPECT_EQ(messages(diagnostics).find("normal"), std::string::npos) << messages(diagnostics);
}

TEST(Normals, OfMovedAndTurnedShapes) {
    // The tank lies a metre aside and on its side; the transformation puts it back.
    expect_tank(tank_of(std::string(R"(<move x="-1" y="0" z="0"/>)") + R"(<drawextrude closed="false">
<point x="1" y="-1" z="1"/><point x="1" y="-1" z="0"/><point x="2" y="-1" z="0"/><point x="2" y="-1" z="1"/>
<extrude x="0" y="2" z="0"/></drawextrude>)"));
    expect_tank(tank_of(std::string(R"(<rotate ang="90" x="0" y="1" z="0"/>)") + R"(<drawextrude closed="false">
<point x="1" y="-1" z="0"/><point x="0" y="-1" z="0"/><point x="0" y="-1" z="-1"/><point x="1" y="-1" z="-1"/>
<extrude x="0" y="2" z="0"/></drawextrude>)"));
}

TEST(Normals, OfABoxTurnedInsideOut) {
    const char* box =
        R"(<drawbox><boxfill>all ^ top</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>)";
    std::vector<Diagnostic> diagnostics;
    expect_tank(tank_of(std::string(R"(<setnormalinvert invert="true"/>)") + box, &diagnostics));
    EXPECT_EQ(messages(diagnostics).find("the other way round"), std::string::npos) << messages(diagnostics);
    // Without it no particle stands behind the surface, so it must be meant the other way round.
    expect_tank(tank_of(box, &diagnostics));
    EXPECT_NE(messages(diagnostics).find("the other way round"), std::string::npos) << messages(diagnostics);
    // Layers move the surface: by half a dp into the tank.
    const auto set = tank_of(
        std::string(R"(<setnormalinvert invert="true"/>)") +
        R"(<drawbox><boxfill>all ^ top</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/><layers vdp="-0.5"/></drawbox>)");
    expect_normal(set, {0.45, 0, -0.05}, {0, 0, 0.1});
}

TEST(Normals, EndAtTheGreatestDistanceToThePlanes) {
    std::vector<Diagnostic> diagnostics;
    const auto set =
        tank_of(tank_shape, &diagnostics,
                R"(<norgeometry><geometryfile file="case_hdp_Actual.vtk"/><distanceh v="2"/></norgeometry>)"); // h = dp
    expect_normal(set, {0.45, 0, -0.15}, {0, 0, 0.15});
    expect_normal(set, {0.45, 0, -0.25}, {});
    expect_normal(set, {-0.15, 0, -0.15}, {0.15, 0, 0.15}); // 0.21 from the corner, 0.15 from the planes
    EXPECT_NE(messages(diagnostics).find("have no normal ("), std::string::npos) << messages(diagnostics);
    EXPECT_NE(messages(diagnostics).find("too far from their surface"), std::string::npos);
    const auto shorter = tank_of(
        tank_shape, nullptr,
        R"(<norgeometry><geometryfile file="case_hdp_Actual.vtk"/><distanceh v="2"/><maxsizeh v="2"/></norgeometry>)");
    expect_normal(shorter, {0.45, 0, -0.15}, {0, 0, 0.15});
    expect_normal(shorter, {-0.15, 0, -0.15}, {});
}

TEST(Normals, OfAWedgeArePerpendicularToItsFaces) {
    // A ridge of 45°, its crest at (0.5, 0.5), over a floor at z = 0; solid below.
    const char* ridge = R"(<drawextrude closed="false"><point x="-0.5" y="-1" z="0"/><point x="0" y="-1" z="0"/>
<point x="0.5" y="-1" z="0.5"/><point x="1" y="-1" z="0"/><point x="1.5" y="-1" z="0"/><extrude x="0" y="2" z="0"/></drawextrude>)";
    const auto set = generate(shapes_then(ridge, R"(<setmkbound mk="0"/>
<drawpoint x="0.25" y="0" z="0.15"/><drawpoint x="0.75" y="0" z="0.15"/><drawpoint x="0.15" y="0" z="-0.15"/>
<drawpoint x="0.05" y="0" z="-0.05"/><drawpoint x="0.55" y="0" z="0.35"/>
<setmkfluid mk="0"/><drawpoint x="0.05" y="0" z="0.95"/>)"),
                              tank_lattice, nullptr, with(hdp));
    expect_normal(set, {0.25, 0, 0.15}, {-0.05, 0, 0.05});  // the left face: z = x
    expect_normal(set, {0.75, 0, 0.15}, {0.05, 0, 0.05});   // the right one: z = 1 - x
    expect_normal(set, {0.05, 0, -0.05}, {-0.05, 0, 0.05}); // its foot is the corner with the floor
    expect_normal(set, {0.15, 0, -0.15}, {-0.15, 0, 0.15});
    expect_normal(set, {0.55, 0, 0.35}, {0.05, 0, 0.05}); // the nearer face of the crest
}

TEST(Normals, OfRoundBodies) {
    // Of many flat sides.
    const auto near = [](const ParticleSet& set, const Vec3d& place, const Vec3d& expected) {
        const Vec3f n = normal_at(set, place);
        for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(n[axis], expected[axis], 5e-3) << "axis " << axis;
    };
    const char* particles = R"(<setmkbound mk="0"/><drawpoint x="0.3" y="0" z="0"/><drawpoint x="0.2" y="0.2" z="0"/>
<drawpoint x="0" y="0" z="-0.3"/><drawpoint x="0.1" y="0" z="0"/>
<setmkfluid mk="0"/><drawpoint x="0.9" y="0.9" z="1"/><drawpoint x="-0.9" y="-0.9" z="-0.9"/>)";
    const auto sphere = generate(
        shapes_then(R"(<drawsphere radius="0.25"><point x="0" y="0" z="0"/><layers vdp="1"/></drawsphere>)", particles),
        lattice_3d, nullptr, with(hdp));
    near(sphere, {0.3, 0, 0}, {0.05, 0, 0});
    near(sphere, {0, 0, -0.3}, {0, 0, -0.05});
    const double r = 0.2 * std::sqrt(2.0), out = (0.35 - r) / r * 0.2;
    near(sphere, {0.2, 0.2, 0}, {out, out, 0});
    near(sphere, {0.1, 0, 0}, {0.25, 0, 0});
    const auto cylinder = generate(
        shapes_then(
            R"(<drawcylinder radius="0.35"><point x="0" y="0" z="-0.36"/><point x="0" y="0" z="1"/></drawcylinder>)",
            particles),
        lattice_3d, nullptr, with(hdp));
    near(cylinder, {0.3, 0, 0}, {0.05, 0, 0});
    near(cylinder, {0.2, 0.2, 0}, {out, out, 0});
    near(cylinder, {0, 0, -0.3}, {0, 0, -0.06});
    // The same bodies by rules are exact.
    const auto rules =
        generate(particles, lattice_3d, nullptr,
                 with(R"(<norsphere mkbound="0"><center x="0" y="0" z="0"/><radius v="0.35"/></norsphere>)"));
    expect_normal(rules, {0.2, 0.2, 0}, {out, out, 0});
    expect_normal(rules, {0.1, 0, 0}, {}); // 0.25 is more than 2 h
    const auto limits = [&](const char* words) {
        return generate(
            particles, lattice_3d, nullptr,
            with(std::string(
                     R"(<norcylinder mkbound="0"><center1 x="0" y="0" z="-0.36"/><center2 x="0" y="0" z="1"/>)") +
                 R"(<radius v="0.45"/><maxdisth v="0"/>)" + words + "</norcylinder>"));
    };
    expect_normal(limits(""), {0, 0, -0.3}, {0, 0, -0.06});
    expect_normal(limits(R"(<limit1 v="false"/><limit2 v="false"/>)"), {0, 0, -0.3},
                  {}); // on the axis no direction leads to the tube
    expect_normal(limits(R"(<limit1 v="false"/>)"), {0.3, 0, 0}, {0.15, 0, 0});
    const auto hollow = generate(
        particles, lattice_3d, nullptr,
        with(
            R"(<norcylinder mkbound="0"><center1 x="0" y="0" z="0"/><center2 x="0" y="0" z="1"/><radius v="0.15"/><inside v="0"/></norcylinder>)"));
    expect_normal(hollow, {0.3, 0, 0}, {-0.15, 0, 0});
    expect_normal(hollow, {0.1, 0, 0}, {});
}

// The radius is that of the foremost particle, and half a spacing towards the fluid.
TEST(Normals, OfACurvedWallWithoutARadius) {
    const char* particles = R"(<setmkbound mk="0"/><drawpoint x="0.3" y="0" z="0"/><drawpoint x="0" y="0.3" z="0.8"/>
<drawpoint x="-0.4" y="0" z="0"/><drawpoint x="0.3" y="0.3" z="-0.9"/><setmkfluid mk="0"/><drawpoint x="0" y="0" z="0"/>)";
    const auto curved = [&](const std::string& mk, const std::string& more) {
        return generate(particles, lattice_3d, nullptr,
                        with("", "<boundnormal_curved mkbound=\"" + mk +
                                     R"("><center1 x="0" y="0" z="0"/><center2 x="0" y="0" z="0.5"/>)" + more +
                                     "</boundnormal_curved>"));
    };
    const double r = 0.3 * std::sqrt(2.0);
    const auto around = curved("0", R"(<inverse v="false"/>)");
    expect_normal(around, {0.3, 0, 0}, {-0.05, 0, 0});
    expect_normal(around, {0, 0.3, 0.8}, {0, -0.05, 0}); // it has no ends
    expect_normal(around, {-0.4, 0, 0}, {0.15, 0, 0});
    const double in = (r - 0.25) / r * 0.3;
    expect_normal(around, {0.3, 0.3, -0.9}, {-in, -in, 0});
    const auto outward = curved("0", R"(<inverse v="true"/>)");
    const double out = 0.05 / r * 0.3;
    expect_normal(outward, {0.3, 0.3, -0.9}, {out, out, 0});
    expect_normal(outward, {0.3, 0, 0}, {r + 0.05 - 0.3, 0, 0}); // without a limit to the distance
    // Its particles are those of onlypos.
    const auto part = curved("0", R"(<onlypos><posmax x="-0.35"/></onlypos>)");
    expect_normal(part, {-0.4, 0, 0}, {0.05, 0, 0});
    expect_normal(part, {0.3, 0, 0}, {});
    EXPECT_TRUE(curved("5", "").normals.size() == 4 && count_normals(curved("5", ""), around.blocks.front()) == 0);
}

TEST(Normals, OfACurvedWallOnItsAxisAreRefused) {
    try {
        generate(
            R"(<setmkbound mk="0"/><drawpoint x="0" y="0" z="0"/><setmkfluid mk="0"/><drawpoint x="0.3" y="0" z="0"/>)",
            lattice_3d, nullptr,
            with("", R"(<boundnormal_curved mkbound="0"><center1 x="0" y="0" z="0"/><center2 x="0" y="0" z="1"/>
</boundnormal_curved>)"));
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("<boundnormal_curved>: a particle of its mkbound is 0 m from the axis"),
                  std::string::npos)
            << e.what();
    }
}

// In two dimensions a cylinder along y is a circle, and one in the plane lies between two parallel lines.
TEST(Normals, OfACylinderInAPlane) {
    const char* lattice_2d =
        R"(<definition dp="0.1"><pointref x="0" y="0" z="0"/><pointmin x="-1" y="0" z="-1"/><pointmax x="1.1" y="0" z="1.1"/></definition>)";
    const char* particles = R"(<setmkbound mk="0"/><drawbox><boxfill>solid</boxfill><point x="-0.4" y="-1" z="-0.4"/>
        <size x="0.8" y="2" z="0.8"/></drawbox><setmkfluid mk="0"/><drawpoint x="0.8" y="0" z="0.8"/>)";
    const auto around = [&](const char* ends) {
        return generate(particles, lattice_2d, nullptr,
                        with(std::string(R"(<norcylinder mkbound="0">)") + ends +
                             R"(<radius v="0.35"/><maxdisth v="0"/></norcylinder>)"));
    };
    // its ends, 0.1 m from the plane, are none
    const auto circle = around(R"(<center1 x="0" y="-0.1" z="0"/><center2 x="0" y="0.1" z="0"/>)");
    expect_normal(circle, {0.3, 0, 0}, {0.05, 0, 0});
    expect_normal(circle, {0, 0, -0.2}, {0, 0, -0.15});
    const double r = 0.2 * std::sqrt(2.0), out = (0.35 - r) / r * 0.2;
    expect_normal(circle, {0.2, 0, 0.2}, {out, 0, out});
    const auto curved =
        generate(particles, lattice_2d, nullptr,
                 with("", R"(<boundnormal_curved mkbound="0"><center1 x="1" y="3" z="0"/><center2 x="1" y="0" z="0"/>
</boundnormal_curved>)"));
    expect_normal(curved, {0.4, 0, 0}, {0.05, 0, 0});
    expect_normal(curved, {-0.2, 0, 0}, {0.65, 0, 0});
    const auto lines = around(R"(<center1 x="-2" y="3" z="0"/><center2 x="2" y="3" z="0"/>)"); // y is not seen
    expect_normal(lines, {0.3, 0, 0.3}, {0, 0, 0.05});
    expect_normal(lines, {-0.2, 0, -0.1}, {0, 0, -0.25});
}

TEST(Normals, DoNotLeadToTheFarSideOfAThinWall) {
    // A closed shell around two layers of floor: the lower layer is nearer to its bottom, where no fluid can be.
    const auto set = generate(shapes_then(R"(<drawbox><boxfill>solid</boxfill><point x="-0.35" y="-0.35" z="-0.15"/>
<endpoint x="0.35" y="0.35" z="0.05"/></drawbox>)",
                                          R"(<setmkbound mk="0"/><drawbox><boxfill>solid</boxfill>
<point x="-0.3" y="-0.3" z="-0.1"/><size x="0.6" y="0.6" z="0.1"/></drawbox>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="-0.3" y="-0.3" z="0.1"/><size x="0.6" y="0.6" z="0.2"/></drawbox>)"),
                              lattice_3d, nullptr, with(hdp));
    expect_normal(set, {0, 0, -0.1}, {0, 0, 0.15});
    expect_normal(set, {-0.3, 0, -0.1}, {0, 0, 0.15});
    // A plate in the water has two sides.
    const auto plate = generate(shapes_then(R"(<drawbox><boxfill>solid</boxfill><point x="-0.35" y="-0.35" z="-0.15"/>
<endpoint x="0.35" y="0.35" z="0.05"/></drawbox>)",
                                            R"(<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill>
<point x="-0.6" y="-0.6" z="-0.6"/><size x="1.2" y="1.2" z="1.2"/></drawbox><setmkbound mk="0"/><drawbox><boxfill>solid</boxfill>
<point x="-0.3" y="-0.3" z="-0.1"/><size x="0.6" y="0.6" z="0.1"/></drawbox>)"),
                                lattice_3d, nullptr, with(hdp));
    expect_normal(plate, {0, 0, -0.1}, {0, 0, -0.05});
    expect_normal(plate, {0, 0, 0}, {0, 0, 0.05});
}

TEST(Normals, OfTwoBodiesThatTouchLeadPastTheirCommonFace) {
    // A floor and on it a wall, as boxes: what is nearest to the foot of the wall is the face between them.
    const auto set =
        generate(shapes_then(R"(<drawbox><boxfill>solid</boxfill><point x="-0.4" y="-0.4" z="-0.4"/>
<endpoint x="0.4" y="0.4" z="-0.05"/></drawbox><drawbox><boxfill>solid</boxfill><point x="-0.4" y="-0.4" z="-0.05"/>
<endpoint x="-0.05" y="0.4" z="0.8"/></drawbox>)",
                             R"(<setmkbound mk="0"/><drawpoint x="-0.2" y="0" z="0"/><drawpoint x="0.2" y="0" z="-0.1"/>
<setmkfluid mk="0"/><drawpoint x="0.5" y="0" z="1"/><drawpoint x="-0.9" y="-0.9" z="-0.9"/><drawpoint x="0.9" y="0.9" z="0.9"/>)"),
                 lattice_3d, nullptr, with(hdp));
    expect_normal(set, {-0.2, 0, 0}, {0.15, 0, 0});
    expect_normal(set, {0.2, 0, -0.1}, {0, 0, 0.05});
}

TEST(Normals, AreThoseOfTheShapesOfTheirOwnMk) {
    const auto shapes = [](const char* modes) {
        return std::string(R"(<setshapemode>)") + modes + "</setshapemode>" + tank_shape +
               R"(<setmkbound mk="3"/><drawextrude closed="false"><point x="0" y="-1" z="0.02"/><point x="1" y="-1" z="0.02"/>
<extrude x="0" y="2" z="0"/></drawextrude>)";
    };
    expect_tank(tank_of(shapes("actual | bound")));
    EXPECT_THROW(tank_of(shapes("dp | bound")), InputError);
    EXPECT_THROW(tank_of(shapes("actual | fluid")), InputError);
    EXPECT_THROW(tank_of(std::string(R"(<setactive drawshapes="0"/>)") + tank_shape), InputError);
    // On the lattice the floor at z = 0 is drawn at the nodes at z = 0.05.
    const auto snapped = tank_of("<setshapemode>all</setshapemode>" + std::string(tank_shape), nullptr,
                                 R"(<distanceh value="4"/><geometryfile file="[CaseName]_hdp_Dp.vtk"/>)");
    expect_normal(snapped, {0.45, 0, -0.05}, {0, 0, 0.1});
}

TEST(Normals, NameTheShapeoutThatIsMissing) {
    try {
        tank_of(tank_shape, nullptr, R"(<geometryfile file="[CaseName]_walls_Actual.vtk"/>)");
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("case.xml:7"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("there is \"hdp\""), std::string::npos) << e.what();
    }
}

TEST(Normals, OfShapesWithClipsAndLayersWithAsterisk) {
    // Only the right half of the floor has a surface; beyond its edge the normal leads to that edge, if it is near.
    const auto set = tank_of(R"(<clipplane><point x="0.5" y="0" z="0"/><vector x="-1" y="0" z="0"/></clipplane>)" +
                             std::string(tank_shape) + "<clipreset/>");
    expect_normal(set, {0.65, 0, -0.05}, {0, 0, 0.05});
    expect_normal(set, {0.45, 0, -0.05}, {0.05, 0, 0.05});
    expect_normal(set, {-0.05, 0, 0.95}, {});
    const auto layers = tank_of(R"(<drawextrude closed="false">
<point x="0" y="-1" z="1"/><point x="0" y="-1" z="0"/><point x="1" y="-1" z="0"/><point x="1" y="-1" z="1"/>
<extrude x="0" y="2" z="0"/><layers vdp="0*,0.4,-0.4"/></drawextrude>)");
    expect_tank(layers);
}

TEST(Normals, FollowTheInitialsThatMoveTheirParticles) {
    CaseText t = with(hdp);
    t.casedef +=
        R"(<initials><rotateaxis mkbound="0" angle="90"><axisp1 x="0" y="0" z="0"/><axisp2 x="0" y="1" z="0"/></rotateaxis></initials>)";
    const auto set = generate(shapes_then(tank_shape, tank_particles), tank_lattice, nullptr, t);
    const auto unmoved = tank_of(tank_shape);
    for (std::uint32_t id = 0; id < set.boundary_count; ++id) {
        const Vec3d surface = unmoved.position[id] + vec_cast<double>(unmoved.normals[id]);
        const Vec3d turned = set.position[id] + vec_cast<double>(set.normals[id]);
        // A quarter turn about y: (x, z) to (-z, x) or (z, -x), the same for particle and surface.
        const double sign = set.position[id].x * unmoved.position[id].z > 0 ? 1 : -1;
        EXPECT_NEAR(turned.x, sign * surface.z, 1e-6);
        EXPECT_NEAR(turned.z, -sign * surface.x, 1e-6);
    }
}

TEST(Normals, OfAMeshBesideTheCase) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "floor.vtk") << "# vtk DataFile Version 3.0\nfloor\nASCII\nDATASET POLYDATA\n"
                                                  "POINTS 4 float\n-1 -1 0.05\n1 -1 0.05\n1 1 0.05\n-1 1 0.05\n"
                                                  "POLYGONS 1 5\n4 0 1 2 3\n";
    CaseText t = with(R"(<distanceh value="3"/><geometryfile file="floor.vtk"/>)");
    t.commands = floor_commands;
    t.definition = lattice_3d;
    std::vector<Diagnostic> diagnostics;
    const auto set = generate_particles(read_case_text(t.text(), folder.path() / "case.xml", {}), diagnostics);
    for (int k = 0; k < 3; ++k) expect_normal(set, {0, 0, -0.1 * k}, {0, 0, 0.1 * (k + 0.5)});
    EXPECT_EQ(set.data_files, std::vector<std::string>{"floor.vtk"});
    t.casedef = R"(<normals><geometryfile file="none.vtk"/></normals>)";
    t.parameters.clear();
    diagnostics.clear();
    EXPECT_EQ(generate_particles(read_case_text(t.text(), folder.path() / "case.xml", {}), diagnostics).size(),
              set.size());
    EXPECT_NE(messages(diagnostics).find("walls with Boundary 1 have none"), std::string::npos);
    t.parameters = R"(<parameter key="Boundary" value="2"/>)";
    EXPECT_THROW(generate_particles(read_case_text(t.text(), folder.path() / "case.xml", {}), diagnostics), InputError);
}

namespace {

/// A body drawn from the mesh of a cube from 0 to 1 m, moved by -0.02 m along x; dp and h are 0.1 m.
struct MeshBody {
    ParticleSet set;
    std::string messages;
};

MeshBody mesh_body(const std::string& attributes, const std::string& depth, int triangles = 12, bool inverted = false) {
    static const int sides[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                     {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    static const char* corners[8] = {"0 0 0", "1 0 0", "1 1 0", "0 1 0", "0 0 1", "1 0 1", "1 1 1", "0 1 1"};
    const TemporaryFolder folder;
    std::ofstream stl(folder.path() / "cube.stl");
    stl << "solid cube\n";
    for (int t = 0; t < triangles; ++t)
        for (const int c : sides[t]) stl << "vertex " << corners[c] << '\n';
    stl << "endsolid cube\n";
    stl.close();
    const auto draw = [](const std::string& how, const std::string& more) {
        return "<drawfilestl file=\"cube.stl\"" + how + R"(><drawmove x="-0.02" y="0" z="0"/>)" + more +
               "</drawfilestl>";
    };
    CaseText t = with(R"(<distanceh value="0"/><geometryfile file="[CaseName]_hdp_Actual.vtk"/>)");
    const std::string turn = inverted ? R"(<setnormalinvert invert="true"/>)" : "";
    t.commands = shapes_then(
        turn + draw("", ""),
        R"(<setmkbound mk="0"/>)" + draw(attributes, depth) +
            R"(<setmkfluid mk="0"/><drawpoint x="-0.5" y="-0.5" z="-0.5"/><drawpoint x="1.5" y="1.5" z="1.5"/>)");
    t.definition =
        R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2.1" y="2.1" z="2.1"/></definition>)";
    std::vector<Diagnostic> diagnostics;
    MeshBody body{generate_particles(read_case_text(t.text(), folder.path() / "case.xml", {}), diagnostics), ""};
    body.messages = messages(diagnostics);
    return body;
}

} // namespace

// Drawn on the lattice its particles stand from 0 to 1 m. Those at x = 0 are 0.02 m behind the mesh, those at x = 1 as
// far before it, and those of the other faces on it.
TEST(Normals, OfABodyDrawnFromAMeshAreThoseOfAllItsParticles) {
    for (const bool inverted : {false, true}) {
        const MeshBody body = mesh_body(R"( autofill="true")", "", 12, inverted);
        ASSERT_EQ(body.set.boundary_count, 1331u);
        EXPECT_EQ(count_normals(body.set, body.set.blocks[0]), 1331u);
        expect_normal(body.set, {0, 0.5, 0.5}, {-0.02, 0, 0});
        expect_normal(body.set, {0.2, 0.5, 0.5}, {-0.22, 0, 0});
        expect_normal(body.set, {0.9, 0.5, 0.5}, {0.08, 0, 0});
        expect_normal(body.set, {1, 0.5, 0.5}, {0.05, 0, 0});
        expect_normal(body.set, {0.5, 0.5, 1}, {0, 0, 0.05});
        const double edge = 0.05 / std::sqrt(2.0);
        expect_normal(body.set, {0.5, 0, 1}, {0, -edge, edge});
        // 521 of the shell of 602 stand at x = 0.1 to 1: without the 9 × 9 that are behind the mesh at x = 0.
        EXPECT_NE(body.messages.find("521 of 1331 particles of mkbound 0 stand on their mesh or before it"),
                  std::string::npos)
            << body.messages;
        EXPECT_EQ(body.messages.find("have no normal"), std::string::npos) << body.messages;
    }
}

TEST(Normals, OfABodyInsideItsMeshLeadToTheMesh) {
    const MeshBody body = mesh_body(R"( advanced="true")", R"(<depth depthmin="0.05"/>)");
    ASSERT_EQ(body.set.boundary_count, 729u); // x, y and z from 0.1 to 0.9
    EXPECT_EQ(count_normals(body.set, body.set.blocks[0]), 729u);
    expect_normal(body.set, {0.1, 0.5, 0.5}, {-0.12, 0, 0});
    expect_normal(body.set, {0.9, 0.5, 0.5}, {0.08, 0, 0});
    expect_normal(body.set, {0.5, 0.1, 0.5}, {0, -0.1, 0});
    EXPECT_EQ(body.messages.find("stand on their mesh"), std::string::npos) << body.messages;
}

TEST(Normals, OfAnOpenMeshAreMissingWithAdviceThatHelps) {
    const MeshBody body = mesh_body(R"( autofill="true")", "", 11);
    EXPECT_LT(count_normals(body.set, body.set.blocks[0]), body.set.boundary_count);
    EXPECT_NE(body.messages.find("advanced=\"true\" with a depthmin of half a dp), or close its holes"),
              std::string::npos)
        << body.messages;
}

TEST(Normals, AreNoneForWallsWithoutAShape) {
    std::string strips; // of one floor, as mkbound 0, 1 and 2, of which 1 alone has a surface
    for (int mk = 0; mk < 3; ++mk)
        strips += "<setmkbound mk=\"" + std::to_string(mk) + "\"/><drawbox><boxfill>solid</boxfill><point x=\"" +
                  std::to_string(0.3 * mk - 0.5) + R"(" y="-0.3" z="0"/><size x="0.2" y="0.6" z="0"/></drawbox>)";
    const std::string surface = R"(<setmkbound mk="1"/><drawextrude closed="false"><point x="-1" y="-1" z="0.05"/>
<point x="1" y="-1" z="0.05"/><extrude x="0" y="2" z="0"/></drawextrude>)";
    const auto set = generate(shapes_then(surface, strips), lattice_3d, nullptr, with(hdp));
    ASSERT_EQ(set.normals.size(), 3u * 3 * 7);
    for (std::uint32_t id = 0; id < set.normals.size(); ++id)
        EXPECT_NEAR(set.normals[id].z, id / 21 == 1 ? 0.05 : 0, 1e-6) << id;
}

TEST(Normals, ThatAreMissingOrDoubtfulAreCounted) {
    std::vector<Diagnostic> diagnostics;
    generate(
        floor_commands, lattice_3d, &diagnostics,
        with(R"(<norplane mkbound="0"><point auto="true"/><normal x="0" y="0" z="1"/><maxdisth v="2"/></norplane>)"));
    EXPECT_NE(
        messages(diagnostics)
            .find("49 of 147 particles of mkbound 0 have no normal (49 are farther than maxdisth from the surface "
                  "of their rule; the first is at (-0.3, -0.3, -0.2)): with Boundary=2 they stay dynamic boundary "
                  "particles; no fluid is in their reach (maxdisth 0 gives them one all the same)"),
        std::string::npos)
        << messages(diagnostics);
    EXPECT_EQ(diagnostics.back().level, Diagnostic::Level::info);
    diagnostics.clear();
    generate(
        floor_commands, lattice_3d, &diagnostics,
        with(R"(<norplane mkbound="0"><point auto="true"/><normal x="0" y="0" z="1"/><maxdisth v="1.2"/></norplane>)"));
    EXPECT_NE(messages(diagnostics).find("raise maxdisth, or set it to 0, which is no limit"), std::string::npos)
        << messages(diagnostics);
    EXPECT_EQ(diagnostics.back().level, Diagnostic::Level::warning);
    diagnostics.clear();
    generate(
        floor_commands, lattice_3d, &diagnostics,
        with(
            R"(<norplane mkbound="0"><point x="0" y="0" z="-0.25"/><normal x="0" y="0" z="-1"/><maxdisth v="3"/></norplane>)"));
    EXPECT_NE(
        messages(diagnostics).find("147 of 147 particles of mkbound 0 have normals that point away from all fluid"),
        std::string::npos)
        << messages(diagnostics);
    diagnostics.clear();
    generate(floor_commands, lattice_3d, &diagnostics,
             with(R"(<norset mkbound="7"><normal x="0" y="0" z="1"/></norset>)"));
    EXPECT_NE(messages(diagnostics).find("<norset> names the mkbound 7, which has no particles"), std::string::npos);
}

TEST(Normals, AreDocumentedByExample) {
    std::ifstream in(std::string(SLUICE_SOURCE_DIR) + "/docs/case-format.md");
    std::string section, line;
    while (std::getline(in, line) && line != "## Normals of walls") {
    }
    while (std::getline(in, line) && !line.starts_with("## ")) section += line + "\n";
    std::string examples_missing;
    for (const LanguageEntry& word : language())
        if (word.section == Section::normal && word.support == Support::honoured)
            examples_missing += section.find(std::string("<") + word.name) == std::string::npos ? word.name : "";
    EXPECT_EQ(examples_missing, "");
    std::vector<std::string> blocks;
    for (std::size_t at = 0; (at = section.find("```xml\n", at)) != std::string::npos; at += 7)
        blocks.push_back(section.substr(at + 7, section.find("```", at + 7) - at - 7));
    ASSERT_EQ(blocks.size(), 5u);
    EXPECT_NE(blocks[2].find(R"(<depth depthmin="0.01"/>)"), std::string::npos); // OfABodyInsideItsMeshLeadToTheMesh
    blocks.erase(blocks.begin() + 2);
    CaseText t;
    t.commands = blocks[0];
    t.definition =
        R"(<definition dp="0.1"><pointmin x="0" y="0" z="0"/><pointmax x="2.05" y="2.05" z="2.05"/></definition>)";
    for (std::size_t example : {1, 2}) {
        t.casedef = blocks[example];
        t.special = example == 2 ? blocks[3] : "";
        std::vector<Diagnostic> diagnostics;
        const auto set = generate_particles(read_case_text(t.text(), "case.xml", {}), diagnostics);
        EXPECT_EQ(messages(diagnostics).find("normal"), std::string::npos) << messages(diagnostics);
        expect_normal(set, {0.8, 0.8, 0.3}, {0, 0, 0.15}); // the floor's second layer
    }
}
