// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "case_text.h"
#include "core/error.h"
#include <functional>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

Case read_zones(const std::string& inout) {
    test::CaseText text;
    text.special = "<inout>" + inout + "</inout>";
    return read_case_text(text.text(), "case.xml", {});
}

const std::string shape = R"(<zone2d><particles mkfluid="0" direction="left"/></zone2d>)";
const std::string velocity = R"(<imposevelocity mode="0"><velocity v="2"/></imposevelocity>)";

/// A zone with some of its elements; those left out are good ones.
Case read_zone(const std::string& more, const std::string& of_shape = shape,
               const std::string& of_velocity = velocity) {
    return read_zones("<inoutzone><layers value=\"5\"/><inputtreatment value=\"1\"/>" + of_shape + of_velocity + more +
                      "</inoutzone>");
}

Case in_3d(const std::string& drawn, const std::string& flow) {
    test::CaseText text;
    text.definition =
        R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="1" z="2"/></definition>)";
    text.special = R"(<inout><useboxlimit value="false"><freecentre x="1" y="0" z="0"/></useboxlimit><inoutzone>
            <layers value="1"/><inputtreatment value="0"/><zone3d>)" +
                   drawn + "</zone3d>" + flow + "</inoutzone></inout>";
    return read_case_text(text.text(), "case.xml", {});
}

void expect_refused(const std::string& part, const std::function<void()>& read_it) {
    try {
        read_it();
        ADD_FAILURE() << "was read: " << part;
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
}

} // namespace

TEST(ReadOpenZones, EveryWordReachesItsPlace) {
    const Case c =
        read_zones(R"(<memoryresize size0="2" size="4"/><useboxlimit value="true"/><determlimit value="1e-3"/>
        <extrapolatemode value="1"/><refillingrate value="10"/>
        <inoutzone><refilling value="2"/><inputtreatment value="2"/><layers value="6"/>
        <zone2d><particles mkfluid="3" direction="right"/></zone2d>
        <imposevelocity mode="1"><velocitytimes3><timevalue time="0" v="1" v2="2" v3="3" z="4" z2="5" z3="6"/>
        <timevalue time="2" v="7" v2="8" v3="9" z="4" z2="5" z3="6"/></velocitytimes3></imposevelocity>
        <imposerhop mode="1"/><imposezsurf mode="1"><zsurftimes><timevalue time="1" zsurf="0.5"/></zsurftimes>
        <zbottom value="0.1"/><remove value="true"/></imposezsurf></inoutzone>)");
    EXPECT_EQ(c.open.least_determinant, 1e-3);
    ASSERT_EQ(c.open.zones.size(), 1U);
    const OpenZoneDef& zone = c.open.zones[0];
    EXPECT_EQ(zone.refilling, Refilling::advanced);
    EXPECT_EQ(zone.input, ZoneInput::remove);
    EXPECT_EQ(zone.layers, 6);
    EXPECT_EQ(zone.shape.mkfluid, 3);
    EXPECT_EQ(zone.shape.direction, (Vec3d{1, 0, 0}));
    EXPECT_EQ(zone.profile, 3);
    ASSERT_EQ(zone.velocities.size(), 2U);
    EXPECT_EQ(zone.velocities[1].speed[2], 9);
    EXPECT_EQ(zone.velocities[1].z[2], 6);
    EXPECT_EQ(zone.density, ZoneDensity::hydrostatic);
    EXPECT_EQ(zone.surfaces, (std::vector<ZoneSurface>{{1, 0.5}}));
    EXPECT_EQ(zone.bottom, 0.1);
    EXPECT_TRUE(zone.remove_above);
}

TEST(ReadOpenZones, WhatIsLeftOutHasItsDefault) {
    const OpenZoneDef zone = read_zone("").open.zones.at(0);
    EXPECT_EQ(zone.refilling, Refilling::below_surface);
    EXPECT_EQ(zone.density, ZoneDensity::reference);
    EXPECT_FALSE(zone.remove_above);
    EXPECT_EQ(zone.profile, 1);
    EXPECT_EQ(read_zone("", shape, R"(<imposevelocity mode="2"/>)").open.zones.at(0).profile, 0);
    for (const char* given : {R"(<velocity v="-2"/>)", R"(<velocity2 v="1" v2="2" z="0" z2="1"/>)",
                              R"(<velocitytimes><timevalue time="0" v="1"/></velocitytimes>)"}) {
        const Case read =
            read_zone("", shape, std::string(R"(<imposevelocity mode="2">)") + given + "</imposevelocity>");
        EXPECT_EQ(read.open.zones.at(0).profile, 0);
        EXPECT_TRUE(read.open.zones.at(0).velocities.empty());
        ASSERT_EQ(read.diagnostics.size(), 1U) << given;
        EXPECT_NE(read.diagnostics[0].message.find("has no effect: <imposevelocity mode=\"2\">"), std::string::npos);
    }
    EXPECT_TRUE(read_zones(R"(<inoutzone active="false"/>)" +
                           std::string("<inoutzone><layers value=\"1\"/><inputtreatment value=\"0\"/>") + shape +
                           velocity + "</inoutzone>")
                    .open.zones.size() == 1);
}

TEST(ReadOpenZones, ASurfaceMayBeFoundInTheFluid) {
    const auto search = [](const std::string& words) {
        return read_zone("<imposezsurf mode=\"2\"><savevtk value=\"true\"/>" + words + "</imposezsurf>")
            .open.zones.at(0)
            .surface_search.value();
    };
    const ZoneSurfaceSearch plain = search("");
    EXPECT_FALSE(plain.start || plain.lowest);
    EXPECT_DOUBLE_EQ(plain.fit, 0.05); // half of dp
    const ZoneSurfaceSearch all = search(R"(<zsurf0 value="1"/><zsurfmin value="0.8"/><zsurffit value="0.3"/>)");
    EXPECT_EQ(all.start, 1);
    EXPECT_EQ(all.lowest, 0.8);
    EXPECT_EQ(all.fit, 0.3);
    EXPECT_DOUBLE_EQ(search(R"(<zsurffit valuedp="2"/>)").fit, 0.2);
    expect_refused("zsurfmin 1 must be below zsurf0 0.5",
                   [&] { search(R"(<zsurf0 value="0.5"/><zsurfmin value="1"/>)"); });
    expect_refused("give one", [&] { search(R"(<zsurffit value="1" valuedp="1"/>)"); });
    expect_refused("no <zsurf>", [&] { search(R"(<zsurf value="1"/>)"); });
    expect_refused("horizontal", [] {
        read_zone(R"(<imposezsurf mode="2"/>)", R"(<zone2d><particles mkfluid="0" direction="top"/></zone2d>)");
    });
}

TEST(ReadOpenZones, SaysHowItTakesZonesThatLeaveFluidUnchanged) {
    const Case c =
        read_zones("<inoutzone><layers value=\"1\"/><inputtreatment value=\"0\"/>" + shape + velocity + "</inoutzone>");
    ASSERT_FALSE(c.diagnostics.empty());
    EXPECT_NE(c.diagnostics.back().message.find("inputtreatment"), std::string::npos);
    EXPECT_TRUE(read_zone("").diagnostics.empty());
}

TEST(ReadOpenZones, NamesWhatItCannotDo) {
    expect_refused("meshdata", [] {
        read_zone("", shape, R"(<imposevelocity mode="3"><meshdata file="v.csv"/></imposevelocity>)");
    });
}

TEST(ReadOpenZones, ReadsGridsAndJets) {
    const OpenZoneDef grid =
        read_zone("", shape, R"(<imposevelocity mode="3"><gridveldata file="g.csv"/><gridresetvelz value="true"/>
            <gridposzero x="1" z="2"/></imposevelocity>)")
            .open.zones.at(0);
    EXPECT_EQ(grid.grid_file, "g.csv");
    EXPECT_TRUE(grid.holds_level);
    EXPECT_EQ(grid.grid_corner, (Vec3d{1, 0, 2}));
    EXPECT_EQ(grid.profile, 0);
    expect_refused("gridveldata", [] { read_zone("", shape, R"(<imposevelocity mode="3"/>)"); });
    expect_refused("needs a zone of zone3d", [] {
        read_zone("", shape, R"(<imposevelocity mode="0"><jetcircle v="2" distance="1" radius="1"/></imposevelocity>)");
    });
    const Case jet =
        in_3d(R"(<circle><point x="0" y="0" z="0"/><radius v="0.2"/><direction x="1" y="0" z="0"/></circle>)",
              R"(<imposevelocity mode="0"><jetcircle v="2" distance="1" radius="0.5"/></imposevelocity>)");
    EXPECT_TRUE(jet.open.unlimited);
    EXPECT_EQ(jet.open.zones.at(0).velocities.at(0).speed[0], 2);
    EXPECT_EQ(jet.open.zones.at(0).jet->radius, 0.5);
    const std::string turned = R"(<particles mkfluid="0" direction="right"><rotateadv angle1="90" axes="ZYX">
        <center x="1" y="0" z="0"/></rotateadv></particles>)";
    const ZoneShape made = in_3d(turned, velocity).open.zones.at(0).shape;
    const Vec3d direction = made.turn.turned(made.direction), point = made.turn({2, 0, 0});
    EXPECT_NEAR(direction.y, 1, 1e-12); // right-handed about z, as rotateadv of the drawing commands
    EXPECT_NEAR(point.x, 1, 1e-12);
    EXPECT_NEAR(point.y, 1, 1e-12);
    expect_refused("beside <rotateaxis>", [&] {
        in_3d(
            R"(<particles mkfluid="0" direction="right"><rotateadv angle1="90"/><rotateaxis angle="1"><point1 x="0" y="0" z="0"/>
            <point2 x="0" y="1" z="0"/></rotateaxis></particles>)",
            velocity);
    });
}

TEST(ReadOpenZones, DirectionsHaveNames) {
    const auto direction = [](const std::string& name) {
        return in_3d("<particles mkfluid=\"0\" direction=\"" + name +
                         "\"><direction x=\"1\" y=\"2\" z=\"3\"/></particles>",
                     velocity)
            .open.zones.at(0)
            .shape.direction;
    };
    EXPECT_EQ(direction("left"), (Vec3d{-1, 0, 0}));
    EXPECT_EQ(direction("right"), (Vec3d{1, 0, 0}));
    EXPECT_EQ(direction("front"), (Vec3d{0, -1, 0}));
    EXPECT_EQ(direction("back"), (Vec3d{0, 1, 0}));
    EXPECT_EQ(direction("bottom"), (Vec3d{0, 0, -1}));
    EXPECT_EQ(direction("top"), (Vec3d{0, 0, 1}));
    EXPECT_EQ(direction("Custom"), (Vec3d{1, 2, 3}));
}

TEST(ReadOpenZones, AreTurnedAboutTheirFirstPointUnlessTheySayOtherwise) {
    const auto turned = [](const std::string& turn) {
        const ZoneShape made =
            read_zone("", R"(<zone2d><line><point x="1" z="2"/><point2 x="4" z="2"/><direction x="0" z="1"/>)" + turn +
                              "</line></zone2d>")
                .open.zones.at(0)
                .shape;
        return made.turn(made.point2);
    };
    const auto expect = [](const Vec3d& at, double x, double z) {
        EXPECT_NEAR(at.x, x, 1e-12);
        EXPECT_NEAR(at.z, z, 1e-12);
    };
    expect(turned(""), 4, 2);
    // from x to z
    expect(turned(R"(<rotate angle="90"/>)"), 1, 5);
    expect(turned(R"(<rotate angle="1.5707963267948966" anglesunits="Radians"/>)"), 1, 5);
    expect(turned(R"(<rotate angle="90" centerx="0"/>)"), 0, 6);
    expect(turned(R"(<rotate angle="90" centerz="0"/>)"), -1, 3);
}

TEST(ReadOpenZones, FlowsHaveTheirUnits) {
    const auto flow = [](const std::string& words) {
        return in_3d(R"(<particles mkfluid="0" direction="left"/>)",
                     "<imposevelocity mode=\"0\"><velocity v=\"2\"/><flowvelocity " + words + "/></imposevelocity>")
            .open.zones.at(0);
    };
    EXPECT_DOUBLE_EQ(flow("").flow_unit, 1e-3);
    EXPECT_DOUBLE_EQ(flow("").flow_ratio, 1);
    EXPECT_DOUBLE_EQ(flow("units=\"l/s\" ratio=\"0.5\"").flow_ratio, 0.5);
    EXPECT_DOUBLE_EQ(flow("units=\"gal/s\"").flow_unit, 0.003785411784);
    EXPECT_DOUBLE_EQ(flow("units=\"Gal/min\"").flow_unit, 0.003785411784 / 60);
    expect_refused("none of l/s, gal/s, gal/min", [&] { flow("units=\"m3/s\""); });
    expect_refused("ratio 0 must be positive", [&] { flow("ratio=\"0\""); });
}

TEST(ReadOpenZones, AGridStandsAtTheOriginUnlessItSaysOtherwise) {
    const auto corner = [](const std::string& words) {
        return read_zone("", shape,
                         R"(<imposevelocity mode="3"><gridveldata file="g.csv"/>)" + words + "</imposevelocity>")
            .open.zones.at(0);
    };
    EXPECT_EQ(corner(R"(<gridposzero x="1"/>)").grid_corner, (Vec3d{1, 0, 0}));
    EXPECT_EQ(corner(R"(<gridposzero z="2"/>)").grid_corner, (Vec3d{0, 0, 2}));
    EXPECT_EQ(corner("").grid_corner, (Vec3d{}));
    EXPECT_FALSE(corner("").holds_level);
    EXPECT_FALSE(corner("<gridresetvelz/>").holds_level);
}

TEST(ReadOpenZones, SaysWhatIsWrong) {
    expect_refused("refilling> 3", [] { read_zone(R"(<refilling value="3"/>)"); });
    expect_refused("imposerhop> mode 4", [] { read_zone(R"(<imposerhop mode="4"/>)"); });
    expect_refused("surface", [] { read_zone(R"(<imposerhop mode="1"/>)"); });
    expect_refused("needs gravity along -z", [] {
        test::CaseText text;
        text.constants = R"(<gravity x="-9.81" y="0" z="0"/><coefh value="1.0"/>)";
        text.special = "<inout><inoutzone><layers value=\"5\"/><inputtreatment value=\"1\"/>" + shape + velocity +
                       R"(<imposerhop mode="1"/><imposezsurf mode="0"><zsurf value="0.5"/></imposezsurf>)" +
                       "</inoutzone></inout>";
        read_case_text(text.text(), "case.xml", {});
    });
    expect_refused("zone3d", [] { read_zone("", R"(<zone3d><particles mkfluid="0" direction="left"/></zone3d>)"); });
    expect_refused("sideways",
                   [] { read_zone("", R"(<zone2d><particles mkfluid="0" direction="sideways"/></zone2d>)"); });
    expect_refused("velocity", [] { read_zone("", shape, R"(<imposevelocity mode="0"/>)"); });
    expect_refused("both", [] {
        read_zone(
            "", shape,
            R"(<imposevelocity mode="0"><velocity v="1"/><velocity2 v="1" v2="2" z="0" z2="1"/></imposevelocity>)");
    });
    expect_refused("does not come after", [] {
        read_zone("", shape, R"(<imposevelocity mode="1"><velocitytimes><timevalue time="1" v="1"/>
            <timevalue time="1" v="2"/></velocitytimes></imposevelocity>)");
    });
    expect_refused("no <speed>", [] { read_zone("<speed/>"); });
    expect_refused("no <inoutzone>", [] { read_zones(""); });
    expect_refused("<imposevelocity> has no <speed>", [] {
        in_3d(R"(<circle><point x="0" y="0" z="0"/><radius v="0.2"/><direction x="1" y="0" z="0"/></circle>)",
              R"(<imposevelocity mode="0"><jetcircle v="2" distance="1" radius="0.5"/><speed/></imposevelocity>)");
    });
    expect_refused("<imposevelocity> has no <flowvelocity>", [] {
        read_zone("", shape, R"(<imposevelocity mode="2"><flowvelocity units="l/s"/></imposevelocity>)");
    });
    for (const char* height : {"zsurf0", "zsurfmin", "zsurffit"})
        expect_refused(std::string("<") + height + "> has no attribute above", [&] {
            read_zone(std::string(R"(<imposezsurf mode="2"><)") + height + R"( value="0.5" above="1"/></imposezsurf>)");
        });
    expect_refused("flowvelocity", [] {
        read_zone("", shape, R"(<imposevelocity mode="0"><flowvelocity/><velocity v="1"/></imposevelocity>)");
    });
}
