// SPDX-License-Identifier: Apache-2.0
#include "setup/bounds.h"

#include "scheme/stability.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>
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
Courant largest_courant(Method method, const sph::Constants& c) {
    if (method != Method::sph) return {1, 0.7};
    switch (c.integrator) {
    case sph::Integrator::verlet: return {0.49, 0.3};
    case sph::Integrator::symplectic: return {1, 0.7};
    case sph::Integrator::staggered: break;
    }
    return {1.5, 1};
}

constexpr const char* too_long_a_step = "sound would cross more of the smoothing length in a step than is stable";

std::vector<Bound> bounds_of(const Case& definition, const sph::Constants& c) {
    const ExecutionParameters& p = definition.parameters;
    const Courant courant = largest_courant(p.method, c);
    const bool finite_volumes = p.method == Method::fvpm;
    const double sound = c.h / c.c0, lattice_mass = c.rho0 * std::pow(c.dp, c.two_d ? 2 : 3);
    const double gravity = norm(c.gravity);
    const bool laminar = c.viscosity != sph::ViscosityModel::artificial;
    std::vector<Bound> bounds{
        {"rhop0", c.rho0, {1e-3, 1e6}, {0.1, 3e4}, " kg/m3", "no fluid has that density"},
        {"gravity", gravity, {0, 1e6}, {0, 100}, " m/s2", "no tank is accelerated so"},
        {"gamma", c.gamma, {1, 20}, {1, 8}, "", "the equation of state is made for gases (1.4) to water (7)"},
        {"coefh hdp h",
         c.h / c.dp,
         {0.7, finite_volumes ? 1.6 : 10},
         {0.9, finite_volumes ? 1.2 : 3},
         finite_volumes ? " dp (radius of a particle)" : " dp (smoothing length)",
         finite_volumes ? "particles have to overlap those beside them, and not a hundred"
                        : "the kernel has to reach the neighbours, and not hundreds of them"},
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

/// Small waves in still water grow by so many powers of e in the whole run before they show. Sound needs more: what it
/// grows from is little, and its own steepening holds it.
constexpr double until_it_shows(sph::Growing what) { return what == sph::Growing::sound ? 8 : 0.5; }

/// How the fastest small wave of a run grows, and what would calm it.
class GrowthCheck {
public:
    GrowthCheck(const Case& definition, const sph::Constants& c) : definition_(definition), c_(c) {}

    sph::Growth growth() const { return of(c_, c_.integrator, c_.verlet_steps); }
    bool shows() const { return !is_calm(c_, c_.integrator, c_.verlet_steps); }

    /// The greatest part of one of the constants with which nothing grows; none: no part does.
    std::optional<double> calm_part(double sph::Constants::*value) const {
        return calm_below(1, [&](double part) {
            sph::Constants less = c_;
            less.*value = part * less.*value;
            return is_calm(less, less.integrator, less.verlet_steps);
        });
    }
    /// The rarest Euler steps with which nothing grows; none: no number of them does.
    std::optional<int> calm_verlet_steps() const {
        for (int steps = c_.verlet_steps; steps >= 2; --steps)
            if (is_calm(c_, sph::Integrator::verlet, steps)) return steps;
        return {};
    }
    bool is_calm_with(sph::Integrator integrator) const { return is_calm(c_, integrator, c_.verlet_steps); }
    bool is_calm_with_diffusion() const {
        sph::Constants diffusive = c_;
        diffusive.diffusion = sph::DensityDiffusion::fourtakas;
        diffusive.delta = 0.1;
        return is_calm(diffusive, c_.integrator, c_.verlet_steps);
    }

    bool is_calm_with_viscosity() const {
        sph::Constants viscous = c_;
        viscous.alpha = 0.1;
        return is_calm(viscous, c_.integrator, c_.verlet_steps);
    }

private:
    static sph::Growth of(const sph::Constants& c, sph::Integrator integrator, int verlet_steps) {
        // steps are shorter than cflnumber h/c0: water under pressure carries sound faster, and what flows limits them,
        // too
        const double shorter = c.dt_fixed > 0 ? 1 : 1.03;
        return sph::fastest_growth(integrator, verlet_steps, sph::modes_of_lattice(c),
                                   sph::courant_number(c) / shorter);
    }
    double in_run(const sph::Constants& c, const sph::Growth& growth) const {
        return growth.rate * definition_.parameters.time_max * c.c0 / (sph::courant_number(c) * c.h);
    }
    bool is_calm(const sph::Constants& c, sph::Integrator integrator, int verlet_steps) const {
        const sph::Growth growth = of(c, integrator, verlet_steps);
        return in_run(c, growth) <= until_it_shows(growth.what);
    }
    template <class Calm>
    static std::optional<double> calm_below(double most, const Calm& calm) {
        constexpr double least = 0.01;
        if (!calm(least * most)) return {};
        double low = least * most, high = most;
        for (int halving = 0; halving < 12; ++halving) {
            const double middle = 0.5 * (low + high);
            (calm(middle) ? low : high) = middle;
        }
        return low;
    }

    const Case& definition_;
    const sph::Constants& c_;
};

const char* name_of_steps(sph::Integrator integrator) {
    switch (integrator) {
    case sph::Integrator::verlet: return "Verlet";
    case sph::Integrator::symplectic: return "symplectic";
    case sph::Integrator::staggered: break;
    }
    return "staggered";
}

/// Alternatives in words, "or" before the last; `else_`: where there are none.
std::string one_of(std::vector<std::string> all, const char* else_) {
    if (all.empty()) return else_;
    if (all.size() > 1) all.back() = "or " + all.back();
    return fmt::format("{}", fmt::join(all, ", "));
}

/// What would calm the waves of a run.
std::string remedies(const GrowthCheck& check, const sph::Constants& c, double sph::Constants::*coefficient) {
    std::vector<std::string> all;
    if (c.integrator == sph::Integrator::verlet) {
        if (const auto steps = check.calm_verlet_steps(); steps && *steps < c.verlet_steps)
            all.push_back(fmt::format("VerletSteps {} or less", *steps));
        if (check.is_calm_with(sph::Integrator::symplectic)) all.emplace_back("StepAlgorithm 2");
    }
    double sph::Constants::*const step = c.dt_fixed > 0 ? &sph::Constants::dt_fixed : &sph::Constants::cfl;
    if (const auto part = check.calm_part(step))
        all.push_back(
            fmt::format("{} of at most {:.3g}", c.dt_fixed > 0 ? "a DtFixed" : "a cflnumber", *part * c.*step));
    if (coefficient)
        if (const auto part = check.calm_part(coefficient))
            all.push_back(fmt::format("at most {:.3g} of it", *part * c.*coefficient));
    return one_of(all, "less of it, and a shorter time step");
}

/// Waves that the steps of a run let grow until they show: a run of still water would boil.
void check_growth(const Case& definition, const sph::Constants& c, std::vector<Diagnostic>& found) {
    const auto told = [&](const std::string& name) { // by the bounds, which say more
        return std::ranges::any_of(found, [&](const Diagnostic& d) { return d.message.starts_with(name + ": "); });
    };
    const double courant = sph::courant_number(c);
    if (!(c.h > 0.9 * c.dp && c.h < 10 * c.dp && courant > 1e-3 && courant < 10)) return; // the bounds refuse that
    const GrowthCheck check(definition, c);
    const sph::Growth growth = check.growth();
    if (!check.shows() || told("cflnumber") || told("DtFixed")) return;
    if (growth.what == sph::Growing::sound) {
        std::vector<std::string> calming;
        if (c.diffusion == sph::DensityDiffusion::none && check.is_calm_with_diffusion())
            calming = {"Scheme=recommended", "DensityDT 2"};
        if (c.integrator == sph::Integrator::verlet && check.is_calm_with(sph::Integrator::symplectic))
            calming.emplace_back("StepAlgorithm 2");
        if (c.viscosity == sph::ViscosityModel::artificial && check.is_calm_with_viscosity())
            calming.emplace_back("an artificial viscosity (Visco) of 0.1");
        found.push_back(
            {Diagnostic::Level::warning, place_of(definition, "DensityDT StepAlgorithm").first,
             fmt::format("{} steps {} let sound grow, by e every {:.3g} s, so that still water does not come "
                         "to rest: take {}",
                         name_of_steps(c.integrator),
                         c.diffusion == sph::DensityDiffusion::none ? "without density diffusion"
                                                                    : "with so little dissipation",
                         courant * c.h / c.c0 / growth.rate, one_of(calming, "more dissipation"))});
        return;
    }
    const bool of_densities = growth.what == sph::Growing::densities;
    double sph::Constants::*const coefficient = of_densities ? &sph::Constants::delta
                                                : c.viscosity == sph::ViscosityModel::artificial
                                                    ? &sph::Constants::alpha
                                                    : &sph::Constants::nu;
    const auto [where, name] = place_of(definition, of_densities ? "DensityDTvalue DeltaSPH" : "Visco");
    if (told(name)) return;
    found.push_back(
        {Diagnostic::Level::warning, where,
         fmt::format("{} {:g}: unstable with steps as long as here{}: {} would grow; use {}", name, c.*coefficient,
                     c.integrator == sph::Integrator::verlet ? fmt::format(" and VerletSteps {}", c.verlet_steps) : "",
                     of_densities ? "densities" : "velocities", remedies(check, c, coefficient))});
}

/// Walls from ghost nodes take their pressure from the fluid before them and do not give back exactly what they got: in
/// water that nothing damps noise grows with every integrator. Measured in a still tank of 1 x 0.5 m, dp 0.02 m: 10 J
/// of motion with an α of 0.01, 1 to 2 J with 0.05, none to speak of with 0.1; without any viscosity it blows up.
void check_undamped_walls(const Case& definition, const sph::Constants& c, std::vector<Diagnostic>& found) {
    constexpr double calms = 0.1;
    // the kinematic viscosity of an α is about α h c0/8 (Monaghan 2005)
    const double damping = c.viscosity == sph::ViscosityModel::artificial ? c.alpha : 8 * c.nu / (c.h * c.c0);
    if (c.boundary != sph::BoundaryCondition::modified_dynamic || c.diffusion != sph::DensityDiffusion::none ||
        damping >= calms)
        return;
    found.push_back({Diagnostic::Level::warning, place_of(definition, "DensityDT Boundary").first,
                     "walls from ghost nodes (Boundary 2) let water boil that nothing damps: take Scheme=recommended, "
                     "DensityDT 2 or 3, or an artificial viscosity (Visco) of 0.1"});
}

/// Without a hydrostatic term the diffusion takes the density of still water for something to be smoothed. Inside its
/// flux is the same everywhere, δ h c0 ρ0 g/c0², at the surface it ends: the water would rise by δ h g/c0, if all of
/// that were left; measured in still tanks is a third.
void check_lift(const Case& definition, const sph::Constants& c, std::vector<Diagnostic>& found) {
    if (c.diffusion != sph::DensityDiffusion::molteni) return;
    const double rise = c.delta * c.h * norm(c.gravity) / c.c0 * definition.parameters.time_max / 3;
    if (!(rise > 0.1 * c.dp)) return;
    found.push_back(
        {Diagnostic::Level::warning, place_of(definition, "DensityDT DeltaSPH").first,
         fmt::format("DensityDT 1 does not know the weight of water: still water would rise by about {:.2g} m "
                     "in the time of the run, and its energy would come from nowhere; take DensityDT 2 or 3",
                     rise)});
}

/// Staggered steps are asked for since they may be long.
void note_length_of_steps(const Case& definition, const sph::Constants& c, std::vector<Diagnostic>& found) {
    if (c.integrator != sph::Integrator::staggered || c.dt_fixed > 0) return;
    if (!definition.constants.cfl)
        return found.push_back({Diagnostic::Level::info, place_of(definition, "cflnumber StepAlgorithm").first,
                                fmt::format("staggered steps (StepAlgorithm 3) take a cflnumber of {:.2g} here, about "
                                            "half of what they bear",
                                            c.cfl)});
    const double wise = sph::wise_staggered_courant(c);
    if (c.cfl > 0.6 * wise) return;
    found.push_back({Diagnostic::Level::info, place_of(definition, "cflnumber StepAlgorithm").first,
                     fmt::format("staggered steps (StepAlgorithm 3) bear a cflnumber of {:.2g} here: with {:g} the run "
                                 "takes {:.1f} times as many steps as it needs",
                                 wise, c.cfl, wise / c.cfl)});
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
    if (definition.parameters.method == Method::sph) {
        check_growth(definition, c, found);
        check_undamped_walls(definition, c, found);
        check_lift(definition, c, found);
        note_length_of_steps(definition, c, found);
        check_damper(definition, c, found);
    }
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
