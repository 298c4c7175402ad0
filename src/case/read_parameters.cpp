// SPDX-License-Identifier: Apache-2.0
#include "case/choice_codes.h"
#include "case/language.h"
#include "case/read_shapes.h"
#include "case/reader.h"

#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace sluice {

namespace {

/// A parameter's value with the place to blame for it.
struct Value {
    CaseReader& reader;
    std::string key, text;
    SourceLocation where;

    [[noreturn]] void fail(const std::string& what) const { throw InputError(where, what); }

    double number() const {
        try {
            std::string t(trim(text));
            if (t.find("$[") != std::string::npos) t = reader.variables.substitute(t);
            return !t.empty() && t[0] == '#' ? reader.variables.evaluate(t.substr(1)) : parse_number(t);
        } catch (const InputError& e) {
            fail(fmt::format("parameter {}: {}", key, e.what()));
        }
    }
    double at_least(double least) const {
        const double v = number();
        if (v < least)
            fail(fmt::format("parameter {} must not be below {} ({})", key, format_number(least), format_number(v)));
        return v;
    }
    double at_most(double most) const {
        const double v = number();
        if (v > most)
            fail(fmt::format("parameter {} must not be above {} ({})", key, format_number(most), format_number(v)));
        return v;
    }
    double positive() const {
        const double v = number();
        if (!(v > 0)) fail(fmt::format("parameter {} must be positive ({})", key, format_number(v)));
        return v;
    }
    int choice(int least, int greatest) const {
        const double v = number();
        if (v != std::floor(v) || v < least || v > greatest)
            fail(fmt::format("parameter {} must be a whole number from {} to {} ({})", key, least, greatest,
                             format_number(v)));
        return static_cast<int>(v);
    }
    template <class Choice, std::size_t Count>
    Choice one_of(const ChoiceCode<Choice> (&codes)[Count]) const {
        return choice_of(choice(codes[0].code, codes[Count - 1].code), codes);
    }
    double fraction() const {
        const double v = at_least(0);
        if (v > 1) fail(fmt::format("parameter {} is a fraction from 0 to 1 ({})", key, format_number(v)));
        return v;
    }
    void refuse() const {
        const LanguageEntry* word = find_word(Section::parameter, key);
        reader.unsupported(where, fmt::format("parameter {}={}", key, text), word ? word->advice : "");
    }
};

void limit(DomainLimit& l, const Value& v) { l = {false, v.number(), 0}; }

void domain_fixed(ExecutionParameters& p, const Value& v) {
    std::string rest = v.text;
    double limits[6];
    for (int i = 0; i < 6; ++i) {
        const auto colon = rest.find(':');
        if ((i < 5) != (colon != std::string::npos))
            v.fail(fmt::format("parameter DomainFixed needs xmin:ymin:zmin:xmax:ymax:zmax ({})", v.text));
        limits[i] = Value{v.reader, v.key, rest.substr(0, colon), v.where}.number();
        if (i < 5) rest = rest.substr(colon + 1);
    }
    for (int axis = 0; axis < 3; ++axis) {
        p.domain_min[axis] = {false, limits[axis], 0};
        p.domain_max[axis] = {false, limits[axis + 3], 0};
    }
}

void delta_sph(ExecutionParameters& p, const Value& v) {
    const double delta = v.at_least(0);
    if (delta == 0) return;
    p.diffusion = sph::DensityDiffusion::molteni;
    p.delta = delta;
}

/// A form of the pressure that advanced shifting has in the reference; without Shifting 4 it says nothing.
void refuse_another_pressure(ExecutionParameters& p, const Value& v) {
    if (v.choice(0, 1) == 1 && p.shifting == sph::Shifting::along_surfaces) v.refuse();
}

void periodic_with_step(ExecutionParameters& p, int axis, int along, const Value& v) {
    p.periodic[axis] = true;
    p.periodic_step[axis][along] = v.number();
}

using Apply = std::function<void(ExecutionParameters&, const Value&)>;

// Honoured keys, and others of which some values ask for a word.
const std::map<std::string, Apply>& rules() {
    using P = ExecutionParameters;
    static const std::map<std::string, Apply> table = {
        {"Scheme", [](P&, const Value&) {}}, // these two were read before all else (read_scheme, read_method)
        {"Method", [](P&, const Value&) {}},
        {"SavePosDouble", [](P& p, const Value& v) { p.positions_double = v.choice(0, 2) != 0; }},
        {"PosDouble", [](P&, const Value& v) { v.choice(0, 2); }},
        {"Boundary", [](P& p, const Value& v) { p.boundary = v.one_of(boundary_codes); }},
        {"BoundaryMethod", [](P& p, const Value& v) { p.boundary = v.one_of(boundary_codes); }},
        {"SlipMode", [](P& p, const Value& v) { p.slip = v.one_of(slip_codes); }},
        {"WallPressure", [](P& p, const Value& v) { p.wall_pressure = v.one_of(wall_pressure_codes); }},
        {"NoPenetration", [](P&, const Value& v) { v.choice(0, 1); }},
        {"StepAlgorithm", [](P& p, const Value& v) { p.integrator = v.one_of(integrator_codes); }},
        {"VerletSteps", [](P& p, const Value& v) { p.verlet_steps = v.choice(0, 1000000); }},
        {"Kernel", [](P& p, const Value& v) { p.kernel = v.one_of(kernel_codes); }},
        {"PressureForm", [](P& p, const Value& v) { p.pressure_form = v.one_of(pressure_form_codes); }},
        {"ViscoTreatment",
         [](P& p, const Value& v) {
             const std::string word = to_lower(trim(v.text));
             if (!word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) && word != "monaghangingold")
                 v.fail(fmt::format("parameter ViscoTreatment is 1, 2, 3 or MonaghanGingold ({})", v.text));
             p.viscosity = word == "monaghangingold" ? sph::ViscosityModel::laminar_central : v.one_of(viscosity_codes);
         }},
        {"Visco", [](P& p, const Value& v) { p.visco = v.at_least(0); }},
        {"ViscoTime",
         [](P& p, const Value& v) {
             p.visco_file = data_file_name(v.reader, v.where, "parameter ViscoTime", v.text);
             p.visco_where = v.where;
         }},
        {"ViscoBoundFactor", [](P& p, const Value& v) { p.boundary_viscosity_factor = v.at_least(0); }},
        {"Smagorinsky", [](P& p, const Value& v) { p.smagorinsky = v.at_least(0); }},
        {"AcousticDamping", [](P& p, const Value& v) { p.acoustic_damping = v.at_least(0); }},
        {"TensileSpacing", [](P& p, const Value& v) { p.tensile_spacing = v.at_least(0); }},
        {"DensityDT", [](P& p, const Value& v) { p.diffusion = v.one_of(diffusion_codes); }},
        {"DensityDTvalue", [](P& p, const Value& v) { p.delta = v.at_least(0); }},
        {"DeltaSPH", delta_sph},
        {"Shifting", [](P& p, const Value& v) { p.shifting = v.one_of(shifting_codes); }},
        {"ShiftCoef", [](P& p, const Value& v) { p.shift_coefficient = v.at_most(0); }},
        {"ShiftTFS", [](P& p, const Value& v) { p.shift_threshold = v.at_least(0); }},
        {"ShiftAdvCoef", [](P& p, const Value& v) { p.shift_along_surfaces = v.at_most(0); }},
        {"ShiftAdvALE", [](P& p, const Value& v) { p.shift_follows = v.choice(0, 1) == 1; }},
        {"ShiftAdvNCPress", refuse_another_pressure},
        {"CoefDtMin", [](P& p, const Value& v) { p.coef_dt_min = v.at_least(0); }},
        {"DtIni", [](P& p, const Value& v) { p.dt_initial = v.at_least(0); }},
        {"DtMin", [](P& p, const Value& v) { p.dt_min = v.at_least(0); }},
        {"DtFixed", [](P& p, const Value& v) { p.dt_fixed = v.at_least(0); }},
        {"DtFixedFile",
         [](P&, const Value& v) {
             if (to_lower(trim(v.text)) != "none")
                 v.reader.warn(v.where, fmt::format("the time steps of DtFixedFile={} are not taken: the run chooses "
                                                    "its own, as without it; DtFixed sets one for the whole run",
                                                    v.text));
         }},
        {"DtAllParticles", [](P& p, const Value& v) { p.dt_all_particles = v.choice(0, 1); }},
        {"TimeMax", [](P& p, const Value& v) { p.time_max = v.positive(); }},
        {"TimeOut", [](P& p, const Value& v) { p.time_out = v.positive(); }},
        {"RhopOutMin", [](P& p, const Value& v) { p.rho_out_min = v.at_least(0); }},
        {"RhopOutMax", [](P& p, const Value& v) { p.rho_out_max = v.at_least(0); }},
        {"RigidAlgorithm", [](P& p, const Value& v) { p.rigid_algorithm = v.choice(0, 3); }},
        {"FtPause", [](P& p, const Value& v) { p.floating_pause = v.at_least(0); }},
        {"FtIgnoreRadius", [](P&, const Value& v) { v.choice(0, 1); }},
        {"FtSaveAce", [](P&, const Value& v) { v.number(); }},
        {"FtSaveMotion", [](P&, const Value& v) { v.number(); }},
        {"TimeOutExtra", [](P&, const Value& v) { v.number(); }},
        {"WrnPartsOut", [](P&, const Value& v) { v.number(); }},
        {"MinFluidStop", [](P& p, const Value& v) { p.min_fluid_stop = v.fraction(); }},
        {"PartsOutMax", [](P& p, const Value& v) { p.parts_out_max = v.fraction(); }},
        {"XPeriodicIncY", [](P& p, const Value& v) { periodic_with_step(p, 0, 1, v); }},
        {"XPeriodicIncZ", [](P& p, const Value& v) { periodic_with_step(p, 0, 2, v); }},
        {"YPeriodicIncX", [](P& p, const Value& v) { periodic_with_step(p, 1, 0, v); }},
        {"YPeriodicIncZ", [](P& p, const Value& v) { periodic_with_step(p, 1, 2, v); }},
        {"ZPeriodicIncX", [](P& p, const Value& v) { periodic_with_step(p, 2, 0, v); }},
        {"ZPeriodicIncY", [](P& p, const Value& v) { periodic_with_step(p, 2, 1, v); }},
        {"XYPeriodic", [](P& p, const Value&) { p.periodic[0] = p.periodic[1] = true; }},
        {"XZPeriodic", [](P& p, const Value&) { p.periodic[0] = p.periodic[2] = true; }},
        {"YZPeriodic", [](P& p, const Value&) { p.periodic[1] = p.periodic[2] = true; }},
        {"IncZ", [](P& p, const Value& v) { p.domain_max[2].percent = 100 * v.at_least(0); }},
        {"DomainFixed", domain_fixed},
        {"DomainFixedXmin", [](P& p, const Value& v) { limit(p.domain_min[0], v); }},
        {"DomainFixedXmax", [](P& p, const Value& v) { limit(p.domain_max[0], v); }},
        {"DomainFixedYmin", [](P& p, const Value& v) { limit(p.domain_min[1], v); }},
        {"DomainFixedYmax", [](P& p, const Value& v) { limit(p.domain_max[1], v); }},
        {"DomainFixedZmin", [](P& p, const Value& v) { limit(p.domain_min[2], v); }},
        {"DomainFixedZmax", [](P& p, const Value& v) { limit(p.domain_max[2], v); }},
    };
    return table;
}

void apply(CaseReader& reader, const Value& value) {
    const LanguageEntry* word = find_word(Section::parameter, value.key);
    const auto rule = rules().find(value.key);
    // Every key names a variable for the rest of the file.
    if (const std::string_view text = trim(value.text);
        !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-')) {
        try {
            reader.variables.set(value.key, parse_number(text));
        } catch (const InputError&) {
        }
    }
    if (rule != rules().end())
        rule->second(reader.out.parameters, value);
    else if (word->support == Support::refused)
        value.refuse();
}

class ParametersReader {
public:
    ParametersReader(CaseReader& reader, const XmlElement& parent) : reader_(reader), parent_(parent) {}

    void read() {
        for (const XmlElement& e : parent_.children()) {
            if (e.name() == "simulationdomain") continue;
            reader_.collect([&] { read_one(e); });
        }
        scale_density_limits();
        for (const LanguageEntry& word : language())
            if (word.section == Section::parameter) reader_.collect([&] { finish(word); });
        reader_.collect([&] { check(reader_.out.parameters); });
        if (auto domain = parent_.child("simulationdomain")) read_simulation_domain(reader_, *domain);
    }

private:
    void read_one(const XmlElement& e) {
        if (e.name() != "parameter")
            e.fail(fmt::format(
                "<parameters> has no <{}>, it knows <parameter key=\"…\" value=\"…\"/> and <simulationdomain>",
                e.name()));
        reader_.expect_attributes(e, {"key", "value"});
        const std::string key = e.required_attribute("key");
        const std::string text = e.required_attribute("value");
        if (key.starts_with('#'))
            return reader_.warn(e.where(), fmt::format("the parameter {} is read as switched off", key));
        if (!find_word(Section::parameter, key))
            return reader_.unknown(e.where(), "parameter " + key, suggest_word(Section::parameter, key));
        if (trim(text).empty())
            return reader_.warn(e.where(), fmt::format("the parameter {} has no value: its default holds", key));
        const auto [first, fresh] = given_.emplace(key, Value{reader_, key, text, e.where()});
        if (!fresh && trim(first->second.text) != trim(text))
            e.fail(fmt::format("parameter {} is given twice with different values (line {}: {}, here: {}), keep one",
                               key, first->second.where.line, first->second.text, text));
    }

    /// The limits that the case does not give are those of water, in proportion to its reference density.
    void scale_density_limits() {
        ExecutionParameters& p = reader_.out.parameters;
        const double rho0 = reader_.out.constants.rho0, scale = rho0 > 0 ? rho0 / ConstantsDef{}.rho0 : 1;
        p.rho_out_min *= scale;
        p.rho_out_max *= scale;
        defaults_["RhopOutMin"] = format_number(p.rho_out_min);
        defaults_["RhopOutMax"] = format_number(p.rho_out_max);
    }

    /// Applies the value of the command line, else of the file, and writes down what the run uses.
    void finish(const LanguageEntry& word) {
        const std::string key = word.name;
        auto found = given_.find(key);
        const auto text = command_line_value(key);
        if (!text && found == given_.end()) {
            if (const auto recommended = recommended_value(key)) {
                const SourceLocation where{scheme_place, 0};
                apply(reader_, {reader_, key, *recommended, where});
                return reader_.record("parameters", key, *recommended, true, where);
            }
            const auto own = defaults_.find(key);
            if (word.support != Support::ignored && *word.fallback)
                reader_.record("parameters", key, own != defaults_.end() ? own->second : word.fallback, false);
            return;
        }
        const Value value{reader_, key, text ? *text : found->second.text,
                          text ? SourceLocation{"command line", 0} : found->second.where};
        apply(reader_, value);
        if (word.support == Support::ignored && to_lower(trim(value.text)) != to_lower(word.fallback))
            reader_.ignored.try_emplace(key, value.where.line);
        if (word.support != Support::ignored) reader_.record("parameters", key, value.text, true, value.where);
    }

    std::optional<std::string> command_line_value(const std::string& key) {
        if (key == "TimeMax" && reader_.overrides.time_max) return format_number(*reader_.overrides.time_max);
        if (key == "TimeOut" && reader_.overrides.time_out) return format_number(*reader_.overrides.time_out);
        return reader_.override_for(key);
    }

    /// What the scheme says of a parameter that the case does not give.
    std::optional<std::string> recommended_value(const std::string& key) {
        const SchemeMember* member = reader_.scheme ? recommended_choice(Section::parameter, key) : nullptr;
        if (!member || is_said_otherwise(key)) return std::nullopt;
        return member->value_for(reader_.scheme->traits);
    }

    /// Whether another word that the case gives says what this one would.
    bool is_said_otherwise(const std::string& key) {
        const auto given = [&](const char* word) { return given_.contains(word) || reader_.override_for(word); };
        if (key == "Boundary") return given("BoundaryMethod");
        if (key == "DensityDT") return given("DeltaSPH");
        if (key == "Visco")
            return given("ViscoTime") || reader_.out.parameters.viscosity == sph::ViscosityModel::artificial;
        if (key != "ViscoTreatment" || !(given("Visco") || given("ViscoTime"))) return false;
        reader_.inform(
            reader_.scheme->where,
            "the case gives a viscosity (Visco or ViscoTime) and no ViscoTreatment: it is the coefficient of "
            "artificial viscosity, as without Scheme; a kinematic viscosity needs ViscoTreatment, too");
        return true;
    }

    void check(const ExecutionParameters& p) {
        const auto place = [&](const char* key) {
            const auto found = given_.find(key);
            return found != given_.end() ? found->second.where : parent_.where();
        };
        if (p.rho_out_min >= p.rho_out_max)
            throw InputError(
                place("RhopOutMin"),
                fmt::format("RhopOutMin ({}) is not below RhopOutMax ({}): every particle would be excluded, swap them",
                            p.rho_out_min, p.rho_out_max));
        if (p.rho_out_min > reader_.out.constants.rho0 || p.rho_out_max < reader_.out.constants.rho0)
            throw InputError(place("RhopOutMin"),
                             fmt::format("the reference density rhop0 ({}) is outside RhopOutMin…RhopOutMax ({}…{}): "
                                         "every particle would be excluded, widen them",
                                         reader_.out.constants.rho0, p.rho_out_min, p.rho_out_max));
        check_boundary();
        if (p.integrator == sph::Integrator::verlet && p.verlet_steps == 0)
            throw InputError(place("VerletSteps"),
                             "VerletSteps 0 would make every step an Euler step, which is unstable; use 40");
        if (!p.visco_file.empty() && given_.contains("Visco"))
            reader_.inform(place("Visco"), "Visco has no effect beside ViscoTime");
        note_shifting(p);
        check_periods(p);
        if (p.time_out > p.time_max)
            reader_.warn(
                place("TimeOut"),
                fmt::format("TimeOut ({}) is above TimeMax ({}): only the first and the last state are written",
                            p.time_out, p.time_max));
        if (p.diffusion != sph::DensityDiffusion::none && p.delta > 0.5)
            reader_.warn(place("DensityDTvalue"),
                         fmt::format("DensityDTvalue {} is large, 0.1 is usual; the run may be unstable", p.delta));
    }

    /// Coefficients of the shifting that the case does not have.
    void note_shifting(const ExecutionParameters& p) {
        const auto note = [&](const char* key, const char* why) {
            if (const auto found = given_.find(key); found != given_.end())
                reader_.inform(found->second.where, fmt::format("{} has no effect {}", key, why));
        };
        if (p.shifting == sph::Shifting::along_surfaces) {
            note("ShiftCoef", "with Shifting 4, whose coefficient is ShiftAdvCoef");
            note("ShiftTFS", "with Shifting 4, which finds free surfaces itself");
        } else if (p.shift_along_surfaces != ExecutionParameters{}.shift_along_surfaces) {
            note("ShiftAdvCoef", "without Shifting 4");
        }
    }

    /// Two names for one choice must not say different things.
    void check_boundary() {
        const auto said = [&](const char* key) -> std::optional<Value> {
            if (const auto text = reader_.override_for(key)) return Value{reader_, key, *text, {"command line", 0}};
            const auto found = given_.find(key);
            return found == given_.end() ? std::nullopt : std::optional(found->second);
        };
        const auto now = said("Boundary"), before = said("BoundaryMethod");
        if (now && before && now->number() != before->number())
            before->fail(fmt::format("parameter BoundaryMethod={} is the older name of Boundary={} and says something "
                                     "else, keep one",
                                     before->text, now->text));
    }

    /// A step leads along an axis with walls: along a periodic one it would be a shift of the images only.
    void check_periods(const ExecutionParameters& p) {
        for (const auto& [key, value] : given_) {
            const std::size_t axis = key.find("PeriodicInc") == 1 ? key.front() - 'X' : 3;
            const std::size_t along = key.back() - 'X';
            if (axis < 3 && along < 3 && p.periodic[along] && p.periodic_step[axis][static_cast<int>(along)] != 0)
                value.fail(fmt::format("parameter {}={}: {} is periodic too and cannot have a step, set it to 0", key,
                                       value.text, "xyz"[along]));
        }
    }

    CaseReader& reader_;
    const XmlElement& parent_;
    std::map<std::string, Value> given_;
    std::map<std::string, std::string> defaults_; ///< that depend on the case
};

/// "default", a number, "default ± x" or "default ± p%".
DomainLimit read_limit(const XmlElement& e, const char* axis) {
    const std::string text = e.attribute(axis).value_or("default");
    std::string_view t = trim(text);
    if (!to_lower(t).starts_with("default")) return {false, e.evaluate(text, axis), 0};
    t = trim(t.substr(7));
    if (t.empty()) return {};
    const double sign = t[0] == '-' ? -1 : 1;
    if (t[0] != '-' && t[0] != '+')
        e.fail(fmt::format("<{}> {}=\"{}\" is not understood, write default, a number, default + 0.5 or default + 50%",
                           e.name(), axis, text));
    t = trim(t.substr(1));
    const bool percent = !t.empty() && t.back() == '%';
    if (percent) t = trim(t.substr(0, t.size() - 1));
    const double value = sign * e.evaluate(std::string(t), axis);
    return percent ? DomainLimit{true, 0, value} : DomainLimit{true, value, 0};
}

} // namespace

void read_simulation_domain(CaseReader& reader, const XmlElement& domain) {
    ExecutionParameters& p = reader.out.parameters;
    p.domain_where = domain.where();
    for (const char* limit : {"posmin", "posmax"}) reader.collect([&] { domain.child(limit); }); // not twice
    for (const XmlElement& e : domain.children()) {
        reader.collect([&] {
            if (e.name() != "posmin" && e.name() != "posmax")
                e.fail(fmt::format("<simulationdomain> has no <{}>, it knows posmin and posmax", e.name()));
            reader.expect_attributes(e, {"x", "y", "z"});
            const char* names[] = {"x", "y", "z"};
            for (int axis = 0; axis < 3; ++axis) {
                (e.name() == "posmin" ? p.domain_min : p.domain_max)[axis] = read_limit(e, names[axis]);
                reader.record("simulationdomain", e.name() + "." + names[axis],
                              e.attribute(names[axis]).value_or("default"), e.attribute(names[axis]).has_value(),
                              e.where());
            }
        });
    }
    for (int axis = 0; axis < 3; ++axis) {
        const DomainLimit &a = p.domain_min[axis], &b = p.domain_max[axis];
        if (!a.from_default && !b.from_default && a.offset > b.offset)
            reader.collect([&] {
                domain.fail(fmt::format("simulationdomain: posmin {0} ({1}) is above posmax {0} ({2}), swap them",
                                        "xyz"[axis], a.offset, b.offset));
            });
    }
}

void read_parameters(CaseReader& reader, const XmlElement& parameters) { ParametersReader(reader, parameters).read(); }

} // namespace sluice
