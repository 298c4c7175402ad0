// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/transform.h"
#include "core/vec.h"
#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// The drawing commands of a case as plain data: every number is evaluated, every list and loop is unrolled.
// Coordinates are those of the case, metres, before the transformation of SetMatrix.

namespace sluice {

/// What a drawing command leaves on the lattice.
enum class MkKind { none, fluid, bound };

/// A kind of particle, with one mk (as written in the case) or any.
struct MkSelection {
    MkKind kind = MkKind::none;
    std::optional<int> mk;
};

/// setmkfluid, setmkbound, setmkvoid.
struct SetMk {
    MkKind kind = MkKind::none;
    int mk = 0; ///< as written in the case
};

/// setdrawmode: which parts of a closed shape are drawn.
enum class DrawMode { full, solid, face, wire };
struct SetDrawMode {
    DrawMode mode = DrawMode::solid;
};

/// resetdraw: what was drawn before is gone.
struct Erase {};

/// setactive: whether drawing leaves particles (drawpoints), and shapes for shapeout (drawshapes).
struct SetActive {
    bool draw = true, shapes = true;
};

/// setnormalinvert: the shapes that follow are turned inside out.
struct SetNormalInvert {
    bool invert = false;
};

/// setshapemode: the files that shapes are written to (actual, dp), and whether those of the boundary are kept.
struct SetShapeMode {
    bool actual = true, on_lattice = true, bound = true;
};

/// shapeout: names the shapes drawn since the last one.
struct ShapeOut {
    std::string file;
    bool reset = true; ///< the next one begins without them
};

/// setfrdrawmode: particles at the exact places of the shape, not on the lattice.
struct SetFreeDraw {
    bool free = false;
};

/// setboxlimitmode: whether the border nodes of the box of a fill or a redraw belong to it.
struct SetBoxLimit {
    bool inclusive = false;
};

/// Any of move, scale, rotate, matrixload, …: the map for the coordinates of what follows.
struct SetMatrix {
    Transform matrix;
};

/// One part of space to which drawing is limited; all clips hold together.
struct ClipHalfSpace {
    Vec3d point, normal; ///< kept: where (p − point)·normal ≥ 0
};
struct ClipReset {};

/// Offsets of the surfaces of a shape, in units of dp; positive is outward. Empty: the surface itself.
struct Layers {
    std::vector<double> drawn;
    std::vector<double> shapes; ///< those of them that shapeout has: those with an asterisk, or all if none has one
};

/// Faces of a box as bits; `box_solid` is its inside with its surface.
enum BoxFill : unsigned {
    box_bottom = 1,
    box_top = 2,
    box_left = 4,
    box_right = 8,
    box_front = 16,
    box_back = 32,
    box_all_faces = 63,
    box_solid = 64
};

/// drawbox: an axis-aligned box.
struct DrawBox {
    Vec3d min, max;    ///< m
    unsigned fill = 0; ///< BoxFill bits
    Layers layers;
};

/// drawpoint, drawpoints.
struct DrawPoints {
    std::vector<Vec3d> points;
};

/// drawline, drawlines, drawlineto: consecutive points joined.
struct DrawLines {
    std::vector<Vec3d> points;
};

/// drawtriangle … drawpolygon, drawfigure, drawprism, drawpyramid, drawbeach: flat faces over shared points.
struct DrawFaces {
    std::vector<Vec3d> points;
    std::vector<std::vector<int>> faces; ///< without those that a mask leaves out
    /// What the faces enclose: nothing, a body of triangles, or a prism (the first half of the points is one base).
    enum class Body { none, figure, prism } body = Body::none;
    int first_base = -1; ///< the face whose corners run the other way round than those of the others: of a prism
};

/// drawextrude: a polyline swept along a vector.
struct DrawExtrude {
    std::vector<Vec3d> points;
    Vec3d extrude;
    bool closed = false; ///< the last point is joined to the first
    Layers layers;
};

/// drawsphere.
struct DrawSphere {
    Vec3d center;
    double radius = 0;
    Layers layers;
};

/// drawcylinder.
struct DrawCylinder {
    Vec3d from, to;
    double radius = 0;
    bool cover_from = true, cover_to = true, tube = true; ///< what the mask leaves
    Layers layers;
    bool closed() const { return cover_from && cover_to && tube; }
};

/// drawellipsoid: points whose distances to the two foci sum to at most the radius.
struct DrawEllipsoid {
    Vec3d focus1, focus2;
    double radius = 0;
};

/// drawwave: the water of a solitary wave inside a box.
struct DrawWave {
    Vec3d min, max;
    double depth = 0, height = 0, x0 = 0, z0 = 0;
};

/// Movement of an imported mesh before it is drawn: scaled, then rotated about x, y, z, then moved.
struct MeshPlacement {
    Vec3d scale{1, 1, 1}, angles, move, center; ///< angles in degrees
};

enum class MeshFormat { stl, ply, vtk, bathymetry_csv };

/// drawfilestl, drawfileply, drawfilevtk, drawfilecsv.
struct DrawMesh {
    std::string file; ///< inside the folder of the case
    MeshFormat format = MeshFormat::stl;
    MeshPlacement placement;
    bool autofill = false;
    bool points = true, lines = true, polygons = true; ///< polyselec
    std::optional<double> depth_min, depth_max;        ///< layer below the surface, m; of advanced meshes
    bool advanced = false;                             ///< inside and outside are those of the mesh itself
    bool reverse = false;                              ///< outside instead

    /// Whether nodes are drawn by where they lie to the mesh, and not by the nodes nearest to its corners.
    bool by_depth() const { return advanced; }
};

/// drawfilevtm: surfaces of a multiblock file, each like a mesh.
struct DrawSurfaces {
    /// onlysurfaces: by number from 0 in the order of the file, and by name in lower case.
    struct Choice {
        int line = 0;
        std::vector<int> indices;
        std::vector<std::string> names;
        std::vector<SetMk> mk; ///< one for each surface, one for all, or none: the current mk
    };
    DrawMesh mesh;               ///< its file is the .vtm file
    std::vector<Choice> choices; ///< empty: all surfaces
};

/// drawbathymetry: a height field over a regular grid through scattered points, or over the grid of a file.
struct DrawBathymetry {
    struct Side {
        double size = 0, size2 = 0;
        std::optional<double> z, z2;
    };
    /// Both sides of the grid slope to one height, the mean of those where the slopes begin; beyond them it is flat.
    struct Periodic {
        double ramp_width = 0, flat_width = 0; ///< m
    };
    std::string file; ///< scattered points, or the nodes of the grid
    bool file_is_grid = false;
    Vec3d move, angles, scale{1, 1, 1};
    std::optional<std::array<double, 4>> selection; ///< x, y, width, depth
    double grid_dp = 0;
    std::optional<std::array<double, 4>> domain;
    Side xmin, xmax, ymin, ymax;
    std::optional<Periodic> periodic_x, periodic_y;
    Vec3d final_move;
};

/// A closed region that limits a fill or a redraw.
struct RegionBox {
    Vec3d min, max;
    Vec3d size; ///< as the case has it, or between its ends: `max` is `min` + `size` but for rounding
};
using Region = std::variant<std::monostate, RegionBox, DrawFaces>;

/// fillbox, fillpoint, fillprism, fillfigure, fillvoid…: from the seed over neighbours of the chosen kinds.
struct Fill {
    Vec3d seed;
    Region region;
    bool over_void = false, over_fluid = false, over_bound = false, border = false;
    std::optional<int> only_fluid_mk, only_bound_mk;
};

/// redraw, redrawbox: particles of one mk get the current mk, or all nodes.
struct Redraw {
    std::optional<MkSelection> only;
    std::optional<RegionBox> box;
};

/// redrawnear, redrawnearbox: nodes of one kind beside nodes of another get the current mk.
struct RedrawNear {
    MkSelection target, border;
    int times = 1;
    /// Sides of the border node on which a target may lie: BoxFill bits; all faces: any of the 26 neighbours.
    unsigned sides = box_all_faces;
    std::optional<RegionBox> box;
};

using GeometryAction = std::variant<SetMk, SetDrawMode, Erase, SetActive, SetNormalInvert, SetShapeMode, ShapeOut,
                                    SetFreeDraw, SetBoxLimit, SetMatrix, ClipHalfSpace, ClipReset, DrawBox, DrawPoints,
                                    DrawLines, DrawFaces, DrawExtrude, DrawSphere, DrawCylinder, DrawEllipsoid,
                                    DrawWave, DrawMesh, DrawSurfaces, DrawBathymetry, Fill, Redraw, RedrawNear>;

/// One command with the line that asked for it.
struct GeometryCommand {
    int line = 0;
    const char* element = ""; ///< name of the XML element (static storage)
    GeometryAction action;
};

} // namespace sluice
