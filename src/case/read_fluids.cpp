// SPDX-License-Identifier: Apache-2.0
#include "case/reader.h"

#include <algorithm>
#include <fmt/format.h>

namespace sluice {

namespace {

/// The property of a link that describes a fluid: of several names the one with a density.
const MaterialProperty& fluid_property(const Case& the_case, const PropertyLink& link) {
    const MaterialProperty* found = nullptr;
    for (const MaterialProperty& property : the_case.properties.given) {
        const std::string names = "+" + link.property + "+";
        std::string plain;
        std::ranges::copy_if(names, std::back_inserter(plain), [](char c) { return c != ' ' && c != '\t'; });
        if (plain.find("+" + property.name + "+") != std::string::npos && property.values.contains("rhop0"))
            found = &property;
    }
    if (!found)
        throw InputError(link.where, fmt::format("<link> property {}: no <property> of that name has rhop0, which "
                                                 "FlowType 2 asks for",
                                                 link.property));
    return *found;
}

double value_in(const MaterialProperty& property, const char* name, bool may_be_zero = false) {
    const auto value = property.values.find(name);
    if (value == property.values.end())
        throw InputError(property.where,
                         fmt::format("<property> {} has no {}, which FlowType 2 asks for", property.name, name));
    if (!(value->second > 0 || (may_be_zero && value->second == 0)))
        throw InputError(property.where, fmt::format("<property> {}: {} is {}, it must be {}", property.name, name,
                                                     value->second, may_be_zero ? "0 or more" : "positive"));
    return value->second;
}

FluidProperties properties_of(const MaterialProperty& property) {
    FluidProperties of{value_in(property, "rhop0"), value_in(property, "cs0"), value_in(property, "gamma"),
                       value_in(property, "visco", true)};
    if (property.values.contains("surfcoef")) of.tension = value_in(property, "surfcoef", true);
    return of;
}

/// 0 liquid, 1 gas, 2 solid.
double type_of(const MaterialProperty& property) {
    const auto type = property.values.find("phasetype");
    return type == property.values.end() ? 0 : type->second;
}

void read_fluid(CaseReader& reader, const PropertyLink& link) {
    const MaterialProperty& property = fluid_property(reader.out, link);
    if (const double type = type_of(property); type != 0 && type != 1)
        reader.unsupported(property.where, fmt::format("phasetype {} of a fluid", type),
                           "a fluid is 0, liquid, or 1, gas");
    for (const int mk : link.mkfluid) {
        if (std::ranges::find(reader.out.fluids, mk, &FluidDef::mkfluid) != reader.out.fluids.end())
            throw InputError(link.where, fmt::format("<link> mkfluid {} has a property already", mk));
        reader.out.fluids.push_back({link.where, mk, properties_of(property), type_of(property) == 1});
    }
}

} // namespace

void read_fluids(CaseReader& reader) {
    Case& c = reader.out;
    if (c.parameters.flow_type != 2) return;
    std::optional<FluidProperties> walls;
    for (const PropertyLink& link : c.properties.links)
        reader.collect([&] {
            if (!link.mkfluid.empty()) read_fluid(reader, link);
            if (link.mkbound.empty()) return;
            const FluidProperties of = properties_of(fluid_property(c, link));
            if (walls && *walls != of)
                reader.unsupported(link.where, "walls with the properties of two fluids",
                                   "give all walls and bodies one property");
            walls = of;
        });
    if (c.fluids.empty()) return; // of which set-up complains
    const auto liquid = std::ranges::find(c.fluids, false, &FluidDef::is_gas);
    const FluidProperties of_walls = walls ? *walls : liquid != c.fluids.end() ? liquid->of : c.fluids.front().of;
    c.constants.rho0 = of_walls.rho0;
    c.constants.gamma = of_walls.gamma;
    c.constants.speed_sound = of_walls.c0;
    c.parameters.visco = of_walls.viscosity;
}

void check_fluids(CaseReader& reader) {
    const Case& c = reader.out;
    if (c.fluids.empty()) return;
    const auto refuse = [&](bool is_there, const char* what, const char* advice) {
        if (is_there)
            reader.unsupported(c.fluids.front().where, fmt::format("fluids of different density with {}", what),
                               advice);
    };
    const ExecutionParameters& p = c.parameters;
    refuse(p.boundary == sph::BoundaryCondition::modified_dynamic, "Boundary 2", "take Boundary 1");
    refuse(p.diffusion == sph::DensityDiffusion::renormalised, "DensityDT 4", "take DensityDT 3");
    refuse(!c.open.zones.empty(), "open boundaries", "close the domain with walls or periodic sides");
    refuse(!c.flexible.empty(), "flexible structures", "take out the structures, or use one fluid");
    refuse(!p.visco_file.empty(), "ViscoTime", "take it out: each fluid has its own viscosity");
    refuse(std::ranges::any_of(c.initials, [](const InitialState& state) { return state.density.has_value(); }),
           "initial densities", "leave them out: layers at rest are found");
    refuse(std::ranges::any_of(c.gauges,
                               [](const Gauge& gauge) { return std::holds_alternative<BoundaryForce>(gauge.kind); }),
           "a force gauge", "take it out");
}

} // namespace sluice
