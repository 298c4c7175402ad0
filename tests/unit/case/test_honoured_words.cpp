// SPDX-License-Identifier: Apache-2.0
#include "../values_of.h"
#include "case/language.h"
#include "case/parameters/parameter_row.h"
#include "case/read_case.h"
#include "case_text.h"
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>

// Every parameter and every constant that the language honours, with a value other than its default, read back from
// where the run takes it. Parameters that set one member are tried as their rows say; others, and constants, need a row
// here.

using namespace sluice;
using sluice::test::CaseText;

namespace {

struct Row {
    const char* value;
    std::function<double(const Case&)> read;
    double expected;
};
using Rows = std::map<std::string, Row>;

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

/// The parameters that do more than to set one member to their value.
Rows special_parameters() {
    Rows rows{
        {"Scheme", {"recommended", [](const Case& c) { return double(c.scheme.size()); }, 15}},
        {"Method", {"fvpm", [](const Case& c) { return double(c.parameters.method); }, double(Method::fvpm)}},
        {"ViscoTime", {"v.csv", [](const Case& c) { return double(c.parameters.visco_file == "v.csv"); }, 1}},
        {"DeltaSPH", {"0.12", [](const Case& c) { return c.parameters.delta + int(c.parameters.diffusion); }, 1.12}},
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

CaseText case_with(const std::string& name, const std::string& value) {
    CaseText text;
    text.parameters = "<parameter key=\"" + name + "\" value=\"" + value + "\"/>";
    return text;
}

/// The parameters of the small case with one of them given, those that are not at their defaults in one line.
std::string parameters_with(const std::string& name, const std::string& value) {
    test::Values values("");
    values.put(read_words(case_with(name, value)).parameters);
    std::string all;
    for (const std::string& line : values.lines()) all += line;
    return all;
}

/// A value other than the default.
std::string another_value(const ParameterRow& row) {
    const std::string usual = row.use.fallback();
    const ParameterRange& range = row.use.range;
    switch (range.kind) {
    case ParameterRange::Kind::any: return "1.25";
    case ParameterRange::Kind::least: return format_number(parse_number(usual) + 0.25);
    case ParameterRange::Kind::most: return format_number(parse_number(usual) - 0.25);
    case ParameterRange::Kind::above_zero: return format_number(2 * parse_number(usual));
    case ParameterRange::Kind::fraction: return "0.25";
    case ParameterRange::Kind::whole: break;
    }
    if (usual == std::to_string(range.most)) return std::to_string(range.least);
    return std::to_string(usual == std::to_string(range.least) ? range.least + 1 : range.most);
}

/// What changes beside the one value that should.
void expect_rows(const Rows& rows, const std::function<CaseText(const std::string&, const Row&)>& text_with) {
    for (const auto& [name, row] : rows) {
        EXPECT_NE(row.read(read_words(CaseText{})), row.expected)
            << name << ": the test needs a value other than the default";
        EXPECT_DOUBLE_EQ(row.read(read_words(text_with(name, row))), row.expected) << name;
    }
}

} // namespace

TEST(HonouredWords, EveryParameterReachesTheRun) {
    const Rows special = special_parameters();
    expect_rows(special, [](const std::string& name, const Row& row) { return case_with(name, row.value); });
    std::set<std::string> members;
    for (const ParameterRow& row : parameter_rows()) {
        if (row.support != Support::honoured || special.contains(row.name)) continue;
        const std::string value = another_value(row), changed = parameters_with(row.name, value);
        const std::size_t name = changed.find(": ") + 2, number = changed.find('=') + 1;
        EXPECT_EQ(changed.find('|'), changed.npos) << row.name << " changes more than one member: " << changed;
        EXPECT_TRUE(members.insert(changed.substr(name, number - name)).second)
            << row.name << " changes what another parameter does: " << changed;
        if (row.use.words().empty()) {
            EXPECT_EQ(changed.substr(number), value) << row.name;
        }
        EXPECT_EQ(parameters_with(row.name, row.use.fallback()), parameters_with("PosDouble", "0"))
            << row.name << ": its default in the list of words is not that of its member";
        if (*row.older_name) {
            EXPECT_EQ(parameters_with(row.older_name, value), changed);
        }
    }
    EXPECT_GT(members.size(), 30u);
}

TEST(HonouredWords, EveryParameterKeepsToItsRange) {
    std::size_t refused = 0;
    for (const ParameterRow& row : parameter_rows()) {
        const auto answer = [&](double value) -> std::string {
            CaseOverrides overrides;
            overrides.allow_unsupported = true;
            try {
                read_case_text(case_with(row.name, format_number(value)).text(), "case.xml", overrides);
            } catch (const InputError& e) {
                return e.what();
            }
            return "";
        };
        const ParameterRange& range = row.use.range;
        for (const double value : {range.least - 1.0, range.least - 0.25, double(range.least), range.least + 0.25,
                                   double(range.most), range.most + 0.25, range.most + 1.0}) {
            if (range.kind == ParameterRange::Kind::any) continue;
            const std::string wanted = std::string("parameter ") + row.name + " " + range.complaint(value);
            EXPECT_EQ(answer(value).find(wanted) == std::string::npos, range.contains(value)) << wanted;
            refused += !range.contains(value);
        }
    }
    EXPECT_GT(refused, 100u);
}

TEST(HonouredWords, EveryConstantReachesTheRun) {
    const Rows rows = constants();
    for (const LanguageEntry& word : language())
        if (word.section == Section::constant && word.support == Support::honoured) {
            EXPECT_TRUE(rows.contains(word.name)) << word.name << " is honoured, but no row here tests it";
        }
    expect_rows(rows, [](const std::string& name, const Row& row) {
        CaseText text;
        const std::string element = "<" + name + " " + row.value + "/>";
        text.constants = sets_length(name) ? element : R"(<coefh value="1"/>)" + element;
        return text;
    });
}

TEST(HonouredWords, EveryWordOfAChoiceMeansItsOwn) {
    using P = ExecutionParameters;
    const auto expect = []<class Choice>(const char* key, Choice P::*member) {
        for (const ChoiceRow<Choice>& row : choices<Choice>)
            if (*row.word) {
                EXPECT_EQ(read_words(case_with(key, row.word)).parameters.*member, row.choice) << key << row.word;
            }
    };
    expect("Kernel", &P::kernel);
    expect("StepAlgorithm", &P::integrator);
    expect("Boundary", &P::boundary);
    expect("BoundaryMethod", &P::boundary);
    expect("SlipMode", &P::slip);
    expect("WallPressure", &P::wall_pressure);
    expect("PressureForm", &P::pressure_form);
    expect("ViscoTreatment", &P::viscosity);
    expect("DensityDT", &P::diffusion);
    expect("Shifting", &P::shifting);
}

// Cases of the reference solver have these numbers.
TEST(HonouredWords, WordsOfChoicesAreThoseOfTheField) {
    EXPECT_STREQ(word_of(sph::KernelType::wendland), "2");
    EXPECT_STREQ(word_of(sph::Integrator::symplectic), "2");
    EXPECT_STREQ(word_of(sph::BoundaryCondition::modified_dynamic), "2");
    EXPECT_STREQ(word_of(sph::SlipMode::free_slip), "3");
    EXPECT_STREQ(word_of(sph::ViscosityModel::laminar_sps), "2");
    EXPECT_STREQ(word_of(sph::DensityDiffusion::fourtakas_full), "3");
    EXPECT_STREQ(word_of(sph::Shifting::off_resting_walls), "2");
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
