// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/commands.h"
#include "core/error.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

// Floating bodies and initial states of a case as plain data.

namespace sluice {

/// linearvel, angularvel, linearforce, angularforce: vectors over time for a floating body.
struct BodySeries {
    struct Row {
        double time = 0;                            ///< s
        std::array<std::optional<double>, 3> value; ///< empty: "none", the axis is free
    };
    SourceLocation where;
    std::string file;      ///< with the rows, inside the data folder of the case; empty: they are in the case
    std::vector<Row> rows; ///< of the case
};

/// casedef/floatings/floating: one floating body.
struct FloatingBody {
    SourceLocation where;
    int mkbound = 0;
    std::string property;                                        ///< as PropertyLink::property
    double rho_body = 0;                                         ///< kg/m³; 0: from the mass
    std::optional<double> mass;                                  ///< kg
    std::optional<double> mass_per_particle;                     ///< kg
    std::optional<Vec3d> center;                                 ///< m
    std::optional<std::array<std::array<double, 3>, 3>> inertia; ///< kg·m²
    Vec3d translation_dof{1, 1, 1}, rotation_dof{1, 1, 1};
    Vec3d velocity, angular_velocity;                            ///< at the start, m/s and rad/s
    std::optional<BodySeries> imposed_velocity, imposed_turning; ///< in place of what the loads give, m/s and rad/s
    std::optional<BodySeries> outer_force, outer_moment;         ///< beside the loads, N and N m
    /// The series that it has.
    std::vector<const BodySeries*> series() const {
        std::vector<const BodySeries*> given;
        for (const auto* one : {&imposed_velocity, &imposed_turning, &outer_force, &outer_moment})
            if (*one) given.push_back(&**one);
        return given;
    }
};

/// onlypos: the part of space whose particles are meant; everything where it is not given.
struct OnlyPositions {
    std::array<double, 3> min{-1e300, -1e300, -1e300}, max{1e300, 1e300, 1e300}; ///< m

    bool hold(const Vec3d& p) const {
        for (int axis = 0; axis < 3; ++axis)
            if (p[axis] < min[std::size_t(axis)] || p[axis] > max[std::size_t(axis)]) return false;
        return true;
    }
};

/// casedef/initials: what particles of some mk have at the start.
struct InitialState {
    SourceLocation where;
    MkKind kind = MkKind::fluid;
    std::vector<int> mk;
    std::optional<Vec3d> velocity;  ///< m/s
    std::optional<Vec3d> direction; ///< with `profile`: speed by height
    struct Knot {
        double z, speed;
    };
    std::vector<Knot> profile;          ///< 1 uniform, 2 linear, 3 parabolic
    std::optional<Vec3d> random_offset; ///< width of the displacement on each axis, in units of dp
    unsigned random_seed = 0;
    std::optional<Transform> displacement; ///< move, rotateaxis
    /// densityuniform, densitygradient, densitydepth.
    struct Density {
        enum class Kind { uniform, gradient, depth };
        Kind kind = Kind::uniform;
        double first = 0, last = 0;           ///< kg/m³: everywhere, or at `from` and at `to`
        Vec3d from, to;                       ///< m
        std::optional<Vec3d> surface;         ///< a place of the water level, m; empty: the highest particle
        std::optional<Vec3d> gravity;         ///< m/s²; empty, as those below: of the case
        std::optional<double> rho0, gamma, b; ///< kg/m³, –, Pa
    };
    std::optional<Density> density;
    OnlyPositions only;
};

} // namespace sluice
