// SPDX-License-Identifier: Apache-2.0
#include "../geometry/geometry_case.h"
#include "core/error.h"
#include "setup/setup.h"
#include "temporary_folder.h"
#include <algorithm>
#include <fstream>

using namespace sluice;
using namespace sluice::test;

namespace {

const char* const steel = R"(<property name="steel"><Young_Modulus value="2.1e11"/><PoissonRatio value="0.3"/>
<Restitution_Coefficient value="0.8"/><Kfric value="0.45"/></property>)";
const char* const floor_link = R"(<links><link mkbound="0" property="steel"/></links>)";

/// A block of 5 × 4 × 3 particles (mkbound 1, 30 kg) over a floor of one layer (mkbound 0); in 2-D one layer of them.
RunSetup made(const std::string& property, const std::string& properties, const std::filesystem::path& folder = {},
              bool two_d = false) {
    CaseText text;
    text.definition =
        R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="2" z="2"/></definition>)";
    if (two_d)
        text.definition =
            R"(<definition dp="0.1"><pointmin x="-1" y="0.1" z="-1"/><pointmax x="2" y="0.1" z="2"/></definition>)";
    text.constants = R"(<gravity x="0" y="0" z="-9.81"/><coefh value="1"/><speedsound value="30"/>)";
    text.commands = R"(<setmkbound mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="0" z="-0.5"/>
<size x="0.4" y="0.3" z="0"/></drawbox><setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0"/>
<size x="0.4" y="0.3" z="0.2"/></drawbox>)";
    text.casedef = "<floatings><floating mkbound=\"1\" property=\"" + property +
                   "\"><massbody value=\"30\"/></floating></floatings><properties>" + properties + "</properties>";
    text.parameters = R"(<parameter key="RigidAlgorithm" value="2"/>)";
    const Case definition = read_case_text(text.text(), folder / "case.xml", {});
    std::vector<Diagnostic> diagnostics;
    return make_run_setup(definition, generate_particles(definition, diagnostics));
}

void expect_error(const std::string& property, const std::string& properties, const std::string& message) {
    try {
        made(property, properties);
        ADD_FAILURE() << "accepted: " << property << " of " << properties;
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
}

} // namespace

TEST(ContactParts, OfWallsAndBodies) {
    const RunSetup setup = made("steel + mine", std::string(steel) + floor_link +
                                                    R"(<property name="mine" Kfric_User="0.1" colour="red"/>)");
    EXPECT_EQ(setup.contact, BodyContact::elastic);
    const ContactParts& made = setup.contact_parts;
    ASSERT_EQ(made.parts.size(), 2u);
    EXPECT_EQ(made.parts[0].mass, std::numeric_limits<double>::infinity());
    EXPECT_EQ(made.parts[0].material.young, 2.1e11);
    EXPECT_EQ(made.parts[0].material.friction, 0.45);
    EXPECT_EQ(made.parts[1].mass, 30);
    EXPECT_EQ(made.parts[1].material.poisson, 0.3);
    EXPECT_EQ(made.parts[1].material.restitution, 0.8);
    EXPECT_EQ(made.parts[1].material.friction, 0.1);
    ASSERT_EQ(made.of_id.size(), 20u + 60u);
    EXPECT_EQ(std::count(made.of_id.begin(), made.of_id.end(), 0u), 20);
    EXPECT_EQ(std::count(made.of_id.begin(), made.of_id.end(), ContactParts::inside), 3 * 2 * 1);
    EXPECT_EQ(made.of_id[20], 1u);
}

// Particles on every side but across the plane.
TEST(ContactParts, InAPlaneNothingIsMissingAcrossIt) {
    const ContactParts made_of = made("steel", std::string(steel) + floor_link, {}, true).contact_parts;
    ASSERT_EQ(made_of.of_id.size(), 5u + 5 * 3);
    EXPECT_EQ(std::count(made_of.of_id.begin(), made_of.of_id.end(), 0u), 5);
    EXPECT_EQ(std::count(made_of.of_id.begin(), made_of.of_id.end(), 1u), 5 * 3 - 3);
    EXPECT_EQ(std::count(made_of.of_id.begin(), made_of.of_id.end(), ContactParts::inside), 3);
}

TEST(ContactParts, FromAFile) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "stuff.xml")
        << "<?xml version=\"1.0\"?><all><materials>" << steel << "</materials></all>";
    const std::string file = R"(<propertyfile file="stuff.xml" path="all.materials"/>)";
    EXPECT_EQ(made("steel", file + floor_link, folder.path()).contact_parts.parts[1].material.friction, 0.45);
    EXPECT_THROW(made("steel", R"(<propertyfile file="stuff.xml" path="all.nothing"/>)", folder.path()), InputError);
    EXPECT_THROW(made("steel", R"(<propertyfile file="none.xml" path="all"/>)", folder.path()), InputError);
}

TEST(ContactParts, MistakesAreNamed) {
    expect_error("", std::string(steel) + floor_link, "what mkbound 1 is made of: give its <floating> a property");
    expect_error("steel", steel, "what mkbound 0 is made of: name it in a <link>");
    expect_error("stel", std::string(steel) + floor_link, "there is no property \"stel\"");
    expect_error("steel", std::string(steel) + steel, "the property \"steel\" is given in");
    expect_error("steel + x", std::string(steel) + floor_link + R"(<property name="x" Kfric="0.1"/>)",
                 "give Kfric twice, 0.45 and 0.1: keep one, or write Kfric_User");
    expect_error("steel", std::string(R"(<property name="steel" Young_Modulus="1e9"/>)") + floor_link,
                 "has no PoissonRatio");
    const std::string link = R"(<links><link mkbound="0-1" property="bad"/></links>)";
    const auto bad = [&](const std::string& values) { return link + "<property name=\"bad\" " + values + "/>"; };
    expect_error("bad", bad(R"(Young_Modulus="0" PoissonRatio="0" Restitution_Coefficient="1" Kfric="0")"),
                 "Young_Modulus is not above 0 (0)");
    expect_error("bad", bad(R"(Young_Modulus="1" PoissonRatio="0.6" Restitution_Coefficient="1" Kfric="0")"),
                 "PoissonRatio is outside");
    expect_error("bad", bad(R"(Young_Modulus="1" PoissonRatio="0" Restitution_Coefficient="0" Kfric="0")"),
                 "Restitution_Coefficient is not above 0");
    expect_error("bad", bad(R"(Young_Modulus="1" PoissonRatio="0" Restitution_Coefficient="1" Kfric="-1")"),
                 "Kfric is negative");
    expect_error("steel",
                 std::string(steel) +
                     R"(<links><link mkbound="0" property="steel"/><link mkbound="1" property="bad"/></links>)",
                 "mkbound 1 has the properties \"steel\" and \"bad\"");
}
