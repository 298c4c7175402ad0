// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/commands.h"
#include "core/error.h"
#include <array>
#include <string>
#include <vector>

namespace sluice {

/// The surface of drawbathymetry as triangles, metres: heights at the nodes of a regular grid, from scattered points
/// ("x y z" a line), with the sides that `expands` asks for.
std::vector<std::array<Vec3d, 3>> bathymetry_surface(const std::string& points, const DrawBathymetry& command,
                                                     const SourceLocation& where);

} // namespace sluice
