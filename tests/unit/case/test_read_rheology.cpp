// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "case_text.h"
#include <gtest/gtest.h>

// What special/nnphases becomes, and what it refuses.

using namespace sluice;
using sluice::test::CaseText;

namespace {

CaseText thick_case(const std::string& children, const std::string& more = "") {
    CaseText t;
    t.special = "\n<nnphases>\n<phase mkfluid=\"0\">" + children + "</phase>\n</nnphases>" + more;
    return t;
}

Case read_thick(const CaseText& t) { return read_case_text(t.text(), "case.xml", {}); }

std::string thick_error(const CaseText& t) {
    try {
        read_thick(t);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

const std::string mud = R"(<rhop value="1000"/><visco value="0.1"/><tau_yield value="0.04"/><HBP_m value="10"/>
<HBP_n value="1.5"/><phasetype value="0"/>)";

} // namespace

TEST(ReadRheology, FluidsOfPhases) {
    CaseText t = thick_case(mud, R"(<nnphases active="0"><phase/></nnphases>)");
    t.parameters = R"(<parameter key="RheologyTreatment" value="2"/><parameter key="VelocityGradientType" value="1"/>
<parameter key="RelaxationDt" value="0.2"/><parameter key="ViscoTreatment" value="2"/>)";
    const Case c = read_thick(t);
    ASSERT_EQ(c.phases.size(), 1u);
    Rheology expected;
    expected.consistency = 0.1;
    expected.yield = 0.04;
    expected.regularisation = 10;
    expected.exponent = 1.5;
    EXPECT_EQ(c.phases[0].rheology, expected);
    EXPECT_EQ(c.phases[0].mkfluid, 0);
    EXPECT_EQ(c.parameters.viscosity, sph::ViscosityModel::apparent);

    expected.law = RheologyLaw::bi_viscous; // tau_max goes before tau_yield
    expected.yield = 1e-5;
    expected.bi_ratio = 20;
    EXPECT_EQ(read_thick(thick_case(mud + R"(<tau_max value="1e-5"/><Bi_multi value="20"/>)")).phases.at(0).rheology,
              expected);

    Rheology melt;
    melt.law = RheologyLaw::carreau_yasuda;
    melt.consistency = 2;
    melt.fast = 0.1;
    melt.relaxation = 3;
    melt.exponent = 0.5;
    melt.transition = 1.5;
    EXPECT_EQ(read_thick(thick_case(R"(<visco value="2"/><CY_visco_inf value="0.1"/><CY_lambda value="3"/>
<CY_n value="0.5"/><CY_a value="1.5"/>)"))
                  .phases.at(0)
                  .rheology,
              melt);
}

TEST(ReadRheology, MistakesAreToldWithTheirLine) {
    struct {
        CaseText text;
        std::string told;
    } const all[] = {
        {thick_case(R"(<tau_yield value="1"/>)"), "visco"},
        {thick_case(R"(<visco value="0"/>)"), "<phase> visco is 0, it must be above 0"},
        {thick_case(R"(<visco value="1"/><phasetype value="1"/>)"), "phasetype is 1"},
        {thick_case(R"(<visco value="1"/><HBP_n value="0.5"/>)"), "HBP_n is 0.5 and HBP_m is 0"},
        {thick_case(R"(<visco value="1"/><tau_max value="1"/>)"), "Bi_multi"},
        {thick_case(R"(<visco value="1"/><CY_n value="0.5"/>)"), "CY_n without CY_lambda"},
        {thick_case(R"(<visco value="1"/><CY_lambda value="1"/><HBP_m value="3"/>)"), "CY_lambda and HBP_m"},
        {thick_case(R"(<visco value="1"/><CY_lambda value="1"/><CY_n value="1.5"/>)"), "CY_n is 1.5"},
        {thick_case(R"(<visco value="1"/><CY_lambda value="1"/><CY_visco_inf value="2"/>)"), "CY_visco_inf is 2"},
        {thick_case(R"(<visco value="1"/><colour value="1"/>)"), "<phase> has no <colour>"},
        {thick_case(mud + "</phase>\n<phase mkfluid=\"0\">" + mud), "mkfluid 0 is that of line"},
        {thick_case(mud + "</phase>\n<fluid/><phase mkfluid=\"1\">" + mud), "<nnphases> has no <fluid>"},
    };
    for (const auto& [text, told] : all) {
        const std::string error = thick_error(text);
        EXPECT_NE(error.find(told), std::string::npos) << told << "\n" << error;
        EXPECT_NE(error.find("case.xml:"), std::string::npos) << error;
    }
}

TEST(ReadRheology, WhatRunsLack) {
    CaseText t = thick_case(mud);
    t.commands += R"(<setmkbound mk="6"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="1.2"/>
<size x="1" y="2" z="0.2"/></drawbox>)";
    EXPECT_EQ(thick_error(t), "");
    t.casedef = R"(<floatings><floating mkbound="6" rhopbody="500"/></floatings>)";
    EXPECT_NE(thick_error(t).find("<nnphases> with floating bodies is not supported"), std::string::npos);
}
