// SPDX-License-Identifier: Apache-2.0
#include "setup/bounds.h"

#include "../case/case_text.h"
#include "case/read_case.h"
#include "core/error.h"
#include "geometry/generate.h"
#include "setup/setup.h"
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
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

TEST(bounds, plain_defaults_are_told_what_calms_still_water) {
    const std::pair<std::string, std::string> long_run{"TimeMax", "200"};
    const std::vector<Diagnostic> found = found_for({long_run});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].level, Diagnostic::Level::warning);
    EXPECT_NE(
        found[0].message.find("take Scheme=recommended, DensityDT 2, StepAlgorithm 2, or an artificial viscosity"),
        std::string::npos)
        << found[0].message;
    for (const Settings& calm : {Settings{{"DensityDT", "2"}}, Settings{{"StepAlgorithm", "2"}},
                                 Settings{{"Visco", "0.1"}}, Settings{{"StepAlgorithm", "3"}, {"cflnumber", "0.8"}}})
        for (const Diagnostic& d : found_for({long_run, calm[0], calm.back()}))
            ADD_FAILURE() << calm[0].first << ": " << d.message;
    // water's own viscosity calms nothing: a tank of 500 kg had 30 J of motion after 10 s of symplectic steps
    for (const char* steps : {"1", "2"})
        EXPECT_EQ(found_for({long_run, {"StepAlgorithm", steps}, {"ViscoTreatment", "3"}, {"Visco", "1e-6"}}).size(),
                  1u);
}

TEST(bounds, undamped_water_boils_before_walls_from_ghost_nodes) {
    const auto said = [](Settings settings) {
        settings.emplace_back("Boundary", "2");
        for (const Diagnostic& d : found_for(settings))
            if (d.message.find("Boundary 2") != std::string::npos) return true;
        return false;
    };
    EXPECT_TRUE(said({{"StepAlgorithm", "3"}, {"cflnumber", "0.8"}, {"Visco", "0.05"}}));
    EXPECT_TRUE(said({{"StepAlgorithm", "2"}, {"ViscoTreatment", "3"}, {"Visco", "1e-6"}}));
    EXPECT_FALSE(said({{"StepAlgorithm", "3"}, {"cflnumber", "0.8"}, {"Visco", "0.1"}}));
    EXPECT_FALSE(said({{"DensityDT", "3"}}));
}

/// Measured in still tanks of 1 x 0.5 m, dp 0.02 m: with δ 0.3, 0.3, 0.2 and h 0.040, 0.051, 0.040 m the water rose by
/// 9, 12 and 4 mm in 10 s.
TEST(bounds, diffusion_without_a_hydrostatic_term_is_told_to_lift_water) {
    const auto said = [](const char* kind, const char* time) {
        const std::vector<Diagnostic> found = found_for({{"DensityDT", kind}, {"TimeMax", time}});
        return found.empty() ? std::string() : found[0].message;
    };
    EXPECT_NE(said("1", "30").find("take DensityDT 2 or 3"), std::string::npos);
    EXPECT_EQ(said("1", "0.1"), "");
    EXPECT_EQ(said("2", "30"), "");
}

/// Measured in a still tank of 1 x 0.5 m, dp 0.02 m: the largest stable coefficients.
TEST(bounds, density_diffusion_and_viscosity_know_the_time_step) {
    const auto said = [](Settings settings) {
        settings.emplace_back("DensityDT", "3");
        const std::vector<Diagnostic> found = found_for(settings);
        return found.empty() ? std::string() : found[0].message;
    };
    EXPECT_EQ(said({{"DensityDTvalue", "0.1"}}), "");
    for (const auto& [steps, value] : {std::pair{"40", 0.104}, {"20", 0.171}, {"10", 0.274}, {"5", 0.444}}) {
        EXPECT_EQ(said({{"VerletSteps", steps}, {"DensityDTvalue", fmt::format("{}", 0.97 * value)}}), "") << steps;
        EXPECT_NE(said({{"VerletSteps", steps}, {"DensityDTvalue", fmt::format("{}", 1.08 * value)}}), "") << steps;
    }
    EXPECT_EQ(said({{"StepAlgorithm", "2"}, {"DensityDTvalue", "0.5"}}), "");
    EXPECT_NE(said({{"cflnumber", "0.3"}}).find("use VerletSteps"), std::string::npos);
    EXPECT_NE(said({{"Visco", "1"}}).find("Visco 1: unstable"), std::string::npos);
    const std::string message = said({{"DensityDTvalue", "0.2"}});
    EXPECT_NE(message.find("DensityDTvalue 0.2: unstable with steps as long as here and VerletSteps 40"),
              std::string::npos)
        << message;
}

TEST(bounds, staggered_steps_are_long) {
    const auto said = [](Settings settings) {
        settings.emplace_back("StepAlgorithm", "3");
        const std::vector<Diagnostic> found = found_for(settings);
        return found.empty() ? std::string() : found[0].message;
    };
    EXPECT_EQ(said({{"cflnumber", "0.8"}, {"DensityDT", "2"}}), "");
    EXPECT_NE(said({{"DensityDT", "2"}}).find("take a cflnumber of 0.8 here"), std::string::npos);
    EXPECT_NE(said({{"DensityDT", "2"}, {"DensityDTvalue", "0.45"}}).find("take a cflnumber of 0."), std::string::npos);
    EXPECT_NE(said({{"cflnumber", "0.2"}, {"DensityDT", "2"}}).find("4.0 times as many steps"), std::string::npos);
    EXPECT_NE(said({{"cflnumber", "0.8"}, {"DensityDT", "2"}, {"DensityDTvalue", "0.45"}}).find("densities would grow"),
              std::string::npos);
}

TEST(bounds, staggered_steps_go_with_bodies_and_open_boundaries) {
    Bounded made = made_with({{"StepAlgorithm", "3"}, {"cflnumber", "0.8"}, {"DensityDT", "2"}});
    made.definition.floatings.emplace_back();
    made.definition.open.zones.emplace_back();
    EXPECT_TRUE(check_bounds(made.definition, make_constants(made.definition, made.particles)).empty());
}

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
        const std::vector<Diagnostic> found = found_for({{key, value}, {"DensityDT", "1"}, {"DensityDTvalue", "0.01"}});
        ASSERT_EQ(found.size(), 1u) << key;
        EXPECT_EQ(found[0].level, Diagnostic::Level::warning);
        EXPECT_TRUE(found[0].message.starts_with(std::string(key) + ": ")) << found[0].message;
    }
}

TEST(bounds, lie_where_they_are_said_to) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    // The smoothing length is √2 dp, and at 100 m/s sound crosses it in √2 ms.
    const double root = std::sqrt(2.0), sound = root * 1e-3;
    struct Edges {
        const char* name;
        Settings beside; ///< what else the case says
        double least_that_works, least_wise, most_wise, most_that_works;
    };
    const Settings symplectic{{"StepAlgorithm", "2"}}, laminar{{"ViscoTreatment", "2"}};
    const Edges all[] = {{"rhop0", {{"RhopOutMin", "1e-9"}, {"RhopOutMax", "1e9"}}, 1e-3, 0.1, 3e4, 1e6},
                         {"gamma", {}, none, 1, 8, 20},
                         {"coefh", {}, 0.7 / root, 0.9 / root, 3 / root, 10 / root},
                         {"speedsound", {}, 1e-6, 1e-3, 1e5, 1e6},
                         {"cflnumber", {}, 1e-4, 0.01, 0.3, 0.49},
                         {"cflnumber", symplectic, 1e-4, 0.01, 0.7, none},
                         {"Visco", {}, none, none, 1, 10},
                         {"Visco", laminar, none, none, 10 * 10 * root, 1000 * 10 * root},
                         {"ViscoBoundFactor", {}, none, none, 100, 1000},
                         {"AcousticDamping", symplectic, none, none, 0.4 / 0.2, 0.7 / 0.2},
                         {"TensileSpacing", {}, none, none, 2, 10},
                         {"DensityDTvalue", {}, none, none, 0.5, 1},
                         {"massfluid", {}, 0.1 * 10, 0.5 * 10, 2 * 10, 10 * 10}, // 1000 kg/m³ of 0.01 m²
                         {"massbound", {}, 0.1 * 10, 0.5 * 10, 2 * 10, 10 * 10},
                         {"DtMin", {}, none, none, 0.2 * sound, 0.49 * sound},
                         {"DtMin", symplectic, none, none, 0.2 * sound, sound},
                         {"CoefDtMin", {}, none, none, 0.2, 0.49},
                         {"DtIni", {}, none, none, 0.49 * sound, none},
                         {"TimeMax", {}, none, none, 1e10 * 0.2 * sound, 1e13 * 0.2 * sound},
                         {"DtFixed", {}, 1e-6 * sound, 1e-3 * sound, 0.3 * sound, 0.49 * sound},
                         {"DtFixed", symplectic, 1e-6 * sound, 1e-3 * sound, 0.7 * sound, sound}};
    for (const Edges& edges : all) {
        const auto level = [&](double value) -> std::string {
            Settings settings{{"speedsound", "100"}};
            if (edges.name == settings[0].first) settings.clear();
            settings.insert(settings.end(), edges.beside.begin(), edges.beside.end());
            settings.emplace_back(edges.name, fmt::format("{}", value));
            for (const Diagnostic& found : found_for(settings))
                if (found.message.starts_with(edges.name + std::string(": ")))
                    return found.level == Diagnostic::Level::error ? "error" : "warning";
            return "";
        };
        constexpr double above = 1 + 1e-5, below = 1 - 1e-5;
        const auto expect_change = [&](double at, double inward, const char* outside, const char* inside) {
            if (std::isnan(at)) return;
            EXPECT_EQ(level(at * inward), inside) << edges.name << " inside of " << at;
            EXPECT_EQ(level(at * (2 - inward)), outside) << edges.name << " outside of " << at;
        };
        expect_change(edges.least_that_works, above, "error", "warning");
        expect_change(edges.least_wise, above, std::isnan(edges.least_that_works) ? "error" : "warning", "");
        expect_change(edges.most_wise, below, "warning", "");
        expect_change(edges.most_that_works, below, "error", "warning");
    }
    const auto frames = [](const char* period) {
        return found_for({{"speedsound", "100"}, {"TimeMax", "1000"}, {"TimeOut", period}, {"DensityDT", "2"}}).size();
    };
    EXPECT_EQ(frames("0.001000002"), 0u); // with the first, 999 999 frames
    EXPECT_EQ(frames("0.001"), 1u);
    const auto gravity = [](const char* value) {
        return found_for({{"speedsound", "1e4"}, {"gravity", value}, {"DensityDT", "2"}});
    };
    EXPECT_TRUE(gravity("0,0,-99.999").empty());
    EXPECT_EQ(gravity("0,0,-100.001").at(0).level, Diagnostic::Level::warning);
    EXPECT_EQ(gravity("0,0,-999990").at(0).level, Diagnostic::Level::warning);
    EXPECT_EQ(gravity("0,0,-1000010").at(0).level, Diagnostic::Level::error);
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
    for (const Diagnostic& d : notes("3", "1e-6")) EXPECT_NE(d.level, Diagnostic::Level::info) << d.message;
    EXPECT_TRUE(notes("3", "0.0099").empty()) << "that of honey";
    EXPECT_EQ(notes("3", "0.0101").size(), 1u) << "what coefficients of artificial viscosity begin at";
}

TEST(bounds, the_symplectic_integrator_may_take_longer_steps) {
    CaseText t;
    t.parameters = R"(<parameter key="StepAlgorithm" value="2"/><parameter key="DensityDT" value="2"/>)";
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
