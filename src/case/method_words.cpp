// SPDX-License-Identifier: Apache-2.0
#include "case/method_words.h"

#include "case/expression.h"
#include "case/reader.h"
#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace sluice {

namespace {

constexpr const char *own_kernel = "the method has its own: leave the word out",
                     *own_steps = "the method chooses its steps by cflnumber: leave the word out",
                     *not_yet = "take it out, or take Method sph",
                     *no_period = "close these sides by walls, or take "
                                  "Method sph";

constexpr MissingWord missing[] = {
    {Section::constant, "coefh", "auto 0", true, true,
     "it is the smoothing length of SPH: give hdp, or neither of them (auto) for the radius of the method"},
    {Section::constant, "coefficient", "auto 0", true, true,
     "it is the smoothing length of SPH: give hdp, or leave it out"},
    {Section::constant, "gamma", "7", true, true, "the equation of state has the exponent 7: leave it out"},
    {Section::constant, "massbound", "auto 0", true, true,
     "particles begin with the mass of their volume: leave it out"},
    {Section::constant, "massfluid", "auto 0", true, true,
     "particles begin with the mass of their volume: leave it out"},
    {Section::constant, "lattice", "1", true, true, "particles stand on the nodes: leave it out"},

    {Section::parameter, "Scheme", "none", true, true, "it makes choices for SPH: leave it out, or take none"},
    {Section::parameter, "Boundary", "1", true, true, "walls are particles without normals: leave it out, or take 1"},
    {Section::parameter, "BoundaryMethod", "1", true, true,
     "walls are particles without normals: leave it out, or take 1"},
    {Section::parameter, "StepAlgorithm", "1", true, true, own_kernel},
    {Section::parameter, "VerletSteps", "40", true, true, own_kernel},
    {Section::parameter, "Kernel", "2", true, true, own_kernel},
    {Section::parameter, "PressureForm", "1", true, true, own_kernel},
    {Section::parameter, "ViscoTreatment", "1 3 monaghangingold", true, true,
     "take 3 with a kinematic viscosity, or leave it out: there is no viscosity then"},
    {Section::parameter, "FlowType", "1", true, true, not_yet},
    {Section::parameter, "Visco", "0", true, true,
     "artificial viscosity belongs to SPH: take 0, or ViscoTreatment 3 with the kinematic viscosity"},
    {Section::parameter, "ViscoTime", "", true, true, not_yet},
    {Section::parameter, "ViscoBoundFactor", "1", true, true, not_yet},
    {Section::parameter, "AcousticDamping", "0", true, true, "take 0: it belongs to the steps of SPH"},
    {Section::parameter, "DensityDT", "0", true, true, "take 0: density diffusion belongs to SPH"},
    {Section::parameter, "DeltaSPH", "0", true, true, "take 0: density diffusion belongs to SPH"},
    {Section::parameter, "Shifting", "0", true, true, "take 0: the shifting belongs to SPH"},
    {Section::parameter, "CoefDtMin", "0 0.05", true, true, own_steps},
    {Section::parameter, "DtMin", "0", true, true, own_steps},
    {Section::parameter, "DtIni", "0", true, true, own_steps},
    {Section::parameter, "DtFixed", "0", true, true, own_steps},
    {Section::parameter, "DtAllParticles", "0", true, true, own_steps},
    {Section::parameter, "XPeriodicIncZ", "", true, true, no_period},
    {Section::parameter, "XPeriodicIncY", "", true, true, no_period},
    {Section::parameter, "YPeriodicIncX", "", true, true, no_period},
    {Section::parameter, "YPeriodicIncZ", "", true, true, no_period},
    {Section::parameter, "ZPeriodicIncX", "", true, true, no_period},
    {Section::parameter, "ZPeriodicIncY", "", true, true, no_period},
    {Section::parameter, "XYPeriodic", "", true, true, no_period},
    {Section::parameter, "XZPeriodic", "", true, true, no_period},
    {Section::parameter, "YZPeriodic", "", true, true, no_period},

    {Section::casedef, "floatings", "", true, true, not_yet},
    {Section::casedef, "motion", "", true, true, not_yet},

    {Section::special, "wavepaddles", "", true, true, not_yet},
    {Section::special, "mlayerpistons", "", true, true, not_yet},
    {Section::special, "relaxationzones", "", true, true, not_yet},
    {Section::special, "inout", "", true, true, not_yet},
    {Section::special, "damping", "", true, true, not_yet},
    {Section::special, "accinputs", "", true, true, not_yet},
    {Section::special, "chrono", "", true, true, not_yet},
    {Section::special, "moorings", "", true, true, not_yet},
    {Section::special, "flexstrucs", "", true, true, not_yet},
    {Section::special, "nnphases", "", true, true, not_yet},
    {Section::gauge, "force", "", true, true, "take a pressure gauge, or wall_pressure of the frames"},
    {Section::special, "shifting", "", true, true, "the shifting belongs to SPH: leave it out"},
};

bool is_same_value(std::string_view a, std::string_view b) {
    try {
        return parse_number(a) == parse_number(b);
    } catch (const InputError&) {
        return to_lower(trim(a)) == to_lower(trim(b));
    }
}

class WordCheck {
public:
    WordCheck(CaseReader& reader, const XmlElement& top)
        : reader_(reader), top_(top), method_(method_name(reader.out.parameters.method)) {}

    void run() {
        for (const MissingWord& word : missing_words())
            if (word.is_missing_in(method_.method)) reader_.collect([&] { check(word); });
    }

private:
    static std::optional<XmlElement> child_of(const std::optional<XmlElement>& parent, const char* name) {
        return parent ? parent->child(name) : std::nullopt;
    }

    void check(const MissingWord& word) {
        const auto execution = top_.child("execution");
        if (word.section == Section::casedef) {
            const bool found = check_elements(word, top_.child("casedef"));
            if (!found && !reader_.out.motion.empty()) check_elements(word, execution); // as the generator writes it
        } else if (word.section == Section::special)
            check_elements(word, child_of(execution, "special"));
        else if (word.section == Section::gauge)
            check_elements(word, child_of(child_of(execution, "special"), "gauges"));
        else if (word.name == std::string_view("lattice"))
            check_lattice(word);
        else
            check_value(word);
    }

    void refuse(const MissingWord& word, const SourceLocation& where, const std::string& said) {
        reader_.unsupported(where, fmt::format("{} with Method={}", said, method_.word), word.advice);
    }

    /// Defaults of the word go from what the run is said to use: they are none of its method.
    void check_value(const MissingWord& word) {
        const bool is_constant = word.section == Section::constant;
        const auto says_it = [&](const EffectiveValue& value) {
            return value.section == (is_constant ? "constantsdef" : "parameters") && value.name == word.name;
        };
        std::erase_if(reader_.out.effective, [&](const EffectiveValue& v) { return says_it(v) && !v.given; });
        for (const EffectiveValue& v : reader_.out.effective) {
            if (!says_it(v)) continue;
            if (v.name == "Visco" && reader_.out.parameters.viscosity != sph::ViscosityModel::artificial) continue;
            const std::string fallback = find_word(word.section, word.name)->fallback;
            if (!word.passes_with(v.value))
                refuse(word, v.where, fmt::format("{}{}={}", is_constant ? "" : "parameter ", v.name, v.value));
            else if (is_same_value(v.value, fallback) && fallback != "0" && fallback != "auto" && fallback != "none")
                reader_.inform(v.where,
                               fmt::format("{}={} says nothing with Method={}", v.name, v.value, method_.word));
        }
    }

    void check_lattice(const MissingWord& word) {
        const Case& c = reader_.out;
        if (c.lattice_bound == 1 && c.lattice_fluid == 1) return;
        const auto constants = child_of(top_.child("casedef"), "constantsdef");
        if (const auto lattice = child_of(constants, "lattice"))
            refuse(word, lattice->where(),
                   fmt::format("<lattice> bound={} fluid={}", c.lattice_bound, c.lattice_fluid));
    }

    /// Refuses elements of that name among the children of `parent`. Returns whether there were any.
    bool check_elements(const MissingWord& word, const std::optional<XmlElement>& parent) {
        if (!parent) return false;
        bool found = false;
        for (const XmlElement& e : parent->children()) {
            if (e.name() != word.name || e.children().empty()) continue;
            if (e.name() == "shifting" && reader_.out.parameters.shifting == sph::Shifting::none) continue;
            refuse(word, e.where(), fmt::format("<{}>", e.name()));
            found = true;
        }
        return found;
    }

    CaseReader& reader_;
    const XmlElement& top_;
    const MethodName& method_;
};

} // namespace

bool MissingWord::passes_with(std::string_view value) const {
    std::istringstream values(passes);
    for (std::string one; values >> one;)
        if (is_same_value(one, value)) return true;
    return false;
}

std::span<const MissingWord> missing_words() { return missing; }

void read_method(CaseReader& reader, const XmlElement& top) {
    const EarlyParameter given = early_parameter(reader, top, "Method");
    const std::string word = to_lower(trim(given.text.value_or("")));
    if (word.empty()) return;
    const auto found = std::ranges::find(method_names, word, &MethodName::word);
    if (found == std::end(method_names))
        throw InputError(given.where, fmt::format("parameter Method is sph, mps or fvpm ({})", *given.text));
    reader.out.parameters.method = found->method;
}

void refuse_words_of_other_methods(CaseReader& reader, const XmlElement& top) { WordCheck(reader, top).run(); }

} // namespace sluice
