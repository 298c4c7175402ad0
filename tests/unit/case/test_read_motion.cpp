// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "case_text.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

namespace {

CaseOverrides reading_on() {
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    return overrides;
}

/// The elements of <motion> begin on line 7.
Case read_motion(const std::string& motion) {
    CaseText text;
    text.casedef = "<motion>" + motion + "</motion>";
    return read_case_text(text.text(), "case.xml", reading_on());
}

std::string error_of(const std::string& motion) {
    try {
        read_motion(motion);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

void expect_refused_motion(const std::string& motion, const std::string& part) {
    EXPECT_NE(error_of(motion).find(part), std::string::npos) << error_of(motion) << "\n  instead of " << part;
}

const std::string step = R"(<mvrect id="1" duration="1"><vel x="1" y="0" z="0"/></mvrect>)";
const std::string begin = R"(<begin mov="1" start="0"/>)";

std::string object(const std::string& content) { return "<objreal ref=\"3\">" + content + "</objreal>"; }

} // namespace

TEST(ReadMotion, ObjectsAreNestedAndParentsComeFirst) {
    const Case c = read_motion("<obj>" + begin + step +
                               R"(<objreal ref="15"><objreal ref="16"/></objreal></obj><objreal ref="2"/>)");
    ASSERT_EQ(c.motion.size(), 4u);
    EXPECT_EQ(c.motion[0].mkbound, -1);
    EXPECT_FALSE(c.motion[0].parent);
    EXPECT_EQ(c.motion[1].mkbound, 15);
    EXPECT_EQ(c.motion[1].parent, 0);
    EXPECT_EQ(c.motion[2].mkbound, 16);
    EXPECT_EQ(c.motion[2].parent, 1);
    EXPECT_FALSE(c.motion[3].parent);
    EXPECT_TRUE(c.motion[0].acts());
    EXPECT_FALSE(c.motion[1].acts());
}

TEST(ReadMotion, NumbersMayBeExpressions) {
    const Case c = read_motion(object(R"(<begin mov="1" start="#1/4" finish="-1"/>
<mvrectace id="1" duration="#2*3" next="1"><velini x="#1+1" y="0" z="0"/><ace x="#Dp" y="0" z="0"/></mvrectace>)"));
    const MotionObject& o = c.motion.at(0);
    EXPECT_EQ(o.begins.at(0).start, 0.25);
    EXPECT_FALSE(o.begins[0].finish); // a negative finish is none
    EXPECT_EQ(o.steps.at(0).duration, 6);
    EXPECT_EQ(o.steps[0].next, 1);
    EXPECT_EQ(o.steps[0].law.rate, (Vec3d{2, 0, 0}));
    EXPECT_EQ(o.steps[0].law.acceleration, (Vec3d{0.1, 0, 0}));
    EXPECT_FALSE(o.steps[0].continues);
}

TEST(ReadMotion, StillStepsHaveNoLaw) {
    const Case c =
        read_motion(object(R"(<begin mov="1" start="0"/><wait id="1" duration="2" next="2"/><mvnull id="2"/>)"));
    EXPECT_FALSE(c.motion.at(0).steps.at(0).moves);
    EXPECT_FALSE(c.motion[0].steps.at(1).moves);
    EXPECT_FALSE(c.motion[0].acts());
}

TEST(ReadMotion, FileNamesItsColumns) {
    const Case c = read_motion(object(
        begin +
        R"(<mvpredef id="1" duration="1"><file name="sub\m.dat" fields="4" fieldtime="3" fieldx="2" fieldz="0"/></mvpredef>)"));
    const SeriesFile& file = c.motion.at(0).steps.at(0).file.value();
    EXPECT_EQ(file.name, "sub/m.dat");
    EXPECT_EQ(file.fields, 4);
    EXPECT_EQ(file.time, 3);
    EXPECT_EQ(file.value, (std::array<int, 3>{2, -1, 0}));
    const auto of_angles = [](const std::string& columns) {
        const std::string step = R"(<mvrotfile id="1" duration="1"><file name="m.dat" )" + columns +
                                 R"(/><axisp1 x="0" y="0" z="0"/><axisp2 x="0" y="1" z="0"/></mvrotfile>)";
        const SeriesFile read = read_motion(object(begin + step)).motion.at(0).steps.at(0).file.value();
        return std::array{read.fields, read.time, read.value[0]};
    };
    EXPECT_EQ(of_angles(""), (std::array{2, 0, 1}));
    EXPECT_EQ(of_angles(R"(fields="2")"), (std::array{2, 0, 1}));
    EXPECT_EQ(of_angles(R"(fields="4" fieldtime="3" fieldang="2")"), (std::array{4, 3, 2}));
}

TEST(ReadMotion, MistakesAreNamedWithTheirLine) {
    expect_refused_motion("\n<objmoving ref=\"1\"/>", "case.xml:8: <motion> has no <objmoving>");
    expect_refused_motion(object(begin + step + "\n<mvspiral id=\"2\" duration=\"1\"/>"),
                          "case.xml:8: <motion> has no <mvspiral>");
    expect_refused_motion(object("<begin mov=\"2\" start=\"0\"/>" + step), "mov 2: the object has no step of this id");
    expect_refused_motion(object("<begin mov=\"1\" start=\"-1\"/>" + step), "start -1 is before the run");
    expect_refused_motion(object(begin + step + step), "id 1 is that of the step in line 7 too");
    expect_refused_motion(object(begin + step) + object(begin + step), "ref 3 is moved by the one in line 7 too");
    expect_refused_motion(R"(<objreal ref="240"/>)", "ref 240 is outside 0…239");
    const auto rect = [&](const std::string& attributes, const std::string& content) {
        return object(begin + "<mvrect id=\"1\" " + attributes + ">" + content + "</mvrect>");
    };
    const std::string vel = R"(<vel x="1" y="0" z="0"/>)";
    expect_refused_motion(rect("", vel), "duration");
    expect_refused_motion(rect("duration=\"1\" next=\"7\"", vel), "next 7: the object has no step of this id");
    expect_refused_motion(rect("duration=\"1\" speed=\"2\"", vel), "<mvrect> has no attribute speed");
    expect_refused_motion(rect("duration=\"1\" anglesunits=\"grad\"", vel), "neither degrees nor radians");
    expect_refused_motion(rect("duration=\"1\"", ""), "<mvrect> has no <vel>");
    expect_refused_motion(rect("duration=\"1\"", vel + "<ace x=\"1\" y=\"0\" z=\"0\"/>"), "<mvrect> has no <ace>");
    expect_refused_motion(rect("duration=\"1\"", R"(<vel x="1" y="0"/>)"), "z");
    expect_refused_motion(rect("duration=\"1\"", R"(<vel x="1" y="0" z="0" w="0"/>)"), "<vel> has no attribute w");
    expect_refused_motion(object(begin + R"(<wait id="1" duration="-1"/>)"), "<wait> duration -1 is negative");
    expect_refused_motion(
        object(
            begin +
            R"(<mvrot id="1" duration="1"><vel ang="1"/><axisp1 x="1" y="2" z="3"/><axisp2 x="1" y="2" z="3"/></mvrot>)"),
        "axisp1 and axisp2 are the same");
    const auto file = [&](const std::string& attributes) {
        return object(begin + "<mvfile id=\"1\" duration=\"1\"><file " + attributes + "/></mvfile>");
    };
    expect_refused_motion(file(R"(name="m.dat" fields="2" fieldtime="2" fieldx="1")"), "fieldtime 2 is outside 0…1");
    expect_refused_motion(file(R"(name="m.dat" fields="2" fieldtime="0")"), "name at least one");
    expect_refused_motion(file(R"(name="../m.dat" fields="2" fieldtime="0" fieldx="1")"),
                          "lies outside the folder of the case");
}

TEST(ReadMotion, MotionAlongAPathOfAnglesIsRefusedByName) {
    const Case c = read_motion(object(begin + R"(<mvpathfile id="1" duration="1"><file name="p.dat"/></mvpathfile>)"));
    ASSERT_FALSE(c.unsupported_in_run.empty());
    EXPECT_EQ(c.unsupported_in_run.back().name, "<mvpathfile>");
}

TEST(ReadMotion, ObjectWithoutABeginIsWarnedOf) {
    EXPECT_EQ(read_motion(object(step)).diagnostics.size(), 1u);
    EXPECT_EQ(read_motion(object(begin + step)).diagnostics.size(), 0u);
}

TEST(ReadMotion, ProcessedCaseNumbersItsMovingParticles) {
    const std::string motion = R"(<motion><objreal ref="1">)" + begin + step + "</objreal></motion>";
    const auto processed = [&](const std::string& blocks, const std::string& casedef) {
        CaseText text;
        text.casedef = casedef;
        std::string xml = text.text();
        xml.insert(xml.find("</execution>"), "<particles np=\"2\">" + blocks + "</particles>" + motion);
        return read_case_text(xml, "case.xml", reading_on());
    };
    const std::string blocks = R"(<moving mkbound="10" mk="20" begin="0" count="1" refmotion="0"/>
<moving mkbound="14" mk="24" begin="1" count="1" refmotion="1"/>)";
    const Case c = processed(blocks, "");
    ASSERT_EQ(c.motion.size(), 1u);
    EXPECT_EQ(c.motion[0].mkbound, 14);
    EXPECT_EQ(processed(blocks, "<motion>" + object(begin + step) + "</motion>").motion.at(0).mkbound, 3);
    EXPECT_THROW(processed("", ""), InputError);
}
