// SPDX-License-Identifier: Apache-2.0
#include "setup/setup.h"
#include "setup/absorbing_paddle.h"

#include "case/domain.h"
#include "case/lattice_constants.h"
#include "core/error.h"
#include "core/extent.h"
#include "model/choices.h"
#include "model/derive.h"
#include "model/rigid_motions.h"
#include "physics/sph/equation_of_state.h"
#include "scheme/stability.h"
#include "setup/bodies.h"
#include "setup/bounds.h"
#include "setup/contact_parts.h"
#include "setup/flexible.h"
#include "setup/fluids.h"
#include "setup/forcing.h"
#include "setup/initial_density.h"
#include "setup/layered_pistons.h"
#include "setup/mechanisms.h"
#include "setup/moorings/moorings.h"
#include "setup/motion.h"
#include "setup/moving_walls.h"
#include "setup/open_zones.h"
#include "setup/plane.h"
#include "setup/viscosity.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

Extent extent_of(const ParticleSet& particles, std::uint32_t begin) {
    Extent extent;
    for (std::uint32_t i = begin; i < particles.size(); ++i) extent.add(particles.position[i]);
    return extent;
}

/// Whether there is fluid, or open boundaries bring some.
bool has_fluid(const Case& definition, const ParticleSet& particles) {
    return particles.boundary_count < particles.size() || !definition.open.zones.empty();
}

double height_of(const ParticleSet& particles) {
    const Extent extent = extent_of(particles, 0);
    return extent.max.z - extent.min.z;
}

double speed_of_sound(const Case& definition, const ParticleSet& particles) {
    const ConstantsDef& c = definition.constants;
    if (c.speed_sound) return *c.speed_sound;
    // Bodies alone, without fluid, are at most as fast as what falls all the way.
    const double depth = has_fluid(definition, particles) ? particles.still_water_depth : height_of(particles);
    const double dam_break_speed = std::sqrt(norm(c.gravity) * c.hswl.value_or(depth));
    // Ten times the speed of waves in shallow water, whatever speed is given, keeps the density within about 1 %.
    constexpr double least_over_waves = 10;
    const double speed =
        std::max(c.coef_sound * c.speed_system.value_or(dam_break_speed), least_over_waves * dam_break_speed);
    if (!(speed > 0))
        throw InputError({definition.file.string(), 0},
                         "the speed of sound cannot be derived (no gravity, or no depth of fluid): give <speedsystem> "
                         "or <speedsound> in constantsdef");
    return speed;
}

/// Below which bounds the truncated series of the hydrostatic density difference is exact to single precision.
void check_stiffness(const Case& definition, const sph::Constants& c) {
    const double x = c.rho0 * norm(c.gravity) * 2 * c.h / c.b;
    if (sph::is_hydrostatic(c.diffusion) && x > 0.1)
        throw InputError({definition.file.string(), 0},
                         fmt::format("the speed of sound ({:g} m/s) is too low for DensityDT {}: weight of a support "
                                     "diameter over B is {:g}, at most 0.1; raise coefsound or speedsound",
                                     c.c0, word_of(c.diffusion), x));
}

/// Density under `depth` metres of still water: Tait's equation solved for P = ρ0 g depth.
double hydrostatic_density(const sph::EquationOfState<double>& eos, const sph::Constants& c, double depth) {
    return eos.density(c.rho0 * norm(c.gravity) * std::max(depth, 0.0));
}

void set_initial_densities(const Case& definition, const ParticleSet& particles, const sph::Constants& c,
                           std::vector<float>& density) {
    density.assign(particles.size(), static_cast<float>(c.rho0));
    const sph::InitialDensity mode = definition.constants.initial_density;
    if (mode == sph::InitialDensity::reference || norm(c.gravity) == 0) return;
    const sph::EquationOfState<double> eos(c);
    for (std::size_t k = 0; k < particles.depth.size(); ++k)
        density[particles.boundary_count + k] =
            static_cast<float>(hydrostatic_density(eos, c, double(particles.depth[k])));
}

/// A particle beyond a periodic face would stand where another's image is.
void check_inside_period(const Case& definition, const ParticleSet& particles, const RunSetup& setup) {
    const Vec3d size = setup.domain.max - setup.domain.min;
    for (const ParticleBlock& block : particles.blocks)
        for (const Vec3d& corner : {block.min, block.max})
            if (setup.period.is_image(corner - setup.domain.min, size))
                throw InputError(
                    {definition.file.string(), 0},
                    fmt::format("particles of mk {} lie at ({:.10g}, {:.10g}, {:.10g}), outside the periodic sides "
                                "of the domain, from ({:.10g}, {:.10g}, {:.10g}) to ({:.10g}, {:.10g}, {:.10g}): widen "
                                "simulationdomain",
                                block.mk, corner.x, corner.y, corner.z, setup.domain.min.x, setup.domain.min.y,
                                setup.domain.min.z, setup.domain.max.x, setup.domain.max.y, setup.domain.max.z));
}

BodyContact contact_of(const Case& definition, const RunSetup& setup) {
    const int algorithm = definition.parameters.rigid_algorithm;
    constexpr int of_joints = Case::joints_algorithm;
    if (!setup.bodies.empty() && algorithm == of_joints && !definition.mechanisms.where)
        throw InputError({definition.file.string(), 0},
                         fmt::format("RigidAlgorithm {} without <chrono> in special: give the joints there, or take 2, "
                                     "elastic contacts, 1, contacts by the pair formula of fluid and boundary, or 0, "
                                     "none",
                                     algorithm));
    if (definition.has_elastic_contacts()) return BodyContact::elastic;
    return algorithm == 0 || algorithm == of_joints ? BodyContact::none : BodyContact::pair_formula;
}

/// What Boundary and SlipMode ask of the boundary particles.
void set_normals(const Case& definition, const ParticleSet& particles, RunSetup& setup) {
    const ExecutionParameters& p = definition.parameters;
    if (setup.constants.boundary != sph::BoundaryCondition::modified_dynamic) return;
    if (definition.has_elastic_contacts() && p.slip != sph::SlipMode::wall)
        throw InputError(
            {definition.file.string(), 0},
            fmt::format("RigidAlgorithm 2 with SlipMode {}: contacts need the velocity of the walls, which "
                        "this SlipMode replaces; take SlipMode 1",
                        word_of(p.slip)));
    if (particles.normals.empty())
        throw InputError({definition.file.string(), 0},
                         "Boundary 2 (mDBC), but no boundary particle has a normal: give them in casedef/normals, or "
                         "set Boundary to 1");
    setup.normals = particles.normals;
}

/// Particles of walls and bodies begin with the velocity of what they belong to.
void set_rigid_velocities(const RunSetup& setup, ParticleState& state) {
    const std::vector<RigidMotion> motions =
        rigid_motions(setup, initial_states(setup.bodies), std::vector<AbsorberState>(setup.absorbers.size()), 0);
    for (std::uint32_t i = 0; i < state.size(); ++i) {
        const std::int32_t object = setup.rigid.object_of(state.id[i]);
        if (object == RigidParticles::at_rest) continue;
        state.velocity[i] = vec_cast<float>(motions[static_cast<std::size_t>(object)].velocity_at(state.position[i]));
    }
}

} // namespace

sph::Constants make_constants(const Case& definition, const ParticleSet& particles) {
    const ConstantsDef& given = definition.constants;
    const ExecutionParameters& p = definition.parameters;
    sph::Constants c;
    c.kernel = p.kernel;
    c.diffusion = p.diffusion;
    c.integrator = p.integrator;
    c.verlet_steps = p.verlet_steps;
    c.boundary = p.boundary;
    if (p.boundary == sph::BoundaryCondition::modified_dynamic) c.slip = p.slip, c.wall_pressure = p.wall_pressure;
    c.two_d = particles.two_d;
    c.dp = particles.dp;
    c.h = smoothing_length_of(definition);
    c.gravity = given.gravity;
    c.rho0 = given.rho0;
    c.gamma = given.gamma;
    c.pressure_form = p.pressure_form;
    c.viscosity = p.viscosity;
    const bool is_sph = p.method == Method::sph;
    if (is_sph || p.viscosity != sph::ViscosityModel::artificial) // which is of SPH alone
        (p.viscosity == sph::ViscosityModel::artificial ? c.alpha : c.nu) = p.visco;
    else
        c.alpha = 0;
    c.boundary_viscosity_factor = p.boundary_viscosity_factor;
    c.smagorinsky = p.smagorinsky;
    c.acoustic_damping = p.acoustic_damping;
    c.tensile_spacing = p.tensile_spacing;
    c.shifting = p.shifting;
    c.shift_follows = p.shifting == sph::Shifting::along_surfaces && p.shift_follows;
    c.shift_coefficient = p.shifting == sph::Shifting::along_surfaces ? p.shift_along_surfaces : p.shift_coefficient;
    c.shift_threshold = p.shift_threshold;
    c.delta = p.delta;
    c.dt_fixed = p.dt_fixed;
    c.dt_initial = p.dt_initial;
    // without fluid nothing else limits the steps of bodies that are not elastic
    c.dt_all_particles =
        p.dt_all_particles || (!has_fluid(definition, particles) && !definition.has_elastic_contacts());
    c.rho_out_min = p.rho_out_min;
    c.rho_out_max = p.rho_out_max;
    sph::GivenConstants outright{given.mass_fluid, given.mass_bound, given.b, {}, is_sph ? p.coef_dt_min : 0};
    if (p.dt_min > 0) outright.dt_min = p.dt_min;
    if (given.b)
        c.c0 = given.speed_sound.value_or(0);
    else
        c.c0 = speed_of_sound(definition, particles);
    sph::derive(c, outright);
    if (c.viscosity == sph::ViscosityModel::apparent) c.nu = greatest_viscosity(definition, c);
    const double usual = p.method == Method::fvpm ? 0.5 : 0.2;
    c.cfl = given.cfl.value_or(c.integrator == sph::Integrator::staggered ? sph::wise_staggered_courant(c) : usual);
    check_stiffness(definition, c);
    return c;
}

Domain make_domain(const Case& definition, const ParticleSet& particles, const sph::Constants& constants,
                   const OpenZones& open) {
    const bool(&periodic)[3] = definition.parameters.periodic;
    const Box extent = with_zones(extent_of(particles, 0), open, periodic);
    const Box box = with_zones(resolve_domain(definition.parameters, extent.min, extent.max), open, periodic);
    Domain domain;
    for (int axis = 0; axis < 3; ++axis) {
        const ExecutionParameters& p = definition.parameters;
        // a period reaches half a spacing beyond the particles unless the case says where it ends
        const double margin = p.periodic[axis] ? 0.5 * constants.dp : 0.05 * constants.h;
        const bool lower_given = p.periodic[axis] && !p.domain_min[axis].is_default(),
                   upper_given = p.periodic[axis] && !p.domain_max[axis].is_default();
        domain.min[axis] = box.min[axis] - (lower_given ? 0 : margin);
        domain.max[axis] = box.max[axis] + (upper_given ? 0 : margin);
    }
    return domain;
}

Period make_period(const Case& definition, const Domain& domain) {
    Period period;
    for (int axis = 0; axis < 3; ++axis) {
        if (!definition.parameters.periodic[axis]) continue;
        if (axis == 1 && definition.definition.two_d)
            throw InputError({definition.file.string(), 0},
                             "the case is 2-D in x–z and periodic in y: leave out the periodic parameter of y");
        if (definition.definition.two_d && definition.parameters.periodic_step[axis].y != 0)
            throw InputError(
                {definition.file.string(), 0},
                fmt::format("the case is 2-D in x–z, and its {} sides are periodic with a step in y ({:g} m): "
                            "set {}PeriodicIncY to 0",
                            "xyz"[axis], definition.parameters.periodic_step[axis].y, "XYZ"[axis]));
        period.periodic[axis] = true;
        period.shift[axis] = -1.0 * definition.parameters.periodic_step[axis];
        period.shift[axis][axis] = domain.max[axis] - domain.min[axis];
    }
    return period;
}

RunSetup make_run_setup(const Case& definition, const ParticleSet& particles) {
    if (particles.size() == 0)
        throw InputError({definition.file.string(), 0},
                         "the case makes no particles: check the definition's limits and the commands");
    require_in_plane(definition);
    RunSetup setup;
    setup.method = definition.parameters.method;
    setup.constants = make_constants(definition, particles);
    set_viscosity_in_time(definition, setup);
    throw_errors(check_bounds(definition, setup.constants));
    const OpenZones open = make_open_zones(definition, particles);
    set_fluids(definition, particles, setup);
    // the last step may end a little after TimeMax
    const Motions motions = make_motions(definition, definition.parameters.time_max + 1);
    setup.domain =
        with_motions(make_domain(definition, particles, setup.constants, open), definition, particles, motions);
    setup.open = relative_to(open, setup.domain.min);
    require_countable_cells(definition, setup.domain, setup.constants.h);
    setup.period = make_period(definition, setup.domain);
    check_inside_period(definition, particles, setup);
    check_zones_inside_period(definition, setup);
    setup.motions = relative_to(motions, setup.domain.min);
    const std::vector<LayeredWall> layered =
        add_layered_pistons(definition, particles, definition.parameters.time_max + 1, setup.motions);
    add_absorbers(definition, particles, setup);
    setup.shift_zones = make_shift_zones(definition, setup.domain.min);
    setup.forcing = make_forcing(definition, setup.groups, setup.domain.min);
    set_normals(definition, particles, setup);
    add_bodies(definition, particles, setup);
    add_flexible_bodies(definition, particles, setup);
    add_mechanisms(definition, setup);
    add_moorings(definition, setup);
    setup.contact = contact_of(definition, setup);
    if (setup.contact == BodyContact::elastic) setup.contact_parts = make_contact_parts(definition, particles, setup);
    setup.rigid = rigid_particles(
        setup.groups, setup.motions.object_count(), setup.bodies,
        [&](std::uint32_t id) { return particles.position[id] - setup.domain.min; }, layered);
    return setup;
}

ParticleState make_initial_state(const Case& definition, const ParticleSet& particles, const RunSetup& setup) {
    ParticleState state;
    const std::uint32_t n = particles.size();
    state.id.resize(n);
    state.position.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        state.id[i] = i;
        state.position[i] = particles.position[i] - setup.domain.min;
    }
    state.velocity = particles.velocity.empty() ? std::vector<Vec3f>(n) : particles.velocity;
    set_rigid_velocities(setup, state);
    state.velocity_previous = state.velocity;
    set_initial_densities(definition, particles, setup.constants, state.density);
    if (!setup.fluids.empty() && definition.constants.initial_density != sph::InitialDensity::reference)
        set_layered_densities(particles, setup, state.density);
    apply_initial_densities(definition, particles, setup.constants, state.density);
    state.density_previous = state.density;
    fill_open_zones(definition, particles, setup, state);
    return state;
}

} // namespace sluice
