// SPDX-License-Identifier: Apache-2.0
#include "case/element_values.h"

namespace sluice {

namespace {

/// What the phases of a run have in common so far: another value asks for several densities or sounds.
void require_common(CaseReader& reader, const ElementValues& values, const char* name, double common) {
    if (!values.element().child(name)) return;
    const XmlElement v = values.value_of(name);
    if (const double given = v.number("value"); given != common)
        reader.unsupported(v.where(), fmt::format("<phase> {} {} beside {} of the case", name, given, common),
                           "all phases share density, speed of sound and gamma: give them the values of constantsdef");
}

Rheology read_rheology(const ElementValues& values) {
    const XmlElement& e = values.element();
    Rheology r;
    r.consistency = values.positive("visco");
    if (e.child("CY_lambda")) {
        for (const char* other : {"tau_yield", "tau_max", "Bi_multi", "HBP_m", "HBP_n"})
            if (const auto v = e.child(other))
                v->fail(fmt::format("<phase> has CY_lambda and {}: it is a fluid of Carreau and Yasuda, or one with a "
                                    "yield stress; take out one of them",
                                    other));
        r.law = RheologyLaw::carreau_yasuda;
        r.relaxation = values.at_least("CY_lambda", 0, 0);
        r.fast = values.at_least("CY_visco_inf", 0, 0);
        r.transition = values.positive("CY_a", values.number("CY_a", 2));
        r.exponent = values.positive("CY_n", values.number("CY_n", 1));
        if (r.exponent > 1)
            e.fail(fmt::format("<phase> CY_n is {}, it must be 1 at most: the fluid gets thinner as it is sheared",
                               r.exponent));
        if (r.fast > r.consistency)
            e.fail(fmt::format("<phase> CY_visco_inf is {}, it must be visco, {}, at most", r.fast, r.consistency));
        return r;
    }
    for (const char* without : {"CY_visco_inf", "CY_a", "CY_n"})
        if (const auto v = e.child(without))
            v->fail(fmt::format("<phase> has {} without CY_lambda: add the time of relaxation, s", without));
    r.yield = values.at_least("tau_yield", 0, 0);
    r.regularisation = values.at_least("HBP_m", 0, 0);
    r.exponent = values.positive("HBP_n", values.number("HBP_n", 1));
    if (const double most = values.at_least("tau_max", 0, 0); most > 0) { // it goes before tau_yield
        r.law = RheologyLaw::bi_viscous;
        r.yield = most;
        r.bi_ratio = values.positive("Bi_multi");
    }
    if (r.exponent < 1 && !(r.regularisation > 0))
        e.fail(
            fmt::format("<phase> HBP_n is {} and HBP_m is 0: a fluid that gets thinner as it is sheared needs a time "
                        "HBP_m, above whose inverse that begins, as 100",
                        r.exponent));
    return r;
}

void read_phase(CaseReader& reader, const XmlElement& e) {
    require_attributes(e, {"mkfluid"});
    const ElementValues values(reader, e,
                               {"rhop", "csound", "gamma", "visco", "tau_yield", "tau_max", "Bi_multi", "HBP_m",
                                "HBP_n", "phasetype", "CY_visco_inf", "CY_lambda", "CY_a", "CY_n"});
    values.expect_known();
    require_common(reader, values, "rhop", reader.out.constants.rho0);
    require_common(reader, values, "gamma", reader.out.constants.gamma);
    if (const auto sound = e.child("csound"))
        require_common(reader, values, "csound", reader.out.constants.speed_sound.value_or(0));
    values.whole("phasetype", 0, 0, 0);
    FluidPhase phase{e.where(), 0, read_rheology(values)};
    for (const int mk : read_mk_list(reader, e, "mkfluid")) {
        for (const FluidPhase& other : reader.out.phases)
            if (other.mkfluid == mk)
                e.fail(fmt::format("<phase> mkfluid {} is that of line {} already", mk, other.where.line));
        phase.mkfluid = mk;
        reader.out.phases.push_back(phase);
    }
}

} // namespace

void read_rheologies(CaseReader& reader, const XmlElement& nnphases) {
    require_attributes(nnphases, {"active"});
    for (const XmlElement& e : nnphases.children())
        reader.collect([&] {
            if (e.name() != "phase") e.fail(fmt::format("<nnphases> has no <{}>, it knows <phase>", e.name()));
            read_phase(reader, e);
        });
    if (!reader.out.phases.empty()) reader.out.parameters.viscosity = sph::ViscosityModel::apparent;
}

void check_rheologies(CaseReader& reader) {
    const Case& c = reader.out;
    if (c.phases.empty()) return;
    const auto refuse = [&](bool is_there, const char* what, const char* advice) {
        if (is_there) reader.unsupported(c.phases.front().where, fmt::format("<nnphases> with {}", what), advice);
    };
    refuse(!c.floatings.empty(), "floating bodies", "take out the bodies, or use a Newtonian fluid");
    refuse(!c.flexible.empty(), "flexible structures", "take out the structures, or use a Newtonian fluid");
    refuse(!c.open.zones.empty(), "open boundaries", "close the domain with walls or periodic sides");
    refuse(!c.parameters.visco_file.empty(), "ViscoTime", "take it out: each phase has its own viscosity");
    for (const Gauge& gauge : c.gauges)
        if (std::holds_alternative<BoundaryForce>(gauge.kind))
            reader.warn(gauge.where,
                        fmt::format("the force gauge {} lacks the friction of the fluids of <nnphases>: it "
                                    "has their pressure alone",
                                    gauge.name));
}

} // namespace sluice
