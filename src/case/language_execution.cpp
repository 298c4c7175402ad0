// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"

namespace sluice {

std::span<const LanguageEntry> language_of_execution();

namespace {

using enum Support;

constexpr LanguageEntry execution[] = {
    {Section::special, "gauges", honoured, "", "Measurements during the run", ""},
    {Section::special, "wavepaddles", honoured, "", "Wave makers: pistons and flaps", ""},
    {Section::special, "mlayerpistons", honoured, "",
     "Multi-layer pistons: walls whose layers move with velocities from files", ""},
    {Section::special, "relaxationzones", honoured, "",
     "Zones that lead the fluid's velocity to that of waves, or to a uniform one", ""},
    {Section::special, "inout", honoured, "", "Open boundaries: zones through which fluid enters and leaves", ""},
    {Section::special, "inoutmesh", refused, "", "Open boundaries from meshed data", "close the domain with walls"},
    {Section::special, "initialize", honoured, "",
     "Boundary normals by boundnormal_set, _plane, _sphere and _cylinder: after casedef/normals, with the meaning of "
     "norset, norplane, norsphere and norcylinder; boundnormal_curved: a cylinder whose radius is that of its "
     "particles; fluidvelocity, with the meaning of velocity in casedef/initials",
     ""},
    {Section::special, "accinputs", honoured, "", "Accelerations of fluids in time, given or from files", ""},
    {Section::special, "damping", honoured, "", "Zones in which the velocity of the fluid decays", ""},
    {Section::special, "chrono", honoured, "",
     "Joints between floating bodies, walls and space: hinges, balls, lines, springs, friction, pulleys; "
     "collisions",
     ""},
    {Section::special, "moorings", honoured, "",
     "Mooring lines between floating bodies, the bottom and free nodes, by moordyn or moordynplus", ""},
    {Section::special, "moordyn", refused, "", "Mooring lines outside of moorings", "put it into moorings"},
    {Section::special, "moordynplus", refused, "", "Mooring lines outside of moorings", "put it into moorings"},
    {Section::special, "flexstrucs", honoured, "", "Flexible structures: boundaries that are elastic solids", ""},
    {Section::special, "nnphases", honoured, "", "Non-Newtonian fluids: Herschel–Bulkley, bi-viscous, Carreau–Yasuda",
     ""},
    {Section::special, "phases", refused, "", "Phases of a multiphase flow", "use one fluid"},
    {Section::special, "vres", refused, "", "Variable resolution", "use one resolution"},
    {Section::special, "shifting", honoured, "",
     "Particle shifting, with the meaning of Shifting, ShiftCoef and ShiftTFS; zones outside of which there is none",
     ""},
    {Section::special, "timeout", honoured, "", "Rows of a time and the time between frames from then on, s", ""},
    {Section::special, "viscotime", refused, "", "Viscosity that changes in time",
     "name its file in the parameter ViscoTime"},
    {Section::special, "outputparts", honoured, "", "Which particles frames hold", ""},
    {Section::special, "ftsupport", ignored, "", "Of other versions; changes no motion", ""},
    {Section::special, "savedt", ignored, "", "File of time steps; run.json has their summary", ""},

    {Section::gauge, "default", honoured, "", "Values for gauges that do not have their own", ""},
    {Section::gauge, "swl", honoured, "", "Free surface along the line from point0 to point2", ""},
    {Section::gauge, "velocity", honoured, "", "Fluid velocity at a point", ""},
    {Section::gauge, "maxz", honoured, "", "Highest fluid particle near the vertical line from point0", ""},
    {Section::gauge, "force", honoured, "", "Force of the fluid on the boundary particles of an mkbound", ""},
    {Section::gauge, "pressure", honoured, "", "Fluid pressure and density at a point (an extension)", ""},
    {Section::gauge, "flowrate", honoured, "",
     "Volume of fluid a second through a rectangle, positive along (point1 − point0) × (point2 − point0): in 2-D "
     "towards +x if point0 is above point1 (an extension)",
     ""},
    {Section::gauge, "place", honoured, "",
     "Where a point of a moving wall, floating or flexible body is, its displacement and velocity (an extension)", ""},
    {Section::gauge, "mesh", honoured, "", "Fluid velocity, density and free surface on a mesh of points, as CSV", ""},
    {Section::gauge, "flow", honoured, "", "Volume of fluid a second through a mesh of points, positive along dirdat",
     ""},
};

} // namespace

std::span<const LanguageEntry> language_of_execution() { return execution; }

} // namespace sluice
