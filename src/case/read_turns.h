// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/reader.h"
#include "case/transform.h"

// Rotations as zones of `special` have them.

namespace sluice {

/// `angle`, in degrees unless anglesunits="radians".
double read_angle(const XmlElement& e, const char* attribute = "angle");

/// <rotateaxis>: about the axis from point1 to point2, in the sense that the field gives it, clockwise as seen along
/// the axis from point2 to point1.
Transform read_axis_turn(const XmlElement& e);

/// <rotateadv>: three angles (of the attributes `angle`1 … 3) about the axes of `axes`, about <center>; right-handed,
/// the second and third about axes that have turned before (`intrinsic`, the default) or about those of space.
Transform read_advanced_turn(const XmlElement& e, const std::string& angle);

} // namespace sluice
