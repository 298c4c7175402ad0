// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "case_text.h"
#include "temporary_folder.h"
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

// What special/moorings becomes, and what it refuses.

using namespace sluice;
using sluice::test::CaseText;

namespace {

/// Boxes of mkbound 45 and 50 that float.
CaseText with_moorings(const std::string& moorings, int step_algorithm = 2) {
    CaseText t;
    t.commands = "";
    for (const int mk : {0, 45, 50})
        t.commands +=
            "<setmkbound mk=\"" + std::to_string(mk) +
            R"("/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>)";
    t.casedef =
        R"(<floatings><floating mkbound="45" rhopbody="500"/><floating mkbound="50" rhopbody="500"/></floatings>)";
    t.special = "<moorings>\n" + moorings + "\n</moorings>";
    t.parameters = R"(<parameter key="StepAlgorithm" value=")" + std::to_string(step_algorithm) + R"("/>)";
    return t;
}

constexpr const char* floatings = R"(<savevtk_lines value="true"/><savecsv_points value="true"/>
<mooredfloatings><floating mkbound="45" comment="hull"/><floating mkbound="50"/><floating mkbound="0" active="false"/></mooredfloatings>)";

constexpr const char* options = R"(<solverOptions><waterDepth value="0.5"/></solverOptions>)";
constexpr const char* moored_bodies = R"(<bodies><body ref="45"><depth value="0.9"/></body><body ref="50"/></bodies>)";
constexpr const char* defaults =
    R"(<linedefault><ea value="2.9e3"/><diameter value="3.656E-3"/><massDenInAir value="0.0607"/></linedefault>)";
constexpr const char* plain_line =
    R"(<line><vesselconnection bodyref="50" x="0.5" y="0" z="-1"/><fixconnection x="-0.5" y="0" z="-1.5"/><length value="1"/><segments value="20"/></line>)";

/// `content`: of moordynplus, after what it always has.
std::string lines_of(const std::string& content, const std::string& name = "moordynplus") {
    return floatings + ("<" + name + "> % text\n") + options + moored_bodies + content + "</" + name + ">";
}
std::string one_line(const std::string& line) {
    return lines_of(std::string("<lines>") + defaults + line + "</lines>");
}

Case read_moorings_case(const std::string& moorings) {
    return read_case_text(with_moorings(moorings).text(), "case.xml", {});
}

std::string moorings_error(const std::string& moorings, int step_algorithm = 2) {
    try {
        read_case_text(with_moorings(moorings, step_algorithm).text(), "case.xml", {});
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

testing::AssertionResult says(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "\"" << text << "\" lacks \"" << part << "\"";
}

} // namespace

TEST(ReadMoorings, EveryWord) {
    const std::string content = R"(<solverOptions>
<waterDepth value="0.45"/><freesurface value="0.1"/><kBot value="1e6"/><cBot value="2e5"/><dtM value="0.001" auto="false"/>
<waveKin value="0"/><writeUnits value="yes"/><frictionCoefficient value="0.4"/><fricDamp value="150"/><statDynFricScale value="1.2"/>
<dtIC value="0.5"/><cdScaleIC value="2"/><threshIC value="0.01"/><tmaxIC value="3"/></solverOptions>
<bodies><body ref="45" comment="a"><depth value="0.9"/></body><body ref="50"/></bodies>
<connects><connect conref="7" x="1" y="2" z="3" M="4" V="0.5"/></connects>
<lines><linedefault><e value="2.76246e+08"/><diameter value="3.656e-3" units_comment="m"/><massDenInAir value="0.0607"/><ba value="-0.4"/>
<can value="1.1"/><cat value="0.2"/><cdn value="1.5"/><cdt value="0.06"/><breaktension value="500"/><outputFlags value="pt"/></linedefault>
<line>  %line 0
<vesselconnection bodyref="45" x="0.5" y="0" z="-1"/><connect conref="7"/><length value="1.5"/><segments value="20"/></line>
<line savedata="false"><vesselconnection bodyref="50" x="0" y="0" z="0"/><fixconnection bodyref="45" x="1" y="1" z="-1"/>
<length value="2"/><segments value="8"/><ea value="3e3"/><ba value="12"/><depth value="0.3"/><breaktension value="0"/><outputFlags value="-"/></line>
<line><connect conref="7"/><vesselconnection bodyref="50" x="0" y="0" z="0"/><length value="2"/><segments value="8"/></line></lines>
<savedata><time starTime="1" endTime="4" dtOut="0.01"/><tension value="true"/><force value="false"/><position value="1"/></savedata>)";
    const MooringsDef m = read_moorings_case(R"(<start value="4" ramptime="2"/>)" + std::string(floatings) +
                                             "<moordyn comment=\"x\">" + content + "</moordyn>")
                              .moorings;
    EXPECT_EQ(m.where->line, 15);
    EXPECT_EQ(m.bodies, (std::vector{45, 50}));
    EXPECT_EQ(m.start, 4);
    EXPECT_EQ(m.ramp, 2);
    EXPECT_EQ(m.water.surface, 0.1);
    EXPECT_EQ(m.water.bed_stiffness, 1e6);
    EXPECT_EQ(m.water.bed_damping, 2e5);
    EXPECT_EQ(m.water.friction, 0.4);
    EXPECT_EQ(m.water.friction_damping, 150);
    EXPECT_EQ(m.water.static_friction, 1.2);
    EXPECT_EQ(m.step, 1e-3);
    EXPECT_EQ(m.relaxation, 3);
    EXPECT_EQ(m.relaxation_window, 0.5);
    EXPECT_EQ(m.relaxation_change, 0.01);
    EXPECT_EQ(m.relaxation_drag, 2);
    ASSERT_EQ(m.connects.size(), 1u);
    EXPECT_EQ(m.connects[0].values.mass, 4);
    EXPECT_EQ(m.connects[0].values.volume, 0.5);
    EXPECT_EQ(m.connects[0].values.place, (Vec3d{1, 2, 3}));
    ASSERT_EQ(m.lines.size(), 3u);
    const MooringLineDef &first = m.lines[0], &second = m.lines[1];
    EXPECT_EQ(first.end[0].hold, LineHold::body);
    EXPECT_EQ(first.end[0].mkbound, 45);
    EXPECT_EQ(first.end[0].place, (Vec3d{0.5, 0, -1}));
    EXPECT_EQ(first.end[1].hold, LineHold::connect);
    EXPECT_EQ(first.end[1].place, (Vec3d{1, 2, 3}));
    EXPECT_EQ(first.depth, 0.9) << "of its body";
    EXPECT_EQ(first.values.length, 1.5);
    EXPECT_EQ(first.values.segments, 20);
    EXPECT_NEAR(first.values.stiffness, 2900, 0.1) << "e times the area";
    EXPECT_NEAR(first.values.damping, 0.4 * 1.5 / 20 * std::sqrt(first.values.stiffness * 0.0607), 1e-12);
    EXPECT_EQ(first.values.normal_added_mass, 1.1);
    EXPECT_EQ(first.values.tangential_added_mass, 0.2);
    EXPECT_EQ(first.values.normal_drag, 1.5);
    EXPECT_EQ(first.values.tangential_drag, 0.06);
    EXPECT_EQ(first.values.most_tension, 500);
    EXPECT_EQ(first.columns, "pt");
    EXPECT_TRUE(first.has_table);
    EXPECT_EQ(second.end[1].hold, LineHold::anchor);
    EXPECT_EQ(second.depth, 0.3) << "its own";
    EXPECT_EQ(second.values.stiffness, 3000) << "above linedefault";
    EXPECT_EQ(second.values.damping, 12);
    EXPECT_EQ(second.values.most_tension, 0);
    EXPECT_EQ(second.columns, "");
    EXPECT_FALSE(second.has_table);
    EXPECT_EQ(m.lines[2].depth, 0.45) << "waterDepth";
    EXPECT_TRUE(m.tables.tension && m.tables.position && !m.tables.force && !m.tables.velocity);
    EXPECT_EQ(m.tables.start, 1);
    EXPECT_EQ(m.tables.end, 4);
    EXPECT_EQ(m.tables.interval, 0.01);
}

TEST(ReadMoorings, DefaultsAreThoseOfTheField) {
    const MooringsDef m = read_moorings_case(one_line(plain_line)).moorings;
    EXPECT_EQ(m.water.bed_stiffness, 3e6);
    EXPECT_EQ(m.water.bed_damping, 3e5);
    EXPECT_EQ(m.water.friction_damping, 200);
    EXPECT_EQ(m.step, 1e-4);
    EXPECT_EQ(m.relaxation, 0);
    ASSERT_EQ(m.lines.size(), 1u);
    EXPECT_EQ(m.lines[0].depth, 0.5);
    EXPECT_NEAR(m.lines[0].values.damping, 0.8 / 20 * std::sqrt(2900 * 0.0607), 1e-12);
    EXPECT_EQ(m.lines[0].values.normal_drag, 1.6);
    EXPECT_TRUE(m.tables.force && m.tables.velocity);
    EXPECT_LT(m.tables.interval, 0);
    EXPECT_FALSE(read_moorings_case(one_line(plain_line)).moorings.file.size());
}

TEST(ReadMoorings, LinesMayStandInAFile) {
    const TemporaryFolder folder;
    const auto write = [&](const std::string& text) { std::ofstream(folder.path() / "lines.xml") << text; };
    const std::string lines =
        std::string("<moordyn>\n") + options + moored_bodies + "\n<lines>" + defaults + plain_line;
    const auto read = [&](const std::string& name) {
        return read_case_text(with_moorings(floatings + ("<moordynplus file=\"" + name + "\"/>")).text(),
                              folder.path() / "case.xml", {});
    };
    const auto error_of = [&](const std::string& name) -> std::string {
        try {
            read(name);
        } catch (const InputError& e) {
            return e.what();
        }
        return "";
    };
    write("<?xml version=\"1.0\"?>\n" + lines + "</lines></moordyn>");
    const Case c = read("lines.xml");
    EXPECT_EQ(c.moorings.file, "lines.xml");
    ASSERT_EQ(c.moorings.lines.size(), 1u);
    EXPECT_EQ(c.moorings.lines[0].where.line, 4);
    EXPECT_TRUE(says(c.moorings.lines[0].where.file, "lines.xml"));
    write("<case><special><moordynplus>" + lines.substr(9) + "</lines></moordynplus></special></case>");
    EXPECT_EQ(read("lines.xml").moorings.lines.size(), 1u) << "below the elements of a case";
    write("\n\n" + lines + "<line/></lines></moordyn>");
    EXPECT_TRUE(says(error_of("lines.xml"), "lines.xml:5: <line> has 0 ends"));
    write("<case/>");
    EXPECT_TRUE(says(error_of("lines.xml"), "has no <moordyn> or <moordynplus>"));
    EXPECT_TRUE(says(error_of("other.xml"), "other.xml is not there"));
    EXPECT_NE(error_of("../lines.xml"), "");
}

TEST(ReadMoorings, MistakesHaveALine) {
    const auto line_with = [](const std::string& replaced, const std::string& by) {
        std::string line = plain_line;
        line.replace(line.find(replaced), replaced.size(), by);
        return one_line(line);
    };
    EXPECT_TRUE(says(moorings_error(lines_of("")), "case.xml:17: <moordynplus> has no <lines>"));
    EXPECT_TRUE(says(moorings_error(floatings), "<moorings> has no lines"));
    EXPECT_TRUE(
        says(moorings_error(one_line(plain_line) + "<moordyn/>"), "its lines more than once, in lines 17 and 18"));
    EXPECT_TRUE(says(moorings_error("<mooredfloatings><floating mkbound=\"0\"/></mooredfloatings>"),
                     "mkbound 0 is not named in <floatings>"));
    EXPECT_TRUE(says(moorings_error("<mooredfloatings><floating mkbound=\"50\"/></mooredfloatings><moordyn>" +
                                    std::string(options) + moored_bodies + "</moordyn>"),
                     "<body> ref 45 is not named in <mooredfloatings>"));
    EXPECT_TRUE(
        says(moorings_error(line_with("bodyref=\"50\"", "bodyref=\"51\"")), "bodyref 51 is no body of <bodies>"));
    EXPECT_TRUE(says(moorings_error(line_with("bodyref=\"50\" ", "")), "<vesselconnection> has no attribute bodyref"));
    EXPECT_TRUE(says(moorings_error(line_with("<length value=\"1\"/>", "")), "has no <length>"));
    EXPECT_TRUE(says(moorings_error(line_with("<length value=\"1\"", "<length value=\"0\"")), "it must be above 0"));
    EXPECT_TRUE(says(moorings_error(line_with("value=\"20\"", "value=\"0\"")), "it must be a whole number from 1"));
    EXPECT_TRUE(
        says(moorings_error(line_with("<fixconnection x=\"-0.5\" y=\"0\" z=\"-1.5\"/>", "")), "<line> has 1 ends"));
    EXPECT_TRUE(
        says(moorings_error(line_with("<fixconnection x=\"-0.5\" y=\"0\" z=\"-1.5\"/>", "<connect conref=\"2\"/>")),
             "case.xml:18: <connect> conref 2 is not in <connects>"));
    EXPECT_TRUE(says(moorings_error(line_with("<segments", "<e value=\"1\"/><ea value=\"1\"/><segments")),
                     "has ea and e, which depend on each other"));
    EXPECT_TRUE(says(moorings_error(line_with("<segments", "<outputFlags value=\"px\"/><segments")), "the letter x"));
    EXPECT_TRUE(says(moorings_error(line_with("<segments", "<cdn value=\"-1\"/><segments")), "it must be 0 at least"));
    EXPECT_TRUE(says(moorings_error(lines_of("<lines>" + std::string(plain_line) + "</lines>")),
                     "<line> has no <diameter> above 0"));
    EXPECT_TRUE(says(moorings_error(lines_of("<lines/>")), "<lines> has no <line>"));
    EXPECT_TRUE(says(moorings_error("<strat value=\"1\"/>" + one_line(plain_line)), "did you mean start"));
    EXPECT_TRUE(says(moorings_error("<start value=\"-1\"/>"), "must not be negative"));
    EXPECT_TRUE(
        says(moorings_error(lines_of("<connects><connect conref=\"1\" x=\"0\" y=\"0\" z=\"0\"/><connect conref=\"1\" "
                                     "x=\"0\" y=\"0\" z=\"0\"/></connects>")),
             "conref 1 is that of line"));
    EXPECT_TRUE(says(moorings_error(lines_of("<savedata><time starTime=\"2\" endTime=\"1\"/></savedata><lines/>")),
                     "nor go back"));
}

TEST(ReadMoorings, WhatIsNotComputedIsRefusedByName) {
    EXPECT_TRUE(
        says(moorings_error(one_line(plain_line), 3), "<moorings> with StepAlgorithm 3 (staggered steps) is not"));
    std::string waves = one_line(plain_line);
    waves.replace(waves.find("</solverOptions>"), 0, "<waveKin value=\"1\"/>");
    EXPECT_TRUE(says(moorings_error(waves), "waves that lines feel"));
}

TEST(ReadMoorings, TheRecommendedSchemeTakesStepsThatMoveLines) {
    CaseText t = with_moorings(one_line(plain_line));
    t.parameters = "";
    CaseOverrides overrides;
    overrides.set = {{"Scheme", "recommended"}};
    EXPECT_EQ(read_case_text(t.text(), "case.xml", overrides).parameters.integrator, sph::Integrator::verlet);
    t.special = "";
    EXPECT_EQ(read_case_text(t.text(), "case.xml", overrides).parameters.integrator, sph::Integrator::staggered);
}
