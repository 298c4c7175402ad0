// SPDX-License-Identifier: Apache-2.0
#include "../geometry/geometry_case.h"
#include "core/error.h"
#include "model/rigid_motions.h"
#include "scheme/mechanism_arrays.h"
#include "setup/mechanisms.h"
#include "setup/setup.h"
#include "temporary_folder.h"
#include <algorithm>
#include <fstream>

// Joints of special/chrono, from the case to a run.

using namespace sluice;
using namespace sluice::test;

namespace {

/// Blocks of mkbound 1 to 3 in a row along x, a wall at rest of 0 and one that moves of 10, with joints.
struct Jointed {
    Case definition;
    ParticleSet set;
    RunSetup setup;

    explicit Jointed(const std::string& chrono, bool two_d = false, const std::string& floating = "",
                     const std::filesystem::path& folder = ".") {
        CaseText text;
        text.definition =
            two_d
                ? R"(<definition dp="0.1"><pointmin x="-1" y="0" z="-1"/><pointmax x="4" y="0" z="2"/></definition>)"
                : R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="4" y="2" z="2"/></definition>)";
        text.constants = R"(<gravity x="0" y="0" z="-9.81"/><coefh value="1"/><speedsound value="30"/>)";
        text.commands.clear();
        const std::string y = two_d ? "-1" : "0", width = two_d ? "2" : "0.2";
        double x = 0;
        for (const int mk : {1, 2, 3, 0, 10}) {
            text.commands += "<setmkbound mk=\"" + std::to_string(mk) +
                             "\"/><drawbox><boxfill>solid</boxfill><point x=\"" + std::to_string(x) + "\" y=\"" + y +
                             "\" z=\"0\"/><size x=\"0.4\" y=\"" + width + "\" z=\"0.2\"/></drawbox>";
            x += 0.6;
        }
        text.casedef = R"(<floatings><floating mkbound="1-3" rhopbody="500">)" + floating + R"(</floating></floatings>
<motion><objreal ref="10"><begin mov="1" start="0"/><mvrect id="1" duration="9"><vel x="0.1" y="0" z="0"/></mvrect></objreal></motion>)";
        text.special = "<chrono>" + chrono + "</chrono>";
        text.parameters = R"(<parameter key="StepAlgorithm" value="2"/><parameter key="RigidAlgorithm" value="3"/>)";
        definition = read_case_text(text.text(), folder / "case.xml", {});
        set = generate_particles(definition, definition.diagnostics);
        setup = make_run_setup(definition, set);
    }
    std::string lint() {
        std::vector<Diagnostic> diagnostics;
        lint_mechanisms(definition, setup, diagnostics);
        std::string all;
        for (const Diagnostic& d : diagnostics) all += d.where.text() + ": " + d.message + "\n";
        return all;
    }
};

constexpr const char* joined = R"(<bodyfixed id="wall" mkbound="0"/><bodymoving id="piston" mkbound="10"/>
<bodyfloating id="b" mkbound="1-3"/>)";

std::string hinge(const std::string& first, const std::string& second, const std::string& x,
                  const std::string& more = "", const std::string& axis = R"(x="0" y="1" z="0")") {
    return "<link_hinge idbody1=\"" + first + "\"" + (second.empty() ? "" : " idbody2=\"" + second + "\"") +
           "><rotpoint x=\"" + x + "\" y=\"0.1\" z=\"0.1\"/><rotvector " + axis + "/>" + more + "</link_hinge>";
}

bool tells(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string mechanism_error(const std::string& chrono, bool two_d = false) {
    try {
        const Jointed made(chrono, two_d);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST(MechanismSetup, JoinedBodiesAreAMechanism) {
    const Jointed made(joined + hinge("b1", "b2", "0.5") + hinge("b3", "wall", "1.5"));
    const Mechanisms& m = made.setup.mechanisms;
    ASSERT_EQ(m.all.size(), 2u);
    EXPECT_EQ(m.all[0].body_count, 2);
    EXPECT_EQ(m.all[1].body_count, 1);
    EXPECT_EQ(made.setup.bodies[2].mechanism, 1);
    EXPECT_EQ(m.all[0].row_count, 5);
    EXPECT_EQ(made.setup.contact, BodyContact::none);
    const Vec3d point = m.joints[0].end[0].point + made.setup.domain.min; // from the domain's lower corner
    EXPECT_NEAR(point.x, 0.5, 1e-12);
    EXPECT_NEAR(point.z, 0.1, 1e-12);
}

TEST(MechanismSetup, ABodyWithoutAJointMovesByItself) {
    const Jointed made(joined + hinge("b1", "", "0"));
    EXPECT_EQ(made.setup.mechanisms.all.size(), 1u);
    EXPECT_EQ(made.setup.bodies[1].mechanism, -1);
    EXPECT_TRUE(Jointed(joined).setup.mechanisms.all.empty());
}

TEST(MechanismSetup, AWallThatMovesIsAnEnd) {
    const Jointed made(joined + hinge("piston", "b3", "2"));
    const Joint& joint = made.setup.mechanisms.joints.at(0);
    EXPECT_EQ(joint.end[0].wall, 0);
    EXPECT_EQ(joint.end[0].body, -1);
    EXPECT_EQ(joint.end[1].body, 0); // of its mechanism
    EXPECT_EQ(made.setup.mechanisms.bodies.at(0), 2);
}

TEST(MechanismSetup, TheSecondBodyOfAPulleyHasAPivot) {
    const std::string pulley = R"(<link_pulley idbody1="b1" idbody2="b2"><rotpoint x="0.8" y="0.1" z="0.1"/>
<rotvector x="0" y="1" z="0"/><radius value="0.3"/><radius2 value="0.1"/></link_pulley>)";
    const Jointed made(joined + hinge("b1", "", "0.2") + pulley);
    const Mechanisms& m = made.setup.mechanisms;
    EXPECT_EQ(m.joints.size(), 3u);
    EXPECT_EQ(std::count_if(m.joints.begin(), m.joints.end(), [](const Joint& j) { return j.origin == 2; }), 1);
    const Jointed held(joined + hinge("b1", "", "0.2") + hinge("b2", "wall", "0.8") + pulley);
    EXPECT_EQ(held.setup.mechanisms.joints.size(), 3u);
}

TEST(MechanismSetup, ConstantsMayComeFromAFile) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "k.csv") << "# time;value\n0;5\n2;9\n";
    const Jointed made(joined + hinge("b1", "", "0", R"(<stiffness file="k.csv"/><damping value="0"/>)"), false, "",
                       folder.path());
    const Joint& joint = made.setup.mechanisms.joints.at(0);
    EXPECT_FALSE(joint.damping.any());
    ASSERT_TRUE(joint.stiffness.any());
    EXPECT_EQ(value_at(sample_at(made.setup.body_series.data(), joint.stiffness, 1), 0, 1), 7);
    EXPECT_EQ(made.set.data_files, std::vector<std::string>{"k.csv"});
}

TEST(MechanismSetup, MistakesHaveALine) {
    EXPECT_TRUE(tells(mechanism_error(std::string(joined) + R"(<bodyfixed id="z" mkbound="44"/>)"), "case.xml:"));
    EXPECT_TRUE(tells(mechanism_error(std::string(joined) + R"(<bodyfixed id="z" mkbound="44"/>)"),
                      "mkbound 44, which has no particles"));
    EXPECT_TRUE(tells(mechanism_error(joined + hinge("b1", "", "0", "", R"(x="1" y="0" z="0")"), true), "2-D in x–z"));
    EXPECT_TRUE(mechanism_error(joined + hinge("b1", "", "0"), true).empty());
}

TEST(MechanismSetup, TellsOfJointsThatRepeatOthersAndOfWhatCannotMove) {
    EXPECT_EQ(Jointed(joined + hinge("b1", "", "0")).lint(), "");
    const std::string twice = Jointed(joined + hinge("b1", "", "0") + hinge("b1", "", "0")).lint();
    EXPECT_TRUE(tells(twice, "Link_b1_2 repeats")) << twice;
    const std::string held = Jointed(joined + hinge("b1", "", "0") + hinge("b1", "", "0.3")).lint();
    EXPECT_TRUE(tells(held, "leave no way to move")) << held;
    const std::string stiff = Jointed(joined + hinge("b1", "", "0", R"(<stiffness value="1e12"/>)")).lint();
    EXPECT_TRUE(tells(stiff, "sub-steps")) << stiff;
}

TEST(MechanismSetup, FactorsOnForcesMakeAMechanismOfOneBody) {
    const Jointed made(std::string(joined) + R"(<scaleforce><body mkbound="2" x="0.5" y="1" z="1"/></scaleforce>)");
    ASSERT_EQ(made.setup.mechanisms.all.size(), 1u);
    EXPECT_EQ(made.setup.bodies[1].mechanism, 0);
    EXPECT_EQ(given_at(made.setup.body_series.data(), made.setup.bodies[1].force_factors, 0, 1), 0.5);
}
