// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/commands.h"

namespace sluice {

/// One more bit of DrawBox::fill, set by setmknextauto: as many mk as box_parts() says, from the current one.
constexpr unsigned box_mk_for_each_part = 2u * box_solid;

/// A solid box is two upright prisms that meet in the plane through the edges at (x max, y min) and (x min, y max). Its
/// parts: the inside of either prism and after it the plane; two triangles at the bottom, two at the top; four sides.
constexpr int box_inside_parts = 4, box_surface_parts = 8;

/// How many parts a solid box has in a draw mode; 1 where it is drawn as a whole.
constexpr int box_parts(DrawMode mode) {
    switch (mode) {
    case DrawMode::full: return box_inside_parts + box_surface_parts;
    case DrawMode::solid: return box_inside_parts;
    case DrawMode::face: return box_surface_parts;
    case DrawMode::wire: break;
    }
    return 1;
}

} // namespace sluice
