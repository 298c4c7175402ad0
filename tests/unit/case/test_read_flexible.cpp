// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "case_text.h"
#include <gtest/gtest.h>

// What special/flexstrucs becomes, and what it refuses.

using namespace sluice;
using sluice::test::CaseText;

namespace {

constexpr const char* rubber = R"(<density value="1161.54"/><youngmod value="3.5e6"/><poissratio value="0.49"/>)";

/// Boxes: mkbound 2 to 4 with <mvnull>, 5 that moves, 6 that floats, 7 that rests. The bodies begin on line 20.
CaseText flexible_case(const std::string& bodies) {
    CaseText t;
    t.commands = "";
    for (int mk = 2; mk <= 7; ++mk)
        t.commands +=
            "<setmkbound mk=\"" + std::to_string(mk) +
            R"("/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>)";
    t.casedef = R"(<floatings><floating mkbound="6" rhopbody="500"/></floatings><motion>)";
    for (const char* mk : {"2", "3", "4"})
        t.casedef += std::string("<objreal ref=\"") + mk + R"("><begin mov="1" start="0"/><mvnull id="1"/></objreal>)";
    t.casedef +=
        R"(<objreal ref="5"><begin mov="1" start="0"/><mvrect id="1" duration="1"><vel x="1" y="0" z="0"/></mvrect></objreal></motion>)";
    t.special = "<flexstrucs>\n" + bodies + "\n</flexstrucs>";
    t.parameters = R"(<parameter key="StepAlgorithm" value="2"/>)";
    return t;
}

Case read_flexible(const CaseText& t) { return read_case_text(t.text(), "case.xml", {}); }

std::string flexible_error(const CaseText& t) {
    try {
        read_flexible(t);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

std::string body(const std::string& attributes, const std::string& children = rubber) {
    return "<flexstrucbody " + attributes + ">" + children + "</flexstrucbody>";
}

} // namespace

TEST(ReadFlexible, BodiesAndWhatTheyAreMadeOf) {
    const Case c =
        read_flexible(flexible_case(body(R"(mkbound="2-3" mkclamp="7,5")",
                                         std::string(rubber) + R"(<constitmodel value="2"/><hgfactor value="0.1"/>)") +
                                    body(R"(mkbound="4")", std::string(rubber) + R"(<damping value="3"/>)")));
    ASSERT_EQ(c.flexible.size(), 3u);
    EXPECT_EQ(c.flexible[0].mkbound, 2);
    EXPECT_EQ(c.flexible[1].mkbound, 3);
    EXPECT_EQ(c.flexible[1].clamps, (std::vector{7, 5}));
    EXPECT_EQ(c.flexible[1].material, (ElasticMaterial{1161.54, 3.5e6, 0.49, 0.1, 0, StressState::plane_stress}));
    EXPECT_TRUE(c.flexible[2].clamps.empty());
    EXPECT_EQ(c.flexible[2].material, (ElasticMaterial{1161.54, 3.5e6, 0.49, 0.1, 3, StressState::plane_strain}));
}

TEST(ReadFlexible, NothingWhereItIsSwitchedOff) {
    EXPECT_TRUE(read_flexible(flexible_case(body(R"(mkbound="2" mkclamp="7" active="false")"))).flexible.empty());
}

TEST(ReadFlexible, InThreeDimensionsItIsFull) {
    CaseText t = flexible_case(body(R"(mkbound="2" mkclamp="7")"));
    t.definition = R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="1" z="2"/></definition>)";
    EXPECT_EQ(read_flexible(t).flexible.at(0).material.state, StressState::full);
    t.special =
        "<flexstrucs>" + body(R"(mkbound="2")", std::string(rubber) + R"(<constitmodel value="1"/>)") + "</flexstrucs>";
    EXPECT_NE(flexible_error(t).find("constitmodel 1 is for 2-D, and the case is 3-D: take 3"), std::string::npos);
}

TEST(ReadFlexible, MistakesAreToldWithTheirLine) {
    const auto made_of = [](const std::string& density, const std::string& young, const std::string& poisson,
                            const std::string& more = "") {
        return body(R"(mkbound="2" mkclamp="7")", "<density value=\"" + density + "\"/><youngmod value=\"" + young +
                                                      "\"/><poissratio value=\"" + poisson + "\"/>" + more);
    };
    struct {
        std::string bodies, told;
    } const all[] = {
        {made_of("0", "1e6", "0.3"), "<flexstrucbody> density is 0, it must be above 0"},
        {made_of("1000", "-1", "0.3"), "youngmod is -1, it must be above 0"},
        {made_of("1000", "1e6", "0.5"), "poissratio is 0.5, it must be above -1 and below 0.5"},
        {made_of("1000", "1e6", "0.6", R"(<constitmodel value="2"/>)"), "it must be above -1 and at most 0.5"},
        {made_of("1000", "1e6", "-1"), "poissratio is -1"},
        {made_of("1000", "1e6", "0.3", R"(<constitmodel value="3"/>)"),
         "constitmodel 3 is for 3-D, and the case is 2-D"},
        {made_of("1000", "1e6", "0.3", R"(<constitmodel value="4"/>)"), "a whole number from 1 to 3"},
        {made_of("1000", "1e6", "0.3", R"(<hgfactor value="-0.1"/>)"), "hgfactor is -0.1, it must be 0 at least"},
        {made_of("1000", "1e6", "0.3", R"(<damping value="-1"/>)"), "damping is -1, it must be 0 at least"},
        {made_of("1000", "1e6", "0.3", R"(<young value="1"/>)"), "<flexstrucbody> has no <young>"},
        {body(R"(mkbound="2")", R"(<density value="1"/>)"), "youngmod"},
        {"<body/>", "<flexstrucs> has no <body>, it knows <flexstrucbody>"},
        {body(R"(mkbound="7")"), R"(mkbound 7 is not named in <motion>: add <objreal ref="7"> with <mvnull>)"},
        {body(R"(mkbound="5")"), "mkbound 5 is moved by line"},
        {body(R"(mkbound="6")"), "mkbound 6 is named in <floatings>"},
        {body(R"(mkbound="2")") + "\n" + body(R"(mkbound="2")"), "mkbound 2 is that of line"},
        {body(R"(mkbound="2" mkclamp="3")") + body(R"(mkbound="3")"), "mkclamp 3 is flexible itself"},
    };
    for (const auto& [bodies, told] : all) {
        const std::string error = flexible_error(flexible_case(bodies));
        EXPECT_NE(error.find(told), std::string::npos) << bodies << "\n" << error;
        EXPECT_NE(error.find("case.xml:"), std::string::npos) << error;
    }
}

TEST(ReadFlexible, WhatRunsLack) {
    CaseText t = flexible_case(body(R"(mkbound="2" mkclamp="7")"));
    EXPECT_EQ(flexible_error(t), "");
    t.parameters = R"(<parameter key="StepAlgorithm" value="3"/>)";
    EXPECT_NE(flexible_error(t).find("<flexstrucs> with StepAlgorithm 3"), std::string::npos);
    t.parameters = R"(<parameter key="StepAlgorithm" value="2"/><parameter key="XPeriodicIncZ" value="0"/>)";
    EXPECT_NE(flexible_error(t).find("<flexstrucs> with periodic sides"), std::string::npos);
    CaseText borne = flexible_case(body(R"(mkbound="2" mkclamp="6")"));
    EXPECT_EQ(flexible_error(borne), "");
    borne.parameters = R"(<parameter key="StepAlgorithm" value="2"/><parameter key="RigidAlgorithm" value="3"/>)";
    EXPECT_NE(flexible_error(borne).find("mkclamp 6 (a clamp that floats) with RigidAlgorithm 3"), std::string::npos);
    borne.parameters = R"(<parameter key="StepAlgorithm" value="1"/>)";
    EXPECT_NE(flexible_error(borne).find("mkclamp 6 (a clamp that floats) with Verlet steps"), std::string::npos);
}
