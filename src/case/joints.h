// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/bodies.h"
#include "core/error.h"
#include "core/vec.h"
#include "model/joints.h"
#include <optional>
#include <string>
#include <vector>

// special/chrono as plain data: bodies by names, and joints between them.

namespace sluice {

/// bodyfloating, bodyfixed, bodymoving: a boundary that joints may name.
struct JointBody {
    enum class Kind { floating, fixed, moving };
    SourceLocation where;
    std::string id;
    int mkbound = 0;
    Kind kind = Kind::fixed;
    /// modelfile: what touches others. Empty: nothing does. AutoActual, AutoReal or AutoDp: the shapes that are drawn;
    /// else a mesh file inside the data folder of the case.
    std::string model;
    bool inverted = false;         ///< modelnormal="invert"
    bool imposes_friction = false; ///< imposefric

    bool model_is_drawn() const { return model == "AutoActual" || model == "AutoReal" || model == "AutoDp"; }
};

/// collision activate="true": bodies with a model touch one another and walls.
struct CollisionDef {
    SourceLocation where;
    double overlap_dp = 0.5; ///< distancedp: that bodies may keep, in units of dp
};

/// stiffness, damping: a number, or numbers over time.
struct JointCoefficient {
    struct Row {
        double time = 0, value = 0; ///< s
    };
    SourceLocation where;
    std::string file;      ///< with the rows, inside the data folder of the case; empty: they are in the case
    std::vector<Row> rows; ///< of the case; a single number: one row. None: 0
};

/// link_…: one joint. Points and vectors are those of time 0.
struct JointDef {
    SourceLocation where;
    std::string name;
    JointKind kind = JointKind::hinge;
    int body[2] = {-1, -1};     ///< indices in MechanismsDef::bodies; −1: space
    Vec3d point[2];             ///< m
    std::optional<Vec3d> axis;  ///< rotvector
    bool turns = true;          ///< no rotvector2
    Vec3d line;                 ///< slidingvector
    JointCoefficient stiffness; ///< N/m, of turning N m/rad
    JointCoefficient damping;   ///< N s/m, of turning N m s/rad
    double rest_length = 0;     ///< m
    double friction = 0;        ///< N, of a hinge N m
    double radius[2] = {1, 1};  ///< m
};

/// scaleforce/body: factors on what the fluid does to bodies.
struct ForceFactors {
    SourceLocation where;
    std::vector<int> mkbound;
    BodySeries series;
};

struct MechanismsDef {
    std::optional<SourceLocation> where; ///< of <chrono>; none: the case has none
    std::vector<JointBody> bodies;
    std::vector<JointDef> joints;
    std::vector<ForceFactors> factors;
    std::optional<CollisionDef> collision;
    double save_interval = -1; ///< savedata, s; negative: at the times of the frames
};

} // namespace sluice
