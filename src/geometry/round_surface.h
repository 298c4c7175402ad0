// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/commands.h"
#include "core/triangle_tree.h"

// Round bodies as triangles whose normals point outward. Lengths are metres.

namespace sluice {

/// An ellipsoid with half axes (x, y, z), whose z axis lies along `along`.
std::vector<Facet> ball_surface(const Vec3d& center, const Vec3d& half_axes, const Vec3d& along, double dp);

/// The ends and the tube of a cylinder that its mask leaves.
std::vector<Facet> cylinder_surface(const DrawCylinder& cylinder, double dp);

} // namespace sluice
