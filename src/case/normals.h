// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/bodies.h"
#include "core/error.h"
#include "core/vec.h"
#include <optional>
#include <string>
#include <variant>
#include <vector>

// Where the boundary particles of a case find the surface of their wall, as plain data. The normal of a particle is the
// vector from it to the nearest point of that surface, metres (English et al. 2022).

namespace sluice {

/// norgeometry, geometryfile: the surface is that of drawn shapes, or of a mesh.
struct NormalsGeometry {
    SourceLocation where;
    std::string file;                  ///< inside the folder of the case
    std::optional<std::string> shapes; ///< the file holds the shapes of the shapeout of this name in this very case
    bool on_lattice = false;           ///< … with their corners on the nodes of the lattice
    double max_distance_h = 2;         ///< from the particle to the planes of the surface, in units of h
    double max_size_h = 0;             ///< of the normal, in units of h; 0: any
};

/// norset: the normals themselves.
struct NormalsOfVector {
    Vec3d normal; ///< m
};

/// How far before the foremost of its particles a wall has its surface where nothing else is said, in units of dp.
inline constexpr double usual_limit_distance = 0.5;

/// norplane: the surface is a plane, whose fluid is where `normal` points to.
struct NormalsOfPlane {
    std::optional<Vec3d> point;                   ///< m; empty: before the foremost of the particles
    double limit_distance = usual_limit_distance; ///< … by so much, in units of dp
    Vec3d normal;
};

/// norsphere: the surface is a sphere.
struct NormalsOfSphere {
    Vec3d center;       ///< m
    double radius = 0;  ///< m
    bool inside = true; ///< where the particles are; the fluid is on the other side
};

/// norcylinder, and boundnormal_curved without radius and ends: the surface is a cylinder.
struct NormalsOfCylinder {
    Vec3d center1, center2;            ///< m
    std::optional<double> radius;      ///< m; empty: usual_limit_distance before the foremost of the particles
    bool inside = true;                ///< where the particles are
    bool limit1 = true, limit2 = true; ///< with `inside`: whether the ends are surfaces, too
};

/// One rule for the particles of some mk.
struct NormalsRule {
    SourceLocation where;
    std::string element;
    std::vector<int> mkbound;
    OnlyPositions only;
    double max_distance_h = 0;   ///< from the particle to the surface, in units of h; 0: any
    bool clear = true;           ///< particles without a surface within reach lose the normal that they had
    bool after_initials = false; ///< of special/initialize
    std::variant<NormalsOfVector, NormalsOfPlane, NormalsOfSphere, NormalsOfCylinder> surface;
};

/// casedef/normals and the boundnormal_… of special/initialize.
struct NormalsDef {
    std::optional<NormalsGeometry> geometry; ///< comes first
    std::vector<NormalsRule> rules;          ///< in the order in which they are applied

    bool empty() const { return !geometry && rules.empty(); }
};

} // namespace sluice
