// SPDX-License-Identifier: Apache-2.0
#include "case/scheme.h"

#include "case/read_case.h"
#include "case/write_effective.h"
#include "case_text.h"
#include <algorithm>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sstream>

// Scheme: which set a case gets, what each choice does, that the case's own words hold, and what is told of it.

using namespace sluice;
using sluice::test::CaseText;

namespace {

constexpr const char* normals = R"(<normals><norset mkbound="0"><normal x="0" y="0" z="1"/></norset></normals>)";

/// A case that says nothing of the choices, with normals.
CaseText silent() {
    CaseText t;
    t.constants = R"(<gravity x="0" y="0" z="-9.81"/>)";
    t.casedef = normals;
    return t;
}

Case read(const CaseText& t, std::vector<std::pair<std::string, std::string>> set = {{"Scheme", "recommended"}}) {
    CaseOverrides overrides;
    overrides.set = std::move(set);
    return read_case_text(t.text(), "case.xml", overrides);
}

/// The silent case with these parameters, in the file.
Case read_with(const std::string& key, const std::string& value) {
    CaseText t = silent();
    t.parameters = "<parameter key=\"" + key + "\" value=\"" + value + "\"/>";
    return read(t);
}

const SchemeChoice& choice(const Case& c, const std::string& name) {
    const auto found = std::ranges::find(c.scheme, name, &SchemeChoice::name);
    if (found == c.scheme.end()) throw std::runtime_error("no choice " + name);
    return *found;
}

std::string error_of(const CaseText& t, std::vector<std::pair<std::string, std::string>> set = {}) {
    try {
        read(t, std::move(set));
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

bool says(const Case& c, Diagnostic::Level level, const std::string& words) {
    return std::ranges::any_of(c.diagnostics, [&](const Diagnostic& d) {
        return d.level == level && d.message.find(words) != std::string::npos;
    });
}

} // namespace

TEST(Scheme, EveryChoiceReachesTheRun) {
    const Case c = read(silent());
    EXPECT_EQ(c.constants.coef_h, 1.3);
    EXPECT_EQ(c.constants.coef_sound, 10);
    EXPECT_FALSE(c.constants.cfl);
    const ExecutionParameters& p = c.parameters;
    EXPECT_EQ(p.boundary, sph::BoundaryCondition::modified_dynamic);
    EXPECT_EQ(p.slip, sph::SlipMode::wall);
    EXPECT_EQ(p.integrator, sph::Integrator::staggered);
    EXPECT_EQ(p.verlet_steps, 20);
    EXPECT_EQ(p.kernel, sph::KernelType::wendland);
    EXPECT_EQ(p.viscosity, sph::ViscosityModel::laminar_central);
    EXPECT_EQ(p.visco, 1e-6);
    EXPECT_EQ(p.boundary_viscosity_factor, 1);
    EXPECT_EQ(p.diffusion, sph::DensityDiffusion::fourtakas_full);
    EXPECT_EQ(p.delta, 0.1);
    EXPECT_EQ(p.shifting, sph::Shifting::none);
    EXPECT_EQ(c.scheme.size(), recommended_scheme().size() + 1); // and the set
    EXPECT_EQ(c.scheme.front(), (SchemeChoice{"Scheme", "flow", "flow"}));
    for (const SchemeChoice& choice : c.scheme) {
        EXPECT_TRUE(choice.is_followed()) << choice.name << ": " << choice.used;
        if (&choice == &c.scheme.front()) continue;
        const auto effective = std::ranges::find(c.effective, choice.name, &EffectiveValue::name);
        ASSERT_NE(effective, c.effective.end()) << choice.name;
        EXPECT_EQ(effective->where.file, scheme_place) << choice.name;
        EXPECT_EQ(effective->value, choice.used) << choice.name;
    }
}

namespace {

/// The silent case with a part of `special`, and its set.
Case with_special(const std::string& special, const std::string& word = "recommended") {
    CaseText t = silent();
    t.casedef += R"(<motion><objreal ref="0"><begin mov="1" start="0"/><mvnull id="1"/></objreal></motion>)";
    t.special = special;
    CaseOverrides overrides;
    overrides.set = {{"Scheme", word}, {"RigidAlgorithm", "3"}};
    overrides.allow_unsupported = true;
    return read_case_text(t.text(), "case.xml", overrides);
}

constexpr const char* paddle =
    R"(<wavepaddles><piston><mkbound value="0"/><depth value="0.3"/><waveheight value="0.06"/><waveperiod value="1.2"/>
<pistondir x="1" y="0" z="0"/></piston></wavepaddles>)";

} // namespace

TEST(Scheme, WaveMakersAskForTheSetOfWaves) {
    const Case flow = with_special(""), waves = with_special(paddle);
    EXPECT_EQ(choice(flow, "Scheme").used, "flow");
    EXPECT_EQ(choice(waves, "Scheme").used, "waves");
    EXPECT_TRUE(choice(waves, "Scheme").is_followed());
    EXPECT_EQ(waves.constants.coef_h, 1.8);
    EXPECT_TRUE(choice(waves, "coefh").is_followed());
    EXPECT_EQ(choice(with_special(R"(<relaxationzones/>)"), "Scheme").used, "waves");
    EXPECT_EQ(choice(with_special(R"(<mlayerpistons/>)"), "Scheme").used, "waves");
    EXPECT_EQ(choice(with_special(R"(<_wavepaddles/>)"), "Scheme").used, "flow") << "switched off";
}

TEST(Scheme, JointsKeepTheirIntegrator) {
    const Case c = with_special("<chrono/>");
    EXPECT_EQ(choice(c, "StepAlgorithm").used, "1");
    EXPECT_TRUE(choice(c, "StepAlgorithm").is_followed());
    EXPECT_EQ(c.parameters.integrator, sph::Integrator::verlet);
    EXPECT_EQ(with_special("<_chrono/>").parameters.integrator, sph::Integrator::staggered) << "switched off";
    EXPECT_EQ(with_special("<flexstrucs/>").parameters.integrator, sph::Integrator::symplectic);
}

TEST(Scheme, WaterWithoutGravityGetsTheLongKernelInTwoDimensions) {
    CaseText t = silent();
    t.constants = R"(<gravity x="0" y="0" z="0"/>)";
    const Case weightless = read(t);
    EXPECT_EQ(weightless.constants.coef_h, 1.8);
    EXPECT_EQ(choice(weightless, "Scheme").used, "flow");
    EXPECT_TRUE(choice(weightless, "coefh").is_followed());
    t.constants = R"(<gravity x="0" y="0" z="-1e-3"/>)";
    EXPECT_EQ(read(t).constants.coef_h, 1.3);
    const SchemeMember& coefh = *recommended_choice(Section::constant, "coefh");
    EXPECT_STREQ(coefh.value_for({.weightless = true}), "1.2") << "in 3-D";
}

TEST(Scheme, ASetMayBeNamed) {
    const Case waves = with_special("", "Waves"), flow = with_special(paddle, "flow");
    EXPECT_EQ(waves.constants.coef_h, 1.8);
    EXPECT_EQ(flow.constants.coef_h, 1.3);
    EXPECT_EQ(choice(waves, "Scheme"), (SchemeChoice{"Scheme", "flow", "waves"}));
    EXPECT_TRUE(choice(waves, "coefh").is_followed()) << "by the set that is named";
    EXPECT_TRUE(says(waves, Diagnostic::Level::info, "otherwise than it: Scheme=waves (flow is recommended)"));
    EXPECT_TRUE(says(flow, Diagnostic::Level::info, "otherwise than it: Scheme=flow (waves is recommended)"));
    // apart from the smoothing length in 2-D both sets are one
    for (const SchemeMember& m : recommended_scheme())
        if (std::string_view(m.name) != "coefh") {
            EXPECT_STREQ(m.value_for({SchemeSet::flow, true, true}), m.value_for({SchemeSet::waves, true, true}));
        }
}

TEST(Scheme, WithoutItDefaultsHold) {
    CaseText t;
    t.casedef = normals;
    for (const Case& c : {read(t, {}), read(t, {{"Scheme", "none"}})}) {
        EXPECT_TRUE(c.scheme.empty());
        EXPECT_TRUE(c.diagnostics.empty());
        EXPECT_EQ(c.constants.coef_sound, 20);
        EXPECT_EQ(c.parameters.boundary, sph::BoundaryCondition::dynamic);
        EXPECT_EQ(c.parameters.viscosity, sph::ViscosityModel::artificial);
    }
    EXPECT_NE(error_of(silent()).find("does not say the smoothing length"), std::string::npos);
}

TEST(Scheme, StandsInTheFileOrOnTheCommandLine) {
    CaseText t = silent();
    t.parameters = R"(<parameter key="Scheme" value=" Recommended "/>)";
    EXPECT_EQ(read(t, {}).scheme, read(silent()).scheme);
    t.constants += R"(<coefh value="1"/>)";
    EXPECT_TRUE(read(t, {{"scheme", "none"}}).scheme.empty()) << "the command line's word comes first";
}

TEST(Scheme, WhatTheCaseSaysHolds) {
    // Each choice with another value than the recommended one, and the place where the run takes it.
    using P = ExecutionParameters;
    const std::vector<std::tuple<const char*, const char*, std::function<double(const P&)>>> others = {
        {"Boundary", "1", [](const P& p) { return 1 + double(p.boundary); }},
        {"SlipMode", "3", [](const P& p) { return 1 + double(p.slip); }},
        {"StepAlgorithm", "2", [](const P& p) { return 1 + double(p.integrator); }},
        {"VerletSteps", "10", [](const P& p) { return p.verlet_steps; }},
        {"Kernel", "1", [](const P& p) { return 1 + double(p.kernel); }},
        {"ViscoTreatment", "3", [](const P& p) { return p.viscosity == sph::ViscosityModel::laminar ? 3 : 0; }},
        {"ViscoBoundFactor", "0", [](const P& p) { return p.boundary_viscosity_factor; }},
        {"DensityDT", "2", [](const P& p) { return double(p.diffusion); }},
        {"DensityDTvalue", "0.2", [](const P& p) { return p.delta; }},
        {"Shifting", "1", [](const P& p) { return double(p.shifting); }}};
    for (const auto& [key, value, read_back] : others)
        for (const Case& c : {read_with(key, value), read(silent(), {{"Scheme", "recommended"}, {key, value}})}) {
            EXPECT_DOUBLE_EQ(read_back(c.parameters), std::stod(value)) << key;
            EXPECT_FALSE(choice(c, key).is_followed()) << key;
            EXPECT_EQ(choice(c, key).used, value);
            EXPECT_EQ(std::ranges::count_if(c.scheme, &SchemeChoice::is_followed), std::ssize(c.scheme) - 1) << key;
            EXPECT_TRUE(says(c, Diagnostic::Level::info, std::string("otherwise than it: ") + key + "=" + value))
                << key;
        }
    for (const auto& [name, value] : {std::pair{"coefh", 1.1}, {"coefsound", 15.0}, {"cflnumber", 0.3}}) {
        CaseText t = silent();
        t.constants += "<" + std::string(name) + " value=\"" + std::to_string(value) + "\"/>";
        const Case c = read(t);
        EXPECT_FALSE(choice(c, name).is_followed()) << name;
        EXPECT_EQ(std::string(name) == "coefh"       ? c.constants.coef_h.value_or(0)
                  : std::string(name) == "coefsound" ? c.constants.coef_sound
                                                     : c.constants.cfl.value_or(0),
                  value);
    }
}

TEST(Scheme, AValueThatTheCaseSaysLikewiseIsFollowed) {
    EXPECT_TRUE(choice(read_with("DensityDT", "3.0"), "DensityDT").is_followed());
    EXPECT_TRUE(choice(read_with("ViscoTreatment", "monaghangingold"), "ViscoTreatment").is_followed());
}

TEST(Scheme, OtherWordsForTheSameCountAsSaid) {
    EXPECT_EQ(read_with("BoundaryMethod", "1").parameters.boundary, sph::BoundaryCondition::dynamic);
    EXPECT_EQ(read_with("DeltaSPH", "0.05").parameters.diffusion, sph::DensityDiffusion::molteni);
    EXPECT_EQ(read_with("DeltaSPH", "0").parameters.diffusion, sph::DensityDiffusion::none);
    CaseText t = silent();
    t.constants += R"(<hdp value="1.5"/><speedsound value="30"/>)";
    const Case c = read(t);
    EXPECT_FALSE(c.constants.coef_h);
    EXPECT_EQ(choice(c, "coefh").used, "hdp=1.5");
    EXPECT_EQ(choice(c, "coefsound").used, "speedsound=30");
    t.constants = R"(<gravity x="0" y="0" z="-9.81"/><h value="0.2"/><b value="1e6"/>)";
    EXPECT_EQ(choice(read(t), "coefh").used, "h=0.2");
    EXPECT_EQ(choice(read(t), "coefsound").used, "b=1000000");
}

TEST(Scheme, AViscosityAloneMeansWhatItMeantWithoutScheme) {
    const Case c = read_with("Visco", "0.05");
    EXPECT_EQ(c.parameters.viscosity, sph::ViscosityModel::artificial);
    EXPECT_EQ(c.parameters.visco, 0.05);
    EXPECT_TRUE(says(c, Diagnostic::Level::info, "no ViscoTreatment"));
    const Case file = read_with("ViscoTime", "v.csv");
    EXPECT_EQ(file.parameters.viscosity, sph::ViscosityModel::artificial);
    EXPECT_EQ(choice(file, "Visco").used, "ViscoTime=v.csv");
    // Without Visco the artificial one has its usual coefficient, and laminar ones the viscosity of water.
    EXPECT_EQ(read_with("ViscoTreatment", "1").parameters.visco, 0.01);
    EXPECT_EQ(read_with("ViscoTreatment", "3").parameters.visco, 1e-6);
}

TEST(Scheme, ThreeDimensionsHaveASmoothingLengthOfTheirOwn) {
    CaseText t = silent();
    t.definition = R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="2" z="2"/></definition>)";
    const Case c = read(t);
    EXPECT_EQ(c.constants.coef_h, 1.2);
    EXPECT_TRUE(choice(c, "coefh").is_followed());
    EXPECT_EQ(read(t, {{"Scheme", "waves"}}).constants.coef_h, 1.2) << "for waves, too";
}

TEST(Scheme, WallsFollowTheNormals) {
    CaseText t = silent();
    t.casedef = "";
    const Case without = read(t);
    EXPECT_EQ(without.parameters.boundary, sph::BoundaryCondition::dynamic);
    EXPECT_EQ(choice(without, "Boundary").used, "1");
    t.casedef = R"(<normals><svshapes value="1"/></normals>)";
    EXPECT_EQ(read(t).parameters.boundary, sph::BoundaryCondition::dynamic) << "a file to look at is no normal";
    t.casedef = "";
    t.special =
        R"(<initialize><boundnormal_set mkbound="0"><normal x="0" y="0" z="1"/></boundnormal_set></initialize>)";
    EXPECT_EQ(read(t).parameters.boundary, sph::BoundaryCondition::modified_dynamic);
    t.special = "";
    t.casedef = R"(<normals><geometryfile file="walls.stl"/></normals>)";
    EXPECT_EQ(read(t).parameters.boundary, sph::BoundaryCondition::modified_dynamic);
    t.casedef = R"(<normals><norplane mkbound="0"><normal x="0" y="0" z="0"/></norplane></normals>)";
    EXPECT_NE(error_of(t, {{"Scheme", "recommended"}}), "") << "walls that need normals are read as such";
}

TEST(Scheme, BadValuesAreOneMessage) {
    CaseText t = silent(); // which lacks a smoothing length, too
    t.parameters = R"(<parameter key="Scheme" value="recomended"/>)";
    EXPECT_EQ(error_of(t), "case.xml:17: parameter Scheme is recommended, flow, waves or none (recomended)");
    EXPECT_EQ(error_of(silent(), {{"Scheme", "1"}}),
              "command line: parameter Scheme is recommended, flow, waves or none (1)");
}

TEST(Scheme, TheEffectiveCaseGivesTheSameRun) {
    CaseText t = silent();
    t.parameters = R"(<parameter key="DensityDT" value="2"/>)";
    CaseOverrides overrides;
    overrides.set = {{"Scheme", "recommended"}};
    const Case c = read(t);
    const std::string effective = effective_case(c, overrides, "");
    EXPECT_NE(effective.find(R"(<coefh value="1.3" comment="Scheme"/>)"), std::string::npos) << effective;
    const Case again = read_case_text(effective, "effective-case.xml", {});
    EXPECT_EQ(again.scheme, c.scheme);
    EXPECT_EQ(again.constants.coef_h, c.constants.coef_h);
    EXPECT_EQ(again.parameters.visco, c.parameters.visco);
}

TEST(Scheme, TextNamesWhatIsTakenAndWhatIsNot) {
    std::vector<SchemeChoice> choices{
        {"Scheme", "flow", "flow"}, {"Kernel", "2", "2"}, {"Visco", "1e-6", "0.01"}, {"coefh", "1.4", "hdp=1.5"}};
    EXPECT_EQ(scheme_text(choices),
              "Scheme=flow (for waves over many of their lengths it is waves): Kernel=2; otherwise than it: "
              "Visco=0.01 (1e-6 is recommended), hdp=1.5 (coefh=1.4 is recommended)");
    choices.resize(2);
    choices[0].used = "waves";
    EXPECT_EQ(scheme_text(choices), "Scheme=waves (for water that flows over or round something it is flow): Kernel=2; "
                                    "otherwise than it: Scheme=waves (flow is recommended)");
    EXPECT_EQ(scheme_text({}), "");
}

TEST(Scheme, DocumentationHasTheTable) {
    std::ifstream in(std::string(SLUICE_SOURCE_DIR) + "/docs/case-format.md");
    std::stringstream text;
    text << in.rdbuf();
    EXPECT_NE(text.str().find(scheme_markdown()), std::string::npos)
        << "docs/case-format.md must contain the Markdown form of the table:\n"
        << scheme_markdown();
}
