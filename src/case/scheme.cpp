// SPDX-License-Identifier: Apache-2.0
#include "case/scheme.h"

#include "case/expression.h"
#include "case/reader.h"
#include "model/choices.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice {

namespace {

using enum Section;
using enum SchemeWhere;

constexpr SchemeMember::Others always{},
    smoothing_lengths{{{"1.8", waves_in_2d}, {"1.8", weightless_in_2d}, {"1.2", in_3d}}},
    wall_without_normals{{{"1", without_normals}}},
    integrator_with_joints{{{"2", with_structures}, {"1", with_joints}}};

constexpr SchemeMember members[] = {
    {constant, "coefh", "1.3", smoothing_lengths,
     "Over a weir six particles of water are enough for a discharge right to 2 %, where 1.8 has 32 % too much "
     "([weir](validation.md#water-over-a-weir)). In the time of ten wave lengths waves lose 6 % of their height with "
     "1.8, 18 % with 1.4 ([waves](validation.md#waves-that-travel)). Without gravity pressures fall below zero, where "
     "water "
     "with 1.3 tears: a square that rotates, 100 particles wide, does at ωt = 0.5, with 1.8 after 1.1 "
     "([square](validation.md#a-square-that-rotates)). In 3-D, where 1.8 costs three and a half times as "
     "much, 1.2 is what was measured ([impacts](validation.md#impact-on-walls))"},
    {constant, "coefsound", "10", always,
     "Half the steps of 20; waves lose 6.6 % of their height where 20 loses 5.1 %, and impacts in 3-D are nearer "
     "to the experiments"},
    {constant, "cflnumber", "auto", always,
     "About half of what the steps bear: 0.8 at most with `StepAlgorithm` 3, 0.2 with the others"},
    {parameter, "Boundary", "2", wall_without_normals,
     "Pressures in still water are right to 0.6 %, with 1 to 2.5 % ([still water](validation.md#still-water)); bodies "
     "float at their draft, waves keep their height, impacts follow the experiments"},
    {parameter, "SlipMode", "1", always,
     "3 loses 19 % of the waves and water at corners; 2 is for laminar flow along walls"},
    {parameter, "StepAlgorithm", "3", integrator_with_joints,
     "A quarter of the steps of 1 and half the time, with the same fronts, heights and energies "
     "([staggered steps](validation.md#staggered-steps)); it does not move those yet. Verlet gives flexible structures "
     "energy from nowhere"},
    {parameter, "VerletSteps", "20", always,
     "Of `StepAlgorithm` 1 alone: with 40 the density diffusion stands 2 to 4 % below what would grow between two "
     "Euler "
     "steps ([theory](theory.md#time-step)), with 20 at 60 % of that"},
    {parameter, "Kernel", "2", always, "All validations of waves, impacts and bodies were made with it"},
    {parameter, "ViscoTreatment", "MonaghanGingold", always,
     "Right at free surfaces, where 3 halves the decay of waves ([standing wave](validation.md#standing-wave)); "
     "artificial viscosity of 0.01 takes 18 % of them"},
    {parameter, "Visco", "1e-6", always, "That of water, m²/s"},
    {parameter, "ViscoBoundFactor", "1", always,
     "With the viscosity of water there is next to no friction at walls, as is right where the layer along "
     "them is thinner than a particle"},
    {parameter, "DensityDT", "3", always,
     "Waves lose 6 % of their height, with 2 it is 10 % and with 1 12 %; it acts near walls, too"},
    {parameter, "DensityDTvalue", "0.1", always, "As measured"},
    {parameter, "Shifting", "0", always,
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
    if (name == "Boundary") return word_of(c.parameters.boundary);
    if (name == "DensityDT") return word_of(c.parameters.diffusion);
    if (name == "Shifting") return word_of(c.parameters.shifting);
    const auto found = std::ranges::find(c.effective, name, &EffectiveValue::name);
    return found == c.effective.end() ? "" : found->value;
}

/// Whether a part of the case has an element that matches.
template <class Matches>
bool has_element(const std::optional<XmlElement>& part, Matches&& matches) {
    return part && std::ranges::any_of(part->children(), [&](const XmlElement& e) { return matches(e.name()); });
}

/// casedef/normals and so on, none where the case lacks it.
std::optional<XmlElement> part_of(const XmlElement& top, const char* part, const char* child) {
    const auto found = top.child(part);
    return found ? found->child(child) : std::nullopt;
}

/// Whether the case says something of normals of walls.
bool says_normals(const XmlElement& top) {
    const auto special = part_of(top, "execution", "special");
    return has_element(part_of(top, "casedef", "normals"),
                       [](const std::string& name) { return name.starts_with("nor") || name == "geometryfile"; }) ||
           has_element(special ? special->child("initialize") : std::nullopt,
                       [](const std::string& name) { return name.starts_with("boundnormal_"); });
}

/// Whether joints or mooring lines hold bodies of the case, which staggered steps do not move.
bool says_joints(const XmlElement& top) {
    return has_element(part_of(top, "execution", "special"),
                       [](const std::string& name) { return name == "chrono" || name == "moorings"; });
}

/// Whether the case has flexible structures.
bool says_structures(const XmlElement& top) {
    return has_element(part_of(top, "execution", "special"),
                       [](const std::string& name) { return name == "flexstrucs"; });
}

/// Whether the case makes waves.
bool makes_waves(const XmlElement& top) {
    return has_element(part_of(top, "execution", "special"), [](const std::string& name) {
        return name == "wavepaddles" || name == "mlayerpistons" || name == "relaxationzones";
    });
}

const char* where_text(SchemeWhere where) {
    switch (where) {
    case waves_in_2d: return "for waves in 2-D";
    case weightless_in_2d: return "without gravity in 2-D";
    case in_3d: return "in 3-D";
    case without_normals: return "without normals of walls";
    case with_joints: return "with joints or mooring lines";
    case with_structures: return "with flexible structures";
    }
    return "";
}

bool applies(SchemeWhere where, const SchemeTraits& traits) {
    switch (where) {
    case waves_in_2d: return traits.set == SchemeSet::waves && traits.two_d;
    case weightless_in_2d: return traits.weightless && traits.two_d;
    case in_3d: return !traits.two_d;
    case without_normals: return !traits.has_normals;
    case with_joints: return traits.has_joints;
    case with_structures: return traits.has_structures;
    }
    return false;
}

} // namespace

const char* scheme_word(SchemeSet set) { return set == SchemeSet::waves ? "waves" : "flow"; }

const char* SchemeMember::value_for(const SchemeTraits& traits) const {
    for (const Other& other : others)
        if (other.value && applies(other.where, traits)) return other.value;
    return value;
}

std::span<const SchemeMember> recommended_scheme() { return members; }

const SchemeMember* recommended_choice(Section section, std::string_view name) {
    for (const SchemeMember& member : members)
        if (member.section == section && name == member.name) return &member;
    return nullptr;
}

std::string scheme_markdown() {
    std::string out = "| choice | value | why |\n|---|---|---|\n";
    for (const SchemeMember& m : members) {
        std::string values = m.value;
        for (const SchemeMember::Other& other : m.others)
            if (other.value) values += fmt::format("; {} {}", other.value, where_text(other.where));
        out += fmt::format("| `{}` | {} | {}. |\n", m.name, values, m.why);
    }
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
    if (choices.empty()) return "";
    const bool waves = choices.front().used == scheme_word(SchemeSet::waves);
    std::string followed, otherwise;
    for (const SchemeChoice& c : choices) {
        const bool is_set = &c == &choices.front(), named = c.used.find('=') != std::string::npos;
        const std::string used = named ? c.used : c.name + "=" + c.used;
        if (!c.is_followed())
            otherwise += fmt::format("{}{} ({} is recommended)", otherwise.empty() ? "" : ", ", used,
                                     named ? c.name + "=" + c.recommended : c.recommended);
        else if (!is_set)
            followed += (followed.empty() ? "" : ", ") + used;
    }
    return fmt::format("{}={} (for {} it is {}): {}{}", scheme_place, choices.front().used,
                       waves ? "water that flows over or round something" : "waves over many of their lengths",
                       scheme_word(waves ? SchemeSet::flow : SchemeSet::waves),
                       followed.empty() ? "the case says all itself" : followed,
                       otherwise.empty() ? "" : "; otherwise than it: " + otherwise);
}

void read_scheme(CaseReader& reader, const XmlElement& top) {
    const auto [where, word] = early_parameter(reader, top, "Scheme");
    const std::string name = to_lower(trim(word.value_or("")));
    if (name.empty() || name == "none") return;
    if (reader.out.parameters.method != Method::sph) return; // is refused by name
    const SchemeSet asked_for = makes_waves(top) ? SchemeSet::waves : SchemeSet::flow;
    SchemeTraits traits{.set = asked_for,
                        .has_normals = says_normals(top),
                        .has_joints = says_joints(top),
                        .has_structures = says_structures(top)};
    if (name == scheme_word(SchemeSet::waves))
        traits.set = SchemeSet::waves;
    else if (name == scheme_word(SchemeSet::flow))
        traits.set = SchemeSet::flow;
    else if (name != "recommended")
        throw InputError(where, fmt::format("parameter Scheme is {} ({})", scheme_words, *word));
    reader.scheme = SchemeReading{where, asked_for, traits};
}

void take_recommended_smoothing_length(CaseReader& reader) {
    if (!reader.scheme) return;
    ConstantsDef& c = reader.out.constants;
    reader.scheme->traits.two_d = reader.out.definition.two_d;
    reader.scheme->traits.weightless = c.gravity == Vec3d{};
    if (c.coef_h || c.hdp || c.h) return;
    const std::string value = recommended_choice(constant, "coefh")->value_for(reader.scheme->traits);
    c.coef_h = parse_number(value);
    const auto effective = std::ranges::find(reader.out.effective, "coefh", &EffectiveValue::name);
    *effective = {"constantsdef", "coefh", value, true, {scheme_place, 0}};
}

void note_scheme(CaseReader& reader) {
    Case& c = reader.out;
    if (!reader.scheme) return;
    c.scheme.push_back({"Scheme", scheme_word(reader.scheme->asked_for), scheme_word(reader.scheme->traits.set)});
    for (const SchemeMember& m : members)
        c.scheme.push_back({m.name, m.value_for(reader.scheme->traits), value_in_use(c, m.name)});
    reader.inform(reader.scheme->where, scheme_text(c.scheme));
}

} // namespace sluice
