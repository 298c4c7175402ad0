// SPDX-License-Identifier: Apache-2.0
#include "../case/case_text.h"
#include "case/read_case.h"
#include "core/error.h"
#include "geometry/generate.h"
#include "physics/forcing.h"
#include "setup/forcing.h"
#include "temporary_folder.h"
#include <fstream>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

Case case_with(const std::string& special, const std::filesystem::path& folder = "", bool two_d = false) {
    test::CaseText text;
    if (!two_d)
        text.definition =
            R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="2" z="2"/></definition>)";
    text.special = special;
    return read_case_text(text.text(), folder / "case.xml", {});
}

const ParticleGroups groups({{11, 0, ParticleType::fixed, 0, 10},
                             {1, 0, ParticleType::fluid, 10, 20},
                             {2, 1, ParticleType::fluid, 30, 5}});

} // namespace

TEST(Forcing, CountsPlacesFromTheDomainAndNamesTheParticles) {
    const Case c = case_with(R"(<damping><dampingzone><limitmin x="4" y="0" z="0"/><limitmax x="6" y="0" z="0"/>
        </dampingzone></damping><accinputs><accinput mkfluid="0-1"><acccentre x="1" y="2" z="3"/>
        <globalgravity value="0"/><acctimes><timevalue time="1" linz="2"/><timevalue time="3" linz="4" angy="1"/>
        <timevalue time="4"/></acctimes></accinput></accinputs>)");
    const Forcing made = make_forcing(c, groups, {1, 1, 1});
    ASSERT_EQ(made.damping.size(), 1U);
    EXPECT_EQ(made.damping[0].inner_min, (Vec3d{3, -1, -1}));
    ASSERT_EQ(made.inputs.size(), 2U);
    EXPECT_EQ(made.inputs[0].first_id, 10U);
    EXPECT_EQ(made.inputs[0].last_id, 30U);
    EXPECT_EQ(made.inputs[1].last_id, 35U);
    EXPECT_EQ(made.inputs[1].centre, (Vec3d{0, 1, 2}));
    EXPECT_EQ(made.inputs[1].constant, (Vec3d{0, 0, 9.81}));
    EXPECT_EQ(made.samples[2].velocity, (Vec3d{0, 0, 10})); // 1·2 before the first row + 2·(2+4)/2 + 1·(4+0)/2
    EXPECT_EQ(made.samples[2].angular_velocity, (Vec3d{0, 1.5, 0}));
}

// The first acceleration counts for earlier times: a tank begins to turn when the input begins to act, or with the
// first row where that is before.
TEST(Forcing, VelocitiesBeginWithTheFirstRowOrWithTheInput) {
    const auto turning = [](const std::string& start, double first, const std::string& rotation, double at) {
        const Case c = case_with("<accinputs><accinput mkfluid=\"0\">" + start + rotation +
                                 "<acctimes><timevalue time=\"" + std::to_string(first) +
                                 "\" angy=\"2\"/><timevalue time=\"3\" angy=\"4\"/></acctimes></accinput></accinputs>");
        const Forcing made = make_forcing(c, groups, {});
        return frame_at(made.inputs[0], made.samples.data(), at).angular_velocity.y;
    };
    EXPECT_DOUBLE_EQ(turning("", 1, "", 0), 0);
    EXPECT_DOUBLE_EQ(turning("", 1, "", 0.5), 1);
    EXPECT_DOUBLE_EQ(turning("", 1, "", 1), 2);
    EXPECT_DOUBLE_EQ(turning("", 1, "", 3), 2 + 6);
    EXPECT_DOUBLE_EQ(turning("<time start=\"0.5\"/>", 1, "", 1), 1);
    EXPECT_DOUBLE_EQ(turning("<time start=\"2\"/>", 1, "", 2), 2.5); // as the rows have it: the tank turns by then
    EXPECT_DOUBLE_EQ(turning("", -1, "", 0), 2.25);
    const std::string reference = "<rotation value=\"reference\"/>"; // at the rows, each step with its end's
    EXPECT_DOUBLE_EQ(turning("", 1, reference, 0.5), 0);
    EXPECT_DOUBLE_EQ(turning("", 1, reference, 3), 8);
    EXPECT_DOUBLE_EQ(turning("", 1, reference, 2), 4);
    EXPECT_DOUBLE_EQ(turning("", 1, reference, 5), 8);
}

// Who has the reference solver's rotation in mind hears that it is another one here, unless the case says which.
TEST(Forcing, WarnsOfRotationsWhoseFormTheCaseDoesNotSay) {
    const auto warnings = [](const std::string& more, const std::string& row) {
        const Case c = case_with("<accinputs><accinput mkfluid=\"0-1\"><acctimes><timevalue time=\"0\" linx=\"1\"/>"
                                 "</acctimes></accinput><accinput mkfluid=\"1\">" +
                                 more + "<acctimes><timevalue time=\"0\"/><timevalue time=\"3\" " + row +
                                 "/></acctimes></accinput></accinputs>");
        std::vector<Diagnostic> out;
        lint_rotations(c, make_forcing(c, groups, {}), out);
        return out;
    };
    EXPECT_TRUE(warnings("", "linz=\"1\"").empty());
    EXPECT_TRUE(warnings("<rotation value=\"frame\"/>", "angz=\"1\"").empty());
    EXPECT_TRUE(warnings("<rotation value=\"reference\"/>", "angz=\"1\"").empty());
    const std::vector<Diagnostic> warned = warnings("", "angz=\"1\"");
    ASSERT_EQ(warned.size(), 1u);
    EXPECT_NE(warned[0].message.find("<rotation value=\"frame\"/>"), std::string::npos);
    EXPECT_GT(warned[0].where.line, 0);
}

// The plane of a case in two dimensions lies in a box that has no depth, whatever rounding makes of its place.
TEST(Forcing, ADampingBoxHoldsThePlaneOfATwoDimensionalCase) {
    const std::string box = R"(<damping><dampingbox><limitmin><pointini x="1" y="0" z="0"/><pointend x="3" y="0" z="2"/>
        </limitmin><limitmax><pointini x="0" y="0" z="-1"/><pointend x="4" y="0" z="3"/></limitmax></dampingbox>
        </damping>)";
    const Forcing made = make_forcing(case_with(box, "", true), groups, {});
    ASSERT_EQ(made.damping.size(), 1u);
    const double dp = case_with(box, "", true).definition.dp;
    EXPECT_NEAR(made.damping[0].inner_min.y, -dp, 1e-12);
    EXPECT_NEAR(made.damping[0].outer_max.y, dp, 1e-12);
    EXPECT_EQ(made.damping[0].inner_max.x, 3);
    for (const double y : {-1e-9, 0.0, 1e-9}) EXPECT_GT(damping_rate(made.damping[0], {3.5, y, 1}), 0) << y;
}

TEST(Forcing, ReadsFilesAndSaysWhatIsWrong) {
    const TemporaryFolder folder;
    const auto made = [&](const std::string& content, const std::string& mk = "0", bool two_d = false) {
        std::ofstream(folder.path() / "a.csv") << content;
        return make_forcing(case_with("<accinputs><accinput mkfluid=\"" + mk +
                                          "\"><acctimesfile value=\"a.csv\"/></accinput></accinputs>",
                                      folder.path(), two_d),
                            groups, {});
    };
    const Forcing good = made("#Time;…\n0;0;0;0;0;0;0\n2;1;2;3;4;5;6\n");
    ASSERT_EQ(good.samples.size(), 2U);
    EXPECT_EQ(good.samples[1].linear, (Vec3d{1, 2, 3}));
    EXPECT_EQ(good.samples[1].angular, (Vec3d{4, 5, 6}));
    EXPECT_THROW(made("0;0;0;0;0;0\n"), InputError);
    EXPECT_THROW(made("0;0;0;0;0;0;0\n0;0;0;0;0;0;0\n"), InputError);
    EXPECT_THROW(made(""), InputError);
    EXPECT_THROW(made("0;0;0;0;0;0;0\n", "5"), InputError);
    EXPECT_NO_THROW(made("0;1;0;1;0;1;0\n", "0", true));
    EXPECT_THROW(made("0;0;1;0;0;0;0\n", "0", true), InputError);
}

// The examples of docs/case-format.md work as they stand there.
TEST(Forcing, DocumentedExamplesWork) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "accelerations.csv") << "0 0 0 0 0 0 0\n1 0 0 1 0 0 0\n";
    std::ifstream in(std::string(SLUICE_SOURCE_DIR) + "/docs/case-format.md");
    std::string examples;
    bool section = false, block = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("## ")) section = line == "## Damping zones and accelerations";
        if (line.starts_with("```"))
            block = line == "```xml";
        else if (section && block)
            examples += line + "\n";
    }
    const ParticleGroups three(
        {{1, 0, ParticleType::fluid, 0, 1}, {2, 1, ParticleType::fluid, 1, 1}, {3, 2, ParticleType::fluid, 2, 1}});
    const Forcing made = make_forcing(case_with(examples, folder.path()), three, {});
    EXPECT_EQ(made.damping.size(), 3U);
    EXPECT_EQ(made.inputs.size(), 3U);
}

TEST(Forcing, ZonesThatHaveNoFluidAreAWarning) { // the fluid reaches from 0 to 1 m
    const auto warnings = [](const std::string& zones) {
        Case c = case_with("<damping>" + zones + "</damping>", "", true);
        const ParticleSet particles = generate_particles(c, c.diagnostics);
        std::vector<Diagnostic> found;
        lint_damping(c, particles, found);
        return found;
    };
    const std::string holds =
                          R"(<dampingzone><limitmin x="0.5" y="0" z="0"/><limitmax x="1" y="0" z="0"/></dampingzone>)",
                      misses =
                          R"(<dampingzone><limitmin x="5" y="0" z="0"/><limitmax x="9" y="0" z="0"/></dampingzone>)";
    EXPECT_TRUE(warnings(holds).empty());
    const std::vector<Diagnostic> found = warnings(holds + misses);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].level, Diagnostic::Level::warning);
    EXPECT_NE(found[0].message.find("damping zone 2 of 2 has no fluid in it at the start"), std::string::npos);
    EXPECT_NE(found[0].message.find("from (0, 0, 0) to (1, 0, 1) m"), std::string::npos) << found[0].message;
    // a box around the plane of the case holds it whatever its y
    EXPECT_TRUE(warnings(R"(<dampingbox><directions value="all"/><limitmin><pointini x="0.2" y="0" z="0"/><pointend
        x="0.8" y="0" z="2"/></limitmin><limitmax><pointini x="0" y="0" z="-1"/><pointend x="1" y="0" z="3"/></limitmax>
        </dampingbox>)")
                    .empty());
}
