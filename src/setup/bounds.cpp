// SPDX-License-Identifier: Apache-2.0
#include "setup/bounds.h"

#include "scheme/stability.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>

namespace sluice {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// What one value may be. Outside `works` nothing sensible can come out, outside `wise` little.
struct Bound {
    std::string name; ///< as the case has it; several where one quantity follows from them, the first given one counts
    double value = 0;
    double works[2] = {0, unbounded}, wise[2] = {0, unbounded};
    const char* unit;
    const char* reason;
};

/// The largest time steps over h/c0: where runs of the overflowing tank of tests/faults lose fluid by its density.
struct Courant {
    double works, wise;
};
Courant largest_courant(const sph::Constants& c) {
    return c.integrator == sph::Integrator::verlet ? Courant{0.49, 0.3} : Courant{1, 0.7};
}

constexpr const char* too_long_a_step = "sound would cross more of the smoothing length in a step than is stable";

std::vector<Bound> bounds_of(const Case& definition, const sph::Constants& c) {
    const ExecutionParameters& p = definition.parameters;
    const Courant courant = largest_courant(c);
    const double sound = c.h / c.c0, lattice_mass = c.rho0 * std::pow(c.dp, c.two_d ? 2 : 3);
    const double gravity = norm(c.gravity);
    const bool laminar = c.viscosity != sph::ViscosityModel::artificial;
    std::vector<Bound> bounds{
        {"rhop0", c.rho0, {1e-3, 1e6}, {0.1, 3e4}, " kg/m3", "no fluid has that density"},
        {"gravity", gravity, {0, 1e6}, {0, 100}, " m/s2", "no tank is accelerated so"},
        {"gamma", c.gamma, {1, 20}, {1, 8}, "", "the equation of state is made for gases (1.4) to water (7)"},
        {"coefh hdp h",
         c.h / c.dp,
         {0.7, 10},
         {0.9, 3},
         " dp (smoothing length)",
         "the kernel has to reach the neighbours, and not hundreds of them"},
        {"speedsound b coefsound speedsystem hswl",
         c.c0,
         {1e-6, 1e6},
         {1e-3, 1e5},
         " m/s (speed of sound)",
         "densities in single precision would no longer carry the pressure"},
        {"cflnumber", c.cfl, {1e-4, courant.works}, {0.01, courant.wise}, "", too_long_a_step},
        {"ViscoTime Visco",
         laminar ? c.nu / (c.h * c.c0) : c.alpha,
         {0, laminar ? 1000.0 : 10.0},
         {0, laminar ? 10.0 : 1.0},
         laminar ? " h c0" : "",
         "the viscosity would dominate the flow and shorten the time step"},
        {"ViscoBoundFactor",
         c.boundary_viscosity_factor,
         {0, 1000},
         {0, 100},
         "",
         "the walls would hold the fluid like glue"},
        {"AcousticDamping",
         c.acoustic_damping,
         {0, 0.7 / c.cfl},
         {0, 0.4 / c.cfl},
         "",
         "with this cflnumber the acoustic damper becomes unstable"},
        {"TensileSpacing",
         c.tensile_spacing,
         {0, 10},
         {0, 2},
         " h",
         "from 2 on there is no tensile correction: the kernel does not reach further"},
        {"DensityDTvalue DeltaSPH", c.delta, {0, 1}, {0, 0.5}, "", "the density is smeared over the smoothing length"},
        {"massfluid",
         c.mass_fluid / lattice_mass,
         {0.1, 10},
         {0.5, 2},
         " rhop0 dp^n",
         "the fluid would begin far from its reference density"},
        {"massbound",
         c.mass_bound / lattice_mass,
         {0.1, 10},
         {0.5, 2},
         " rhop0 dp^n",
         "the walls would suck or repel the fluid"},
        {"DtMin CoefDtMin",
         c.dt_min / sound,
         {0, courant.works},
         {0, c.cfl},
         " h/c0 (least time step)",
         too_long_a_step},
        {"DtIni",
         c.dt_initial / sound,
         {0, unbounded},
         {0, courant.works},
         " h/c0",
         "the first time step is never longer than the stable one: the value has no effect"},
        {"TimeMax",
         p.time_max / (c.cfl * sound),
         {0, 1e13},
         {0, 1e10},
         " time steps",
         "no machine would come to the end"},
        {"TimeOut", p.frame_count(), {0, unbounded}, {0, 1e6}, " frames", "so many frames fill any disk"}};
    if (c.dt_fixed > 0)
        bounds.push_back(
            {"DtFixed", c.dt_fixed / sound, {1e-6, courant.works}, {1e-3, courant.wise}, " h/c0", too_long_a_step});
    return bounds;
}

/// Where one of these names was given; the lattice's place if none was.
std::pair<SourceLocation, std::string> place_of(const Case& definition, const std::string& names) {
    for (std::size_t begin = 0; begin < names.size();) {
        const std::size_t end = std::min(names.find(' ', begin), names.size());
        const std::string name = names.substr(begin, end - begin);
        for (const EffectiveValue& value : definition.effective)
            if (value.name == name && value.given && value.value != "auto") return {value.where, name};
        begin = end + 1;
    }
    return {definition.definition.where, names.substr(0, names.find(' '))};
}

std::string range_text(const double range[2]) {
    if (range[1] == unbounded) return fmt::format("at least {:g}", range[0]);
    if (range[0] == 0) return fmt::format("at most {:g}", range[1]);
    return fmt::format("{:g} to {:g}", range[0], range[1]);
}

/// What one dissipative term may do in a step: `number` is its D, and proportional to each of the values named.
struct Dissipation {
    const char* names; ///< as the case has its coefficient
    double coefficient = 0, number = 0;
    const char* what;
};

/// A time step is a little shorter than cflnumber h/c0, for water under pressure carries sound faster: measured limits
/// are 2 % above those of linear theory.
constexpr double beyond_theory = 1.015;

void check_dissipation(const Case& definition, const sph::Constants& c, const Dissipation& term,
                       std::vector<Diagnostic>& found) {
    const double limit = beyond_theory * sph::dissipation_limit(c);
    if (!(term.number > limit)) return;
    const auto [where, name] = place_of(definition, term.names);
    const std::string told = name + ": "; // by the bounds, which say more
    if (std::ranges::any_of(found, [&](const Diagnostic& d) { return d.message.starts_with(told); })) return;
    const double part = limit / term.number;
    std::string steps;
    if (c.integrator == sph::Integrator::verlet) {
        int rarest = c.verlet_steps;
        while (rarest > 2 && term.number > beyond_theory * sph::verlet_dissipation_limit(rarest)) --rarest;
        steps = term.number <= beyond_theory * sph::verlet_dissipation_limit(rarest)
                    ? fmt::format("VerletSteps {} or less, StepAlgorithm 2, ", rarest)
                    : "StepAlgorithm 2, ";
    }
    const std::string step = c.dt_fixed > 0 ? fmt::format("a DtFixed of at most {:.3g}", part * c.dt_fixed)
                                            : fmt::format("a cflnumber of at most {:.3g}", part * c.cfl);
    found.push_back(
        {Diagnostic::Level::warning, where,
         fmt::format("{} {:g}: unstable with steps as long as here{}: {} would grow; use {}{}, or at "
                     "most {:.3g} of it",
                     name, term.coefficient,
                     c.integrator == sph::Integrator::verlet ? fmt::format(" and VerletSteps {}", c.verlet_steps) : "",
                     term.what, steps, step, part * term.coefficient)});
}

/// Verlet's Euler steps amplify what nothing damps by √(1 + (ωΔt)²) each: still water does not come to rest.
void check_undamped(const Case& definition, const sph::Constants& c, std::vector<Diagnostic>& found) {
    constexpr double damps = 0.1; // artificial viscosity from which on sound dies out
    const bool is_viscous = c.viscosity != sph::ViscosityModel::artificial || c.alpha >= damps;
    constexpr double until_it_shows = 20000; // steps: in 65,000 velocities in a still tank grow by e
    const double steps = definition.parameters.time_max * c.c0 / (sph::courant_number(c) * c.h);
    if (c.integrator != sph::Integrator::verlet || c.diffusion != sph::DensityDiffusion::none || is_viscous ||
        steps < until_it_shows)
        return;
    found.push_back(
        {Diagnostic::Level::warning, place_of(definition, "DensityDT StepAlgorithm").first,
         "Verlet steps without density diffusion let sound grow, so that still water does not come to rest: "
         "take Scheme=recommended, DensityDT 2, or StepAlgorithm 2"});
}

/// The damper needs dρ/dt, which a symplectic step knows at its middle.
void check_damper(const Case& definition, const sph::Constants& c, std::vector<Diagnostic>& found) {
    if (c.acoustic_damping > 0 && c.integrator != sph::Integrator::symplectic)
        found.push_back({Diagnostic::Level::error, place_of(definition, "AcousticDamping").first,
                         fmt::format("the acoustic damper (AcousticDamping={:g}) acts at the middle of symplectic "
                                     "steps: choose StepAlgorithm 2 or leave it out",
                                     c.acoustic_damping)});
}

/// The same word is the coefficient of artificial viscosity, 0.01 to 0.1, or a kinematic viscosity.
void note_viscosity(const Case& definition, const sph::Constants& c, std::vector<Diagnostic>& found) {
    constexpr double of_water = 1e-6;
    if (c.viscosity == sph::ViscosityModel::artificial || c.nu < 1e4 * of_water) return;
    found.push_back(
        {Diagnostic::Level::info, place_of(definition, "ViscoTime Visco").first,
         fmt::format("the kinematic viscosity is {:g} m2/s, {:.3g} times that of water: a Visco meant as the "
                     "coefficient of artificial viscosity needs ViscoTreatment 1",
                     c.nu, c.nu / of_water)});
}

} // namespace

std::vector<Diagnostic> check_bounds(const Case& definition, const sph::Constants& c) {
    std::vector<Diagnostic> found;
    for (const Bound& bound : bounds_of(definition, c)) {
        const auto inside = [&](const double range[2]) { return bound.value >= range[0] && bound.value <= range[1]; };
        if (inside(bound.wise)) continue;
        const bool works = inside(bound.works);
        const auto [where, name] = place_of(definition, bound.name);
        found.push_back({works ? Diagnostic::Level::warning : Diagnostic::Level::error, where,
                         fmt::format("{}: {:.4g}{} is {}: {}; use {}", name, bound.value, bound.unit,
                                     works ? "unwise" : "beyond what works", bound.reason, range_text(bound.wise))});
    }
    check_dissipation(definition, c, {"DensityDTvalue DeltaSPH", c.delta, sph::diffusion_number(c), "densities"},
                      found);
    check_dissipation(definition, c, {"Visco", c.alpha, sph::viscous_number(c), "velocities"}, found);
    check_undamped(definition, c, found);
    check_damper(definition, c, found);
    note_viscosity(definition, c, found);
    return found;
}

void require_countable_cells(const Case& definition, const Domain& domain, double h) {
    constexpr double most = 2e9; // cells are counted by 32-bit numbers
    const Vec3d size = domain.max - domain.min;
    const double cells = (size.x / h + 1) * (size.y / h + 1) * (size.z / h + 1);
    if (cells <= most) return;
    const SourceLocation& given = definition.parameters.domain_where;
    throw InputError(given.line > 0 ? given : definition.definition.where,
                     fmt::format("the domain ({:g} x {:g} x {:g} m) has {:.3g} cells of the smoothing length, at most "
                                 "{:.0e} can be counted: choose a smaller simulationdomain",
                                 size.x, size.y, size.z, cells, most));
}

void throw_errors(const std::vector<Diagnostic>& diagnostics) {
    std::string all;
    for (const Diagnostic& d : diagnostics) {
        if (d.level != Diagnostic::Level::error) continue;
        if (!all.empty()) all += '\n';
        all += InputError(d.where, d.message).what();
    }
    if (!all.empty()) throw InputError(all);
}

} // namespace sluice
