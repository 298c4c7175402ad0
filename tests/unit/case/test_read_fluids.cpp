// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "case_text.h"
#include <gtest/gtest.h>

// What FlowType 2 makes of casedef/properties, and what several fluids refuse.

using namespace sluice;
using sluice::test::CaseText;

namespace {

const std::string water = R"(<property name="water"><rhop0 value="1000"/><gamma value="7"/><cs0 value="30"/>
<visco value="0.1"/><phasetype value="0"/></property>)";
const std::string air = R"(<property name="air"><rhop0 value="1.2"/><gamma value="1.4"/><cs0 value="200"/>
<visco value="0.05"/><phasetype value="1"/></property>)";
const std::string links = R"(<link mkbound="0" property="steel + water"/><link mkfluid="0" property="water"/>
<link mkfluid="1" property="air"/>)";

CaseText layers(const std::string& properties = water + air, const std::string& of = links) {
    CaseText t;
    t.casedef = "\n<properties>" + properties + "<links>" + of + "</links></properties>";
    t.parameters = R"(<parameter key="FlowType" value="2"/>)";
    return t;
}

std::string fluids_error(const CaseText& t) {
    try {
        read_case_text(t.text(), "case.xml", {});
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST(ReadFluids, FluidsHaveTheirPropertiesAndWallsThoseOfTheRun) {
    CaseText t = layers();
    t.parameters += R"(<parameter key="MPCoefficient" value="0.5"/><parameter key="Visco" value="0.7"/>)";
    const Case c = read_case_text(t.text(), "case.xml", {});
    ASSERT_EQ(c.fluids.size(), 2u);
    EXPECT_EQ(c.fluids[0].of, (FluidProperties{1000, 30, 7, 0.1}));
    EXPECT_EQ(c.fluids[1].of, (FluidProperties{1.2, 200, 1.4, 0.05}));
    EXPECT_EQ(c.fluids[1].mkfluid, 1);
    EXPECT_FALSE(c.fluids[0].is_gas);
    EXPECT_TRUE(c.fluids[1].is_gas);
    EXPECT_EQ(c.constants.rho0, 1000);
    EXPECT_EQ(c.constants.speed_sound, 30);
    EXPECT_EQ(c.parameters.visco, 0.1);
    EXPECT_EQ(c.parameters.gas_cohesion, 0.5);
    CaseText one = layers();
    one.parameters = "";
    EXPECT_TRUE(read_case_text(one.text(), "case.xml", {}).fluids.empty()); // FlowType 1
}

TEST(ReadFluids, WhatIsMissingOrCannotBeIsNamed) {
    EXPECT_NE(fluids_error(layers(water)).find("property air: no <property> of that name has rhop0"),
              std::string::npos);
    std::string without = air;
    without.replace(without.find("<cs0 value=\"200\"/>"), 18, "");
    EXPECT_NE(fluids_error(layers(water + without)).find("<property> air has no cs0"), std::string::npos)
        << fluids_error(layers(water + without));
    EXPECT_NE(fluids_error(layers(water + air, links + R"(<link mkfluid="1" property="water"/>)"))
                  .find("mkfluid 1 has a property already"),
              std::string::npos);
    std::string pushing = water;
    pushing.insert(pushing.find("<phasetype"), R"(<surfcoef value="-0.5"/>)");
    EXPECT_NE(fluids_error(layers(pushing + air)).find("surfcoef is -0.5, it must be 0 or more"), std::string::npos);
    CaseText walls = layers();
    walls.parameters += R"(<parameter key="Boundary" value="2"/>)";
    EXPECT_NE(fluids_error(walls).find("fluids of different density with Boundary 2"), std::string::npos)
        << fluids_error(walls);
}

TEST(ReadFluids, PhasesOfNonNewtonianFluidsMayDiffer) {
    CaseText t;
    t.special = R"(<nnphases><phase mkfluid="0"><visco value="0.1"/></phase>
<phase mkfluid="1"><rhop value="1200"/><visco value="0.2"/></phase></nnphases>)";
    const Case c = read_case_text(t.text(), "case.xml", {});
    ASSERT_EQ(c.fluids.size(), 2u);
    EXPECT_EQ(c.fluids[0].of.rho0, 1000);
    EXPECT_EQ(c.fluids[1].of.rho0, 1200);
    EXPECT_EQ(c.fluids[1].of.c0, 0); // that of the run
}
