// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "case/read_case.h"
#include "case_text.h"
#include <functional>
#include <gtest/gtest.h>
#include <map>

// Every parameter and every constant that the language honours, with a value other than its default, read back from
// where the run takes it. A word that is honoured from now on needs a row here.

using namespace sluice;
using sluice::test::CaseText;

namespace {

struct Row {
    const char* value;
    std::function<double(const Case&)> read;
    double expected;
};
using Rows = std::map<std::string, Row>;

template <class Member>
std::function<double(const Case&)> parameter(Member member) {
    return [member](const Case& c) { return double(c.parameters.*member); };
}
std::function<double(const Case&)> limit(bool upper, int axis) {
    return [=](const Case& c) {
        const DomainLimit& l = (upper ? c.parameters.domain_max : c.parameters.domain_min)[axis];
        return l.from_default ? -1 : l.offset;
    };
}

/// 1 and the step along another axis, for an axis that is periodic.
std::function<double(const Case&)> period(int axis, int along) {
    return [=](const Case& c) { return c.parameters.periodic[axis] + c.parameters.periodic_step[axis][along]; };
}
/// Whether both axes but one are periodic.
std::function<double(const Case&)> both_but(int axis) {
    return [=](const Case& c) {
        const bool* periodic = c.parameters.periodic;
        return double(!periodic[axis] && periodic[(axis + 1) % 3] && periodic[(axis + 2) % 3]);
    };
}

Rows parameters() {
    using P = ExecutionParameters;
    Rows rows{
        {"Scheme", {"recommended", [](const Case& c) { return double(c.scheme.size()); }, 15}},
        {"Method", {"fvpm", parameter(&P::method), double(Method::fvpm)}},
        {"SavePosDouble", {"1", parameter(&P::positions_double), 1}},
        {"StepAlgorithm", {"2", parameter(&P::integrator), double(sph::Integrator::symplectic)}},
        {"VerletSteps", {"37", parameter(&P::verlet_steps), 37}},
        {"Kernel", {"1", parameter(&P::kernel), double(sph::KernelType::cubic_spline)}},
        {"Boundary", {"2", parameter(&P::boundary), double(sph::BoundaryCondition::modified_dynamic)}},
        {"BoundaryMethod", {"2", parameter(&P::boundary), double(sph::BoundaryCondition::modified_dynamic)}},
        {"SlipMode", {"3", parameter(&P::slip), double(sph::SlipMode::free_slip)}},
        {"WallPressure", {"2", parameter(&P::wall_pressure), double(sph::WallPressure::balanced)}},
        {"Shifting", {"2", parameter(&P::shifting), double(sph::Shifting::off_resting_walls)}},
        {"ShiftCoef", {"-3", parameter(&P::shift_coefficient), -3}},
        {"ShiftAdvCoef", {"-0.03", parameter(&P::shift_along_surfaces), -0.03}},
        {"ShiftAdvALE", {"1", parameter(&P::shift_follows), 1}},
        {"ShiftTFS", {"1.7", parameter(&P::shift_threshold), 1.7}},
        {"Visco", {"0.2", parameter(&P::visco), 0.2}},
        {"ViscoTime", {"v.csv", [](const Case& c) { return double(c.parameters.visco_file == "v.csv"); }, 1}},
        {"PressureForm", {"2", parameter(&P::pressure_form), double(sph::PressureForm::product)}},
        {"ViscoTreatment", {"3", parameter(&P::viscosity), double(sph::ViscosityModel::laminar)}},
        {"ViscoBoundFactor", {"1.5", parameter(&P::boundary_viscosity_factor), 1.5}},
        {"Smagorinsky", {"0.1", parameter(&P::smagorinsky), 0.1}},
        {"AcousticDamping", {"0.4", parameter(&P::acoustic_damping), 0.4}},
        {"TensileSpacing", {"0.6", parameter(&P::tensile_spacing), 0.6}},
        {"DensityDT", {"3", parameter(&P::diffusion), double(sph::DensityDiffusion::fourtakas_full)}},
        {"DensityDTvalue", {"0.15", parameter(&P::delta), 0.15}},
        {"DeltaSPH", {"0.12", [](const Case& c) { return c.parameters.delta + int(c.parameters.diffusion); }, 1.12}},
        {"CoefDtMin", {"0.08", parameter(&P::coef_dt_min), 0.08}},
        {"DtIni", {"0.003", parameter(&P::dt_initial), 0.003}},
        {"DtMin", {"0.004", parameter(&P::dt_min), 0.004}},
        {"DtFixed", {"0.005", parameter(&P::dt_fixed), 0.005}},
        {"DtAllParticles", {"1", parameter(&P::dt_all_particles), 1}},
        {"TimeMax", {"7", parameter(&P::time_max), 7}},
        {"TimeOut", {"0.25", parameter(&P::time_out), 0.25}},
        {"RhopOutMin", {"650", parameter(&P::rho_out_min), 650}},
        {"RhopOutMax", {"1350", parameter(&P::rho_out_max), 1350}},
        {"MinFluidStop", {"0.25", parameter(&P::min_fluid_stop), 0.25}},
        {"FtPause", {"0.7", parameter(&P::floating_pause), 0.7}},
        {"RigidAlgorithm", {"2", parameter(&P::rigid_algorithm), 2}},
        {"PartsOutMax", {"0.75", parameter(&P::parts_out_max), 0.75}},
        {"IncZ", {"0.5", [](const Case& c) { return c.parameters.domain_max[2].percent; }, 50}},
        {"DomainFixed", {"0:1:2:3:4:5", limit(true, 1), 4}}};
    const char* sides[] = {"min", "max"};
    for (int upper = 0; upper < 2; ++upper)
        for (int axis = 0; axis < 3; ++axis)
            rows[std::string("DomainFixed") + "XYZ"[axis] + sides[upper]] = {"0.75", limit(upper == 1, axis), 0.75};
    const char* both[] = {"YZPeriodic", "XZPeriodic", "XYPeriodic"};
    for (int axis = 0; axis < 3; ++axis) {
        rows[both[axis]] = {"1", both_but(axis), 1};
        for (int along = 0; along < 3; ++along)
            if (along != axis)
                rows[std::string(1, "XYZ"[axis]) + "PeriodicInc" + "XYZ"[along]] = {"0.25", period(axis, along), 1.25};
    }
    return rows;
}

template <class Member>
std::function<double(const Case&)> constant(Member member) {
    return [member](const Case& c) { return double(c.constants.*member); };
}
std::function<double(const Case&)> given(std::optional<double> ConstantsDef::*member) {
    return [member](const Case& c) { return (c.constants.*member).value_or(-1); };
}

Rows constants() {
    using C = ConstantsDef;
    return {
        {"gravity",
         {R"(x="1" y="20" z="300")",
          [](const Case& c) {
              return dot(c.constants.gravity, {1, 1, 1});
          },
          321}},
        {"rhop0", {R"(value="1010")", constant(&C::rho0), 1010}},
        {"rhopgradient", {R"(value="3")", constant(&C::initial_density), double(sph::InitialDensity::max_water_level)}},
        {"hswl", {R"(value="0.5")", given(&C::hswl), 0.5}},
        {"gamma", {R"(value="6")", constant(&C::gamma), 6}},
        {"speedsystem", {R"(value="3")", given(&C::speed_system), 3}},
        {"coefsound", {R"(value="15")", constant(&C::coef_sound), 15}},
        {"speedsound", {R"(value="33")", given(&C::speed_sound), 33}},
        {"coefh", {R"(value="1.3")", given(&C::coef_h), 1.3}},
        {"coefficient", {R"(value="1.25")", given(&C::coef_h), 1.25}},
        {"hdp", {R"(value="1.4")", given(&C::hdp), 1.4}},
        {"h", {R"(value="0.2")", given(&C::h), 0.2}},
        {"b", {R"(value="7e5")", given(&C::b), 7e5}},
        {"massbound", {R"(value="12")", given(&C::mass_bound), 12}},
        {"massfluid", {R"(value="11")", given(&C::mass_fluid), 11}},
        {"cflnumber", {R"(value="0.3")", given(&C::cfl), 0.3}},
        {"lattice",
         {R"(bound="2" fluid="1")", [](const Case& c) { return 10 * c.lattice_bound + c.lattice_fluid; }, 21}}};
}

/// The words that say the smoothing length, of which a case has one.
bool sets_length(const std::string& name) { return name == "coefh" || name == "coefficient" || name == "hdp"; }

/// With words that the method lacks: what a case says is read all the same.
Case read_words(const CaseText& text) {
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    return read_case_text(text.text(), "case.xml", overrides);
}

/// The sum of all that the rows read: what changes beside the one value that should.
void expect_rows(const Rows& rows, Section section,
                 const std::function<CaseText(const std::string&, const Row&)>& text_with) {
    for (const LanguageEntry& word : language())
        if (word.section == section && word.support == Support::honoured) {
            EXPECT_TRUE(rows.contains(word.name)) << word.name << " is honoured, but no row here tests it";
        }
    for (const auto& [name, row] : rows) {
        EXPECT_NE(row.read(read_words(CaseText{})), row.expected)
            << name << ": the test needs a value other than the default";
        EXPECT_DOUBLE_EQ(row.read(read_words(text_with(name, row))), row.expected) << name;
    }
}

} // namespace

TEST(HonouredWords, EveryParameterReachesTheRun) {
    expect_rows(parameters(), Section::parameter, [](const std::string& name, const Row& row) {
        CaseText text;
        text.parameters = "<parameter key=\"" + name + "\" value=\"" + row.value + "\"/>";
        return text;
    });
}

TEST(HonouredWords, EveryConstantReachesTheRun) {
    expect_rows(constants(), Section::constant, [](const std::string& name, const Row& row) {
        CaseText text;
        const std::string element = "<" + name + " " + row.value + "/>";
        text.constants = sets_length(name) ? element : R"(<coefh value="1"/>)" + element;
        return text;
    });
}

TEST(HonouredWords, EveryNumberOfAChoiceMeansItsOwn) {
    using P = ExecutionParameters;
    const auto expect = [](const char* key, auto member, const auto& choices) {
        for (const auto& [value, choice] : choices) {
            CaseText text;
            text.parameters = std::string("<parameter key=\"") + key + "\" value=\"" + value + "\"/>";
            EXPECT_EQ(read_words(text).parameters.*member, choice) << key << " " << value;
        }
    };
    using sph::BoundaryCondition, sph::DensityDiffusion, sph::Integrator, sph::KernelType, sph::Shifting, sph::SlipMode,
        sph::ViscosityModel;
    expect("Kernel", &P::kernel,
           std::map<std::string, KernelType>{{"1", KernelType::cubic_spline}, {"2", KernelType::wendland}});
    expect("StepAlgorithm", &P::integrator,
           std::map<std::string, Integrator>{{"1", Integrator::verlet}, {"2", Integrator::symplectic}});
    for (const char* key : {"Boundary", "BoundaryMethod"})
        expect(key, &P::boundary,
               std::map<std::string, BoundaryCondition>{{"1", BoundaryCondition::dynamic},
                                                        {"2", BoundaryCondition::modified_dynamic}});
    expect(
        "SlipMode", &P::slip,
        std::map<std::string, SlipMode>{{"1", SlipMode::wall}, {"2", SlipMode::no_slip}, {"3", SlipMode::free_slip}});
    expect(
        "WallPressure", &P::wall_pressure,
        std::map<std::string, sph::WallPressure>{{"1", sph::WallPressure::linear}, {"2", sph::WallPressure::balanced}});
    expect(
        "PressureForm", &P::pressure_form,
        std::map<std::string, sph::PressureForm>{{"1", sph::PressureForm::squares}, {"2", sph::PressureForm::product}});
    expect("ViscoTreatment", &P::viscosity,
           std::map<std::string, ViscosityModel>{{"1", ViscosityModel::artificial},
                                                 {"2", ViscosityModel::laminar_sps},
                                                 {"3", ViscosityModel::laminar},
                                                 {"MonaghanGingold", ViscosityModel::laminar_central}});
    expect("DensityDT", &P::diffusion,
           std::map<std::string, DensityDiffusion>{{"0", DensityDiffusion::none},
                                                   {"1", DensityDiffusion::molteni},
                                                   {"2", DensityDiffusion::fourtakas},
                                                   {"3", DensityDiffusion::fourtakas_full},
                                                   {"4", DensityDiffusion::renormalised}});
    expect("Shifting", &P::shifting,
           std::map<std::string, Shifting>{{"0", Shifting::none},
                                           {"1", Shifting::off_walls},
                                           {"2", Shifting::off_resting_walls},
                                           {"3", Shifting::everywhere},
                                           {"4", Shifting::along_surfaces}});
}

TEST(HonouredWords, EveryInitialDensityHasItsNumber) {
    using sph::InitialDensity;
    for (const auto& [value, choice] : std::map<int, InitialDensity>{
             {1, InitialDensity::reference}, {2, InitialDensity::water_column}, {3, InitialDensity::max_water_level}}) {
        CaseText text;
        text.constants = R"(<coefh value="1"/><rhopgradient value=")" + std::to_string(value) + R"("/>)";
        EXPECT_EQ(read_words(text).constants.initial_density, choice) << value;
    }
}

TEST(HonouredWords, NoConstantTakesAnothersPlace) {
    for (const auto& [name, row] : constants()) {
        CaseText text;
        const std::string element = "<" + name + " " + row.value + "/>";
        text.constants = sets_length(name) ? element : R"(<coefh value="1"/>)" + element;
        const Case changed = read_words(text);
        for (const auto& [other, its] : constants())
            if (other != name && !sets_length(other)) {
                EXPECT_EQ(its.read(changed), its.read(read_words(CaseText{}))) << name << " changes " << other;
            }
    }
}

TEST(HonouredWords, ALowSpeedOfSoundIsWarnedOf) {
    const auto warned = [](const char* constants) {
        CaseText text;
        text.constants = std::string(R"(<coefh value="1"/>)") + constants;
        for (const Diagnostic& d : read_words(text).diagnostics)
            if (d.message.find("coefsound is 5: ") == 0 && d.message.find("10 sqrt(g hswl)") != std::string::npos)
                return d.where.line == CaseText::constants_line;
        return false;
    };
    EXPECT_TRUE(warned(R"(<coefsound value="5"/>)"));
    EXPECT_FALSE(warned(R"(<coefsound value="10"/>)"));
    EXPECT_FALSE(warned(R"(<coefsound value="5"/><speedsound value="30"/>)"));
    EXPECT_FALSE(warned(R"(<coefsound value="5"/><b value="7e5"/>)"));
}
