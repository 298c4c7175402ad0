// SPDX-License-Identifier: Apache-2.0
#include "../geometry/geometry_case.h"
#include "core/error.h"
#include "scheme/moorings/line_arrays.h"
#include "setup/moorings/moorings.h"
#include "setup/setup.h"
#include <gtest/gtest.h>

// Lines of special/moorings, from the case to a run.

using namespace sluice;
using namespace sluice::test;

namespace {

/// A box of mkbound 45 that floats in a tank 1.5 m deep, water up to z = 0, with lines.
struct Moored {
    Case definition;
    ParticleSet set;
    RunSetup setup;

    explicit Moored(const std::string& lines, bool two_d = true, const std::string& options = "",
                    const std::string& gravity = R"(x="0" y="0" z="-9.81")") {
        CaseText text;
        text.definition =
            two_d
                ? R"(<definition dp="0.1"><pointmin x="-2" y="0" z="-2"/><pointmax x="2" y="0" z="1"/></definition>)"
                : R"(<definition dp="0.1"><pointmin x="-2" y="-0.5" z="-2"/><pointmax x="2" y="0.5" z="1"/></definition>)";
        text.constants = "<gravity " + gravity + R"(/><coefh value="1"/><speedsound value="30"/>)";
        const auto box = [](const std::string& mk, const std::string& point, const std::string& size) {
            return mk + "<drawbox><boxfill>solid</boxfill><point " + point + "/><size " + size + "/></drawbox>";
        };
        const std::string y = two_d ? R"(y="-1")" : R"(y="0")", width = two_d ? R"(y="2")" : R"(y="0.2")";
        text.commands = box(R"(<setmkfluid mk="0"/>)", R"(x="-1" z="-1.5" )" + y, R"(x="2" z="1.5" )" + width) +
                        box(R"(<setmkbound mk="45"/>)", R"(x="0.5" z="-1" )" + y, R"(x="0.2" z="0.2" )" + width);
        text.casedef = R"(<floatings><floating mkbound="45" rhopbody="500"/></floatings>)";
        text.special = R"(<moorings><mooredfloatings><floating mkbound="45"/></mooredfloatings><moordynplus>
<solverOptions><waterDepth value="1.5"/>)" +
                       options + R"(</solverOptions><bodies><body ref="45"/></bodies>
<connects><connect conref="1" x="-0.5" y="0" z="-1.2" M="0.5" V="1e-4"/></connects>
<lines><linedefault><ea value="2.9e3"/><diameter value="3.656e-3"/><massDenInAir value="0.0607"/></linedefault>
)" + lines + "</lines></moordynplus></moorings>";
        text.parameters = R"(<parameter key="StepAlgorithm" value="2"/>)";
        definition = read_case_text(text.text(), "case.xml", {});
        set = generate_particles(definition, definition.diagnostics);
        setup = make_run_setup(definition, set);
    }
    std::string lint() {
        std::vector<Diagnostic> diagnostics;
        lint_moorings(definition, set, setup, diagnostics);
        std::string all;
        for (const Diagnostic& d : diagnostics) all += d.where.text() + ": " + d.message + "\n";
        return all;
    }
};

std::string line_of(const std::string& ends, const std::string& length = "1", const std::string& segments = "20",
                    const std::string& more = "") {
    return "<line>" + ends + "<length value=\"" + length + "\"/><segments value=\"" + segments + "\"/>" + more +
           "</line>\n";
}

constexpr const char* fairlead = R"(<vesselconnection bodyref="45" x="0.5" y="0" z="-1"/>)";
constexpr const char* anchor = R"(<fixconnection x="-0.5" y="0" z="-1.5"/>)";
const std::string taut = std::string(fairlead) + anchor;

testing::AssertionResult tells_of(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "\"" << text << "\" lacks \"" << part << "\"";
}

} // namespace

TEST(MooringSetup, LinesBeginAtRestBetweenTheirEnds) {
    const Moored made(line_of(taut));
    const Moorings& m = made.setup.moorings;
    ASSERT_EQ(m.lines.size(), 1u);
    EXPECT_TRUE(made.setup.bodies[0].moored);
    EXPECT_EQ(m.lines[0].end[0].hold, LineHold::body);
    EXPECT_EQ(m.lines[0].end[0].index, 0);
    EXPECT_EQ(m.water.density, made.setup.constants.rho0);
    EXPECT_NEAR(m.water.surface + made.setup.domain.min.z, 0, 1e-12);
    EXPECT_NEAR(m.lines[0].bed + made.setup.domain.min.z, -1.5, 1e-12);
    ASSERT_EQ(m.at_start.nodes.size(), 22u) << "with the free node";
    EXPECT_NEAR(m.at_start.nodes[0].place.z + made.setup.domain.min.z, -1, 1e-12);
    EXPECT_EQ(m.at_start.nodes[5].place.y, made.setup.bodies[0].centre.y) << "in the plane of the case";
    EXPECT_NEAR(m.step, line_step_limit(m).step, 1e-15) << "dtM is 1e-4 s, which the line does not bear";
    LineArrays arrays(m);
    EXPECT_NEAR(arrays.report(m, 0, m.at_start.nodes).force[0].x, -306.16132, 1e-4);
    EXPECT_EQ(Moored(line_of(taut), true, R"(<dtM value="1e-6"/>)").setup.moorings.step, 1e-6);
}

TEST(MooringSetup, FreeNodesRelaxUntilTheyRest) {
    const std::string lines = line_of(std::string(fairlead) + R"(<connect conref="1"/>)", "1.05", "6") +
                              line_of(R"(<connect conref="1"/><fixconnection x="-0.8" y="0" z="-1.5"/>)", "0.5", "4");
    const Moored hanging(lines),
        relaxed(lines, true, R"(<tmaxIC value="20"/><dtIC value="0.5"/><threshIC value="1e-4"/>)");
    const auto connect = [](const Moored& made) {
        return made.setup.moorings.at_start.nodes[std::size_t(made.setup.moorings.first_connect())];
    };
    EXPECT_NEAR(connect(hanging).place.z + hanging.setup.domain.min.z, -1.2, 1e-12) << "where the case puts it";
    EXPECT_LT(connect(relaxed).place.z, connect(hanging).place.z - 0.02);
    EXPECT_EQ(norm(connect(relaxed).velocity), 0);
    LineArrays arrays(relaxed.setup.moorings);
    const Moorings& m = relaxed.setup.moorings;
    const Vec3d pull = arrays.report(m, 0, m.at_start.nodes).force[1] + arrays.report(m, 1, m.at_start.nodes).force[0];
    EXPECT_NEAR(pull.z, (0.5 - 0.1) * 9.81, 0.05) << "what the lines bear is the weight of the node in water";
    EXPECT_EQ(m.at_start.lines[0].impulse[0], Vec3d{});
}

TEST(MooringSetup, MistakesHaveALine) {
    const auto error_of = [](const std::string& gravity) -> std::string {
        try {
            Moored(line_of(taut), true, "", gravity);
        } catch (const InputError& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_EQ(error_of(R"(x="0" y="0" z="-9.81")"), "");
    EXPECT_TRUE(tells_of(error_of(R"(x="1" y="0" z="-9.81")"), "ask for gravity along -z"));
    EXPECT_TRUE(tells_of(error_of(R"(x="1" y="0" z="-9.81")"), "case.xml:"));
}

TEST(MooringSetup, TellsOfTautLinesTheBottomTheWaterAndSubSteps) {
    const std::string one = Moored(line_of(taut)).lint();
    EXPECT_TRUE(tells_of(one, "mooring line 0 is taut at the start: its ends are 1.118 m apart and it is 1 m long "
                              "(strain 11.8 %), it pulls with 342.409 and 342.189"));
    EXPECT_TRUE(tells_of(one, "sub-steps of at most 3.43e-05 s"));
    EXPECT_TRUE(tells_of(one, "dtM, 0.0001 s, is 2.91 times as long as the fastest vibration of line 0 bears"));
    const std::string slack = Moored(line_of(taut, "1.2"), true, R"(<dtM value="1e-6"/>)").lint();
    EXPECT_EQ(slack.find("taut"), slack.npos) << slack;
    EXPECT_EQ(slack.find("dtM"), slack.npos) << slack;
    EXPECT_TRUE(tells_of(Moored(line_of(taut, "1", "20", R"(<breaktension value="300"/>)")).lint(),
                         "mooring line 0 breaks in the first step: it bears 300 N"));
    EXPECT_TRUE(tells_of(Moored(line_of(taut, "1.2", "20", R"(<depth value="1.2"/>)")).lint(),
                         "end 1 of mooring line 0 is 0.3 m below the bottom"));
    EXPECT_TRUE(tells_of(Moored(line_of(taut, "1.2"), true, R"(<freesurface value="0.5"/>)").lint(),
                         "the surface of the water to be at z = 0.5 m"));
    EXPECT_TRUE(tells_of(Moored(line_of(std::string(fairlead) + R"(<connect conref="1"/>)", "1.05", "6")).lint(),
                         "is not at rest at the start: it ends at a free node"));
}
