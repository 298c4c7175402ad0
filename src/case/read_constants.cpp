// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "case/reader.h"
#include "model/choices.h"

#include <cmath>
#include <fmt/format.h>
#include <map>

namespace sluice {

namespace {

const SourceLocation command_line{"--set", 0};

/// One element of constantsdef, or the command line's word instead of it.
struct Given {
    SourceLocation where;
    std::optional<XmlElement> element;
    std::optional<std::string> override_text;

    explicit operator bool() const { return element || override_text; }
    [[noreturn]] void fail(const std::string& what) const { throw InputError(where, what); }
};

class ConstantsReader {
public:
    ConstantsReader(CaseReader& reader, const XmlElement& parent) : reader_(reader), parent_(parent) {}

    void read() {
        check_words();
        ConstantsDef& c = reader_.out.constants;
        reader_.collect([&] { read_lattice(); });
        reader_.collect([&] { read_gravity(c.gravity); });
        positive("rhop0", c.rho0);
        reader_.collect([&] { read_gradient(c.initial_density); });
        automatic("hswl", c.hswl);
        positive("gamma", c.gamma);
        automatic("speedsystem", c.speed_system);
        automatic("speedsound", c.speed_sound);
        read_sound_factor(c);
        automatic("coefh", c.coef_h, "coefficient");
        automatic("hdp", c.hdp);
        automatic("h", c.h);
        automatic("b", c.b);
        automatic("massbound", c.mass_bound);
        automatic("massfluid", c.mass_fluid);
        reader_.collect([&] { read_cfl(c.cfl); });
        define_variables(c);
        reader_.collect([&] { check_smoothing_length(c); });
        warn_of_low_sound_speed(c);
    }

private:
    Given given(const char* name) {
        Given g{parent_.where(), parent_.child(name), reader_.override_for(name)};
        if (g.element) g.where = g.element->where();
        if (g.override_text) g.where = command_line;
        if (!g) take_recommended(g, name);
        return g;
    }

    /// The smoothing length, which depends on the dimensions, follows later (`take_recommended_smoothing_length`).
    void take_recommended(Given& g, const char* name) const {
        const SchemeMember* member = reader_.scheme ? recommended_choice(Section::constant, name) : nullptr;
        if (!member || name == std::string_view("coefh")) return;
        g.override_text = member->value_for(reader_.scheme->traits);
        g.where = {scheme_place, 0};
    }

    void check_words() {
        std::map<std::string, int> seen;
        for (const XmlElement& e : parent_.children()) {
            reader_.collect([&] {
                if (!find_word(Section::constant, e.name()))
                    return reader_.unknown(e.where(), fmt::format("<{}> in <constantsdef>", e.name()),
                                           suggest_word(Section::constant, e.name()));
                const auto [first, fresh] = seen.emplace(e.name(), e.line());
                if (!fresh)
                    e.fail(fmt::format("<{}> is given twice (first on line {}), keep one", e.name(), first->second));
                if (e.name() == "gravity")
                    reader_.expect_attributes(e, {"x", "y", "z"});
                else if (e.name() == "lattice")
                    reader_.expect_attributes(e, {"bound", "fluid"});
                else
                    reader_.expect_attributes(e, {"value", "auto"});
            });
        }
    }

    double value_of(const Given& g, const char* name) {
        if (g.override_text) {
            try {
                const std::string_view text = trim(*g.override_text);
                return text.starts_with('#') ? reader_.variables.evaluate(std::string(text.substr(1)))
                                             : parse_number(text);
            } catch (const InputError& e) {
                g.fail(fmt::format("{}: {}", name, e.what()));
            }
        }
        return g.element->number("value");
    }

    bool is_auto(const Given& g) {
        if (g.override_text) return to_lower(*g.override_text) == "auto";
        return g.element->boolean("auto", false);
    }

    void positive(const char* name, double& value) {
        reader_.collect([&] {
            const Given g = given(name);
            if (g) {
                value = value_of(g, name);
                if (!(value > 0)) g.fail(fmt::format("{} must be positive ({})", name, format_number(value)));
            }
            reader_.record("constantsdef", name, format_number(value), bool(g), g.where);
        });
    }

    /// A constant that is derived unless the case gives it. A zero means "derived" too: the field's files leave
    /// value="0" behind with auto="false".
    /// `old_name`: how older files write it.
    void automatic(const char* name, std::optional<double>& value, const char* old_name = nullptr) {
        reader_.collect([&] {
            const Given g = old_name && parent_.child(old_name) ? given(old_name) : given(name);
            if (old_name && g.element && g.element->name() == old_name && parent_.child(name))
                g.fail(fmt::format("<{}> is the old name of <{}>, keep one", old_name, name));
            if (g && !is_auto(g)) {
                const double v = value_of(g, name);
                if (v < 0) g.fail(fmt::format("{} must not be negative ({})", name, format_number(v)));
                if (v > 0)
                    value = v;
                else
                    reader_.warn(g.where,
                                 fmt::format("{} is 0 with auto=\"false\": it is derived as with auto=\"true\"", name));
            }
            reader_.record("constantsdef", name, value ? format_number(*value) : "auto", bool(g), g.where);
        });
    }

    /// With a given speed of sound the factor has nothing to do, and the field's files leave a 0 there.
    void read_sound_factor(ConstantsDef& c) {
        const Given g = given("coefsound");
        if (c.speed_sound && g && !g.override_text && g.element->number("value") == 0) return;
        positive("coefsound", c.coef_sound);
    }

    void read_cfl(std::optional<double>& cfl) {
        const Given g = given("cflnumber");
        if (g && !is_auto(g)) {
            const double v = value_of(g, "cflnumber");
            if (!(v > 0)) g.fail(fmt::format("cflnumber must be positive ({})", format_number(v)));
            if (v > 1) g.fail(fmt::format("cflnumber must not exceed 1 ({}), 0.2 is usual", format_number(v)));
            cfl = v;
        }
        reader_.record("constantsdef", "cflnumber", cfl ? format_number(*cfl) : "auto", bool(g), g.where);
    }

    void read_lattice() {
        const auto e = parent_.child("lattice");
        if (!e) return;
        Case& c = reader_.out;
        if (e->attribute("bound")) c.lattice_bound = e->integer("bound");
        if (e->attribute("fluid")) c.lattice_fluid = e->integer("fluid");
        for (int n : {c.lattice_bound, c.lattice_fluid})
            if (n != 1 && n != 2) e->fail(fmt::format("<lattice> {} is unknown, use 1 or 2", n));
    }

    void read_gravity(Vec3d& gravity) {
        const Given g = given("gravity");
        if (g.override_text)
            gravity = parse_triple(g);
        else if (g.element)
            gravity = g.element->vector();
        else
            reader_.warn(g.where,
                         fmt::format("<constantsdef> has no <gravity>: x={:g} y={:g} z={:g} m/s2 is taken, write "
                                     "what is meant",
                                     gravity.x, gravity.y, gravity.z));
        if (gravity.z > 0)
            reader_.warn(g.where, fmt::format("gravity points up (z={:g}): write z={:g}, unless that is meant",
                                              gravity.z, -gravity.z));
        reader_.record("constantsdef", "gravity", fmt::format("{} {} {}", gravity.x, gravity.y, gravity.z), bool(g),
                       g.where);
    }

    Vec3d parse_triple(const Given& g) {
        std::string text = *g.override_text;
        Vec3d v;
        for (int axis = 0; axis < 3; ++axis) {
            const auto comma = text.find(',');
            if ((axis < 2) != (comma != std::string::npos))
                g.fail(fmt::format("gravity needs three numbers x,y,z ({})", *g.override_text));
            v[axis] = parse_number(text.substr(0, comma));
            if (axis < 2) text = text.substr(comma + 1);
        }
        return v;
    }

    void read_gradient(sph::InitialDensity& initial) {
        const Given g = given("rhopgradient");
        if (g) {
            const double v = value_of(g, "rhopgradient");
            if (v != 1 && v != 2 && v != 3)
                g.fail(fmt::format("rhopgradient must be 1, 2 or 3 ({})", format_number(v)));
            initial = find_choice<sph::InitialDensity>(format_number(v))->choice;
        }
        reader_.record("constantsdef", "rhopgradient", word_of(initial), bool(g), g.where);
    }

    void define_variables(const ConstantsDef& c) {
        reader_.variables.set("Rhop0", c.rho0, true);
        reader_.variables.set("Gamma", c.gamma, true);
        reader_.variables.set("Gravity_x", c.gravity.x, true);
        reader_.variables.set("Gravity_y", c.gravity.y, true);
        reader_.variables.set("Gravity_z", c.gravity.z, true);
    }

    void check_smoothing_length(const ConstantsDef& c) {
        if (c.coef_h && c.hdp) {
            const auto hdp = parent_.child("hdp");
            throw InputError(hdp ? hdp->where() : command_line,
                             "coefh and hdp are both given and contradict each other, keep one");
        }
        if (c.coef_h || c.hdp || c.h || reader_.scheme) return;
        if (reader_.out.parameters.method != Method::sph)
            take_radius_of_method();
        else
            parent_.fail("constantsdef does not say the smoothing length, add coefh (1.0 or 1.2, say) or hdp");
    }

    /// Beside SPH there is a smoothing length that is right in all cases: the spacing, and with MPS half of the radius
    /// that Koshizuka & Oka (1996) take, 2.1 spacings.
    void take_radius_of_method() {
        const double hdp = reader_.out.parameters.method == Method::mps ? 1.05 : 1;
        reader_.out.constants.hdp = hdp;
        const auto effective = std::ranges::find(reader_.out.effective, "hdp", &EffectiveValue::name);
        effective->value = format_number(hdp);
    }

    /// Weakly compressible: density varies by about the square of the greatest speed over that of sound.
    void warn_of_low_sound_speed(const ConstantsDef& c) {
        constexpr double usual = 10;
        if (c.speed_sound || c.b || c.coef_sound >= usual) return;
        reader_.warn(
            given("coefsound").where,
            fmt::format("coefsound is {}: the speed of sound is at least 10 sqrt(g hswl) all the same; take 10 or "
                        "more",
                        format_number(c.coef_sound)));
    }

    CaseReader& reader_;
    const XmlElement& parent_;
};

} // namespace

void read_constants(CaseReader& reader, const XmlElement& constantsdef) {
    ConstantsReader(reader, constantsdef).read();
}

} // namespace sluice
