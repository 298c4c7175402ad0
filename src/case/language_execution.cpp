// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"

namespace sluice {

std::span<const LanguageEntry> language_of_execution();

namespace {

using enum Support;

constexpr const char* no_periodic = "close the domain with walls";
constexpr const char* no_shifting = "set Shifting to 0";

constexpr LanguageEntry table[] = {
    {Section::parameter, "SavePosDouble", honoured, "0", "1: positions in the output in double precision", ""},
    {Section::parameter, "PosDouble", ignored, "", "Precision of positions in old versions; positions are always cell-relative here", ""},
    {Section::parameter, "Boundary", refused, "1", "Walls: 1 dynamic boundary particles; 2 mDBC", "set Boundary to 1"},
    {Section::parameter, "BoundaryMethod", refused, "1", "Older name of Boundary", "set it to 1"},
    {Section::parameter, "SlipMode", ignored, "1", "Slip at mDBC walls; no effect with dynamic boundary particles", ""},
    {Section::parameter, "NoPenetration", ignored, "0", "Extra repulsion at mDBC walls; no effect with dynamic boundary particles", ""},
    {Section::parameter, "StepAlgorithm", honoured, "1", "Time integration: 1 Verlet, 2 symplectic", ""},
    {Section::parameter, "VerletSteps", honoured, "40", "Verlet: every so many steps an Euler step", ""},
    {Section::parameter, "Kernel", honoured, "2", "Smoothing kernel: 1 cubic spline, 2 Wendland", ""},
    {Section::parameter, "ViscoTreatment", refused, "1", "Viscosity: 1 artificial; 2 laminar with SPS, 3 laminar", "set ViscoTreatment to 1 and Visco to about 0.01…0.1"},
    {Section::parameter, "Visco", honoured, "0.01", "Artificial viscosity coefficient alpha", ""},
    {Section::parameter, "ViscoBoundFactor", honoured, "1", "Factor on the viscosity between fluid and walls", ""},
    {Section::parameter, "TensileSpacing", honoured, "0", "Cubic spline: distance over h at which the tensile correction is whole; 0: dp; from 2 on: no correction (an extension)", ""},
    {Section::parameter, "DensityDT", honoured, "0", "Density diffusion: 0 none, 1 Molteni & Colagrossi, 2 Fourtakas et al., 3 the same also near walls", ""},
    {Section::parameter, "DensityDTvalue", honoured, "0.1", "Density diffusion coefficient", ""},
    {Section::parameter, "DeltaSPH", honoured, "0", "Old form of DensityDT=1 with this coefficient; 0 none", ""},
    {Section::parameter, "Shifting", refused, "0", "Particle shifting: 0 none", no_shifting},
    {Section::parameter, "ShiftCoef", ignored, "-2", "Coefficient of shifting", ""},
    {Section::parameter, "ShiftTFS", ignored, "0", "Free-surface threshold of shifting", ""},
    {Section::parameter, "ShiftAdvCoef", ignored, "-0.01", "Coefficient of advanced shifting", ""},
    {Section::parameter, "ShiftAdvALE", ignored, "0", "Formulation of advanced shifting", ""},
    {Section::parameter, "ShiftAdvNCPress", ignored, "0", "Pressure formulation of advanced shifting", ""},
    {Section::parameter, "RigidAlgorithm", ignored, "1", "Collisions of floating bodies; no effect without them", ""},
    {Section::parameter, "FtPause", ignored, "0", "Time that floating bodies are held, s; no effect without them", ""},
    {Section::parameter, "FtIgnoreRadius", ignored, "0", "Check of body size in periodic domains; no effect without bodies", ""},
    {Section::parameter, "CoefDtMin", honoured, "0.05", "Least time step over h/c0", ""},
    {Section::parameter, "DtIni", honoured, "0", "First time step, s; 0: h/c0", ""},
    {Section::parameter, "DtMin", honoured, "0", "Least time step, s; 0: CoefDtMin·h/c0", ""},
    {Section::parameter, "DtFixed", honoured, "0", "Time step of the whole run, s; 0: variable", ""},
    {Section::parameter, "DtFixedFile", refused, "NONE", "File with time steps", "set it to NONE, or use DtFixed"},
    {Section::parameter, "DtAllParticles", honoured, "0", "1: boundary particles limit the time step too", ""},
    {Section::parameter, "TimeMax", honoured, "1.5", "Simulated time, s", ""},
    {Section::parameter, "TimeOut", honoured, "0.01", "Time between frames, s", ""},
    {Section::parameter, "TimeOutExtra", ignored, "", "Time between extra outputs on bodies, s", ""},
    {Section::parameter, "RhopOutMin", honoured, "700", "Fluid below this density is excluded, kg/m³", ""},
    {Section::parameter, "RhopOutMax", honoured, "1300", "Fluid above this density is excluded, kg/m³", ""},
    {Section::parameter, "WrnPartsOut", ignored, "1", "Warnings about excluded particles; they are always listed here", ""},
    {Section::parameter, "MinFluidStop", honoured, "0", "The run stops when the fluid falls below this fraction of its particles", ""},
    {Section::parameter, "PartsOutMax", honoured, "1", "The run stops when more than this fraction of the fluid is excluded", ""},
    {Section::parameter, "XPeriodicIncZ", refused, "", "Periodic in x, with a step in z, m", no_periodic},
    {Section::parameter, "XPeriodicIncY", refused, "", "Periodic in x, with a step in y, m", no_periodic},
    {Section::parameter, "YPeriodicIncX", refused, "", "Periodic in y, with a step in x, m", no_periodic},
    {Section::parameter, "YPeriodicIncZ", refused, "", "Periodic in y, with a step in z, m", no_periodic},
    {Section::parameter, "ZPeriodicIncX", refused, "", "Periodic in z, with a step in x, m", no_periodic},
    {Section::parameter, "ZPeriodicIncY", refused, "", "Periodic in z, with a step in y, m", no_periodic},
    {Section::parameter, "XYPeriodic", refused, "", "Periodic in x and y", no_periodic},
    {Section::parameter, "XZPeriodic", refused, "", "Periodic in x and z", no_periodic},
    {Section::parameter, "YZPeriodic", refused, "", "Periodic in y and z", no_periodic},
    {Section::parameter, "IncZ", honoured, "", "Old form of posmax z=\"default + p%\" (fraction)", ""},
    {Section::parameter, "DomainFixed", honoured, "", "Old form of simulationdomain: xmin:ymin:zmin:xmax:ymax:zmax, m", ""},
    {Section::parameter, "DomainFixedXmin", honoured, "", "Old form of posmin x, m", ""},
    {Section::parameter, "DomainFixedXmax", honoured, "", "Old form of posmax x, m", ""},
    {Section::parameter, "DomainFixedYmin", honoured, "", "Old form of posmin y, m", ""},
    {Section::parameter, "DomainFixedYmax", honoured, "", "Old form of posmax y, m", ""},
    {Section::parameter, "DomainFixedZmin", honoured, "", "Old form of posmin z, m", ""},
    {Section::parameter, "DomainFixedZmax", honoured, "", "Old form of posmax z, m", ""},
    {Section::parameter, "FlowType", refused, "", "Multiphase flow", "use one fluid"},
    {Section::parameter, "MultiphaseCoef", refused, "", "Coefficient of multiphase flow", "use one fluid"},
    {Section::parameter, "MPCoefficient", refused, "", "Coefficient of multiphase flow", "use one fluid"},
    {Section::parameter, "RheologyTreatment", refused, "", "Non-Newtonian fluids", "use a Newtonian fluid"},
    {Section::parameter, "RelaxationDt", refused, "", "Relaxation of the viscosity of non-Newtonian fluids", "use a Newtonian fluid"},
    {Section::parameter, "VelocityGradientType", refused, "", "Velocity gradients of non-Newtonian fluids", "use a Newtonian fluid"},

    {Section::special, "gauges", honoured, "", "Measurements during the run", ""},
    {Section::special, "wavepaddles", refused, "", "Wave makers", "take them out"},
    {Section::special, "mlayerpistons", refused, "", "Multi-layer pistons", "take them out"},
    {Section::special, "relaxationzones", refused, "", "Relaxation zones", "take them out"},
    {Section::special, "inout", refused, "", "Open boundaries", "close the domain with walls"},
    {Section::special, "inoutmesh", refused, "", "Open boundaries from meshed data", "close the domain with walls"},
    {Section::special, "accinputs", refused, "", "Accelerations from files", "use constantsdef/gravity"},
    {Section::special, "damping", refused, "", "Damping zones", "take them out"},
    {Section::special, "initialize", refused, "", "Changes of the initial state", "take it out"},
    {Section::special, "chrono", refused, "", "Multibody dynamics", "take the bodies out"},
    {Section::special, "moorings", refused, "", "Mooring lines", "take them out"},
    {Section::special, "moordyn", refused, "", "Mooring lines", "take them out"},
    {Section::special, "moordynplus", refused, "", "Mooring lines", "take them out"},
    {Section::special, "flexstrucs", refused, "", "Flexible structures", "take them out"},
    {Section::special, "nnphases", refused, "", "Non-Newtonian phases", "use one Newtonian fluid"},
    {Section::special, "phases", refused, "", "Phases of a multiphase flow", "use one fluid"},
    {Section::special, "vres", refused, "", "Variable resolution", "use one resolution"},
    {Section::special, "shifting", refused, "", "Particle shifting", "take it out"},
    {Section::special, "timeout", refused, "", "Output times that change during the run", "use TimeOut"},
    {Section::special, "outputparts", ignored, "", "Which particles are written; all are written here", ""},
    {Section::special, "savedt", ignored, "", "File of time steps; run.json has their summary", ""},

    {Section::gauge, "default", honoured, "", "Values for gauges that do not have their own", ""},
    {Section::gauge, "swl", honoured, "", "Free surface along the line from point0 to point2", ""},
    {Section::gauge, "velocity", honoured, "", "Fluid velocity at a point", ""},
    {Section::gauge, "maxz", honoured, "", "Highest fluid particle near the vertical line from point0", ""},
    {Section::gauge, "force", honoured, "", "Force of the fluid on the boundary particles of an mkbound", ""},
    {Section::gauge, "pressure", honoured, "", "Fluid pressure and density at a point (an extension)", ""},
    {Section::gauge, "flowrate", honoured, "", "Volume of fluid a second through a rectangle (an extension)", ""},
    {Section::gauge, "mesh", honoured, "", "Fluid velocity, density and free surface on a mesh of points, as CSV", ""},
    {Section::gauge, "flow", honoured, "", "Volume of fluid a second through a mesh of points", ""},
};

} // namespace

std::span<const LanguageEntry> language_of_execution() { return table; }

} // namespace sluice
