// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <array>

namespace sluice {

/// An affine map of space: rows of [A | t].
struct Transform {
    std::array<std::array<double, 4>, 3> m{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

    Vec3d operator()(const Vec3d& p) const;
    /// A difference of two places after the map.
    Vec3d turned(const Vec3d& v) const;
    bool is_translation() const;
    /// Change of volume, negative for a reflection.
    double determinant() const;
    /// Cube root of the change of volume: how lengths such as radii scale.
    double length_scale() const;
    bool operator==(const Transform&) const = default;
};

/// First `second`, then `first`: the map of nested frames.
Transform operator*(const Transform& first, const Transform& second);

Transform translation(const Vec3d& offset);
Transform scaling(const Vec3d& factors);
/// By `degrees` around the axis through `point` along `axis` (any length but 0), right-handed.
Transform rotation(double degrees, const Vec3d& axis, const Vec3d& point = {});

} // namespace sluice
