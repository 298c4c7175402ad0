// SPDX-License-Identifier: Apache-2.0
#include "case/lattice_constants.h"
#include "geometry/lint.h"

#include "geometry_case.h"
#include <fmt/format.h>

using namespace sluice;
using namespace sluice::test;

namespace {

std::vector<Diagnostic> lint(const std::string& commands, const CaseText& base = {}) {
    CaseText t = base;
    t.commands = commands;
    t.definition = R"(<definition dp="0.1"><pointmin x="-1" y="0" z="-1"/><pointmax x="5" y="0" z="5"/></definition>)";
    CaseOverrides o;
    o.allow_unsupported = true;
    const Case c = read_case_text(t.text(), "case.xml", o);
    std::vector<Diagnostic> d;
    const ParticleSet set = generate_particles(c, d);
    lint_particles(c, set, smoothing_length_of(c), d);
    return d;
}

bool warns_of(const std::vector<Diagnostic>& all, const std::string& part) {
    for (const Diagnostic& d : all)
        if (d.message.find(part) != std::string::npos && d.where.line > 0) return true;
    return false;
}

const char* water =
    R"(<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>)";

std::string walls(const char* point, const char* size) {
    return std::string(R"(<setmkbound mk="0"/><drawbox><boxfill>bottom | left | right</boxfill><point )") + point +
           "/><size " + size + "/></drawbox>";
}

} // namespace

TEST(Lint, SchemeSaysWhichWallsItTakes) {
    const std::string tank = water + walls(R"(x="-0.1" y="-1" z="-0.1")", R"(x="1.2" y="2" z="2")");
    const char* note = "the scheme takes dynamic boundary particles (Boundary=1), as the case has no normals";
    const auto notes = [&](const std::string& commands, const char* more_parameters, const char* casedef) {
        CaseText base;
        base.parameters = std::string(R"(<parameter key="Scheme" value="recommended"/>)") + more_parameters;
        base.casedef = casedef;
        return warns_of(lint(commands, base), note);
    };
    EXPECT_TRUE(notes(tank, "", ""));
    EXPECT_FALSE(notes(tank, R"(<parameter key="Boundary" value="1"/>)", "")) << "that is meant";
    EXPECT_FALSE(notes(tank, R"(<parameter key="BoundaryMethod" value="1"/>)", ""));
    EXPECT_FALSE(notes(tank, "", R"(<normals><norset mkbound="0"><normal x="0" y="0" z="1"/></norset></normals>)"));
    EXPECT_FALSE(notes(water, "", "")) << "there are no walls";
    EXPECT_FALSE(warns_of(lint(tank), note));
}

// A weir 0.5 m high, and water of a depth beside it; h is 1.4·√2 dp = 0.198 m, so that six particles over the crest
// are 3.03 h.
TEST(Lint, WaterOverACrestIsCountedInSmoothingLengths) {
    const auto box = [](double x, double z, double length, double height) {
        return fmt::format(R"(<drawbox><boxfill>solid</boxfill><point x="{}" y="-1" z="{}"/>
<size x="{}" y="2" z="{}"/></drawbox>)",
                           x, z, length, height);
    };
    const auto weir = [&](double depth, const std::string& more = "") {
        return R"(<setmkbound mk="0"/>)" + box(0, -0.2, 4, 0.2) + box(-0.2, -0.2, 0.1, 3) + box(2, 0.1, 0.2, 0.4) +
               more + R"(<setmkfluid mk="0"/>)" + box(0, 0.1, 1.9, depth - 0.1);
    };
    CaseText base;
    base.constants = R"(<gravity x="0" y="0" z="-9.81"/><coefh value="1.4"/><coefsound value="20"/>)";
    const char* words = "stand over the crest at x = 2.1 m";
    EXPECT_TRUE(warns_of(lint(weir(1.0), base),
                         "5 particles of water, 2.5 smoothing lengths, stand over the crest at x = 2.1 m"));
    EXPECT_TRUE(warns_of(lint(weir(0.6), base), "1 particles of water, 0.5 smoothing"));
    EXPECT_FALSE(warns_of(lint(weir(1.1), base), words));
    EXPECT_FALSE(warns_of(lint(weir(0.5), base), words)) << "no water is above it";
    base.constants = R"(<gravity x="0" y="0" z="-9.81"/><coefh value="1.8"/><coefsound value="20"/>)";
    EXPECT_TRUE(warns_of(lint(weir(1.2), base), words));
    EXPECT_FALSE(warns_of(lint(weir(1.4), base), words));
    // a beach has no crest, nor has a ceiling; walls on both sides that are higher than the water are none
    base.constants = R"(<gravity x="0" y="0" z="-9.81"/><coefh value="1.8"/><coefsound value="20"/>)";
    EXPECT_FALSE(warns_of(lint(weir(1.2, box(2.3, 0.1, 1.7, 2)), base), words));
    EXPECT_FALSE(warns_of(lint(R"(<setmkbound mk="0"/>)" + box(0, -0.2, 4, 0.2) + box(1, 0.5, 0.2, 0.2) +
                                   R"(<setmkfluid mk="0"/>)" + box(0, 0.1, 4, 0.8),
                               base),
                          "stand over the crest"));
}

TEST(Lint, FluidAtTheEdgeOfTheDomain) {
    EXPECT_TRUE(warns_of(lint(water), "fluid of mkfluid 0 touches the edge"));
    EXPECT_FALSE(
        warns_of(lint(water + walls(R"(x="-0.1" y="-1" z="-0.1")", R"(x="1.2" y="2" z="2")")), "touches the edge"));
    CaseText periodic;
    periodic.parameters = R"(<parameter key="XPeriodicIncZ" value="0"/>)";
    EXPECT_FALSE(warns_of(lint(water, periodic), "touches the edge of the simulation domain on axis x"));
    EXPECT_TRUE(warns_of(lint(water, periodic), "touches the edge of the simulation domain on axis z"));
}

// The domain reaches as far as the layers of open boundaries.
TEST(Lint, FluidOfAnOpenBoundaryMayStandAtTheEdgeOfTheDomain) {
    CaseText t;
    const std::string inlet =
        R"(<setmkfluid mk="3"/><drawbox><boxfill>solid</boxfill><point x="-0.1" y="-1" z="0"/><size x="0" y="2" z="1"/></drawbox>)";
    const char* edge = "fluid of mkfluid 3 touches the edge of the simulation domain on axis x";
    EXPECT_TRUE(warns_of(lint(water + inlet, t), edge));
    t.special =
        R"(<inout><inoutzone><refilling value="0"/><inputtreatment value="2"/><layers value="4"/><zone2d><particles mkfluid="3" direction="right"/></zone2d><imposevelocity mode="0"><velocity v="1"/></imposevelocity><imposerhop mode="0"/></inoutzone></inout>)";
    const auto with_inlet = lint(water + inlet, t);
    EXPECT_FALSE(warns_of(with_inlet, edge));
    EXPECT_TRUE(warns_of(with_inlet, "fluid of mkfluid 0 touches the edge of the simulation domain on axis x"));
}

TEST(Lint, FluidWithNothingBelow) {
    const std::string sides =
        R"(<setmkbound mk="0"/><drawbox><boxfill>left | right</boxfill><point x="-0.1" y="-1" z="-0.1"/><size x="1.2" y="2" z="2"/></drawbox>)";
    EXPECT_TRUE(warns_of(lint(water + sides), "nothing is below the fluid in 11 of its 11 columns along z"));
    EXPECT_FALSE(
        warns_of(lint(water + walls(R"(x="-0.1" y="-1" z="-0.1")", R"(x="1.2" y="2" z="2")")), "nothing is below"));
    // a floor far below catches what falls; one that covers half of the fluid does not
    EXPECT_FALSE(
        warns_of(lint(water + walls(R"(x="-0.1" y="-1" z="-0.9")", R"(x="1.2" y="2" z="2")")), "nothing is below"));
    EXPECT_TRUE(
        warns_of(lint(water + walls(R"(x="-0.5" y="-1" z="-0.1")", R"(x="0.9" y="2" z="2")")), "nothing is below"));
}

TEST(Lint, OutsideTheDomain) {
    CaseText t;
    t.parameters = R"(<simulationdomain><posmax x="0.5"/></simulationdomain>)";
    EXPECT_TRUE(warns_of(lint(water, t), "lie outside the simulation domain on axis x"));
    EXPECT_FALSE(warns_of(lint(water, t), "lie outside the simulation domain on axis z"));
    t.parameters = R"(<simulationdomain><posmin z="0.5"/></simulationdomain>)";
    EXPECT_TRUE(warns_of(lint(water, t), "lie outside the simulation domain on axis z"));
    EXPECT_FALSE(warns_of(lint(water, t), "lie outside the simulation domain on axis x"));
    t.parameters = R"(<simulationdomain><posmin x="-0.5" z="-0.5"/><posmax x="1.5" z="1.5"/></simulationdomain>)";
    EXPECT_FALSE(warns_of(lint(water, t), "simulation domain"));
}

TEST(Lint, ThinWalls) {
    EXPECT_TRUE(warns_of(lint(water + walls(R"(x="-0.1" y="-1" z="-0.1")", R"(x="1.2" y="2" z="2")")),
                         "walls are 1 layer(s) thick where the kernel reaches 3 (2h = 2.83 dp)")); // h = √2 dp
    const std::string thick =
        R"(<setmkbound mk="0"/><drawbox><boxfill>solid</boxfill><point x="-0.4" y="-1" z="-0.4"/><size x="1.8" y="2" z="1.8"/></drawbox>)";
    EXPECT_FALSE(warns_of(lint(thick + water), "layer(s) thick"));
    // edges may be thinner: a tank of two layers with a plate of one in the water
    const auto tank = [](const char* at, const char* size) {
        return fmt::format(R"(<setmkbound mk="0"/><drawbox><boxfill>all</boxfill><point {}/><size {}/></drawbox>)", at,
                           size);
    };
    const std::string two = tank(R"(x="-0.1" y="-1" z="-0.1")", R"(x="1.2" y="2" z="1.2")") +
                            tank(R"(x="-0.2" y="-1" z="-0.2")", R"(x="1.4" y="2" z="1.4")"),
                      plate = tank(R"(x="0.5" y="-1" z="0")", R"(x="0" y="2" z="0.1")");
    CaseText ghosts;
    ghosts.parameters = R"(<parameter key="Boundary" value="2"/><parameter key="DensityDT" value="3"/>)";
    for (const std::string& solids : {two, two + plate}) {
        const std::string found = "walls are 2 layer(s) thick where the kernel reaches 3";
        EXPECT_TRUE(warns_of(lint(water + solids), found));
        EXPECT_TRUE(warns_of(lint(water + solids), "usual with dynamic boundary particles"));
        EXPECT_TRUE(warns_of(lint(water + solids, ghosts), found));
        EXPECT_FALSE(warns_of(lint(water + solids, ghosts), "usual with dynamic boundary particles"));
        EXPECT_FALSE(warns_of(lint(water + solids, ghosts), "one layer thick"));
    }
    EXPECT_TRUE(warns_of(lint(water + tank(R"(x="-0.1" y="-1" z="-0.1")", R"(x="1.2" y="2" z="1.2")"), ghosts),
                         "walls are one layer thick, and DensityDT 3"));
}

TEST(Lint, GaugesInsideOfSolids) {
    const std::string block =
        R"(<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="2" y="-1" z="0"/><size x="0.5" y="2" z="0.5"/></drawbox>)";
    const auto warns = [&](const char* kind, double x, double z) {
        CaseText t;
        t.special = fmt::format(R"(<gauges><{0} name="g"><point x="{1}" y="0" z="{2}"/></{0}></gauges>)", kind, x, z);
        return warns_of(lint(water + block, t), "the gauge \"g\" lies inside a wall or body, at (");
    };
    EXPECT_TRUE(warns("velocity", 2.2, 0.2));
    EXPECT_TRUE(warns("pressure", 2.32, 0.38));
    EXPECT_FALSE(warns("velocity", 2.0, 0.2)); // at the face, where fluid comes
    EXPECT_FALSE(warns("velocity", 0.5, 0.5));
}

TEST(Lint, LinesThatLookForTheSurfaceFromAbove) {
    const auto warns = [&](double z0, double z2, const char* constants) {
        CaseText t;
        t.constants = constants;
        t.special = fmt::format(
            R"(<gauges><swl name="s"><point0 x="0.5" y="0" z="{}"/><point2 x="0.5" y="0" z="{}"/></swl></gauges>)", z0,
            z2);
        return warns_of(lint(water, t), "the line of the gauge \"s\" runs downwards");
    };
    const std::string usual = CaseText{}.constants;
    EXPECT_TRUE(warns(2, 0, usual.c_str()));
    EXPECT_FALSE(warns(0, 2, usual.c_str()));
    EXPECT_FALSE(warns(2, 0, R"(<gravity x="0" y="0" z="0"/><coefh value="1"/><speedsound value="20" auto="false"/>)"));
}

TEST(Lint, ThreeDimensionsThatAreHardlyThickerThanAParticle) {
    const auto warns = [](const char* y, const char* parameters) {
        const std::string space = fmt::format(
            R"(<definition dp="0.1"><pointmin x="-1" y="0" z="-1"/><pointmax x="3" y="{}" z="3"/></definition>)", y);
        CaseText t;
        t.definition = space;
        t.commands = water;
        t.parameters = parameters;
        const Case c = read_case_text(t.text(), "case.xml");
        std::vector<Diagnostic> d;
        const ParticleSet set = generate_particles(c, d);
        lint_particles(c, set, smoothing_length_of(c), d);
        return warns_of(d, "for a 2-D case in x-z give pointmin and pointmax the same y");
    };
    EXPECT_TRUE(warns("0.1", ""));
    EXPECT_FALSE(warns("0", ""));
    EXPECT_FALSE(warns("0.5", ""));
    EXPECT_FALSE(warns("0.1", R"(<parameter key="YPeriodicIncZ" value="0"/>)"));
}

TEST(Lint, BodiesWithoutParticlesAndCoveredBodies) {
    CaseText t;
    t.casedef = "<floatings><floating mkbound=\"7\" rhopbody=\"500\"/></floatings>\n";
    EXPECT_TRUE(warns_of(lint(water, t), "floating mkbound 7 has no particles: draw it after <setmkbound>"));
    EXPECT_TRUE(warns_of(lint(R"(<setmkbound mk="3"/><drawpoint x="1.5" y="0" z="1.5"/>)" + std::string(water), t),
                         "or name one that is drawn (3)"));
    t.casedef = "<motion><objreal ref=\"0\"><begin mov=\"1\" start=\"0\"/><mvnull id=\"1\"/></objreal></motion>\n";
    EXPECT_TRUE(warns_of(lint(water, t), "the moving mkbound 0 has no particles"));
    EXPECT_TRUE(warns_of(lint(R"(<setmkbound mk="3"/><drawpoint x="0.5" y="0" z="0.5"/>)" + std::string(water)),
                         "nothing of it is left"));
}

TEST(Lint, OverlapsAreNamed) {
    const std::string space =
        R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="3" y="3" z="3"/></definition>)";
    const auto box = [](const char* x, const char* size) {
        return fmt::format(
            R"(<drawbox><boxfill>solid</boxfill><point x="{}" y="0" z="0"/><size x="{}" y="1" z="1"/></drawbox>)", x,
            size);
    };
    const auto messages = [&](const std::string& commands) {
        std::vector<Diagnostic> diagnostics;
        generate(commands, space, &diagnostics);
        std::string all;
        for (const Diagnostic& d : diagnostics)
            all += (d.level == Diagnostic::Level::warning ? "warning " : "info ") + d.message + "\n";
        return all;
    };
    const std::string fluid = R"(<setmkfluid mk="0"/>)", wall = R"(<setmkbound mk="3"/>)",
                      other = R"(<setmkbound mk="4"/>)";
    EXPECT_NE(messages(wall + box("0", "0.2") + fluid + box("0.2", "1"))
                  .find("warning mkfluid 0 takes 121 of the 363 nodes of mkbound 3"),
              std::string::npos);
    EXPECT_NE(messages(wall + box("0", "1") + other + box("0.5", "1") + fluid + box("2", "0.3"))
                  .find("info mkbound 4 takes 726 of the 1331"),
              std::string::npos);
    // A face of a solid is an edge that two bodies share, walls go over the water's rim, and a redraw is meant.
    EXPECT_EQ(messages(wall + box("0", "1") + other + box("1", "1") + fluid + box("2.1", "0.3")).find(" takes "),
              std::string::npos);
    EXPECT_EQ(messages(fluid + box("0", "1.9") + wall + box("0", "0") + "<setmkfluid mk=\"1\"/><redraw mkfluid=\"0\"/>")
                  .find(" takes "),
              std::string::npos);
}

// The mk that setmknextauto sets after a shape is no shape that draws nothing.
TEST(Lint, AutomaticMkIsNoEmptyDraw) {
    EXPECT_FALSE(warns_of(lint(std::string(R"(<setmknextauto auto="true"/>)") + water), "draws nothing"));
}

TEST(Lint, BodiesOffTheLatticeAreNamed) {
    const char* body =
        R"(<setmkbound mk="0"/><setfrdrawmode auto="true"/><drawellipsoid radius="0.5"><point x="1" y="0" z="1"/><point x="1.2" y="0" z="1"/></drawellipsoid>)";
    EXPECT_TRUE(warns_of(lint(body), "<drawellipsoid> cannot be drawn off the lattice"));
}

// Two basins, with a wall of one layer or of several between them. 2h = 2.83 dp.
TEST(Lint, FluidThatActsThroughAWall) {
    const auto basins = [](const std::string& wall) {
        return lint(R"(<setmkfluid mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>
<drawbox><boxfill>solid</boxfill><point x="1.2" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>)" +
                    wall);
    };
    const std::string one = R"(<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="1.1" y="-1" z="0"/>
<size x="0" y="2" z="1"/></drawbox>)",
                      two = R"(<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="1" y="-1" z="0"/>
<size x="0.1" y="2" z="1"/></drawbox>)";
    EXPECT_TRUE(warns_of(basins(one),
                         "fluid stands on both sides of a wall or body, 2 dp apart, and the kernel reaches 2.83 dp"));
    EXPECT_FALSE(warns_of(basins(two), "both sides of a wall"));
    EXPECT_FALSE(warns_of(basins(""), "both sides of a wall")) << "there is no wall between";
}

// Honey over dynamic walls: sqrt(9.81 · 1) · 1 / 0.1 is a Reynolds number of 31.
TEST(Lint, FrictionOfDynamicWalls) {
    const std::string tank = water + walls(R"(x="-0.1" y="-1" z="-0.1")", R"(x="1.2" y="2" z="2")");
    const auto of = [&](const std::string& parameters) {
        CaseText base;
        base.parameters = parameters;
        return warns_of(lint(tank, base),
                        "the fluid is viscous (Reynolds number 31 of its depth), and dynamic walls exert a part");
    };
    const std::string laminar = R"(<parameter key="ViscoTreatment" value="3"/>)",
                      thick = R"(<parameter key="Visco" value="0.1"/>)";
    EXPECT_TRUE(of(laminar + thick));
    EXPECT_FALSE(of(thick)) << "artificial viscosity";
    EXPECT_FALSE(of(laminar + R"(<parameter key="Visco" value="1e-6"/>)"));
    EXPECT_FALSE(of(laminar + thick + R"(<parameter key="Boundary" value="2"/>)"));
    EXPECT_FALSE(of(laminar + thick + R"(<parameter key="ZPeriodicIncX" value="0"/>)"))
        << "gravity along a periodic side presses nothing against a wall";
}

// Water that is drawn 2 dp from its walls comes to lie on them.
TEST(Lint, ThinWallsThatTheWaterDoesNotTouchYet) {
    const std::string apart = walls(R"(x="-0.2" y="-1" z="-0.2")", R"(x="1.4" y="2" z="2")"),
                      further = walls(R"(x="-0.3" y="-1" z="-0.3")", R"(x="1.6" y="2" z="2")");
    EXPECT_TRUE(warns_of(lint(water + apart), "walls are 1 layer(s) thick where the kernel reaches 3"));
    EXPECT_FALSE(warns_of(lint(water + further), "layer(s) thick"));
}
