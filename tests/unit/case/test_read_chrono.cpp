// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "case_text.h"
#include <algorithm>
#include <gtest/gtest.h>

// What special/chrono becomes, and what it refuses.

using namespace sluice;
using sluice::test::CaseText;

namespace {

/// Boxes of mkbound 1, 2 and 51 to 53 that float, a fixed one of 0 and a wall of 10 that moves, and joints.
CaseText with(const std::string& chrono, int algorithm = 3) {
    CaseText t;
    t.commands = "";
    for (const int mk : {0, 1, 2, 10, 51, 52, 53})
        t.commands +=
            "<setmkbound mk=\"" + std::to_string(mk) +
            R"("/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>)";
    t.casedef = R"(<floatings><floating mkbound="1-2,51-53" rhopbody="500"/></floatings>
<motion><objreal ref="10"><begin mov="1" start="0"/><mvnull id="1"/></objreal></motion>)";
    t.special = "<chrono>\n" + chrono + "\n</chrono>";
    t.parameters = R"(<parameter key="StepAlgorithm" value="2"/><parameter key="RigidAlgorithm" value=")" +
                   std::to_string(algorithm) + R"("/>)";
    return t;
}

constexpr const char* bodies = R"(<bodyfixed id="floor" mkbound="0" modelfile="AutoActual" modelnormal="invert"/>
<bodymoving id="piston" mkbound="10" massbody="3"/>
<bodyfloating id="a" mkbound="1" imposefric="true"/><bodyfloating id="b" mkbound="2"/><bodyfloating id="box" mkbound="51-52,53"/>
)";

Case read_text(const CaseText& t) { return read_case_text(t.text(), "case.xml", {}); }

Case read(const std::string& chrono) { return read_text(with(bodies + chrono)); }

std::string chrono_error_of(const CaseText& t) {
    try {
        read_text(t);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

std::string chrono_error_of(const std::string& chrono) { return chrono_error_of(with(bodies + chrono)); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST(ReadChrono, BodiesOfAListBearTheirNumbers) {
    const MechanismsDef m = read("").mechanisms;
    ASSERT_EQ(m.bodies.size(), 7u);
    EXPECT_EQ(m.bodies[2].id, "a");
    EXPECT_EQ(m.bodies[4].id, "box51");
    EXPECT_EQ(m.bodies[6].id, "box53");
    EXPECT_EQ(m.bodies[6].mkbound, 53);
    EXPECT_EQ(m.bodies[1].kind, JointBody::Kind::moving);
    EXPECT_LT(m.save_interval, 0);
}

TEST(ReadChrono, EveryWordOfAJoint) {
    const MechanismsDef m =
        read(
            R"(<savedata value="0.02"/><schemescale value="2"/><collision activate="false"><distancedp value="0.5"/></collision>
<link_hinge idbody1="a"><rotpoint x="1" y="2" z="3"/><rotvector x="0" y="2" z="0"/><stiffness value="#5*3"/><damping value="0.5"/><friction value="4"/></link_hinge>
<link_spheric idbody1="a" idbody2="b"><rotpoint x="1" y="0" z="0"/><stiffness><k time="0" value="0"/><k time="5" value="7"/></stiffness></link_spheric>
<link_pointline idbody1="b" idbody2="piston"><slidingvector x="20" y="0" z="-3"/><rotpoint x="1" y="0" z="0"/></link_pointline>
<link_pointline idbody1="b"><slidingvector x="1" y="0" z="0"/><rotpoint x="1" y="0" z="0"/><rotvector x="0" y="0" z="1"/><rotvector2 x="0" y="1" z="0"/></link_pointline>
<link_linearspring idbody1="floor" idbody2="box52" name="rope"><point_fb1 x="1" y="2" z="3"/><point_fb2 x="4" y="5" z="6"/><stiffness value="1000"/><damping file="c.csv"/><rest_length value="2.5"/><savevtk><nside value="16"/></savevtk></link_linearspring>
<link_coulombdamping idbody1="a" idbody2="b"><point_fb1 x="1" y="2" z="3"/><point_fb2 x="4" y="5" z="6"/><damping value="9"/></link_coulombdamping>
<link_pulley idbody1="a" idbody2="box51"><rotpoint x="1" y="2" z="3"/><rotvector x="0" y="1" z="0"/><radius value="0.3"/><radius2 value="0.05"/></link_pulley>
<link_spheric idbody1="a" active="false"><rotpoint x="a" y="0" z="0"/></link_spheric>
<_link_spheric idbody1="c"/>
<scaleforce><body mkbound="1-2" x="0.01" y="1" z="2"/></scaleforce>)")
            .mechanisms;
    ASSERT_EQ(m.joints.size(), 7u);
    EXPECT_EQ(m.save_interval, 0.02);
    const JointDef& hinge = m.joints[0];
    EXPECT_EQ(hinge.kind, JointKind::hinge);
    EXPECT_EQ(hinge.name, "Link_a");
    EXPECT_EQ(hinge.body[0], 2);
    EXPECT_EQ(hinge.body[1], -1);
    EXPECT_EQ(hinge.point[1], (Vec3d{1, 2, 3}));
    EXPECT_EQ(*hinge.axis, (Vec3d{0, 1, 0}));
    EXPECT_EQ(hinge.stiffness.rows.at(0).value, 15);
    EXPECT_EQ(hinge.damping.rows.at(0).value, 0.5);
    EXPECT_EQ(hinge.friction, 4);
    EXPECT_EQ(m.joints[1].kind, JointKind::spheric);
    EXPECT_EQ(m.joints[1].stiffness.rows.at(1).time, 5);
    EXPECT_TRUE(m.joints[1].damping.rows.empty());
    EXPECT_EQ(m.joints[2].kind, JointKind::point_line);
    EXPECT_EQ(m.joints[2].body[1], 1);
    EXPECT_FALSE(m.joints[2].axis);
    EXPECT_TRUE(m.joints[2].turns);
    EXPECT_FALSE(m.joints[3].turns);
    EXPECT_EQ(m.joints[3].name, "Link_b");
    EXPECT_EQ(m.joints[4].name, "rope");
    EXPECT_EQ(m.joints[4].point[1].z, 6);
    EXPECT_EQ(m.joints[4].rest_length, 2.5);
    EXPECT_EQ(m.joints[4].damping.file, "c.csv");
    EXPECT_EQ(m.joints[5].friction, 9);
    EXPECT_EQ(m.joints[5].name, "Link_a_b_2");
    EXPECT_EQ(m.joints[6].radius[1], 0.05);
    ASSERT_EQ(m.factors.size(), 1u);
    EXPECT_EQ(m.factors[0].mkbound.size(), 2u);
    EXPECT_EQ(*m.factors[0].series.rows.at(0).value[2], 2);
}

// Each mistake is told with its line, and by name.
TEST(ReadChrono, MistakesHaveALine) {
    const struct {
        const char* chrono;
        const char* told;
    } all[] = {
        {R"(<link_hinge idbody1="c"><rotpoint x="0" y="0" z="0"/><rotvector x="0" y="1" z="0"/></link_hinge>)",
         "<link_hinge> idbody1 \"c\" is no body of <chrono>"},
        {R"(<link_spheric idbody1="a" idbody2="box5"><rotpoint x="0" y="0" z="0"/></link_spheric>)",
         "idbody2 \"box5\" is no body"},
        {R"(<link_spheric idbody1="a" idbody2="a"><rotpoint x="0" y="0" z="0"/></link_spheric>)", "to itself"},
        {R"(<link_spheric idbody1="floor"><rotpoint x="0" y="0" z="0"/></link_spheric>)", "no bodyfloating at either"},
        {R"(<link_spheric idbody1="a"/>)", "rotpoint"},
        {R"(<link_hinge idbody1="a"><rotpoint x="0" y="0" z="0"/><rotvector x="0" y="0" z="0"/></link_hinge>)",
         "length 0"},
        {R"(<link_spheric idbody1="a"><rotpoint x="0" y="0" z="0"/><stiffness value="-1"/></link_spheric>)",
         "must not be negative"},
        {R"(<link_spheric idbody1="a"><rotpoint x="0" y="0" z="0"/><stiffness value="1" file="k.csv"/></link_spheric>)",
         "more than once"},
        {R"(<link_spheric idbody1="a"><rotpoint x="0" y="0" z="0"/><damping><c time="2" value="1"/><c time="1" value="1"/></damping></link_spheric>)",
         "order the rows by time"},
        {R"(<link_spheric idbody1="a"><rotpoint x="0" y="0" z="0"/><rotvector x="0" y="1" z="0"/></link_spheric>)",
         "<link_spheric> has no <rotvector>"},
        {R"(<link_pointline idbody1="a"><slidingvector x="1" y="0" z="0"/><rotpoint x="0" y="0" z="0"/><rotvector2 x="0" y="1" z="0"/></link_pointline>)",
         "rotvector2 without a rotvector"},
        {R"(<link_pulley idbody1="a"><rotpoint x="0" y="0" z="0"/></link_pulley>)", "no idbody2"},
        {R"(<link_linearspring idbody1="a"><point_fb1 x="0" y="0" z="0"/><point_fb2 x="1" y="0" z="0"/></link_linearspring>)",
         "rest_length"},
        {R"(<bodyfloating id="a" mkbound="2"/>)", "id \"a\" is that of line"},
        {R"(<bodyfloating id="z" mkbound="2"/>)", "mkbound 2 is that of line"},
        {R"(<bodyfloating id="z" mkbound="77"/>)", "mkbound 77 is not named in <floatings>"},
        {R"(<bodymoving id="z" mkbound="78"/>)", "mkbound 78 is not named in <motion>"},
        {R"(<scaleforce><body mkbound="0" x="1" y="1" z="1"/></scaleforce>)", "mkbound 0 is no bodyfloating"},
        {R"(<scaleforce><body mkbound="1" x="1" y="1" z="1"><scale time="0" x="1" y="1" z="1"/></body></scaleforce>)",
         "its factors more than once"},
        {R"(<savedata values="1"/>)", "values"},
        {R"(<link_hing idbody1="a"/>)", "<link_hing> in <chrono>"},
        {R"(<collision activate="true"><distancedp value="-1"/></collision>)", "distancedp -1 is negative"},
        {R"(<collision activate="true"/><bodyfixed id="m" mkbound="44" modelfile="box.obj"/>)", "a mesh is an .stl"},
        {R"(<bodyfixed id="m" mkbound="44" modelfile="AutoActual" modelnormal="out"/>)", "modelnormal \"out\""},
        {R"(<feafloating id="z" mkbound="1"/>)", "beams of finite elements"},
        {R"(<link_pointframe idbody1="a"/>)", "beams of finite elements"},
    };
    for (const auto& [chrono, told] : all) {
        const std::string error = chrono_error_of(std::string(chrono));
        EXPECT_TRUE(contains(error, told)) << chrono << "\n" << error;
        EXPECT_TRUE(contains(error, "case.xml:")) << error;
    }
}

TEST(ReadChrono, AsksForItsRigidAlgorithmAndSteps) {
    EXPECT_TRUE(contains(chrono_error_of(with(bodies, 1)), "RigidAlgorithm 1: joints ask for RigidAlgorithm 3"));
    CaseText t = with(bodies);
    t.parameters = R"(<parameter key="StepAlgorithm" value="3"/><parameter key="RigidAlgorithm" value="3"/>)";
    EXPECT_TRUE(contains(chrono_error_of(t), "<chrono> with StepAlgorithm 3"));
    EXPECT_EQ(chrono_error_of(with(bodies)), "");
    EXPECT_EQ(read_text(with(bodies, 0)).parameters.rigid_algorithm, Case::joints_algorithm)
        << "joints hold with 0, too";
}

// Drawings, threads and steps of another solver change no number of ours.
TEST(ReadChrono, WhatChangesNoNumbersIsNamedAndLeftOut) {
    const Case c = read(R"(<schemescale value="2"/><ompthreads value="4"/><timestepper value="1"/><collision/>)");
    const auto told = [&](const std::string& part) {
        return std::any_of(c.diagnostics.begin(), c.diagnostics.end(),
                           [&](const Diagnostic& d) { return contains(d.message, part); });
    };
    EXPECT_TRUE(told("schemescale of chrono"));
    EXPECT_TRUE(told("timestepper of chrono"));
    EXPECT_TRUE(told("<collision> has no activate"));
}

// Words that official cases use, and that change nothing or are computed in another way: told, not refused.
TEST(ReadChrono, SoftContactsAreRigidOnesWithAWarning) {
    const Case c = read(R"(<distancedp value="0.5"/>
<collision activate="true"><distancedp value="0.25"/><contactmethod value="1"/></collision>)");
    const auto warns = [&](const std::string& part) {
        return std::any_of(c.diagnostics.begin(), c.diagnostics.end(), [&](const Diagnostic& d) {
            return d.level == Diagnostic::Level::warning && contains(d.message, part);
        });
    };
    EXPECT_TRUE(warns("contactmethod 1 (1: soft contacts by Young's modulus) is computed as 0"));
    EXPECT_TRUE(warns("<distancedp> of <chrono> does nothing outside of <collision>"));
    ASSERT_TRUE(c.mechanisms.collision.has_value());
    EXPECT_EQ(c.mechanisms.collision->overlap_dp, 0.25);
}

TEST(ReadChrono, CollisionsHaveModelsAndAnOverlap) {
    const Case c =
        read(R"(<bodyfixed id="model" mkbound="44" modelfile="AutoActual" modelnormal="invert" imposefric="true"/>
<collision activate="true"><distancedp value="0.25"/><contactmethod value="0"/></collision>)");
    ASSERT_TRUE(c.mechanisms.collision.has_value());
    EXPECT_EQ(c.mechanisms.collision->overlap_dp, 0.25);
    const JointBody& body = c.mechanisms.bodies.back();
    EXPECT_EQ(body.model, "AutoActual");
    EXPECT_TRUE(body.model_is_drawn());
    EXPECT_TRUE(body.inverted);
    EXPECT_TRUE(body.imposes_friction);
    EXPECT_TRUE(c.asks_for_properties());
    const Case off = read(R"(<collision activate="false"><distancedp value="0.25"/></collision>)");
    EXPECT_FALSE(off.mechanisms.collision.has_value());
    EXPECT_FALSE(off.asks_for_properties());
}
