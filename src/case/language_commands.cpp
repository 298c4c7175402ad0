// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"

namespace sluice {

std::span<const LanguageEntry> language_of_commands();

namespace {

using enum Support;

constexpr LanguageEntry table[] = {
    // state
    {Section::command, "setmkfluid", honoured, "", "What follows is fluid of that mk", ""},
    {Section::command, "setmkbound", honoured, "", "What follows is boundary of that mk", ""},
    {Section::command, "setmkvoid", honoured, "", "What follows erases", ""},
    {Section::command, "setmknextfluid", honoured, "", "The next fluid mk", ""},
    {Section::command, "setmknextbound", honoured, "", "The next boundary mk", ""},
    {Section::command, "setmknextauto", honoured, "false", "auto: after each drawing command, the next mk", ""},
    {Section::command, "setmkbackfluid", honoured, "", "Draw only on nodes that hold fluid (of that mk)", ""},
    {Section::command, "setmkbackbound", honoured, "", "Draw only on nodes that hold boundary (of that mk)", ""},
    {Section::command, "setmkbackvoid", honoured, "", "Draw only on empty nodes", ""},
    {Section::command, "setmkbackclear", honoured, "", "Draw on all nodes again", ""},
    {Section::command, "mksave", honoured, "", "Keeps the mk", ""},
    {Section::command, "mkload", honoured, "", "The mk kept last", ""},
    {Section::command, "setdrawmode", honoured, "full", "Parts of closed shapes to draw: full, solid (inside), face, wire (edges)", ""},
    {Section::command, "setactive", honoured, "true", "drawpoints=\"false\": shapes leave no particles", ""},
    {Section::command, "setfrdrawmode", honoured, "false", "auto: particles at the exact places of points, lines, quadrilaterals and extrusions, dp apart, instead of on the lattice", ""},
    {Section::command, "setboxlimitmode", honoured, "inner", "Whether the border of the box of a fill or redraw belongs to it: inner, full", ""},
    {Section::command, "setpattern", honoured, "solid", "Pattern of drawn particles; only solid", ""},
    {Section::command, "resetdraw", honoured, "", "Draw mode, matrix, clips and the like as at the start; the mk stays", ""},
    {Section::command, "statesave", honoured, "", "Keeps mk, draw mode, matrix and the like", ""},
    {Section::command, "stateload", honoured, "", "The state kept last", ""},
    // transformation
    {Section::command, "move", honoured, "", "Shapes that follow are moved, m; each transformation acts in the frame of those before it", ""},
    {Section::command, "scale", honoured, "", "… are scaled", ""},
    {Section::command, "rotate", honoured, "", "… are turned by ang degrees about the axis (x, y, z) through the origin", ""},
    {Section::command, "rotateline", honoured, "", "… are turned by ang degrees about the line through two points", ""},
    {Section::command, "rotateadv", honoured, "", "… are turned by three angles (degrees) about axes such as XYZ, intrinsic or not, about center", ""},
    {Section::command, "matrixreset", honoured, "", "No transformation", ""},
    {Section::command, "matrixsave", honoured, "", "Keeps the transformation", ""},
    {Section::command, "matrixload", honoured, "", "The transformation kept last", ""},
    // clipping
    {Section::command, "clipplane", honoured, "", "Draw only on the side of the plane that its vector points to", ""},
    {Section::command, "clipbox", honoured, "", "Draw only inside the box; boxfaces: only these faces limit; angles in degrees about x, y, z", ""},
    {Section::command, "clipdomain", honoured, "", "Draw only inside the box of the definition, grown by resize, m", ""},
    {Section::command, "clipreset", honoured, "", "No clips", ""},
    // drawing
    {Section::command, "drawpoint", honoured, "", "One particle", ""},
    {Section::command, "drawpoints", honoured, "", "Particles at points", ""},
    {Section::command, "drawline", honoured, "", "Line between two points", ""},
    {Section::command, "drawlines", honoured, "", "Lines from each point to the next", ""},
    {Section::command, "setlinebegin", honoured, "", "Where the next drawlineto begins", ""},
    {Section::command, "drawlineto", honoured, "", "Line from where the last one ended", ""},
    {Section::command, "drawtriangle", honoured, "", "Triangle", ""},
    {Section::command, "drawquadri", honoured, "", "Quadrilateral", ""},
    {Section::command, "drawpolygon", honoured, "", "Convex polygon", ""},
    {Section::command, "drawtrianglesstrip", honoured, "", "Triangles, each with the last two points of the one before", ""},
    {Section::command, "drawtrianglesfan", honoured, "", "Triangles around the first point", ""},
    {Section::command, "drawtriangles", honoured, "", "Triangles over a list of points", ""},
    {Section::command, "drawfigure", honoured, "", "Closed body of triangles over a list of points; mask leaves faces out", ""},
    {Section::command, "drawpyramid", honoured, "", "First point: apex, the others: base. Faces for mask: 1 base, 2… sides", ""},
    {Section::command, "drawprism", honoured, "", "First half of the points: one base, second half: the other. Faces for mask: 1 and 2 bases, 3… sides", ""},
    {Section::command, "drawbox", honoured, "", "Box from point, with size or to endpoint, m; boxfill: solid, all, or faces joined by |; ^ leaves a face out; layers", ""},
    {Section::command, "drawbeach", honoured, "", "Prism over a profile of points, from their y to −y; faces as in drawprism", ""},
    {Section::command, "drawextrude", honoured, "", "Points joined by lines and swept along extrude; layers offset it, positive to the side of (direction × extrude)", ""},
    {Section::command, "drawsphere", honoured, "", "Ball of a radius, m, around a point; layers", ""},
    {Section::command, "drawellipsoid", honoured, "", "Points whose distances to two foci sum to at most 2·radius", ""},
    {Section::command, "drawcylinder", honoured, "", "Cylinder of a radius, m, between two points. Faces for mask: 1 and 2 ends, 3 tube; layers", ""},
    {Section::command, "drawwave", honoured, "", "Water of a solitary wave inside a box: depth, hmaxwave, crest at x0, bottom at z0, m", ""},
    {Section::command, "drawfilestl", honoured, "", "Mesh from an STL file; drawmove, drawrotate (degrees), drawscale, drawcenter, autofill, depth", ""},
    {Section::command, "drawfileply", honoured, "", "Mesh from a PLY file, likewise", ""},
    {Section::command, "drawfilevtk", honoured, "", "Mesh from a legacy VTK file, likewise; polyselec: points, lines, polygons", ""},
    {Section::command, "drawfilevtm", refused, "", "Surfaces of a VTK multiblock file", "write each surface as STL and use drawfilestl"},
    {Section::command, "drawfilecsv", honoured, "", "Height field from a table: x in the first row, y in the first column, z inside", ""},
    {Section::command, "drawbathymetry", honoured, "", "Height field through scattered points (x y z): zpoints, grid, expands", ""},
    // filling
    {Section::command, "fillpoint", honoured, "", "Fills from a point over neighbouring nodes; modefill: void, fluid, bound, border", ""},
    {Section::command, "fillbox", honoured, "", "… inside a box", ""},
    {Section::command, "fillprism", honoured, "", "… inside a prism", ""},
    {Section::command, "fillfigure", honoured, "", "… inside a body of triangles", ""},
    {Section::command, "fillvoidpoint", honoured, "", "fillpoint over empty nodes", ""},
    {Section::command, "fillvoidbox", honoured, "", "fillbox over empty nodes", ""},
    {Section::command, "fillvoidprism", honoured, "", "fillprism over empty nodes", ""},
    {Section::command, "fillvoidfigure", honoured, "", "fillfigure over empty nodes", ""},
    {Section::command, "redraw", honoured, "", "Particles (of an mk) get the current mk", ""},
    {Section::command, "redrawbox", honoured, "", "… inside a box", ""},
    {Section::command, "redrawnear", honoured, "", "Nodes of targettp beside nodes of bordertp get the current mk, times over; dirfilter: sides of the border", ""},
    {Section::command, "redrawnearbox", honoured, "", "… inside a box", ""},
    // variables and control
    {Section::command, "newvar", honoured, "", "Variables from expressions", ""},
    {Section::command, "newvarcte", honoured, "", "Constants from expressions", ""},
    {Section::command, "setvar", honoured, "", "New values of variables", ""},
    {Section::command, "newvarstr", honoured, "", "Texts; [name] and [expression] are replaced", ""},
    {Section::command, "newvarstrcte", honoured, "", "Constant texts", ""},
    {Section::command, "setvarstr", honoured, "", "New texts", ""},
    {Section::command, "delvar", honoured, "", "Forgets variables; * and ? are wildcards", ""},
    {Section::command, "varssave", honoured, "", "Keeps all variables", ""},
    {Section::command, "varsload", honoured, "", "The variables kept last", ""},
    {Section::command, "runlist", honoured, "", "Runs a list, times over", ""},
    {Section::command, "printf", honoured, "", "A message", ""},
    {Section::command, "abort", honoured, "", "Stops with a message", ""},
    {Section::command, "exportvar", ignored, "", "Variables for the solver's other files", ""},
    // without effect on particles
    {Section::command, "setshapemode", ignored, "", "Which shapes shapeout writes", ""},
    {Section::command, "shapeout", ignored, "", "Writes the shapes for a picture", ""},
    {Section::command, "setnormalinvert", ignored, "", "Side of the normals of written shapes", ""},
    {Section::command, "cellsout", ignored, "", "Writes cells for a picture", ""},
    {Section::command, "pointsmkout", ignored, "", "Writes points for a picture", ""},
    {Section::command, "debugout", ignored, "", "Debugging of the generator", ""},
    {Section::command, "setdpctes", refused, "", "Thickness of drawn surfaces", "take it out: the usual thickness is used"},
    {Section::command, "dpctessave", ignored, "", "Keeps the values of setdpctes", ""},
    {Section::command, "dpctesload", ignored, "", "The values kept last", ""},
    {Section::command, "dpctesreset", ignored, "", "The usual values", ""},
};

} // namespace

std::span<const LanguageEntry> language_of_commands() { return table; }

} // namespace sluice
