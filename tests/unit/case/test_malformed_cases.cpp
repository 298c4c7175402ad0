// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"

#include "case_text.h"
#include "test_name.h"
#include <gtest/gtest.h>

using namespace sluice;
using sluice::test::CaseText;

namespace {

/// A case with one mistake, the line of it and what the message must say.
struct Malformed {
    const char* title;
    void (*spoil)(CaseText&);
    const char* place; ///< "case.xml:LINE: " or how the message begins
    const char* says;
    friend void PrintTo(const Malformed& mistake, std::ostream* out) { *out << mistake.title; }
};

const Malformed mistakes[] = {
    {"unknown constant", [](CaseText& t) { t.constants += "\n<rhop value=\"1\"/>"; },
     "case.xml:5: ", "did you mean rhop0?"},
    {"constant twice", [](CaseText& t) { t.constants += "\n<coefh value=\"2\"/>"; },
     "case.xml:5: ", "given twice (first on line 4)"},
    {"definition twice", [](CaseText& t) { t.definition += "\n" + t.definition; },
     "case.xml:10: ", "<definition> is given twice in <geometry> (first on line 9)"},
    {"box with two points",
     [](CaseText& t) {
         t.commands = "<setmkfluid mk=\"0\"/><drawbox><boxfill>solid</boxfill><point x=\"0\" y=\"0\" z=\"0\"/>\n"
                      "<point x=\"1\" y=\"0\" z=\"0\"/><size x=\"1\" y=\"1\" z=\"1\"/></drawbox>";
     },
     "case.xml:14: ", "<point> is given twice in <drawbox> (first on line 13)"},
    {"two constantsdef", [](CaseText& t) { t.casedef = "<constantsdef><coefh value=\"2\"/></constantsdef>\n"; },
     "case.xml:7: ", "<constantsdef> is given twice in <casedef>"},
    {"UTF-16", [](CaseText& t) { t.mkconfig += std::string("\0", 1); }, "case.xml: ", "UTF-8"},
    {"attributes without end",
     [](CaseText& t) {
         t.constants += "\n<gamma ";
         for (int n = 0; n < 1001; ++n) t.constants += "a" + std::to_string(n) + "=\"\" ";
         t.constants += "/>";
     },
     "case.xml:5: ", "more than a thousand attributes"},
    {"coefh and hdp", [](CaseText& t) { t.constants += "\n<hdp value=\"2\"/>"; },
     "case.xml:5: ", "contradict each other"},
    {"no smoothing length", [](CaseText& t) { t.constants = "<rhop0 value=\"1\"/>"; }, "case.xml:3: ", "add coefh"},
    {"negative density", [](CaseText& t) { t.constants += "\n<rhop0 value=\"-1000\"/>"; },
     "case.xml:5: ", "rhop0 must be positive (-1000)"},
    {"no number", [](CaseText& t) { t.constants += "\n<gamma value=\"seven\"/>"; },
     "case.xml:5: ", "\"seven\" is not a number"},
    {"decimal comma", [](CaseText& t) { t.constants += "\n<gamma value=\"7,0\"/>"; },
     "case.xml:5: ", "\"7,0\" is not a number"},
    {"not finite", [](CaseText& t) { t.constants += "\n<gamma value=\"nan\"/>"; },
     "case.xml:5: ", "not a finite number"},
    {"gravity without z", [](CaseText& t) { t.constants = "<coefh value=\"1\"/>\n<gravity x=\"0\" y=\"0\"/>"; },
     "case.xml:5: ", "no attribute z"},
    {"rhopgradient", [](CaseText& t) { t.constants += "\n<rhopgradient value=\"4\"/>"; },
     "case.xml:5: ", "must be 1, 2 or 3 (4)"},
    {"cfl", [](CaseText& t) { t.constants += "\n<cflnumber value=\"2\"/>"; }, "case.xml:5: ", "must not exceed 1 (2)"},
    {"mkconfig", [](CaseText& t) { t.mkconfig = "<mkconfig boundcount=\"70000\" fluidcount=\"9\"/>"; },
     "case.xml:6: ", "65534"},
    {"mkconfig at its limit", [](CaseText& t) { t.mkconfig = "<mkconfig boundcount=\"65533\" fluidcount=\"2\"/>"; },
     "case.xml:6: ", "boundcount (65533) and fluidcount (2) must be positive and at most 65534 together"},
    {"mkconfig far beyond it",
     [](CaseText& t) { t.mkconfig = "<mkconfig boundcount=\"999999999\" fluidcount=\"999999999\"/>"; },
     "case.xml:6: ", "65534 together"},
    {"expands of a bathymetry",
     [](CaseText& t) {
         t.commands =
             "<drawbathymetry><zpoints file=\"b.xyz\"/><grid dp=\"0.5\"><expands>\n<xmim size=\"1\"/></expands>"
             "</grid></drawbathymetry>";
     },
     "case.xml:14: ", "xmim"},
    {"no definition", [](CaseText& t) { t.definition = ""; }, "case.xml:7: ", "no <definition>"},
    {"no dp", [](CaseText& t) { t.definition = "<definition><pointmin x=\"0\" y=\"0\" z=\"0\"/></definition>"; },
     "case.xml:9: ", "no attribute dp"},
    {"negative dp", [](CaseText& t) { t.definition.replace(t.definition.find("0.1"), 3, "-.1"); },
     "case.xml:9: ", "dp must be positive (-0.1)"},
    {"absurd dp", [](CaseText& t) { t.definition.replace(t.definition.find("0.1"), 3, "1e-9"); },
     "case.xml:9: ", "use a larger dp"},
    {"definition upside down",
     [](CaseText& t) {
         t.definition = "<definition dp=\"0.1\"><pointmin x=\"0\" y=\"0\" z=\"1\"/><pointmax x=\"1\" y=\"0\" "
                        "z=\"0\"/></definition>";
     },
     "case.xml:9: ", "pointmin is above pointmax on axis z"},
    {"flat lattice",
     [](CaseText& t) {
         t.definition = "<definition dp=\"0.1\"><pointmin x=\"0\" y=\"0\" z=\"1\"/><pointmax x=\"0\" y=\"1\" "
                        "z=\"2\"/></definition>";
     },
     "case.xml:9: ", "no extent on axis x"},
    {"no pointmax",
     [](CaseText& t) { t.definition = "<definition dp=\"0.1\"><pointmin x=\"0\" y=\"0\" z=\"1\"/></definition>"; },
     "case.xml:9: ", "no <pointmax>"},
    {"unknown command", [](CaseText& t) { t.commands = "<drawbocks/>"; }, "case.xml:13: ", "did you mean drawbox?"},
    {"unknown boxfill",
     [](CaseText& t) {
         t.commands = "<setmkfluid mk=\"0\"/>\n<drawbox><boxfill>up</boxfill><point x=\"0\" y=\"0\" z=\"0\"/><size "
                      "x=\"1\" y=\"1\" z=\"1\"/></drawbox>";
     },
     "case.xml:14: ", "boxfill \"up\" is unknown"},
    {"box without size",
     [](CaseText& t) {
         t.commands =
             "<setmkfluid mk=\"0\"/>\n<drawbox><boxfill>all</boxfill><point x=\"0\" y=\"0\" z=\"0\"/></drawbox>";
     },
     "case.xml:14: ", "no <size>"},
    {"box with size and endpoint",
     [](CaseText& t) {
         t.commands = "<setmkfluid mk=\"0\"/>\n<drawbox><boxfill>all</boxfill><point x=\"0\" y=\"0\" z=\"0\"/><size "
                      "x=\"1\" y=\"1\" z=\"1\"/><endpoint x=\"1\" y=\"1\" z=\"1\"/></drawbox>";
     },
     "case.xml:14: ", "both size and endpoint"},
    {"unknown list", [](CaseText& t) { t.commands = "<runlist name=\"walls\"/>"; },
     "case.xml:13: ", "there is no <list name=\"walls\">"},
    {"list that calls itself",
     [](CaseText& t) {
         t.commands = "<runlist name=\"a\"/></mainlist>\n<list name=\"a\"><runlist name=\"a\" "
                      "times=\"9\"/></list><mainlist active=\"false\">";
     },
     "case.xml:14: ", "a list must not call itself"},
    {"endless loop",
     [](CaseText& t) {
         t.commands = "<runlist name=\"a\" times=\"999999999\"/></mainlist>\n<list name=\"a\"><newvar "
                      "x=\"1\"/></list><mainlist active=\"false\">";
     },
     "case.xml:1", "lower the times"},
    {"saves in a loop",
     [](CaseText& t) {
         t.commands = "<runlist name=\"a\" times=\"9999\"/></mainlist>\n<list name=\"a\"><varssave/></list><mainlist "
                      "active=\"false\">";
     },
     "case.xml:14: ", "more than 1000 states"},
    {"load without save", [](CaseText& t) { t.commands = "<matrixload/>"; }, "case.xml:13: ", "without a <matrixsave>"},
    {"rotation without axis", [](CaseText& t) { t.commands = "<rotate ang=\"5\" x=\"0\" y=\"0\" z=\"0\"/>"; },
     "case.xml:13: ", "length 0"},
    {"file outside", [](CaseText& t) { t.commands = "<setmkbound mk=\"0\"/><drawfilestl file=\"../../etc/passwd\"/>"; },
     "case.xml:13: ", "outside the folder of the case"},
    {"file by its root", [](CaseText& t) { t.commands = "<setmkbound mk=\"0\"/><drawfilestl file=\"/etc/passwd\"/>"; },
     "case.xml:13: ", "outside the folder of the case"},
    {"prism with odd points",
     [](CaseText& t) {
         t.commands = "<setmkbound mk=\"0\"/><drawprism><point x=\"0\" y=\"0\" z=\"0\"/><point x=\"0\" y=\"0\" "
                      "z=\"0\"/><point x=\"0\" y=\"0\" z=\"0\"/><point x=\"0\" y=\"0\" z=\"0\"/><point x=\"0\" y=\"0\" "
                      "z=\"0\"/><point x=\"0\" y=\"0\" z=\"0\"/><point x=\"0\" y=\"0\" z=\"0\"/></drawprism>";
     },
     "case.xml:13: ", "as many on one base"},
    {"sphere without radius",
     [](CaseText& t) {
         t.commands = "<setmkbound mk=\"0\"/><drawsphere radius=\"0\"><point x=\"0\" y=\"0\" z=\"0\"/></drawsphere>";
     },
     "case.xml:13: ", "radius must be positive"},
    {"figure with a missing point",
     [](CaseText& t) {
         t.commands = "<setmkbound mk=\"0\"/><drawfigure><points><point x=\"0\" y=\"0\" z=\"0\"/><point x=\"0\" "
                      "y=\"0\" z=\"0\"/><point x=\"0\" y=\"0\" z=\"0\"/></points><triangles><triangle x=\"0\" y=\"1\" "
                      "z=\"3\"/></triangles></drawfigure>";
     },
     "case.xml:13: ", "point 3 of 3"},
    {"fill mode",
     [](CaseText& t) {
         t.commands = "<setmkbound mk=\"0\"/><fillpoint x=\"0\" y=\"0\" z=\"0\"><modefill>air</modefill></fillpoint>";
     },
     "case.xml:13: ", "modefill \"air\" is unknown"},
    {"abort", [](CaseText& t) { t.commands = "<abort if=\"Dp>0.05\" text=\"Dp is [Dp]\"/>"; },
     "case.xml:13: ", "the case stops itself: Dp is 0.1"},
    {"mk out of range", [](CaseText& t) { t.commands = "<setmkfluid mk=\"9\"/>"; },
     "case.xml:13: ", "raise fluidcount"},
    {"mk not whole", [](CaseText& t) { t.commands = "<setmkbound mk=\"1.5\"/>"; },
     "case.xml:13: ", "whole number (1.5)"},
    {"unknown draw mode", [](CaseText& t) { t.commands = "<setdrawmode mode=\"fast\"/>"; },
     "case.xml:13: ", "use full, solid, face or wire"},
    {"unknown variable", [](CaseText& t) { t.commands = "<setmkbound mk=\"#layers\"/>"; },
     "case.xml:13: ", "cannot evaluate \"layers\""},
    {"division by zero", [](CaseText& t) { t.commands = "<setmkbound mk=\"#1/(Dp-Dp)\"/>"; },
     "case.xml:13: ", "no finite value"},
    {"deep expression",
     [](CaseText& t) {
         t.commands = "<setmkbound mk=\"#" + std::string(200, '(') + "1" + std::string(200, ')') + "\"/>";
     },
     "case.xml:13: ", "nested too deeply"},
    {"unknown parameter", [](CaseText& t) { t.parameters = "<parameter key=\"Viscos\" value=\"1\"/>"; },
     "case.xml:17: ", "did you mean Visco?"},
    {"parameter twice",
     [](CaseText& t) {
         t.parameters = "<parameter key=\"Visco\" value=\"1\"/>\n<parameter key=\"Visco\" value=\"2\"/>";
     },
     "case.xml:18: ", "given twice with different values"},
    {"parameter without value", [](CaseText& t) { t.parameters = "<parameter key=\"Visco\"/>"; },
     "case.xml:17: ", "no attribute value"},
    {"unknown kernel", [](CaseText& t) { t.parameters = "<parameter key=\"Kernel\" value=\"3\"/>"; },
     "case.xml:17: ", "whole number from 1 to 2 (3)"},
    {"negative time", [](CaseText& t) { t.parameters = "<parameter key=\"TimeMax\" value=\"-1\"/>"; },
     "case.xml:17: ", "must be positive (-1)"},
    {"density band",
     [](CaseText& t) {
         t.parameters = "<parameter key=\"RhopOutMin\" value=\"1300\"/>\n<parameter key=\"RhopOutMax\" value=\"700\"/>";
     },
     "case.xml:17: ", "swap them"},
    {"rho0 outside the band", [](CaseText& t) { t.parameters = "<parameter key=\"RhopOutMax\" value=\"900\"/>"; },
     "case.xml:", "reference density"},
    {"no such boundary", [](CaseText& t) { t.parameters = "<parameter key=\"Boundary\" value=\"3\"/>"; },
     "case.xml:17: ", "Boundary"},
    {"no such slip", [](CaseText& t) { t.parameters = "<parameter key=\"SlipMode\" value=\"0\"/>"; },
     "case.xml:17: ", "SlipMode"},
    {"shifting_with_another_pressure",
     [](CaseText& t) {
         t.parameters = "<parameter key=\"Shifting\" value=\"4\"/>\n<parameter key=\"ShiftAdvNCPress\" value=\"1\"/>";
     },
     "case.xml:18: ", "ShiftAdvNCPress=1 is not supported; set it to 0"},
    {"shifting_outwards", [](CaseText& t) { t.parameters = "<parameter key=\"ShiftAdvCoef\" value=\"0.01\"/>"; },
     "case.xml:17: ", "parameter ShiftAdvCoef must not be above 0 (0.01)"},
    {"unknown_shifting", [](CaseText& t) { t.parameters = "<parameter key=\"Shifting\" value=\"5\"/>"; },
     "case.xml:17: ", "parameter Shifting must be a whole number from 0 to 4 (5)"},
    {"shifting up the gradient", [](CaseText& t) { t.parameters = "<parameter key=\"ShiftCoef\" value=\"2\"/>"; },
     "case.xml:17: ", "ShiftCoef must not be above 0 (2)"},
    {"special", [](CaseText& t) { t.special = "<phases/>"; }, "case.xml:16: ", "<phases> is not supported"},
    {"viscosity outside", [](CaseText& t) { t.parameters = "<parameter key=\"ViscoTime\" value=\"../v.csv\"/>"; },
     "case.xml:17: ", "parameter ViscoTime=\"../v.csv\" lies outside the folder"},
    {"viscosity in special", [](CaseText& t) { t.special = "<viscotime file=\"v.csv\"/>"; },
     "case.xml:16: ", "name its file in the parameter ViscoTime"},
    {"shifting twice",
     [](CaseText& t) {
         t.special = "<shifting><mode value=\"1\"/></shifting>";
         t.parameters = "<parameter key=\"Shifting\" value=\"3\"/>";
     },
     "case.xml:16: ", "beside the parameter Shifting=3"},
    {"flat shifting zone",
     [](CaseText& t) {
         t.special = "<shifting><mode value=\"1\"/><shiftingzone><posref x=\"0\" y=\"0\" z=\"0\"/>"
                     "<size x=\"1\" y=\"1\" z=\"0\"/></shiftingzone></shifting>";
     },
     "case.xml:16: ", "no volume"},
    {"shifting zone by two means",
     [](CaseText& t) {
         t.special = "<shifting><mode value=\"1\"/><shiftingzone><posref x=\"0\" y=\"0\" z=\"0\"/>"
                     "<size x=\"1\" y=\"1\" z=\"1\"/><vecx x=\"1\" y=\"0\" z=\"0\"/></shiftingzone></shifting>";
     },
     "case.xml:16: ", "both <size> and <vecx>"},
    {"shifting mode", [](CaseText& t) { t.special = "<shifting><mode value=\"4\"/></shifting>"; },
     "case.xml:16: ", "mode is 4"},
    {"layered piston without motion",
     [](CaseText& t) {
         t.special =
             "<mlayerpistons><piston1d><mkbound value=\"3\"/><filevelx value=\"u.csv\"/></piston1d></mlayerpistons>";
     },
     "case.xml:16: ", "mkbound 3 is not named in <motion>"},
    {"layered piston with a gauge",
     [](CaseText& t) { t.special = "<mlayerpistons><piston1d><awas_zsurf/></piston1d></mlayerpistons>"; },
     "case.xml:16: ", "<piston1d> has no <awas_zsurf>"},
    {"no such layered piston", [](CaseText& t) { t.special = "<mlayerpistons><piston3d/></mlayerpistons>"; },
     "case.xml:16: ", "<mlayerpistons> has no <piston3d>"},
    {"no such zone", [](CaseText& t) { t.special = "<relaxationzones><rzwaves/></relaxationzones>"; },
     "case.xml:16: ", "<relaxationzones> has no <rzwaves>"},
    {"zone of a file", [](CaseText& t) { t.special = "<relaxationzones><rzwaves_external_1d/></relaxationzones>"; },
     "case.xml:16: ", "center"},
    {"fluidvelocity without a direction",
     [](CaseText& t) { t.special = "<initialize><fluidvelocity mkfluid=\"0\"/></initialize>"; },
     "case.xml:16: ", "no <direction>"},
    {"unknown special", [](CaseText& t) { t.special = "<guages/>"; }, "case.xml:16: ", "did you mean gauges?"},
    {"gauge without a line",
     [](CaseText& t) { t.special = "\n<gauges><swl name=\"a\"><point0 x=\"0\" y=\"0\" z=\"0\"/></swl></gauges>"; },
     "case.xml:17: ", "no <point2>, add one"}, // point0 is a word of its own
    {"piston with a misspelt height",
     [](CaseText& t) {
         t = test::flume();
         t.special =
             "<wavepaddles><piston><mkbound value=\"10\"/><depth value=\"0.7\"/><pistondir x=\"1\" y=\"0\" z=\"0\"/>"
             "\n<waveheigth value=\"0.1\"/><waveperiod value=\"2\"/></piston></wavepaddles>";
     },
     "case.xml:17: ", "<piston> has no <waveheight>, is <waveheigth> of line 18 meant? Write it so, or add one"},
    {"piston with a letter too many",
     [](CaseText& t) {
         t = test::flume();
         t.special = "<wavepaddles><piston><mkbound value=\"10\"/><deepth value=\"0.7\"/></piston></wavepaddles>";
     },
     "case.xml:17: ", "<piston> has no <depth>, is <deepth> of line 17 meant?"},
    {"piston with the height of a second wave",
     [](CaseText& t) {
         t = test::flume();
         t.special =
             "<wavepaddles><piston><mkbound value=\"10\"/><depth value=\"0.7\"/><pistondir x=\"1\" y=\"0\" z=\"0\"/>"
             "<waveheight2 value=\"0.1\"/><waveperiod value=\"2\"/></piston></wavepaddles>";
     },
     "case.xml:17: ", "<piston> has no <waveheight>, add one"},
    {"gauge with a word of another",
     [](CaseText& t) { t.special = "\n<gauges><flowrate name=\"a\">\n<point x=\"1\"/></flowrate></gauges>"; },
     "case.xml:18: ",
     "<flowrate> has no <point> (did you mean point0?), take it out; it has pointdp, point0, point1, point2"},
    {"gauge with a name too long for a file",
     [](CaseText& t) {
         t.special = "\n<gauges><velocity name=\"" + std::string(201, 'a') +
                     "\"><point x=\"0\" y=\"0\" z=\"0\"/></velocity></gauges>";
     },
     "case.xml:17: ", "has 201 bytes and is to be a file name: take 200 at most"},
    {"tag closed by another", [](CaseText& t) { t.special = "\n<gauges>\n</guages>"; },
     "case.xml:17: ", "<gauges> of line 17 is closed by </guages> in line 18"},
    {"gauge with a mistyped word",
     [](CaseText& t) { t.special = "\n<gauges><flowrate name=\"a\">\n<computdt value=\"1\"/></flowrate></gauges>"; },
     "case.xml:18: ", "no <computdt> (did you mean computedt?), take it out"},
    {"mistyped default of gauges",
     [](CaseText& t) { t.special = "\n<gauges><default>\n<outputdtt value=\"1\"/></default></gauges>"; },
     "case.xml:18: ", "no <outputdtt> (did you mean outputdt?), take it out"},
    {"gauge with a point every micrometre",
     [](CaseText& t) {
         t.special = "\n<gauges><swl name=\"a\"><pointdp value=\"1e-6\"/><point0 x=\"0\" y=\"0\" z=\"0\"/>"
                     "<point2 x=\"0\" y=\"0\" z=\"20\"/></swl></gauges>";
     },
     "case.xml:17: ", "has 2e+07 points, 1e7 are the most"},
    {"gauge name as a path", [](CaseText& t) { t.special = "\n<gauges><swl name=\"../a\"/></gauges>"; },
     "case.xml:17: ", "cannot be a file name"},
    {"domain word", [](CaseText& t) { t.parameters = "<simulationdomain>\n<posmin x=\"defaut\"/></simulationdomain>"; },
     "case.xml:18: ", "\"defaut\" is not a number"},
    {"domain operator",
     [](CaseText& t) { t.parameters = "<simulationdomain>\n<posmin x=\"default * 2\"/></simulationdomain>"; },
     "case.xml:18: ", "write default, a number"},
    {"domain upside down",
     [](CaseText& t) { t.parameters = "<simulationdomain><posmin x=\"2\"/><posmax x=\"1\"/></simulationdomain>"; },
     "case.xml:17: ", "swap them"},
    {"floating without mk", [](CaseText& t) { t.casedef = "<floatings><floating rhopbody=\"1\"/></floatings>\n"; },
     "case.xml:7: ", "no attribute mkbound"},
    {"finer zones", [](CaseText& t) { t.casedef = "<vres/>\n"; }, "case.xml:7: ", "<vres> is not supported"},
    {"initials without mk", [](CaseText& t) { t.casedef = "<initials><velocity x=\"1\"/></initials>\n"; },
     "case.xml:7: ", "no attribute mkfluid"},
    {"attribute twice", [](CaseText& t) { t.commands = "<setmkfluid mk=\"0\" mk=\"1\"/>"; },
     "case.xml:13: ", "given twice"},
    {"attribute without quotes", [](CaseText& t) { t.commands = "<setmkfluid mk=0/>"; }, "case.xml:13: ", "no quotes"},
    {"broken tag", [](CaseText& t) { t.commands = "<drawbox>"; }, "case.xml:", "not well-formed"},
    {"entities", [](CaseText& t) { t.commands = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]>"; }, "case.xml: ", "take it out"},
};

class MalformedCase : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedCase, IsRefusedWithItsLine) {
    CaseText text;
    GetParam().spoil(text);
    try {
        read_case_text(text.text(), "case.xml");
        FAIL() << "accepted:\n" << text.text();
    } catch (const InputError& e) {
        const std::string what = e.what();
        EXPECT_EQ(what.rfind(GetParam().place, 0), 0u) << what;
        EXPECT_NE(what.find(GetParam().says), std::string::npos) << what;
    }
}

std::string test_name(const testing::TestParamInfo<Malformed>& info) { return as_test_name(info.param.title); }

INSTANTIATE_TEST_SUITE_P(Mistakes, MalformedCase, testing::ValuesIn(mistakes), test_name);

std::string refusal(const std::string& text, const CaseOverrides& overrides = {}) {
    try {
        read_case_text(text, "case.xml", overrides);
    } catch (const InputError& e) {
        return e.what();
    }
    return "accepted";
}

} // namespace

TEST(MalformedFile, IsRefused) {
    EXPECT_NE(refusal("").find("case.xml"), std::string::npos);
    EXPECT_NE(refusal("<cases/>").find("case.xml:1: the root element is not <case>"), std::string::npos);
    EXPECT_NE(refusal("<case>\n<casedef/></case>").find("no <constantsdef>"), std::string::npos);
    EXPECT_THROW(read_case("/nowhere/case.xml"), InputError);
    EXPECT_THROW(read_case("/tmp"), InputError);
}

TEST(MalformedOverride, IsRefused) {
    CaseOverrides o;
    o.set = {{"Kernle", "1"}};
    EXPECT_NE(refusal(CaseText().text(), o)
                  .find("--set Kernle=1: there is no parameter or constant of that name (did you mean Kernel?)"),
              std::string::npos);
    o.set = {{"Kernel", "soft"}};
    EXPECT_NE(refusal(CaseText().text(), o).find("parameter Kernel is 1, 2, WendlandC4 or WendlandC6 (soft)"),
              std::string::npos)
        << refusal(CaseText().text(), o);
    o.set = {{"VerletSteps", "soft"}};
    EXPECT_NE(refusal(CaseText().text(), o).find("\"soft\" is not a number"), std::string::npos);
    o.set = {{"gamma", "-1"}};
    EXPECT_NE(refusal(CaseText().text(), o).find("--set: gamma must be positive"), std::string::npos);
    o.set.clear();
    o.dp = -1;
    EXPECT_NE(refusal(CaseText().text(), o).find("--dp: dp must be positive"), std::string::npos);
}

TEST(MalformedFile, ErrorsThatOnlyFollowFromABadSpacingAreNotListed) {
    CaseText t;
    t.definition.replace(t.definition.find("0.1"), 3, "0,1");
    t.special =
        R"(<gauges><swl name="s"><pointdp coefdp="0.5"/><point0 x="0" y="0" z="0"/><point2 x="0" y="0" z="1"/></swl></gauges>)";
    const std::string message = refusal(t.text());
    EXPECT_NE(message.find("\"0,1\" is not a number"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}
