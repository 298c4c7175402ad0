// SPDX-License-Identifier: Apache-2.0
#include "case/element_values.h"

namespace sluice {

namespace {

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
    const auto given = [&](const char* name) {
        return e.child(name) ? std::optional(values.positive(name)) : std::nullopt;
    };
    values.whole("phasetype", 0, 0, 0);
    FluidPhase phase{e.where(), 0, read_rheology(values), given("rhop"), given("csound"), given("gamma")};
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
    if (reader.out.phases.empty()) return;
    reader.out.parameters.viscosity = sph::ViscosityModel::apparent;
    const ConstantsDef& c = reader.out.constants;
    const bool differ = std::ranges::any_of(reader.out.phases, [&](const FluidPhase& phase) {
        return phase.rho0.value_or(c.rho0) != c.rho0 || phase.gamma.value_or(c.gamma) != c.gamma ||
               (phase.sound_speed && phase.sound_speed != c.speed_sound);
    });
    if (!differ) return;
    for (const FluidPhase& phase : reader.out.phases)
        reader.out.fluids.push_back(
            {phase.where,
             phase.mkfluid,
             {phase.rho0.value_or(c.rho0), phase.sound_speed.value_or(c.speed_sound.value_or(0)),
              phase.gamma.value_or(c.gamma)}});
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
