// SPDX-License-Identifier: Apache-2.0
#include "case/parameters/parameter_forms.h"
#include "case/parameters/parameter_row.h"
#include "case/scheme.h"

namespace sluice {

namespace parameters {
namespace {

using enum Support;
using P = ExecutionParameters;

// defaults that no member has
std::string zero() { return "0"; }
std::string one() { return "1"; }
std::string none() { return "none"; }
std::string no_file() { return "NONE"; }

std::string sph_alone() { return "sph"; }

std::string words_of_scheme() { return scheme_words; }
std::string words_of_method() { return "sph, mps or fvpm"; }

constexpr ParameterRow rows[] = {
    {"Scheme",
     honoured,
     {nullptr, none, any_number, words_of_scheme},
     "Numerical choices that the case does not make (an extension): flow and waves take what was found best for them, "
     "recommended waves where the case has wave makers and flow elsewhere, none the defaults of each word"},
    {"Method",
     honoured,
     {nullptr, sph_alone, any_number, words_of_method},
     "The particle method: sph, mps, or fvpm, finite volume particles; beside sph with fewer words (an extension)"},
    {"SavePosDouble", honoured, flag<&P::positions_double>(2), "1 (or 2): positions in the output in double precision"},
    {"PosDouble", ignored, no_effect(whole_from(0, 2)),
     "Precision of positions in old versions; positions are always cell-relative here"},
    {.name = "Boundary",
     .support = honoured,
     .use = choice<&P::boundary>(),
     .meaning = "Walls",
     .older_name = "BoundaryMethod"},
    {"SlipMode", honoured, choice<&P::slip>(), "Velocity of mDBC particles"},
    {"WallPressure", honoured, choice<&P::wall_pressure>(),
     "Pressure of mDBC particles at rest: {}; walls that move and bodies take 1 (an extension)"},
    {"NoPenetration", ignored, no_effect(whole_from(0, 1), zero),
     "Whether mDBC walls keep out fluid that has come too near; they always do here"},
    {"StepAlgorithm", honoured, choice<&P::integrator>(), "Time integration"},
    {"VerletSteps", honoured, number<&P::verlet_steps>(whole_from(0, 1000000)),
     "Verlet: every so many steps an Euler step"},
    {"Kernel", honoured, choice<&P::kernel>(), "Smoothing kernel"},
    {"PressureForm", honoured, choice<&P::pressure_form>(), "Pressure and continuity: {} (an extension)"},
    {"ViscoTreatment", honoured, choice<&P::viscosity>(), "Viscosity"},
    {"Visco", honoured, number<&P::visco>(zero_or_more),
     "Artificial viscosity: coefficient alpha; laminar: kinematic viscosity, m²/s"},
    {"ViscoTime",
     honoured,
     {set_viscosity_file},
     "File whose rows, of a time and a value, say what stands in the place of Visco, linear in time"},
    {"ViscoBoundFactor", honoured, number<&P::boundary_viscosity_factor>(zero_or_more),
     "Factor on the viscosity between fluid and walls"},
    {"Smagorinsky", honoured, number<&P::smagorinsky>(zero_or_more),
     "Constant of the sub-particle-scale model, C_s in the eddy viscosity (C_s dp)² times the rate of strain (an "
     "extension)"},
    {"AcousticDamping", honoured, number<&P::acoustic_damping>(zero_or_more),
     "Acoustic damper: its coefficient alpha2, which takes sound out of the pressures; 0 none (an extension; "
     "StepAlgorithm 2)"},
    {"TensileSpacing", honoured, number<&P::tensile_spacing>(zero_or_more),
     "Cubic spline: distance over h at which the tensile correction is whole; 0: dp; from 2 on: no correction (an "
     "extension)"},
    {"DensityDT", honoured, choice<&P::diffusion>(), "Density diffusion"},
    {"DensityDTvalue", honoured, number<&P::delta>(zero_or_more), "Density diffusion coefficient"},
    {"DeltaSPH",
     honoured,
     {set_delta_sph, zero, zero_or_more},
     "Old form of DensityDT=1 with this coefficient; 0 none"},
    {"Shifting", honoured, choice<&P::shifting>(), "Particle shifting"},
    {"ShiftCoef", honoured, number<&P::shift_coefficient>(zero_or_less), "Coefficient of shifting, at most 0"},
    {"ShiftTFS", honoured, number<&P::shift_threshold>(zero_or_more),
     "Divergence of the positions below which a particle is at the surface and is not shifted; 0: none is"},
    {"ShiftAdvCoef", honoured, number<&P::shift_along_surfaces>(zero_or_less),
     "Coefficient of advanced shifting, at most 0"},
    {"ShiftAdvALE", honoured, flag<&P::shift_follows>(),
     "Advanced shifting: 1 densities follow the shifts, so that fluid with a free surface keeps its volume, 0 they do "
     "not"},
    {"ShiftAdvNCPress",
     refused,
     {refuse_another_pressure, zero, whole_from(0, 1)},
     "1: pressure of advanced shifting in a form that is not conservative; with Shifting 0 to 3 it says nothing",
     "",
     "set it to 0: the momentum equation keeps its conservative form"},
    {"RigidAlgorithm", honoured, number<&P::rigid_algorithm>(whole_from(0, 3)),
     "What keeps floating bodies out of walls and of one another: 0 nothing, 1 the pair formula of fluid and boundary, "
     "2 elastic contacts with friction, 3 what special/chrono says"},
    {"FtPause", honoured, number<&P::floating_pause>(zero_or_more), "Time that floating bodies are held at rest", "s"},
    {"FtIgnoreRadius", ignored, no_effect(whole_from(0, 1), zero),
     "Check of body size in periodic domains; no effect without bodies"},
    {"FtSaveAce", ignored, no_effect(any_number, zero), "Output of bodies' accelerations; bodies/ has what moves them"},
    {"FtSaveMotion", ignored, no_effect(any_number), "Output of bodies' motions; bodies/ has them"},
    {"FtSupport", ignored, {}, "Of other versions; changes no motion"},
    {"SaveExtraParts", ignored, {}, "Extra output to restart runs with; checkpoints/ has all that it takes"},
    {"CoefDtMin", honoured, number<&P::coef_dt_min>(zero_or_more), "Least time step over h/c0"},
    {"DtIni", honoured, number<&P::dt_initial>(zero_or_more), "The first time step is at most so long; 0: no bound",
     "s"},
    {"DtMin", honoured, number<&P::dt_min>(zero_or_more), "Least time step; 0: CoefDtMin·h/c0", "s"},
    {"DtFixed", honoured, number<&P::dt_fixed>(zero_or_more), "Time step of the whole run; 0: variable", "s"},
    {"DtFixedFile",
     ignored,
     {warn_of_time_step_file, no_file},
     "File with time steps; the run chooses its own, with a warning"},
    {"DtAllParticles", honoured, flag<&P::dt_all_particles>(), "1: boundary particles limit the time step too"},
    {"TimeMax", honoured, number<&P::time_max>(above_zero), "Simulated time", "s"},
    {"TimeOut", honoured, number<&P::time_out>(above_zero), "Time between frames", "s"},
    {"TimeOutExtra", ignored, no_effect(any_number), "Time between extra outputs on bodies", "s"},
    {"RhopOutMin", honoured, number<&P::rho_out_min>(zero_or_more),
     "Fluid below this density is excluded; the default is 0.7 rhop0", "kg/m³"},
    {"RhopOutMax", honoured, number<&P::rho_out_max>(zero_or_more),
     "Fluid above this density is excluded; the default is 1.3 rhop0", "kg/m³"},
    {"WrnPartsOut", ignored, no_effect(any_number, one),
     "Warnings about excluded particles; they are always listed here"},
    {"MinFluidStop", honoured, number<&P::min_fluid_stop>(fraction),
     "The run stops when the fluid falls below this fraction of its particles"},
    {"PartsOutMax", honoured, number<&P::parts_out_max>(fraction),
     "The run stops when more than this fraction of the fluid is excluded"},
    {"XPeriodicIncZ", honoured, {set_period<0, 2>}, "Periodic in x, with a step in z", "m"},
    {"XPeriodicIncY", honoured, {set_period<0, 1>}, "Periodic in x, with a step in y", "m"},
    {"YPeriodicIncX", honoured, {set_period<1, 0>}, "Periodic in y, with a step in x", "m"},
    {"YPeriodicIncZ", honoured, {set_period<1, 2>}, "Periodic in y, with a step in z", "m"},
    {"ZPeriodicIncX", honoured, {set_period<2, 0>}, "Periodic in z, with a step in x", "m"},
    {"ZPeriodicIncY", honoured, {set_period<2, 1>}, "Periodic in z, with a step in y", "m"},
    {"XYPeriodic", honoured, {set_periods<0, 1>}, "Periodic in x and y"},
    {"XZPeriodic", honoured, {set_periods<0, 2>}, "Periodic in x and z"},
    {"YZPeriodic", honoured, {set_periods<1, 2>}, "Periodic in y and z"},
    {"IncZ", honoured, {set_domain_height, no_text, zero_or_more}, "Old form of posmax z=\"default + p%\" (fraction)"},
    {"DomainFixed", honoured, {set_domain}, "Old form of simulationdomain: xmin:ymin:zmin:xmax:ymax:zmax", "m"},
    {"DomainFixedXmin", honoured, {set_domain_limit<&P::domain_min, 0>}, "Old form of posmin x", "m"},
    {"DomainFixedXmax", honoured, {set_domain_limit<&P::domain_max, 0>}, "Old form of posmax x", "m"},
    {"DomainFixedYmin", honoured, {set_domain_limit<&P::domain_min, 1>}, "Old form of posmin y", "m"},
    {"DomainFixedYmax", honoured, {set_domain_limit<&P::domain_max, 1>}, "Old form of posmax y", "m"},
    {"DomainFixedZmin", honoured, {set_domain_limit<&P::domain_min, 2>}, "Old form of posmin z", "m"},
    {"DomainFixedZmax", honoured, {set_domain_limit<&P::domain_max, 2>}, "Old form of posmax z", "m"},
    {"FlowType", honoured, number<&P::flow_type>(whole_from(1, 2)),
     "1 one fluid, 2 several, each with the density, speed of sound, gamma and viscosity of its property in "
     "casedef/properties"},
    {.name = "MPCoefficient",
     .support = honoured,
     .use = number<&P::gas_cohesion>(zero_or_more),
     .meaning =
         "With FlowType 2: how strongly liquids attract gases (Colagrossi & Landrini 2003), over 1.5 h |g| rho of "
         "the heaviest",
     .older_name = "MultiphaseCoef"},
    {"RheologyTreatment", ignored, no_effect(any_number), "Which program of another code computes nnphases"},
    {"RelaxationDt", ignored, no_effect(any_number),
     "Factor of the viscous time step of nnphases elsewhere: here it is that of Morris et al. (1997)"},
    {"VelocityGradientType", ignored, no_effect(any_number),
     "Gradients of nnphases by pairs or by sums elsewhere: here always by sums"},
};

} // namespace
} // namespace parameters

std::span<const ParameterRow> parameter_rows() { return parameters::rows; }

const ParameterRow* find_parameter(std::string_view name) {
    for (const ParameterRow& row : parameters::rows)
        if (name == row.name || (*row.older_name && name == row.older_name)) return &row;
    return nullptr;
}

} // namespace sluice
