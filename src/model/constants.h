// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/kernel_type.h"

// The choices and constants of a run: plain data, shared by every backend and instruction set.

namespace sluice::sph {

/// Density diffusion terms: Molteni & Colagrossi (2009); Fourtakas et al. (2019); the latter also near walls; that of
/// δ-SPH with renormalised gradients (Antuono et al. 2010), near walls, too.
enum class DensityDiffusion { none, molteni, fourtakas, fourtakas_full, renormalised };

/// Whether a term contains the difference of density in still water, which depends on gravity.
constexpr bool is_hydrostatic(DensityDiffusion diffusion) {
    return diffusion == DensityDiffusion::fourtakas || diffusion == DensityDiffusion::fourtakas_full;
}

/// How pressure stands in the momentum equation, and with it, so that the pair keeps energy, the continuity equation.
/// squares: (P_a/ρ_a² + P_b/ρ_b²) with dρ_a/dt = Σ m_b v_ab·∇_aW (Monaghan 1992). product: (P_a + P_b)/(ρ_aρ_b) with
/// dρ_a/dt = ρ_a Σ (m_b/ρ_b) v_ab·∇_aW (Colagrossi & Landrini 2003), which takes volumes and not masses from
/// neighbours.
enum class PressureForm { squares, product };

/// Viscous term of the momentum equation: artificial (Monaghan 1992), or laminar (Lo & Shao 2002), with or without the
/// stresses of the sub-particle-scale model (Dalrymple & Rogers 2006), or laminar along the line of centres (Monaghan &
/// Gingold 1983), or that of a generalised Newtonian fluid (model/rheology.h), which is no part of the pair formula.
enum class ViscosityModel { artificial, laminar_sps, laminar, laminar_central, apparent };

/// Particle shifting (Lind et al. 2012): none, none near boundary particles, none near those that rest, everywhere, or
/// everywhere but near free surfaces along these only.
enum class Shifting { none, off_walls, off_resting_walls, everywhere, along_surfaces };

/// What boundary particles are to the fluid. dynamic: they take part in the continuity equation like fluid (Crespo et
/// al. 2007). modified_dynamic: their density is extrapolated from the fluid (English et al. 2022), for those whose
/// normal is known; the others stay dynamic.
enum class BoundaryCondition { dynamic, modified_dynamic };

/// The pressure of boundary particles with extrapolated density. linear: value and gradient of the density at the ghost
/// node (English et al. 2022). balanced: the pressure there, and on the way to a wall at rest the weight of the fluid:
/// ∂P/∂n = ρ g·n (Adami et al. 2012).
enum class WallPressure { linear, balanced };

/// The velocity of boundary particles with extrapolated density, in the pair terms: the wall's, mirrored, or mirrored
/// along the normal only.
enum class SlipMode { wall, no_slip, free_slip };

/// Time integration: Verlet (A.7), the symplectic predictor–corrector, or staggered kicks and drifts
/// (scheme/integrators.h).
enum class Integrator { verlet, symplectic, staggered };

/// Which rates a sum over pairs makes: staggered steps have those of velocities and those of densities at different
/// times.
enum class RatesPart { both, velocity, density };

/// Initial density: the reference density everywhere, a hydrostatic column above each fluid particle, or
/// hydrostatic below the highest water level of the case.
enum class InitialDensity { reference, water_column, max_water_level };

/// Numbers of one run, all SI. `derive` (model/derive.h) makes the second half of the first.
struct Constants {
    // chosen
    KernelType kernel = KernelType::wendland;
    DensityDiffusion diffusion = DensityDiffusion::none;
    Integrator integrator = Integrator::verlet;
    int verlet_steps = 40; ///< every so many steps Verlet takes its Euler form (A.7b)
    BoundaryCondition boundary = BoundaryCondition::dynamic;
    SlipMode slip = SlipMode::wall;
    WallPressure wall_pressure = WallPressure::linear;
    bool two_d = false;
    double dp = 0;      ///< particle spacing
    double h = 0;       ///< smoothing length; the support radius is 2h
    Vec3d gravity;      ///< m/s²
    double rho0 = 1000; ///< reference density, kg/m³
    double gamma = 7;   ///< polytropic exponent of Tait's equation
    double c0 = 0;      ///< speed of sound at rho0, m/s; 0: derived from a B that is given
    PressureForm pressure_form = PressureForm::squares;
    ViscosityModel viscosity = ViscosityModel::artificial;
    double alpha = 0.01;                  ///< of the artificial viscosity
    double nu = 0;                        ///< kinematic viscosity of the laminar one, or the greatest apparent, m²/s
    double boundary_viscosity_factor = 1; ///< multiplies alpha or nu between fluid and boundary particles
    double smagorinsky = 0.12;            ///< C_s of the sub-particle-scale model
    double acoustic_damping = 0;          ///< α₂ of the acoustic damper (scheme/integrators.h)
    double tensile_spacing = 0; ///< distance over h at which the tensile correction's f is 1; 0: dp/h (Monaghan 2000)
    Shifting shifting = Shifting::none;
    double shift_coefficient = -2; ///< A, at most zero: of h times the speed, or times c0 with along_surfaces
    double shift_threshold = 0;    ///< of the divergence of the positions, below which it is a free surface; 0: none is
    bool shift_follows = false;    ///< densities follow the shifts
    double delta = 0.1;            ///< density diffusion coefficient
    double cfl = 0.2;              ///< A.8
    double dt_fixed = 0;           ///< if positive, the time step of the whole run, s
    double dt_initial = 0;         ///< if positive, the first time step is not larger, s
    bool dt_all_particles = false; ///< boundary particles limit the time step too
    double rho_out_min = 700;      ///< densities outside exclude a fluid particle, kg/m³
    double rho_out_max = 1300;

    // derived
    double mass_fluid = 0; ///< rho0·dp^dim, kg (kg/m in 2-D)
    double mass_bound = 0;
    double b = 0;      ///< c0²·rho0/gamma, Pa
    double eta2 = 0;   ///< 0.01 h², keeps denominators from zero, m²
    double dt_min = 0; ///< the time step never falls below, s

    /// Boundary particles have velocities of their own in the pair terms, those that they mirror.
    bool mirrors_velocities() const { return slip != SlipMode::wall; }

    bool operator==(const Constants&) const = default;
};

/// Calls `visit(name, field)` for every number of a run, under the names of run.json. Everything that goes through all
/// of them goes through here: what is written, read back, compared or shown cannot forget one.
template <class AnyConstants, class Visit>
void for_each_field(AnyConstants& constants, Visit&& visit) {
    // a field that is added to the structure does not compile before it stands here, too
    auto& [kernel, diffusion, integrator, verlet_steps, boundary, slip, wall_pressure, two_d, dp, h, gravity, rho0,
           gamma, c0, pressure_form, viscosity, alpha, nu, boundary_viscosity_factor, smagorinsky, acoustic_damping,
           tensile_spacing, shifting, shift_coefficient, shift_threshold, shift_follows, delta, cfl, dt_fixed,
           dt_initial, dt_all_particles, rho_out_min, rho_out_max, mass_fluid, mass_bound, b, eta2, dt_min] = constants;
    visit("kernel", kernel);
    visit("integrator", integrator);
    visit("verlet_steps", verlet_steps);
    visit("density_diffusion", diffusion);
    visit("boundary", boundary);
    visit("slip", slip);
    visit("wall_pressure", wall_pressure);
    visit("two_d", two_d);
    visit("dp", dp);
    visit("h", h);
    visit("gravity", gravity);
    visit("rho0", rho0);
    visit("gamma", gamma);
    visit("c0", c0);
    visit("b", b);
    visit("pressure_form", pressure_form);
    visit("viscosity", viscosity);
    visit("alpha", alpha);
    visit("nu", nu);
    visit("boundary_viscosity_factor", boundary_viscosity_factor);
    visit("smagorinsky", smagorinsky);
    visit("acoustic_damping", acoustic_damping);
    visit("tensile_spacing", tensile_spacing);
    visit("shifting", shifting);
    visit("shift_coefficient", shift_coefficient);
    visit("shift_threshold", shift_threshold);
    visit("shift_follows", shift_follows);
    visit("delta", delta);
    visit("cfl", cfl);
    visit("dt_min", dt_min);
    visit("dt_fixed", dt_fixed);
    visit("dt_initial", dt_initial);
    visit("dt_all_particles", dt_all_particles);
    visit("rho_out_min", rho_out_min);
    visit("rho_out_max", rho_out_max);
    visit("mass_fluid", mass_fluid);
    visit("mass_bound", mass_bound);
    visit("eta2", eta2);
}

} // namespace sluice::sph
