// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/commands.h"
#include <utility>
#include <vector>

// What the layers of a shape are, before the transformation. Lengths are metres.

namespace sluice {

/// The layers, or without any the surface itself.
inline std::vector<double> layers_or_surface(const std::vector<double>& layers) {
    return layers.empty() ? std::vector<double>{0} : layers;
}

/// The face of a box at the lower or upper end of an axis, as a BoxFill bit.
unsigned box_side(int axis, bool far);

/// Corners of a box whose drawn faces are moved outward. One that is drawn without the face opposite to it may pass it.
std::pair<Vec3d, Vec3d> grown(const DrawBox& box, double distance);

/// A box as a prism between bottom and top: its drawn faces, and their inside if it is solid.
DrawFaces faces_of_box(const Vec3d& min, const Vec3d& max, unsigned fill);

/// A cylinder whose surfaces are moved outward; it is longer or shorter only towards an end that is drawn.
DrawCylinder grown(const DrawCylinder& cylinder, double distance);

} // namespace sluice
