// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "core/vec.h"
#include "model/particle_groups.h"
#include <array>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

// Which particles frames hold, as plain data.

namespace sluice {

/// What the particles that a filter meets mean for the selection so far.
enum class FilterOperation {
    add,     ///< they join it
    del,     ///< they leave it
    confirm, ///< of it only they stay
};

/// filterpos: places between two corners, which count; where a coordinate is not given there is no limit.
struct BoxFilter {
    static constexpr double none = std::numeric_limits<double>::infinity();
    Vec3d min{-none, -none, -none}, max{none, none, none}; ///< m
};

/// filterplane: places on the side of a plane to which its vector points.
struct PlaneFilter {
    Vec3d point;                       ///< m
    Vec3d vector;                      ///< of length 1
    double distance = BoxFilter::none; ///< farthest from the plane, m
};

/// filtersphere.
struct SphereFilter {
    std::optional<Vec3d> centre; ///< m; none: that of the body which it follows
    double radius = 0;           ///< m
};

/// filtercylinder: places around an axis, between the planes across its ends.
struct CylinderFilter {
    Vec3d point1, point2;            ///< ends of the axis, m
    double radius = BoxFilter::none; ///< m
};

/// filtertype.
struct TypeFilter {
    std::array<bool, 4> types{}; ///< by ParticleType
};

/// filtermk: particles of an mk, or of a range of them that have all the same type.
struct MkFilter {
    const char* word = "mk";                 ///< mk, mkbound or mkfluid: how the case counts them
    int first = 0, last = 0;                 ///< in that way
    int stored_first = 0, stored_last = 0;   ///< as stored with the particles
    ParticleType type = ParticleType::fixed; ///< of its particles, which their making tells
};

struct OutputFilter;

/// filtergroup, and the selection as a whole: filters in the order in which they are applied to a first choice.
struct FilterGroup {
    bool all = false; ///< preselection: all particles, or none
    std::vector<OutputFilter> filters;
};

/// One filter of special/outputparts.
struct OutputFilter {
    SourceLocation where;
    FilterOperation operation = FilterOperation::add;
    bool inverse = false;      ///< it meets those that its rule does not
    std::optional<int> follow; ///< ftfollow: mkbound of the floating body with whose centre its places go
    std::variant<BoxFilter, PlaneFilter, SphereFilter, CylinderFilter, TypeFilter, MkFilter, FilterGroup> rule;
};

/// special/outputparts: which particles frames hold.
struct OutputParts {
    SourceLocation where;
    int whole_every = 0; ///< ignore nparts: frames of which this divides the number hold all; 0: none does
    FilterGroup selection;
};

} // namespace sluice
