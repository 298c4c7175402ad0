// SPDX-License-Identifier: Apache-2.0
#include "setup/flexible.h"

#include "core/error.h"
#include "structure/flexible_bodies.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

const ParticleGroup& group_of(const FlexibleDef& given, const RunSetup& setup, int mk, const char* attribute) {
    for (const ParticleGroup& group : setup.groups.all())
        if (!group.is_fluid() && group.mk_type == mk && group.count > 0) return group;
    throw InputError(given.where,
                     fmt::format("<flexstrucbody> {} {} has no particles: draw it, or take it out", attribute, mk));
}

void add_body(const FlexibleDef& given, const ParticleSet& particles, RunSetup& setup) {
    FlexibleBodies& out = setup.flexible;
    FlexibleBody body;
    body.mk_bound = given.mkbound;
    body.material = given.material;
    const ParticleGroup& own = group_of(given, setup, given.mkbound, "mkbound");
    body.first_id = own.begin;
    body.particles = own.count;
    body.first_start = static_cast<std::uint32_t>(out.start.size());
    body.first_clamp = static_cast<std::uint32_t>(out.clamp_id.size());
    const auto add = [&](std::uint32_t id) { out.start.push_back(particles.position[id] - setup.domain.min); };
    for (std::uint32_t id = own.begin; id < own.begin + own.count; ++id) add(id);
    for (const int mk : given.clamps) {
        const ParticleGroup& clamp = group_of(given, setup, mk, "mkclamp");
        for (std::uint32_t id = clamp.begin; id < clamp.begin + clamp.count; ++id) {
            out.clamp_id.push_back(id);
            add(id);
        }
        body.clamps += clamp.count;
    }
    out.all.push_back(body);
}

/// A row or a layer of particles has no strain across, and a clamp that does not touch holds nothing.
void require_solid(const FlexibleDef& given, const FlexibleBody& body, const RunSetup& setup) {
    constexpr double largest_condition = 1e6;
    const StructureParticles structure = setup.flexible.structure_of(body);
    const ReferenceState state = reference_state(structure, lagrangian_constants(setup.constants));
    if (state.condition < largest_condition) {
        if (body.clamps > 0 && state.size() == state.flexible)
            throw InputError(
                given.where,
                fmt::format("no clamp touches the flexible body of mkbound {}: draw them one spacing from its "
                            "particles ({:.6g} m), or leave out mkclamp",
                            body.mk_bound, setup.constants.dp));
        return;
    }
    const Vec3d place = setup.domain.min + state.start[state.worst];
    throw InputError(
        given.where,
        fmt::format(
            "the flexible body of mkbound {} is {} layer{} of particles thick: at ({:.6g}, {:.6g}, {:.6g}) the "
            "condition of its neighbourhood is {:.3g}, at most {:.0g}; draw 3 layers at least, with a smaller dp",
            body.mk_bound, layers_across(structure, setup.constants.dp, setup.constants.two_d),
            layers_across(structure, setup.constants.dp, setup.constants.two_d) == 1 ? "" : "s", place.x, place.y,
            place.z, state.condition, largest_condition));
}

} // namespace

void add_flexible_bodies(const Case& definition, const ParticleSet& particles, RunSetup& setup) {
    for (const FlexibleDef& given : definition.flexible) {
        add_body(given, particles, setup);
        const FlexibleBody& body = setup.flexible.all.back();
        require_solid(given, body, setup);
        for (std::uint32_t id = body.first_id; id < body.first_id + body.particles && id < setup.normals.size(); ++id)
            setup.normals[id] = {};
    }
}

void lint_flexible_bodies(const Case& definition, const RunSetup& setup, std::vector<Diagnostic>& diagnostics) {
    const sph::Constants& c = setup.constants;
    for (std::size_t b = 0; b < setup.flexible.all.size(); ++b) {
        const FlexibleBody& body = setup.flexible.all[b];
        const SourceLocation& where = definition.flexible[b].where;
        const StructureParticles structure = setup.flexible.structure_of(body);
        const int layers = layers_across(structure, c.dp, c.two_d);
        const double speed = solid::wave_speed(body.material);
        const double dt = c.dt_fixed > 0 ? c.dt_fixed : c.cfl * c.h / c.c0; // sound crosses h in a few steps
        StructureSolver solver(structure, lagrangian_constants(c));
        diagnostics.push_back(
            {Diagnostic::Level::info, where,
             fmt::format("the flexible body of mkbound {}: {} particles, {} layers across (condition {:.3g}), waves of "
                         "{:.4g} m/s, {} sub-steps in a step of {:.3g} s",
                         body.mk_bound, body.particles, layers, solver.reference().condition, speed,
                         structure_sub_steps(dt, solver.longest_step(c.cfl)), dt)});
        if (c.integrator == sph::Integrator::verlet && setup.groups.fluid_count() > 0)
            diagnostics.push_back({Diagnostic::Level::warning, where,
                                   fmt::format("the flexible body of mkbound {} with StepAlgorithm 1: the fluid makes "
                                               "it shake, out of nothing; set StepAlgorithm to 2",
                                               body.mk_bound)});
        constexpr int fewest_layers = 3;
        if (layers < fewest_layers)
            diagnostics.push_back(
                {Diagnostic::Level::warning, where,
                 fmt::format("the flexible body of mkbound {} is {} layers of particles thick: it bends "
                             "much too little; take {} or more",
                             body.mk_bound, layers, fewest_layers)});
    }
}

} // namespace sluice
