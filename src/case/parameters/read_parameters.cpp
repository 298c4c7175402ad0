// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "case/parameters/parameter_row.h"
#include "case/reader.h"

#include <cctype>
#include <fmt/format.h>
#include <map>

namespace sluice {

namespace {

/// Every key names a variable for the rest of the file.
void set_variable(CaseReader& reader, const ParameterValue& value) {
    const std::string_view text = trim(value.text);
    if (text.empty() || !(std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-')) return;
    try {
        reader.variables.set(value.key, parse_number(text));
    } catch (const InputError&) {
    }
}

void apply(CaseReader& reader, const ParameterRow& row, const ParameterValue& value) {
    set_variable(reader, value);
    if (row.use.apply)
        row.use.apply(reader.out.parameters, value);
    else if (row.support == Support::refused)
        value.refuse(row.advice);
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
        for (const ParameterRow& row : parameter_rows()) {
            reader_.collect([&] { finish(row); });
            if (*row.older_name) reader_.collect([&] { finish_older(row); });
        }
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
        const ParameterRow* row = find_parameter(key);
        if (!row) return reader_.unknown(e.where(), "parameter " + key, suggest_word(Section::parameter, key));
        if (trim(text).empty())
            return reader_.warn(e.where(), fmt::format("the parameter {} has no value: its default holds", key));
        const auto [first, fresh] = given_.emplace(key, ParameterValue{reader_, key, text, e.where(), row->use.range});
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
    void finish(const ParameterRow& row) {
        if (const auto value = said(row, row.name)) return take(row, *value);
        if (const auto recommended = recommended_value(row)) {
            const SourceLocation where{scheme_place, 0};
            apply(reader_, row, {reader_, row.name, *recommended, where, row.use.range});
            return reader_.record("parameters", row.name, *recommended, true, where);
        }
        const auto own = defaults_.find(row.name);
        const std::string fallback = own != defaults_.end() ? own->second : row.use.fallback();
        if (row.support != Support::ignored && !fallback.empty())
            reader_.record("parameters", row.name, fallback, false);
    }

    void finish_older(const ParameterRow& row) {
        if (const auto value = said(row, row.older_name)) take(row, *value);
    }

    void take(const ParameterRow& row, const ParameterValue& value) {
        apply(reader_, row, value);
        if (row.support != Support::ignored)
            reader_.record("parameters", value.key, value.text, true, value.where);
        else if (to_lower(trim(value.text)) != to_lower(row.use.fallback()))
            reader_.ignored.try_emplace(value.key, value.where.line);
    }

    /// What the command line says of a parameter, else the file.
    std::optional<ParameterValue> said(const ParameterRow& row, const std::string& key) {
        if (const auto text = command_line_value(key))
            return ParameterValue{reader_, key, *text, {"command line", 0}, row.use.range};
        const auto found = given_.find(key);
        return found == given_.end() ? std::nullopt : std::optional(found->second);
    }

    std::optional<std::string> command_line_value(const std::string& key) {
        if (key == "TimeMax" && reader_.overrides.time_max) return format_number(*reader_.overrides.time_max);
        if (key == "TimeOut" && reader_.overrides.time_out) return format_number(*reader_.overrides.time_out);
        return reader_.override_for(key);
    }

    /// What the scheme says of a parameter that the case does not give.
    std::optional<std::string> recommended_value(const ParameterRow& row) {
        const SchemeMember* member = reader_.scheme ? recommended_choice(Section::parameter, row.name) : nullptr;
        if (!member || is_said_otherwise(row)) return std::nullopt;
        return member->value_for(reader_.scheme->traits);
    }

    /// Whether another word that the case gives says what this one would.
    bool is_said_otherwise(const ParameterRow& row) {
        const std::string key = row.name;
        const auto given = [&](const char* word) { return given_.contains(word) || reader_.override_for(word); };
        if (*row.older_name) return given(row.older_name);
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
        check_older_names();
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

    /// Two names of one parameter must not say different things.
    void check_older_names() {
        for (const ParameterRow& row : parameter_rows()) {
            if (!*row.older_name) continue;
            const auto now = said(row, row.name), before = said(row, row.older_name);
            if (now && before && now->number() != before->number())
                before->fail(fmt::format("parameter {}={} is the older name of {}={} and says something else, keep one",
                                         before->key, before->text, now->key, now->text));
        }
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
    std::map<std::string, ParameterValue> given_;
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
