// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <string>
#include <variant>
#include <vector>

// The drawing commands of a case as plain data: every number is evaluated, every list and loop is unrolled.

namespace sluice {

/// What a drawing command leaves on the lattice.
enum class MkKind { none, fluid, bound };

/// setmkfluid, setmkbound, setmkvoid.
struct SetMk {
    MkKind kind = MkKind::none;
    int mk = 0; ///< as written in the case
};

/// setdrawmode: which parts of a closed shape are drawn.
enum class DrawMode { full, solid, face, wire };
struct SetDrawMode {
    DrawMode mode = DrawMode::full;
};

/// Faces of a box as bits; `box_solid` is its inside with its surface.
enum BoxFill : unsigned {
    box_bottom = 1, box_top = 2, box_left = 4, box_right = 8, box_front = 16, box_back = 32,
    box_all_faces = 63, box_solid = 64
};

/// drawbox: an axis-aligned box.
struct DrawBox {
    Vec3d min, max;     ///< m
    unsigned fill = 0;  ///< BoxFill bits
};

using GeometryAction = std::variant<SetMk, SetDrawMode, DrawBox>;

/// One command with the line that asked for it.
struct GeometryCommand {
    int line = 0;
    const char* element = ""; ///< name of the XML element (static storage)
    GeometryAction action;
};

} // namespace sluice
