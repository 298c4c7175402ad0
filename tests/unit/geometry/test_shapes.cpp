// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "geometry_case.h"

// Counts and means of single shapes, as the reference generator 5.4.354 makes them of like shapes in the field's cases.

using namespace sluice;
using namespace sluice::test;

namespace {
const char* origin_2d = R"(<pointref x="0" y="0" z="0"/>)";

std::string lattice(const char* dp, const char* low, const char* high, const char* extra = "") {
    return std::string("<definition dp=\"") + dp + "\">" + extra + "<pointmin " + low + "/><pointmax " + high +
           "/></definition>";
}
} // namespace

TEST(Shapes, SlopedBeach) {
    const auto set = generate(R"(<setmkbound mk="0"/><drawprism mask="1 | 2 | 6 | 7">
        <point x="19" y="-1" z="1.0"/><point x="9" y="-1" z="0"/><point x="-0.5" y="-1" z="0"/><point x="-0.5" y="-1" z="0"/>
        <point x="19" y="1" z="1.0"/><point x="9" y="1" z="0"/><point x="-0.5" y="1" z="0"/><point x="-0.5" y="1" z="0"/></drawprism>)",
                              lattice("0.02", R"(x="-1" y="0" z="-1")", R"(x="25" y="0" z="2")", origin_2d));
    EXPECT_EQ(count(set, 10), 1126u);
    EXPECT_NEAR(block(set, 10).mean.x, 9.882771, 1e-6);
    EXPECT_NEAR(block(set, 10).mean.z, 0.2890764, 1e-6);
}

TEST(Shapes, SolidDike) {
    const auto set = generate(R"(<setmkbound mk="2"/><drawprism>
        <point x="8.75" y="-1" z="0"/><point x="9" y="-1" z="0.7"/><point x="10" y="-1" z="0.7"/><point x="10.25" y="-1" z="0"/>
        <point x="8.75" y="1" z="0"/><point x="9" y="1" z="0.7"/><point x="10" y="1" z="0.7"/><point x="10.25" y="1" z="0"/></drawprism>)",
                              lattice("0.02", R"(x="-1" y="0" z="-1")", R"(x="16" y="0" z="5")", origin_2d));
    EXPECT_EQ(count(set, 12), 2296u);
    EXPECT_NEAR(block(set, 12).mean.z, 0.3260017, 1e-6);
}

TEST(Shapes, Balls) {
    const auto ball = [](const char* dp, const char* radius, const char* low, const char* high, const char* center) {
        return generate(std::string("<setmkbound mk=\"0\"/><drawsphere radius=\"") + radius + "\"><point " + center +
                            "/></drawsphere>",
                        lattice(dp, low, high))
            .size();
    };
    EXPECT_EQ(ball("0.02", "0.1", R"(x="-1" y="-1" z="-1")", R"(x="1" y="1" z="1")", R"(x="0" y="0" z="0")"), 739u);
    EXPECT_EQ(ball("0.05", "0.35", R"(x="8" y="4" z="4")", R"(x="10" y="6" z="6")", R"(x="9.35" y="5" z="5.2")"),
              1839u);
    EXPECT_EQ(ball("0.0025", "0.1", R"(x="-0.5" y="0" z="-0.5")", R"(x="0.5" y="0" z="0.5")", R"(x="0" y="0" z="0")"),
              5177u);
}

TEST(Shapes, Cylinders) {
    // A disc: the cut of a solid cylinder with the plane of a 2-D case.
    const auto gear = generate(
        R"(<setmkbound mk="0"/><drawcylinder radius="0.05" mask="0"><point x="1" y="-0.2" z="1.2"/><point x="1" y="0.2" z="1.2"/></drawcylinder>)",
        lattice("0.0075", R"(x="-0.1" y="0" z="-0.5")", R"(x="2" y="0" z="2.5")"));
    EXPECT_EQ(gear.size(), 177u);
    // A hollow tube of one dp, its first end open.
    const auto rod = generate(
        R"(<setmkbound mk="0"/><drawcylinder radius="0.025" mask="1"><point x="5" y="5" z="5.2"/><point x="6" y="5" z="5.2"/></drawcylinder>)",
        lattice("0.05", R"(x="4" y="4" z="4")", R"(x="7" y="6" z="6")"));
    EXPECT_EQ(rod.size(), 21u * 8 + 1);
    // Faces only: 15 rings and a cover (the lower cover is under the floor here).
    const auto pile = generate(
        R"(<setmkbound mk="0"/><setdrawmode mode="face"/><drawcylinder radius="0.15"><point x="1" y="0" z="0"/><point x="1" y="0" z="0.6"/></drawcylinder>
        <setmkvoid/><drawbox><boxfill>bottom</boxfill><point x="-0.6" y="-0.5" z="0"/><size x="4" y="1" z="0.7"/></drawbox>)",
        lattice("0.04", R"(x="-0.5" y="-1" z="-0.02")", R"(x="3" y="1" z="0.98")"));
    EXPECT_EQ(pile.size(), 517u);
}

TEST(Shapes, LineInSpace) {
    const auto set = generate(
        R"(<setmkbound mk="0"/><drawline><point x="0" y="-0.2" z="-0.6"/><point x="11" y="-0.2" z="-9"/></drawline>
        <setmkvoid/><drawbox><boxfill>solid</boxfill><point x="-0.5" y="-1" z="-1"/><size x="0.52" y="2" z="1"/></drawbox>)",
        lattice("0.04", R"(x="-0.5" y="-1.5" z="-10")", R"(x="11.2" y="1.5" z="0.5")"));
    EXPECT_EQ(count(set, 10), 415u);
    EXPECT_NEAR(block(set, 10).mean.x, 5.533253, 1e-6);
    EXPECT_NEAR(block(set, 10).mean.z, -4.81012, 1e-5);
}

TEST(Shapes, RotatedBox) {
    const auto set = generate(
        R"(<setmkbound mk="2"/><rotateline ang="81.47"><point x="0" y="0" z="5"/><point x="0" y="1" z="5"/></rotateline>
        <drawbox><boxfill>all</boxfill><point x="0" y="0" z="4.8"/><size x="2" y="0.3" z="0.4"/></drawbox>)",
        lattice("0.05", R"(x="-2" y="-1" z="-1")", R"(x="21" y="1" z="8")"));
    EXPECT_EQ(count(set, 12), 1336u);
    EXPECT_NEAR(block(set, 12).mean.x, 0.1540793, 1e-6);
    EXPECT_NEAR(block(set, 12).mean.z, 5.981287, 1e-6);
}

TEST(Shapes, LayersOfABox) {
    const auto set = generate(
        R"(<setmkbound mk="0"/><drawbox><boxfill>all</boxfill><point x="-0.45" y="-0.1" z="0"/><size x="0.90" y="0.2" z="0.512"/><layers vdp="0,1,2,3"/></drawbox>)",
        lattice("0.004", R"(x="-0.85" y="0" z="-0.4")", R"(x="1" y="0" z="1")"));
    EXPECT_EQ(count(set, 10), 2872u);
}

TEST(Shapes, LayersOfAnExtrusion) {
    const auto set = generate(
        R"(<setmkbound mk="0"/><drawextrude closed="false"><point x="0" y="0" z="0.7"/><point x="0" y="0" z="0"/>
        <point x="0.85" y="0" z="0"/><point x="1.1" y="0" z="0.25"/><point x="1.35" y="0" z="0"/><point x="2.2" y="0" z="0"/>
        <point x="2.2" y="0" z="0.7"/><extrude x="0" y="0.1" z="0"/><layers vdp="0,-0.5,-1,-1.5,-2"/></drawextrude>)",
        lattice("0.01", R"(x="-1" y="0" z="-1")", R"(x="2.5" y="0" z="2")"));
    EXPECT_EQ(count(set, 10), 1144u);
    EXPECT_NEAR(block(set, 10).min.x, -0.02, 1e-9);
    EXPECT_NEAR(block(set, 10).mean.z, 0.145, 1e-6);
}

TEST(Shapes, FreeParticlesAndTheFillBesideThem) {
    const auto set = generate(
        R"(<setmkbound mk="0"/><setfrdrawmode auto="true"/><drawextrude closed="false"><extrude x="0" y="2" z="0"/>
        <point x="-0.5" y="-1" z="0"/><point x="6" y="-1" z="0"/><point x="16" y="-1" z="1"/><layers vdp="0,-1,-2"/></drawextrude>
        <setfrdrawmode auto="false"/><setmkbound mk="10"/><drawbox><boxfill>solid</boxfill><point x="#-Dp*3" y="-1" z="#Dp"/><size x="#Dp*3" y="2" z="1"/></drawbox>
        <setmkfluid mk="0"/><fillbox x="0.5" y="0" z="0.05"><modefill>void</modefill><point x="-1" y="-1" z="-1"/><size x="20" y="2" z="1.66"/></fillbox>)",
        lattice("0.03", R"(x="-0.6" y="0" z="-0.6")", R"(x="25" y="0" z="2")", origin_2d));
    EXPECT_EQ(count(set, 10), 1659u);
    EXPECT_NEAR(block(set, 10).max.x, 16.00597, 1e-5);
    EXPECT_NEAR(block(set, 10).mean.x, 7.758435, 1e-6);
    EXPECT_EQ(count(set, 1), 6353u);
    EXPECT_NEAR(block(set, 1).mean.x, 4.733691, 1e-6);
}

TEST(Shapes, ThereAreNoWiresOffTheLattice) {
    for (const std::string shape :
         {R"(<drawbox><boxfill>all</boxfill><point x="0" y="0" z="0"/><size x="1" y="1" z="1"/></drawbox>)",
          R"(<drawsphere radius="0.5"><point x="1" y="1" z="1"/></drawsphere>)",
          R"(<drawcylinder radius="0.5"><point x="1" y="1" z="0"/><point x="1" y="1" z="1"/></drawcylinder>)"}) {
        const auto drawn = [&](const std::string& mode) {
            return generate(R"(<setmkbound mk="0"/><setfrdrawmode auto="true"/><setdrawmode mode=")" + mode + "\"/>" +
                                shape,
                            lattice("0.1", R"(x="-1" y="-1" z="-1")", R"(x="3" y="3" z="3")"));
        };
        EXPECT_GT(drawn("face").size(), 0u) << shape;
        EXPECT_THROW(drawn("wire"), InputError) << shape;
    }
}

TEST(Shapes, BodyCentredLattice) {
    CaseText base;
    base.constants += "<lattice bound=\"2\" fluid=\"1\"/>";
    const auto set = generate(
        R"(<setmkbound mk="50"/><drawbox><boxfill>solid</boxfill><point x="10" y="2" z="3"/><size x="2" y="2" z="2"/></drawbox>
        <setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="1" y="1" z="1"/><size x="1" y="1" z="1"/></drawbox>)",
        lattice("0.1", R"(x="-1" y="-1" z="-1")", R"(x="17" y="7" z="6")"), nullptr, base);
    EXPECT_EQ(count(set, 60), 18522u);
    EXPECT_NEAR(block(set, 60).min.x, 9.975, 1e-9);
    EXPECT_NEAR(block(set, 60).max.z, 5.025, 1e-9);
    EXPECT_EQ(count(set, 1), 1331u);
}

TEST(Shapes, ClipsAndActivity) {
    const std::string small = lattice("0.1", R"(x="0" y="0" z="0")", R"(x="2" y="0" z="2")");
    const char* box =
        R"(<drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>)";
    EXPECT_EQ(
        generate(
            std::string(
                R"(<setmkfluid mk="0"/><clipplane><point x="0" y="0" z="0.5"/><vector x="0" y="0" z="1"/></clipplane>)") +
                box,
            small)
            .size(),
        66u);
    EXPECT_EQ(
        generate(
            std::string(
                R"(<setmkfluid mk="0"/><clipbox><point x="0" y="-1" z="0"/><size x="0.3" y="2" z="0.3"/></clipbox>)") +
                box + "<clipreset/>",
            small)
            .size(),
        9u)
        << "3*0.1 lies beyond 0.3 in double precision";
    // A background changes nothing, in the reference generator neither.
    const auto set =
        generate(std::string(R"(<setmkfluid mk="0"/>)") + box + R"(<setmkbound mk="0"/><setmkbackfluid mk="0"/>
        <drawbox><boxfill>solid</boxfill><point x="0.5" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>)",
                 small);
    EXPECT_EQ(count(set, 10), 121u);
    EXPECT_EQ(
        generate(std::string(R"(<setmkfluid mk="0"/>)") + box + R"(<setactive drawpoints="0"/><setmkvoid/>)" + box,
                 small)
            .size(),
        121u);
}

TEST(Shapes, WaveEllipsoidAndPolygon) {
    const std::string plane = lattice("0.1", R"(x="0" y="0" z="0")", R"(x="10" y="0" z="5")");
    const auto wave = generate(
        R"(<setmkfluid mk="0"/><drawwave depth="1" hmaxwave="0.5" x0="5" z0="0"><point x="0" y="-1" z="0"/><size x="9.9" y="2" z="3"/></drawwave>)",
        plane);
    EXPECT_NEAR(block(wave, 1).max.z, 1.5, 1e-9);
    EXPECT_NEAR(block(wave, 1).mean.x, 4.97, 0.02);
    const auto ellipse = generate(
        R"(<setmkbound mk="0"/><drawellipsoid radius="4"><point x="4" y="0" z="2.5"/><point x="6" y="0" z="2.5"/></drawellipsoid>)",
        plane);
    EXPECT_NEAR(ellipse.size() * 0.01, 3.14159 * 2.06 * (1.732 + 0.06), 0.4);
    const auto triangle = generate(
        R"(<setmkbound mk="0"/><drawtriangle><point x="1" y="0" z="1"/><point x="3" y="0" z="1"/><point x="1" y="0" z="3"/></drawtriangle>)",
        plane);
    EXPECT_EQ(triangle.size(), 21u * 22 / 2);
}

TEST(Shapes, LayersOfACylinderReachPastBothOfItsEnds) {
    const auto set = generate(
        R"(<setmkbound mk="0"/><drawcylinder radius="0.2"><point x="0.3" y="0.5" z="0.5"/><point x="0.7" y="0.5" z="0.5"/><layers vdp="0,1"/></drawcylinder>)",
        lattice("0.1", R"(x="0" y="0" z="0")", R"(x="1" y="1" z="1")"));
    const ParticleBlock& cylinder = block(set, 10);
    EXPECT_NEAR(cylinder.min.x, 0.2, 1e-9);
    EXPECT_NEAR(cylinder.max.x, 0.8, 1e-9);
    EXPECT_NEAR(cylinder.min.z, 0.2, 1e-9);
    EXPECT_NEAR(cylinder.max.z, 0.8, 1e-9);
    EXPECT_NEAR(cylinder.mean.x, 0.5, 1e-9);
}

TEST(Shapes, ErasedFreelyLeaveNeitherNodesNorParticlesInTheirWay) {
    const std::string nodes =
        R"(<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0"/><size x="1" y="1" z="1"/></drawbox>)";
    const std::string on_a_node = R"(<drawpoint x="0.5" y="0.5" z="0.52"/>)";
    const std::string free = R"(<setfrdrawmode auto="true"/>)";
    const auto particles = [&](const std::string& then) {
        return generate(nodes + free + then, lattice("0.1", R"(x="0" y="0" z="0")", R"(x="1" y="1" z="1")",
                                                     R"(<pointref x="0" y="0" z="0"/>)"));
    };
    const std::uint32_t all = particles("").size();
    const ParticleSet filled = particles("<setmkfluid mk=\"1\"/>" + on_a_node);
    EXPECT_EQ(filled.size(), all); // in the place of the node
    EXPECT_EQ(count(filled, 2), 1u);
    EXPECT_EQ(particles("<setmkvoid/>" + on_a_node).size(), all - 1);
    EXPECT_EQ(particles("<setmkfluid mk=\"1\"/>" + on_a_node + "<setmkvoid/>" + on_a_node).size(), all - 1);
}

// A layer that goes as far in as the axis is none.
TEST(Shapes, FreeCylindersWithoutRadiusAreNotDrawn) {
    const auto particles = [](const std::string& layers) {
        return count(
            generate(
                R"(<setmkfluid mk="0"/><drawpoint x="0" y="0" z="0"/><setfrdrawmode auto="true"/><setmkbound mk="0"/>
            <drawcylinder radius="0.25"><point x="0.5" y="0.5" z="0.25"/><point x="0.5" y="0.5" z="0.75"/><layers vdp=")" +
                    layers + R"("/></drawcylinder>)",
                lattice("0.125", R"(x="0" y="0" z="0")", R"(x="1" y="1" z="1")", R"(<pointref x="0" y="0" z="0"/>)")),
            10);
    };
    EXPECT_GT(particles("-1"), 10u);
    EXPECT_EQ(particles("-2"), 0u);
    EXPECT_EQ(particles("-1,-2"), particles("-1"));
}

TEST(Shapes, InitialVelocitiesFollowTheirProfiles) {
    const auto speeds = [](const std::string& profile) {
        CaseText t;
        t.special = R"(<initialize><fluidvelocity mkfluid="0"><direction x="2" y="0" z="0"/>)" + profile +
                    "</fluidvelocity></initialize>";
        const ParticleSet set = generate(
            R"(<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="0" y="2" z="0.4"/></drawbox>)",
            lattice("0.1", R"(x="-1" y="0" z="-1")", R"(x="2" y="0" z="2")", origin_2d), nullptr, t);
        std::vector<double> found(set.size());
        for (std::uint32_t n = 0; n < set.size(); ++n)
            found.at(static_cast<std::size_t>(std::lround(set.position[n].z / 0.1))) = set.velocity[n].x;
        return found;
    };
    const auto expect = [](const std::vector<double>& found, const std::vector<double>& expected) {
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-6) << k;
    };
    expect(speeds(R"(<velocity v="1.5"/>)"), {1.5, 1.5, 1.5, 1.5, 1.5});
    expect(speeds(R"(<velocity2 v="1" v2="3" z="0.1" z2="0.3"/>)"), {1, 1, 2, 3, 3}); // level beyond its ends
    expect(speeds(R"(<velocity3 v="0" v2="4" v3="0" z="0" z2="0.2" z3="0.4"/>)"), {0, 3, 4, 3, 0});
}
