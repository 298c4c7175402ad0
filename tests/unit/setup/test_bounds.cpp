// SPDX-License-Identifier: Apache-2.0
#include "setup/bounds.h"

#include "../case/case_text.h"
#include "case/read_case.h"
#include "core/error.h"
#include "geometry/generate.h"
#include "setup/setup.h"
#include <gtest/gtest.h>
#include <optional>

using namespace sluice;
using sluice::test::CaseText;

namespace {

struct Bounded {
    Case definition;
    ParticleSet particles;
};

using Settings = std::vector<std::pair<std::string, std::string>>;

Bounded made_with(const Settings& settings) {
    CaseText t;
    CaseOverrides overrides;
    overrides.set = settings;
    Bounded made{read_case_text(t.text(), "case.xml", overrides), {}};
    std::vector<Diagnostic> diagnostics;
    made.particles = generate_particles(made.definition, diagnostics);
    return made;
}

std::vector<Diagnostic> found_for(const Settings& settings) {
    const Bounded made = made_with(settings);
    return check_bounds(made.definition, make_constants(made.definition, made.particles));
}
std::vector<Diagnostic> found_for(const std::string& key, const std::string& value) {
    return found_for({{key, value}});
}

} // namespace

TEST(bounds, a_usual_case_is_within_them) { EXPECT_TRUE(found_for({}).empty()); }

TEST(bounds, the_acoustic_damper_needs_symplectic_steps_that_are_short_enough) {
    using enum Diagnostic::Level;
    const std::pair<Settings, std::optional<Diagnostic::Level>> damped[] = {
        {{{"StepAlgorithm", "2"}, {"AcousticDamping", "2"}}, {}}, // 0.4/0.2
        {{{"StepAlgorithm", "2"}, {"AcousticDamping", "2.1"}}, warning},
        {{{"StepAlgorithm", "2"}, {"AcousticDamping", "2.1"}, {"cflnumber", "0.1"}}, {}},
        {{{"StepAlgorithm", "2"}, {"AcousticDamping", "3.6"}}, error},
        {{{"StepAlgorithm", "1"}, {"AcousticDamping", "0.5"}}, error},
        {{{"StepAlgorithm", "1"}, {"AcousticDamping", "0"}}, {}}};
    for (const auto& [settings, level] : damped) {
        const std::vector<Diagnostic> found = found_for(settings);
        ASSERT_EQ(found.size(), level ? 1u : 0u) << settings[1].second << (found.empty() ? "" : found[0].message);
        if (level) {
            EXPECT_EQ(found[0].level, *level) << found[0].message;
        }
    }
}

TEST(bounds, what_cannot_work_is_refused_by_name) {
    const std::vector<std::pair<const char*, const char*>> nonsense{
        {"coefsound", "1e30"},   {"speedsound", "1e30"}, {"massbound", "1e30"},   {"massfluid", "1e-9"},
        {"DtMin", "1e300"},      {"DtFixed", "1e300"},   {"Visco", "1e30"},       {"cflnumber", "0.5"},
        {"coefh", "0.1"},        {"coefh", "1e9"},       {"CoefDtMin", "3"},      {"gamma", "1e9"},
        {"DensityDTvalue", "7"}, {"TimeMax", "1e300"},   {"gravity", "0,0,-1e9"}, {"cflnumber", "1e-300"}};
    for (const auto& [key, value] : nonsense) {
        const std::vector<Diagnostic> found = found_for(key, value);
        bool refused = false;
        for (const Diagnostic& d : found)
            refused =
                refused || (d.level == Diagnostic::Level::error && d.message.starts_with(std::string(key) + ": "));
        EXPECT_TRUE(refused) << key << ' ' << value << ' ' << (found.empty() ? "" : found[0].message);
        const Bounded made = made_with({{key, value}});
        EXPECT_THROW(make_run_setup(made.definition, made.particles), InputError) << key << ' ' << value;
    }
}

TEST(bounds, what_is_unwise_is_a_warning) {
    for (const auto& [key, value] : {std::pair{"cflnumber", "0.4"},
                                     {"coefh", "2.5"},
                                     {"Visco", "2"},
                                     {"DtIni", "1e300"},
                                     {"gravity", "0,0,-981"}}) {
        const std::vector<Diagnostic> found = found_for(key, value);
        ASSERT_EQ(found.size(), 1u) << key;
        EXPECT_EQ(found[0].level, Diagnostic::Level::warning);
        EXPECT_TRUE(found[0].message.starts_with(std::string(key) + ": ")) << found[0].message;
    }
}

TEST(bounds, a_viscosity_that_may_be_meant_as_a_coefficient_is_noted) {
    CaseText t;
    t.constants += R"(<speedsound value="40" auto="false"/>)";
    const auto notes = [&](const char* treatment, const char* value) {
        t.parameters = std::string(R"(<parameter key="ViscoTreatment" value=")") + treatment +
                       R"("/><parameter key="Visco" value=")" + value + R"("/>)";
        const Case definition = read_case_text(t.text(), "case.xml");
        std::vector<Diagnostic> diagnostics;
        const ParticleSet particles = generate_particles(definition, diagnostics);
        return check_bounds(definition, make_constants(definition, particles));
    };
    const std::vector<Diagnostic> noted = notes("3", "0.05");
    ASSERT_EQ(noted.size(), 1u);
    EXPECT_EQ(noted[0].level, Diagnostic::Level::info);
    EXPECT_NE(noted[0].message.find("0.05 m2/s, 5e+04 times that of water"), std::string::npos) << noted[0].message;
    EXPECT_TRUE(notes("1", "0.05").empty());
    EXPECT_TRUE(notes("3", "1e-6").empty());
    EXPECT_TRUE(notes("3", "0.0099").empty()) << "that of honey";
    EXPECT_EQ(notes("3", "0.0101").size(), 1u) << "what coefficients of artificial viscosity begin at";
}

TEST(bounds, the_symplectic_integrator_may_take_longer_steps) {
    CaseText t;
    t.parameters = R"(<parameter key="StepAlgorithm" value="2"/>)";
    t.constants += R"(<cflnumber value="0.6"/>)";
    const Case definition = read_case_text(t.text(), "case.xml");
    std::vector<Diagnostic> diagnostics;
    const ParticleSet particles = generate_particles(definition, diagnostics);
    EXPECT_TRUE(check_bounds(definition, make_constants(definition, particles)).empty());
}

TEST(bounds, a_domain_has_cells_that_can_be_counted) {
    const auto setup = [&](const char* value) {
        const Bounded m = made_with({{"DomainFixedZmax", value}});
        return make_run_setup(m.definition, m.particles);
    };
    EXPECT_NO_THROW(setup("1e4"));
    for (const char* value : {"1e9", "1e30", "1e300"}) EXPECT_THROW(setup(value), InputError) << value;
}
