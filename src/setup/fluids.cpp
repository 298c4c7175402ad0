// SPDX-License-Identifier: Apache-2.0
#include "setup/fluids.h"

#include "model/viscosity_in_time.h"
#include "physics/sph/equation_of_state.h"
#include "scheme/time_step.h"
#include "setup/viscosity.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice {

void set_fluids(const Case& definition, const ParticleSet& particles, RunSetup& setup) {
    ParticleGroups groups = groups_of(particles.blocks);
    sph::Constants& c = setup.constants;
    if (definition.parameters.flow_type == 2 && definition.fluids.empty())
        throw InputError(
            {definition.file.string(), 0},
            "FlowType 2 without fluids: give each mkfluid a <link> with a <property> in casedef/properties");
    double heaviest = 0;
    for (const FluidDef& fluid : definition.fluids) heaviest = std::max(heaviest, fluid.of.rho0);
    for (const ParticleGroup& group : groups.all()) {
        if (!group.is_fluid() || definition.fluids.empty()) continue;
        const auto fluid = std::ranges::find(definition.fluids, group.mk_type, &FluidDef::mkfluid);
        if (fluid == definition.fluids.end())
            throw InputError(
                definition.fluids.front().where,
                fmt::format("the fluids differ, and nothing says what {} is made of: add it", group.name()));
        if (setup.fluids.size() == most_fluids)
            throw InputError(fluid->where, fmt::format("there are more than {} groups of fluid of different density: "
                                                       "draw those of one fluid with one mkfluid",
                                                       most_fluids));
        setup.fluids.push_back(fluid->of);
        if (setup.fluids.back().c0 == 0) setup.fluids.back().c0 = c.c0;
        if (fluid->is_gas)
            setup.fluids.back().cohesion = 1.5 * definition.parameters.gas_cohesion * c.h * norm(c.gravity) * heaviest;
    }
    if (!setup.fluids.empty()) {
        const FluidProperties of_run{c.rho0, c.c0, c.gamma, sph::viscosity_of(c)};
        if (std::ranges::all_of(setup.fluids, [&](const FluidProperties& fluid) { return fluid == of_run; }))
            setup.fluids.clear();                     // one fluid told as several
        c.pressure_form = sph::PressureForm::product; // which takes volumes of neighbours
        if (!(definition.parameters.dt_min > 0)) c.dt_min *= c.c0 / fastest_constants(c, setup.fluids).c0;
    }
    setup.set_groups(std::move(groups));
    set_rheologies(definition, setup);
}

void set_layered_densities(const ParticleSet& particles, const RunSetup& setup, std::vector<float>& density) {
    const sph::Constants& c = setup.constants;
    const Vec3d gravity = c.two_d ? Vec3d{c.gravity.x, 0, c.gravity.z} : c.gravity;
    const double g = norm(gravity);
    if (g == 0) return;
    const Vec3d up = (-1 / g) * gravity;
    struct Layer {
        std::size_t fluid;
        double top, pressure; ///< m along `up`; Pa at the top
    };
    std::vector<Layer> layers;
    for (const ParticleGroup& group : setup.groups.all()) {
        if (!group.is_fluid()) continue;
        Layer layer{layers.size(), -1e300, 0};
        for (std::uint32_t id = group.begin; id < group.begin + group.count; ++id)
            layer.top = std::max(layer.top, dot(up, particles.position[id]) + 0.5 * c.dp);
        layers.push_back(layer);
    }
    std::vector<Layer> downwards = layers;
    std::ranges::stable_sort(downwards, [](const Layer& a, const Layer& b) { return a.top > b.top; });
    for (std::size_t k = 1; k < downwards.size(); ++k) {
        const Layer& above = downwards[k - 1];
        downwards[k].pressure = above.pressure + setup.fluids[above.fluid].rho0 * g * (above.top - downwards[k].top);
    }
    for (const Layer& layer : downwards) layers[layer.fluid] = layer;
    for (std::uint32_t id = particles.boundary_count; id < particles.size(); ++id) {
        const Layer& layer = layers[setup.groups.fluid_of(id)];
        const FluidProperties& fluid = setup.fluids[layer.fluid];
        const sph::EquationOfState<double> eos(relative_constants(c, fluid));
        density[id] = static_cast<float>(
            eos.density(layer.pressure + fluid.rho0 * g * (layer.top - dot(up, particles.position[id]))));
    }
}

std::vector<Diagnostic> fluid_notes(const Case& definition, const RunSetup& setup) {
    const Fluids& fluids = setup.fluids;
    std::vector<Diagnostic> notes;
    if (fluids.empty()) return notes;
    const auto add = [&](Diagnostic::Level level, std::string text) {
        notes.push_back({level, definition.fluids.front().where, std::move(text)});
    };
    double pace = fluids.size() == 1 ? 2 * fluids[0].tension / fluids[0].rho0 : 0;
    for (const FluidProperties& a : fluids)
        for (const FluidProperties& b : fluids)
            if (&a != &b) pace = std::max(pace, (a.tension + b.tension) / (a.rho0 + b.rho0));
    const sph::Constants& c = setup.constants;
    const double sound = c.cfl * c.h / fastest_constants(c, fluids).c0;
    if (!(c.dt_fixed > 0) && sph::tension_time_step(c.h, pace) < sound)
        add(Diagnostic::Level::info,
            fmt::format("surface tension (surfcoef) limits the time step to {:.4g} s; sound alone would to {:.4g} s",
                        sph::tension_time_step(c.h, pace), sound));
    if (fluids.size() == 1 && fluids[0].tension > 0)
        add(Diagnostic::Level::warning,
            "surface tension (surfcoef) of a fluid beside nothing is 10 to 30 % too small: draw the fluid around it, "
            "too, with a property of its own, where it matters");
    const double soft = 1000; // docs/validation.md, Surface tension of a drop
    for (const FluidProperties& of : fluids)
        if (of.tension > 0 && of.rho0 * of.c0 * of.c0 * c.h < soft * of.tension)
            add(Diagnostic::Level::warning,
                fmt::format(
                    "rho0 c0^2 h over surfcoef is {:.3g}, below {:g}: the surface clumps and the tension is too "
                    "small, take cs0 {:.3g} m/s",
                    of.rho0 * of.c0 * of.c0 * c.h / of.tension, soft, std::sqrt(soft * of.tension / (of.rho0 * c.h))));
    return notes;
}

} // namespace sluice
