// SPDX-License-Identifier: Apache-2.0
#include "../case/case_text.h"
#include "case/read_case.h"
#include "core/error.h"
#include "geometry/generate.h"
#include "setup/setup.h"
#include "temporary_folder.h"
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

struct MadeZones {
    Case definition;
    ParticleSet particles;
    RunSetup setup;
    ParticleState state;
};

std::string zone_text(const std::string& shape, const std::string& more = "", int refilling = 0, bool two_d = true) {
    const std::string name = two_d ? "zone2d" : "zone3d";
    return "<inoutzone><refilling value=\"" + std::to_string(refilling) +
           "\"/><inputtreatment value=\"2\"/><layers value=\"4\"/><" + name + ">" + shape + "</" + name + ">" +
           (more.find("imposevelocity") == std::string::npos
                ? "<imposevelocity mode=\"0\"><velocity v=\"2\"/></imposevelocity>"
                : "") +
           more + "</inoutzone>";
}

/// A box of water of 11 x 11 particles, dp 0.1, from the origin, and another mkfluid on its left side.
MadeZones make(const std::string& zones, bool two_d = true, const std::filesystem::path& folder = "") {
    test::CaseText text;
    text.commands += R"(<setmkfluid mk="1"/><drawbox><boxfill>left</boxfill><point x="0" y="-1" z="0"/>
        <size x="1" y="2" z="1"/></drawbox>)";
    if (!two_d)
        text.definition =
            R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="1" z="2"/></definition>)";
    text.special = "<inout>" + zones + "</inout>";
    MadeZones made;
    made.definition = read_case_text(text.text(), folder / "case.xml", {});
    made.particles = generate_particles(made.definition, made.definition.diagnostics);
    made.setup = make_run_setup(made.definition, made.particles);
    made.state = make_initial_state(made.definition, made.particles, made.setup);
    return made;
}

const std::string left = R"(<particles mkfluid="1" direction="right"/>)";

} // namespace

TEST(OpenZonesSetup, ParticlesOfTheirMkAreTheFirstLayer) {
    const MadeZones made = make(zone_text(left));
    ASSERT_EQ(made.setup.open.zones.size(), 1U);
    const OpenZone& zone = made.setup.open.zones[0];
    const Vec3d min = made.setup.domain.min;
    EXPECT_EQ(zone.point_count, 11);
    EXPECT_EQ(zone.across_count, 13);
    EXPECT_NEAR(zone.origin.x + min.x, 0.05, 1e-12);
    EXPECT_NEAR(zone.depth, 0.4, 1e-12);
    EXPECT_LE(min.x, -0.4); // holds the zone to its end at -0.35 and half a spacing more
    EXPECT_EQ(made.state.created, 33U);
    EXPECT_EQ(made.state.size(), 121U + 33U);
    EXPECT_EQ(*std::ranges::max_element(made.state.id), 121U + 32U);
    double least = 1;
    for (const Vec3d& p : made.state.position) least = std::min(least, p.x + min.x);
    EXPECT_NEAR(least, -0.3, 1e-12);
    for (std::size_t i = 0; i < made.state.size(); ++i) {
        const bool in_zone = made.state.position[i].x + min.x < 0.05;
        EXPECT_EQ(made.state.velocity[i].x, in_zone ? 2 : 0);
    }
}

// Without walls the first fluid particle has the id 0, which is an id like any other.
TEST(OpenZonesSetup, ParticlesOfTheirMkMayBeTheFirstOfAll) {
    test::CaseText text;
    text.commands = R"(<setmkfluid mk="1"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/>
        <size x="1" y="2" z="1"/></drawbox><setmkfluid mk="0"/><drawbox><boxfill>left</boxfill>
        <point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>)";
    text.special = "<inout>" + zone_text(R"(<particles mkfluid="0" direction="right"/>)") + "</inout>";
    const Case definition = read_case_text(text.text(), "case.xml", {});
    std::vector<Diagnostic> diagnostics;
    const ParticleSet particles = generate_particles(definition, diagnostics);
    ASSERT_EQ(particles.blocks.at(0).mk_type, 0);
    const RunSetup setup = make_run_setup(definition, particles);
    const ParticleState state = make_initial_state(definition, particles, setup);
    EXPECT_EQ(state.created, 33U);
    std::vector<std::uint32_t> ids = state.id;
    std::ranges::sort(ids);
    for (std::uint32_t n = 0; n < 121 + 33; ++n) EXPECT_EQ(ids.at(n), n);
}

TEST(OpenZonesSetup, AboveTheSurfaceAndBelowTheBottomNothingIsMade) {
    const std::string surface = R"(<imposezsurf mode="0"><zsurf value="0.5"/><zbottom value="0.25"/></imposezsurf>)";
    EXPECT_EQ(make(zone_text(left, surface, 1)).state.size(), 110U + 3 * 4); // z = 0.3, 0.4, 0.5
    EXPECT_EQ(make(zone_text(left, surface, 0)).state.size(), 110U + 8 * 4); // all above the bottom
}

TEST(OpenZonesSetup, ASurfaceThatIsFoundIsLookedForInTheMiddle) {
    const auto of = [](const std::string& words) {
        return make(zone_text(left, "<imposezsurf mode=\"2\">" + words + "</imposezsurf>", 1));
    };
    const MadeZones made = of(R"(<zsurf0 value="0.5"/>)");
    const OpenZone& zone = made.setup.open.zones[0];
    const Vec3d gauge = zone.gauge + made.setup.domain.min;
    EXPECT_TRUE(zone.finds_surface);
    EXPECT_NEAR(gauge.x, 0.05, 1e-12);
    EXPECT_NEAR(gauge.z, 0, 1e-12);
    EXPECT_NEAR(made.setup.open.surfaces.at(0).z + made.setup.domain.min.z, 0.5, 1e-12);
    EXPECT_EQ(made.state.size(), 110U + 6 * 4); // z = 0 … 0.5
    EXPECT_EQ(of("").state.size(), 110U + 11 * 4);
    const MadeZones higher = of(R"(<zsurfmin value="0.3"/>)");
    EXPECT_NEAR(higher.setup.open.zones[0].gauge.z + higher.setup.domain.min.z, 0.3, 1e-12);
    EXPECT_THROW(of(R"(<zsurfmin value="1.5"/>)"), InputError);
    EXPECT_THROW(make(zone_text(R"(<box><point x="1.5" y="0" z="0"/><size x="0" y="0.3" z="0.5"/>
        <direction x="-1" y="0" z="0"/></box>)",
                                R"(<imposevelocity mode="0"><flowvelocity/><velocity v="24"/></imposevelocity>
        <imposezsurf mode="2"/>)",
                                0, false),
                      false),
                 InputError);
}

TEST(OpenZonesSetup, DensityIsHydrostaticUnderTheSurface) {
    const MadeZones made =
        make(zone_text(left, R"(<imposerhop mode="1"/><imposezsurf mode="0"><zsurf value="1"/></imposezsurf>)"));
    const sph::Constants& c = made.setup.constants;
    for (std::size_t i = 0; i < made.state.size(); ++i) {
        const Vec3d p = made.state.position[i] + made.setup.domain.min;
        if (p.x > 0.05) continue;
        const double pressure = c.b * (std::pow(double(made.state.density[i]) / c.rho0, c.gamma) - 1);
        EXPECT_NEAR(pressure, 9810 * (1 - p.z), 20) << p.z;
    }
}

TEST(OpenZonesSetup, LinesBoxesAndDiscsHaveAPointEverySpacing) {
    const std::string line = R"(<line><point x="1.5" z="0"/><point2 x="1.5" z="0.5"/><direction x="-2" z="0"/></line>)";
    const MadeZones of_line = make(zone_text(line));
    EXPECT_EQ(of_line.setup.open.zones[0].point_count, 6);
    EXPECT_EQ(of_line.setup.open.zones[0].direction, (Vec3d{-1, 0, 0}));
    EXPECT_EQ(of_line.state.created, 24U);
    EXPECT_EQ(of_line.state.size(), 121U + 24U);
    const std::string box = R"(<box><point x="1.5" y="0" z="0"/><size x="0" y="0.3" z="0.5"/>
        <direction x="-1" y="0" z="0"/></box>)";
    EXPECT_EQ(make(zone_text(box, "", 0, false), false).setup.open.zones[0].point_count, 4 * 6);
    const std::string disc = R"(<circle><point x="1.5" y="0" z="0.5"/><radius v="0.2"/>
        <direction x="-1" y="0.5" z="0"/></circle>)";
    EXPECT_EQ(make(zone_text(disc, "", 0, false), false).setup.open.zones[0].point_count, 13); // a² + b² <= 4
}

TEST(OpenZonesSetup, ZonesMayMakeAllTheFluidThereIs) {
    test::CaseText text;
    text.constants += R"(<speedsystem value="1"/>)";
    text.commands =
        R"(<setmkbound mk="0"/><drawline><point x="-0.5" y="0" z="0"/><point x="1" y="0" z="0"/></drawline>)";
    text.special = "<inout>" +
                   zone_text(R"(<line><point x="0" z="0.1"/><point2 x="0" z="0.5"/><direction x="1" z="0"/></line>)") +
                   "</inout>";
    Case definition = read_case_text(text.text(), "case.xml", {});
    const ParticleSet particles = generate_particles(definition, definition.diagnostics);
    EXPECT_FALSE(has_nothing_to_compute(definition, particles));
    ASSERT_EQ(definition.diagnostics.size(), 1U);
    EXPECT_NE(definition.diagnostics[0].message.find("what open boundaries create counts as mkfluid 0"),
              std::string::npos);
    ASSERT_EQ(particles.blocks.size(), 2U); // one more for what is created
    EXPECT_TRUE(particles.blocks[1].is_fluid());
    EXPECT_EQ(particles.blocks[1].mk, 1);
    EXPECT_EQ(particles.blocks[1].count, 0U);
    const RunSetup setup = make_run_setup(definition, particles);
    const ParticleState state = make_initial_state(definition, particles, setup);
    EXPECT_EQ(particles.size(), 16U);
    EXPECT_EQ(state.size(), 16U + 5 * 4);
    EXPECT_EQ(state.id.back(), 16U + 19);
}

// Fluid that is 1 m long, with a zone of four layers before its left end.
TEST(OpenZonesSetup, AZoneDoesNotReachBeyondAPeriodicSide) {
    const auto refusal = [](const std::string& period, const std::string& domain) {
        test::CaseText text;
        text.special = "<inout>" +
                       zone_text(R"(<line><point x="0" z="0"/><point2 x="0" z="1"/><direction x="1" z="0"/></line>)") +
                       "</inout>";
        text.parameters =
            "<parameter key=\"" + period + "\" value=\"0\"/><simulationdomain>" + domain + "</simulationdomain>";
        Case definition = read_case_text(text.text(), "case.xml", {});
        try {
            make_run_setup(definition, generate_particles(definition, definition.diagnostics));
        } catch (const InputError& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    const std::string beyond = refusal("XPeriodicIncZ", "");
    EXPECT_TRUE(beyond.starts_with("case.xml:")) << beyond;
    EXPECT_NE(beyond.find("reaches from x = -0.35 to 0.05 m, and the case is periodic in x from -0.05 to 1.05 m"),
              std::string::npos)
        << beyond;
    // h is 0.141 m: so far before the side the deepest layer ends.
    EXPECT_NE(refusal("XPeriodicIncZ", R"(<posmin x="-0.45"/><posmax x="2"/>)"), "");
    EXPECT_EQ(refusal("XPeriodicIncZ", R"(<posmin x="-0.5"/><posmax x="2"/>)"), "");
    EXPECT_EQ(refusal("ZPeriodicIncX", ""), "") << "across the direction it fits as it is drawn";
    EXPECT_NE(refusal("ZPeriodicIncX", R"(<posmin z="0.02"/><posmax z="default"/>)"), "");
}

TEST(OpenZonesSetup, TurnsTakePointsAndDirectionAlong) {
    const std::string line = R"(<line><point x="1.5" z="0"/><point2 x="1.5" z="0.5"/><direction x="-1" z="0"/>
        <rotate angle="90"/></line>)"; // about its first point, from z towards -x
    const MadeZones made = make(zone_text(line));
    const OpenZone& zone = made.setup.open.zones[0];
    EXPECT_NEAR(zone.direction.z, -1, 1e-12);
    const Vec3d last = made.setup.open.points.back() + made.setup.domain.min;
    EXPECT_NEAR(last.x, 1.0, 1e-12);
    EXPECT_NEAR(last.z, -0.05, 1e-12); // in the plane, half a spacing along the direction
}

TEST(OpenZonesSetup, FluidThatLiesInAZoneIsTakenAway) {
    const std::string line = R"(<line><point x="0.2" z="0"/><point2 x="0.2" z="1"/><direction x="1" z="0"/></line>)";
    EXPECT_EQ(make(zone_text(line)).state.size(), 121U - 33U + 44U); // x = 0, 0.1, 0.2 go, four layers come
}

TEST(OpenZonesSetup, AFlowIsSharedByThePoints) {
    const std::string box = R"(<box><point x="1.5" y="0" z="0"/><size x="0" y="0.3" z="0.5"/>
        <direction x="-1" y="0" z="0"/></box>)";
    const std::string flow =
        R"(<imposevelocity mode="0"><flowvelocity units="l/s" ratio="0.5"/><velocity v="24"/></imposevelocity>)";
    const MadeZones made = make(zone_text(box, flow, 0, false), false);
    EXPECT_NEAR(made.setup.open.velocities[0].speed[0], 0.024 / (24 * 0.5 * 0.01), 1e-12);
}

TEST(OpenZonesSetup, MorePointsThanAnyoneNeedsAreRefusedBeforeTheyAreMade) {
    const std::string box = R"(<box><point x="1.5" y="0" z="0"/><size x="0" y="400" z="400"/>
        <direction x="-1" y="0" z="0"/></box>)"; // 4001 x 4001
    try {
        make(zone_text(box, "", 0, false), false);
        FAIL() << "was taken";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("has 1.6008e+07 points, 1e7 are the most"), std::string::npos)
            << error.what();
    }
}

TEST(OpenZonesSetup, ReadsFilesAndSaysWhatIsWrong) {
    const TemporaryFolder folder;
    const auto made = [&](const std::string& content, const char* name = "velocityfile2") {
        std::ofstream(folder.path() / "v.csv") << content;
        return make(
            zone_text(left, std::string("<imposevelocity mode=\"1\"><") + name + " file=\"v.csv\"/></imposevelocity>"),
            true, folder.path());
    };
    const MadeZones good = made("#time;v;v2;z;z2\n0;1;2;0;1\n2;3;4;0;1\n");
    ASSERT_EQ(good.setup.open.velocities.size(), 2U);
    EXPECT_EQ(good.setup.open.velocities[1].speed[1], 4);
    EXPECT_NEAR(good.setup.open.velocities[1].z[1] + good.setup.domain.min.z, 1, 1e-12);
    EXPECT_THROW(made("0;1;2;0;1\n0;3;4;0;1\n"), InputError); // times do not go up
    EXPECT_THROW(made("0;1;2;1;1\n"), InputError);            // heights do not
    EXPECT_THROW(made("0;1\n"), InputError);
    EXPECT_THROW(made("#nothing\n", "velocityfile"), InputError);
    EXPECT_THROW(make(zone_text(R"(<particles mkfluid="5" direction="right"/>)")), InputError);
    EXPECT_THROW(make(zone_text(R"(<particles mkfluid="1" direction="top"/>)")), InputError); // along, not across
    EXPECT_THROW(
        make(zone_text(R"(<line><point x="1.5" z="0"/><point2 x="1.5" z="0.5"/><direction x="1" z="1"/></line>)")),
        InputError);
}
