// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "case_text.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

namespace {

/// The elements of <floatings> begin on line 7.
Case read_floatings(const std::string& floatings, const std::string& more = "") {
    CaseText text;
    text.constants = R"(<gravity x="0" y="0" z="-9.81"/><coefh value="1.0"/><rhop0 value="1025"/>)";
    text.casedef = "<floatings>" + floatings + "</floatings>" + more;
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    return read_case_text(text.text(), "case.xml", overrides);
}

void expect_refused_floatings(const std::string& floatings, const std::string& part, const std::string& more = "") {
    try {
        read_floatings(floatings, more);
        ADD_FAILURE() << "accepted: " << floatings;
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what() << "\n  instead of " << part;
    }
}

std::string body(const std::string& content) { return "<floating mkbound=\"3\">\n" + content + "</floating>"; }

} // namespace

TEST(ReadFloatings, AllThatABodyMayHave) {
    const Case c = read_floatings(R"(<floating mkbound="3,5-6" property="pvc"><massbody value="1.3"/>
<masspart value="distributed_bodymass"/><center x="1" y="2" z="3"/><inertiafull><values v11="4" v12="1" v13="2"/>
<values v21="1" v22="5" v23="3"/><values v31="2" v32="3" v33="6"/></inertiafull><translationDOF x="0"/>
<rotationDOF x="1" y="0" z="1"/><linearvelini x="7" y="8" z="9"/><angularvelini x="10" y="11" z="12"/></floating>
<floating mkbound="7" rhopbody="800"><inertia x="1" y="2" z="3"/></floating>
<floating mkbound="8" relativeweight="#1/2"><masspart value="0.15"/></floating>)");
    ASSERT_EQ(c.floatings.size(), 5u);
    const FloatingBody& first = c.floatings[1];
    EXPECT_EQ(first.mkbound, 5);
    EXPECT_EQ(c.floatings[2].mkbound, 6);
    EXPECT_EQ(first.mass, 1.3);
    EXPECT_FALSE(first.mass_per_particle);
    EXPECT_EQ(first.center, (Vec3d{1, 2, 3}));
    const std::array<std::array<double, 3>, 3> tensor{{{4, 1, 2}, {1, 5, 3}, {2, 3, 6}}},
        diagonal{{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}};
    EXPECT_EQ(first.inertia, tensor);
    EXPECT_EQ(first.translation_dof, (Vec3d{0, 1, 1}));
    EXPECT_EQ(first.rotation_dof, (Vec3d{1, 0, 1}));
    EXPECT_EQ(first.velocity, (Vec3d{7, 8, 9}));
    EXPECT_EQ(first.angular_velocity, (Vec3d{10, 11, 12}));
    EXPECT_EQ(c.floatings[3].rho_body, 800);
    EXPECT_EQ(c.floatings[3].inertia, diagonal);
    EXPECT_EQ(c.floatings[4].rho_body, 512.5);
    EXPECT_EQ(c.floatings[4].mass_per_particle, 0.15);
}

TEST(ReadFloatings, MistakesAreNamedWithTheirLine) {
    expect_refused_floatings(body(R"(<massbdy value="1"/>)"), "case.xml:8: <floating> has no <massbdy>");
    expect_refused_floatings(body(R"(<massbody value="0"/>)"), "case.xml:8: <massbody> value 0 is not above 0");
    expect_refused_floatings(body(R"(<massbody value="1" unit="t"/>)"), "case.xml:8: <massbody> has no attribute unit");
    expect_refused_floatings(body(R"(<massbody value="1"/><massbody value="2"/>)"),
                             "<massbody> is given twice in <floating>");
    expect_refused_floatings(body(R"(<center x="1" y="2"/>)"), "z");
    expect_refused_floatings(body(R"(<rotationDOF x="0.5"/>)"), "<rotationDOF> has the value 0.5");
    expect_refused_floatings(body(R"(<inertiafull><values v11="1" v12="0" v13="0"/></inertiafull>)"),
                             "has 1 rows <values>, it needs 3");
    expect_refused_floatings(body(R"(<inertiafull><values v11="1" v12="0" v13="0"/><values v11="0" v22="1" v23="0"/>
<values v31="0" v32="0" v33="1"/></inertiafull>)"),
                             "<values> has no attribute v11 (did you mean v21?), it knows v21, v22, v23");
    expect_refused_floatings(
        body(R"(<inertia x="1" y="2" z="3"/><inertiafull><values v11="1" v12="0" v13="0"/><values v21="0" v22="1"
v23="0"/><values v31="0" v32="0" v33="1"/></inertiafull>)"),
        "has <inertia> and <inertiafull>");
    expect_refused_floatings(R"(<floating mkbound="3" rhopbody="-1"/>)", "rhopbody -1 is negative");
    expect_refused_floatings(R"(<floating mkbound="3" rhopbody="1" relativeweight="1"/>)",
                             "rhopbody and relativeweight");
    expect_refused_floatings(R"(<floating mkbound="3" relativeweight="0"/>)", "relativeweight 0 is not above 0");
    expect_refused_floatings(R"(<floating mkbound="3" density="1"/>)", "<floating> has no attribute density");
    expect_refused_floatings(R"(<floating mkbound="3" rhopbody="1"/><floating mkbound="2-4" rhopbody="1"/>)",
                             "mkbound 3 is the body of line 7 already");
    expect_refused_floatings(R"(<body mkbound="3"/>)", "<floatings> has no <body>");
    expect_refused_floatings(R"(<floating mkbound="3" rhopbody="1"/>)", "ref 3 floats (line 7)",
                             R"(<motion><objreal ref="3"/></motion>)");
}

TEST(ReadFloatings, SeriesOfVelocitiesAndForces) {
    const Case c =
        read_floatings(body(R"(<massbody value="1"/><linearvel units_comment="m/s"><vel time="0" x="1" y="none" z="3"/>
<vel time="0.1" x="none" y="#1+1" z="0"/></linearvel><angularvel file="turn.csv"/><linearforce>
<force time="1" x="4" y="5" z="6"/></linearforce><angularforce file="moment.csv"/>)"));
    const FloatingBody& floating = c.floatings.at(0);
    const std::vector<BodySeries::Row>& rows = floating.imposed_velocity->rows;
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1].time, 0.1);
    EXPECT_EQ(rows[0].value[0], 1);
    EXPECT_FALSE(rows[0].value[1]);
    EXPECT_FALSE(rows[1].value[0]);
    EXPECT_EQ(rows[1].value[1], 2);
    EXPECT_EQ(rows[0].value[2], 3);
    EXPECT_EQ(floating.imposed_turning->file, "turn.csv");
    EXPECT_EQ(floating.outer_force->rows.at(0).value[2], 6);
    EXPECT_EQ(floating.outer_moment->file, "moment.csv");
    EXPECT_EQ(floating.series().size(), 4u);
}

TEST(ReadFloatings, MistakesInSeries) {
    const std::string row = R"(<vel time="0" x="1" y="2" z="3"/>)";
    expect_refused_floatings(body("<linearvel/>"), "<linearvel> has neither file nor <vel>");
    expect_refused_floatings(body("<linearvel file=\"f.csv\">" + row + "</linearvel>"),
                             "<linearvel> has file and <vel>");
    expect_refused_floatings(body("<linearforce>" + row + "</linearforce>"), "<linearforce>");
    expect_refused_floatings(body("<linearforce><force time=\"0\" x=\"none\" y=\"0\" z=\"0\"/></linearforce>"), "none");
    expect_refused_floatings(body("<angularvel><vel time=\"0\" y=\"1\" z=\"0\"/></angularvel>"), "x");
    expect_refused_floatings(body("<angularvel><vel time=\"1\" x=\"1\" y=\"0\" z=\"0\"/>" + row + "</angularvel>"),
                             "<vel> time 0 comes before that of the row before, 1");
    const std::string rows = row + R"(<vel time="2" x="1" y="2" z="3"/>)";
    expect_refused_floatings(body("<angularvel>" + rows + "<vel time=\"1\" x=\"1\" y=\"0\" z=\"0\"/></angularvel>"),
                             "<vel> time 1 comes before that of the row before, 2");
    const Case twice = read_floatings(
        body("<massbody value=\"1\"/><linearvel>" + rows + "<vel time=\"2\" x=\"0\" y=\"0\" z=\"0\"/></linearvel>"));
    EXPECT_EQ(twice.floatings.at(0).imposed_velocity->rows.size(), 3u) << "a jump: two rows at one time";
}
