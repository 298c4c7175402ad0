// SPDX-License-Identifier: Apache-2.0
#include "case/scheme.h"

#include "case/choice_codes.h"
#include "case/expression.h"
#include "case/reader.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice {

namespace {

using enum Section;

constexpr SchemeMember members[] = {
    {constant, "coefh", "1.8", "1.2", "in 3-D",
     "In the time of ten wave lengths 6 % of the height is lost, with 1.2 it is 24 % "
     "([waves](validation.md#waves-that-travel)). In 3-D, where 1.8 costs three and a half times as much, 1.2 "
     "is what was measured ([impacts](validation.md#impact-on-walls))"},
    {constant, "coefsound", "10", "", "",
     "Half the steps of 20; waves lose 6.6 % of their height where 20 loses 5.1 %, and impacts in 3-D are nearer "
     "to the experiments"},
    {constant, "cflnumber", "0.2", "", "", "All validations were made with it"},
    {parameter, "Boundary", "2", "1", "without normals of walls",
     "Pressures in still water are right to 0.6 %, with 1 to 2.5 % ([still water](validation.md#still-water)); bodies "
     "float at their draft, waves keep their height, impacts follow the experiments"},
    {parameter, "SlipMode", "1", "", "",
     "3 loses 19 % of the waves and water at corners; 2 is for laminar flow along walls"},
    {parameter, "StepAlgorithm", "1", "", "",
     "Half the interactions of 2; waves lose 6 % of their height where 2 loses 7 %"},
    {parameter, "VerletSteps", "40", "", "", "As measured"},
    {parameter, "Kernel", "2", "", "", "All validations of waves, impacts and bodies were made with it"},
    {parameter, "ViscoTreatment", "MonaghanGingold", "", "",
     "Right at free surfaces, where 3 halves the decay of waves ([standing wave](validation.md#standing-wave)); "
     "artificial viscosity of 0.01 takes 18 % of them"},
    {parameter, "Visco", "1e-6", "", "", "That of water, m²/s"},
    {parameter, "ViscoBoundFactor", "1", "", "",
     "With the viscosity of water there is next to no friction at walls, as is right where the layer along "
     "them is thinner than a particle"},
    {parameter, "DensityDT", "3", "", "",
     "Waves lose 6 % of their height, with 2 it is 10 % and with 1 12 %; it acts near walls, too"},
    {parameter, "DensityDTvalue", "0.1", "", "", "As measured"},
    {parameter, "Shifting", "0", "", "",
     "3 takes 20 % of the waves. Inside channels and round bodies without a free surface, take 3 "
     "([Taylor–Green](validation.md#taylorgreen-vortices))"}};

std::string of_name(const char* name, const std::optional<double>& value) {
    return value ? fmt::format("{}={}", name, format_number(*value)) : "";
}

/// The other word with which the case says what the choice of that name would, "" if it uses no such word.
std::string said_with_another_word(const Case& c, const std::string& name) {
    if (name == "coefh") return c.constants.h ? of_name("h", c.constants.h) : of_name("hdp", c.constants.hdp);
    if (name == "coefsound")
        return c.constants.b ? of_name("b", c.constants.b) : of_name("speedsound", c.constants.speed_sound);
    if (name == "Visco" && !c.parameters.visco_file.empty()) return "ViscoTime=" + c.parameters.visco_file;
    return "";
}

/// What the run uses of a choice. Older names and elements of `special` may say it, too.
std::string value_in_use(const Case& c, const std::string& name) {
    const std::string another = said_with_another_word(c, name);
    if (!another.empty()) return another;
    if (name == "Boundary") return std::to_string(code_of(c.parameters.boundary, boundary_codes));
    if (name == "DensityDT") return std::to_string(code_of(c.parameters.diffusion, diffusion_codes));
    if (name == "Shifting") return std::to_string(code_of(c.parameters.shifting, shifting_codes));
    const auto found = std::ranges::find(c.effective, name, &EffectiveValue::name);
    return found == c.effective.end() ? "" : found->value;
}

/// Whether the case says something of normals of walls.
bool says_normals(const XmlElement& top) {
    const auto any_child = [](const std::optional<XmlElement>& e, auto&& matches) {
        return e && std::ranges::any_of(e->children(), [&](const XmlElement& child) { return matches(child.name()); });
    };
    const auto casedef = top.child("casedef"), execution = top.child("execution");
    const auto special = execution ? execution->child("special") : std::nullopt;
    return any_child(casedef ? casedef->child("normals") : std::nullopt,
                     [](const std::string& name) { return name.starts_with("nor") || name == "geometryfile"; }) ||
           any_child(special ? special->child("initialize") : std::nullopt,
                     [](const std::string& name) { return name.starts_with("boundnormal_"); });
}

} // namespace

std::span<const SchemeMember> recommended_scheme() { return members; }

const SchemeMember* recommended_choice(Section section, std::string_view name) {
    for (const SchemeMember& member : members)
        if (member.section == section && name == member.name) return &member;
    return nullptr;
}

std::string scheme_markdown() {
    std::string out = "| choice | value | why |\n|---|---|---|\n";
    for (const SchemeMember& m : members)
        out += fmt::format("| `{}` | {}{} | {}. |\n", m.name, m.value,
                           *m.other ? fmt::format("; {} {}", m.other, m.where) : "", m.why);
    return out;
}

bool SchemeChoice::is_followed() const {
    try {
        return parse_number(recommended) == parse_number(used);
    } catch (const InputError&) {
        return to_lower(trim(recommended)) == to_lower(trim(used));
    }
}

std::string scheme_text(const std::vector<SchemeChoice>& choices) {
    std::string followed, otherwise;
    for (const SchemeChoice& c : choices) {
        const bool named = c.used.find('=') != std::string::npos;
        const std::string used = named ? c.used : c.name + "=" + c.used;
        if (c.is_followed())
            followed += (followed.empty() ? "" : ", ") + used;
        else
            otherwise += fmt::format("{}{} ({} is recommended)", otherwise.empty() ? "" : ", ", used,
                                     named ? c.name + "=" + c.recommended : c.recommended);
    }
    if (choices.empty()) return "";
    return fmt::format("{}: {}{}", scheme_place, followed.empty() ? "the case says all itself" : followed,
                       otherwise.empty() ? "" : "; otherwise than it: " + otherwise);
}

void read_scheme(CaseReader& reader, const XmlElement& top) {
    SourceLocation where{"command line", 0};
    std::optional<std::string> word = reader.override_for("Scheme");
    const auto execution = top.child("execution");
    const auto parameters = execution ? execution->child("parameters") : std::nullopt;
    if (!word && parameters)
        for (const XmlElement& e : parameters->children("parameter"))
            if (e.attribute("key") == "Scheme") {
                word = e.attribute("value");
                where = e.where();
            }
    const std::string name = to_lower(trim(word.value_or("")));
    if (name.empty() || name == "none") return;
    if (name != "recommended")
        throw InputError(where, fmt::format("parameter Scheme is recommended or none ({})", *word));
    reader.scheme = SchemeReading{where, says_normals(top)};
}

void take_recommended_smoothing_length(CaseReader& reader) {
    ConstantsDef& c = reader.out.constants;
    if (!reader.scheme || c.coef_h || c.hdp || c.h) return;
    const SchemeMember& member = *recommended_choice(constant, "coefh");
    const std::string value = reader.out.definition.two_d ? member.value : member.other;
    c.coef_h = parse_number(value);
    const auto effective = std::ranges::find(reader.out.effective, "coefh", &EffectiveValue::name);
    *effective = {"constantsdef", "coefh", value, true, {scheme_place, 0}};
}

void note_scheme(CaseReader& reader) {
    Case& c = reader.out;
    if (!reader.scheme) return;
    for (const SchemeMember& m : members) {
        const bool other = (std::string_view(m.name) == "coefh" && !c.definition.two_d) ||
                           (std::string_view(m.name) == "Boundary" && !reader.scheme->has_normals);
        c.scheme.push_back({m.name, other ? m.other : m.value, value_in_use(c, m.name)});
    }
    reader.inform(reader.scheme->where, scheme_text(c.scheme));
}

} // namespace sluice
