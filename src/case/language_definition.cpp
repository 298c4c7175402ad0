// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"

namespace sluice {

std::span<const LanguageEntry> language_of_definition();

namespace {

using enum Support;

constexpr LanguageEntry definition[] = {
    {Section::casedef, "constantsdef", honoured, "", "Physical constants of the case", ""},
    {Section::casedef, "mkconfig", honoured, "",
     "How many mk numbers fluids (fluidcount) and boundaries (boundcount) have", ""},
    {Section::casedef, "geometry", honoured, "", "The lattice and the drawing commands", ""},
    {Section::casedef, "patterns", ignored, "", "Patterns of particles; setpattern refuses all but solid", ""},
    {Section::casedef, "normals", honoured, "",
     "Vectors from boundary particles to the surface of the wall, for the mDBC walls (Boundary=2)", ""},
    {Section::casedef, "motion", honoured, "", "Prescribed motion of boundaries", ""},
    {Section::casedef, "floatings", honoured, "", "Floating bodies", ""},
    {Section::casedef, "vres", refused, "", "Zones of finer resolution", "use one resolution"},
    {Section::casedef, "initials", honoured, "",
     "Initial velocity, density and place of particles: velocity, densityuniform, densitygradient, densitydepth, move, "
     "rotateaxis, moverandom",
     ""},
    {Section::casedef, "properties", honoured, "",
     "What walls and floating bodies are made of; asked for by RigidAlgorithm 2 and collisions", ""},

    {Section::constant, "gravity", honoured, "0 0 -9.81", "Acceleration, m/s² (x, y, z)", ""},
    {Section::constant, "rhop0", honoured, "1000", "Reference density of the fluid, kg/m³", ""},
    {Section::constant, "rhopgradient", honoured, "2",
     "Initial density: 1 rhop0, 2 hydrostatic column above each particle, 3 hydrostatic from the highest water level",
     ""},
    {Section::constant, "hswl", honoured, "auto",
     "Still water depth that sets the speed of sound, m; auto: height of the fluid", ""},
    {Section::constant, "gamma", honoured, "7", "Exponent of the equation of state", ""},
    {Section::constant, "speedsystem", honoured, "auto", "Greatest speed expected, m/s; auto: sqrt(g·hswl)", ""},
    {Section::constant, "coefsound", honoured, "20", "Speed of sound over speedsystem", ""},
    {Section::constant, "speedsound", honoured, "auto", "Speed of sound, m/s; auto: coefsound·speedsystem", ""},
    {Section::constant, "coefh", honoured, "",
     "Smoothing length h = coefh·sqrt(3 dp²) in 3-D, coefh·sqrt(2 dp²) in 2-D", ""},
    {Section::constant, "coefficient", honoured, "", "Older name of coefh", ""},
    {Section::constant, "hdp", honoured, "", "Smoothing length h = hdp·dp (instead of coefh)", ""},
    {Section::constant, "h", honoured, "auto", "Smoothing length, m", ""},
    {Section::constant, "b", honoured, "auto", "Factor of the equation of state, Pa; auto: c0²·rhop0/gamma", ""},
    {Section::constant, "massbound", honoured, "auto", "Mass of a boundary particle, kg; auto: rhop0·dp^dim", ""},
    {Section::constant, "massfluid", honoured, "auto", "Mass of a fluid particle, kg; auto: rhop0·dp^dim", ""},
    {Section::constant, "cflnumber", honoured, "auto",
     "Factor of the time step: 0.2, with StepAlgorithm 3 about half of what its steps bear, 0.8 at most", ""},
    {Section::constant, "lattice", honoured, "1 1",
     "Particles on a node of the lattice, for boundary (bound) and fluid: 1, or 2 at a quarter dp to either side along "
     "the diagonal",
     ""},

    {Section::normal, "norgeometry", honoured, "", "The surface of geometryfile, before all rules", ""},
    {Section::normal, "geometryfile", honoured, "",
     "The surface: [CaseName]_NAME_Actual.vtk is that of shapeout NAME (_Dp.vtk: snapped to the lattice), any other "
     "name a "
     "mesh (.vtk, .vtp, .vtu, .stl, .ply) in the folder of the case",
     ""},
    {Section::normal, "distanceh", honoured, "2", "Greatest distance to the planes of the surface, over h", ""},
    {Section::normal, "maxsizeh", honoured, "0", "Greatest length of a normal, over h; 0: any", ""},
    {Section::normal, "norset", honoured, "", "mkbound: the normals themselves, from particle to surface, m", ""},
    {Section::normal, "norplane", honoured, "",
     "mkbound: a plane through point, or auto: limitdist (over dp) before the foremost particle; normal to the fluid; "
     "maxdisth (over h, 0: any), clear",
     ""},
    {Section::normal, "norsphere", honoured, "",
     "mkbound: a sphere, center, radius, m; inside: where the particles are; maxdisth, clear", ""},
    {Section::normal, "norcylinder", honoured, "",
     "mkbound: a cylinder, center1, center2, radius, m; inside, with limit1, limit2: whether its ends count; maxdisth, "
     "clear",
     ""},
    {Section::normal, "norparts", refused, "", "Normals from particles alone",
     "draw the surface (norgeometry), or use norplane, norsphere, norcylinder or norset of casedef/normals"},
    {Section::normal, "svshapes", ignored, "", "Files to look at; `sluice check --vtp` shows the normals", ""},
    {Section::normal, "svnormals", ignored, "", "Likewise", ""},
    {Section::normal, "svnormaldata", ignored, "", "Likewise", ""},

    {Section::definition, "definition", honoured, "", "Particle spacing dp, m, and the box of the lattice", ""},
    {Section::definition, "commands", honoured, "", "The lists of drawing commands", ""},
    {Section::definition, "predefinition", honoured, "", "Variables for the definition: newvarcte, newvar, setvar", ""},
    {Section::definition, "pointref", honoured, "pointmin", "A node of the lattice, m", ""},
    {Section::definition, "pointmin", honoured, "", "Lower corner of the lattice, m; 2-D if its y is that of pointmax",
     ""},
    {Section::definition, "pointmax", honoured, "", "Upper corner of the lattice, m", ""},
};

} // namespace

std::span<const LanguageEntry> language_of_definition() { return definition; }

} // namespace sluice
