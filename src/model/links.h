// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <cstdint>
#include <vector>

// Mooring lines and joints as frames have them: for pictures and files, not for the run.

namespace sluice {

/// What a link is. The joints have the order of JointKind.
enum class LinkKind : std::uint8_t {
    mooring_line,
    hinge,
    spheric,
    point_line,
    linear_spring,
    coulomb_damping,
    pulley,
};
constexpr int link_kind_count = 7;

/// A mooring line or a joint at one time.
struct Link {
    LinkKind kind = LinkKind::mooring_line;
    std::int32_t index = 0; ///< among the mooring lines, or among the joints, in the order of the case
    /// Absolute, m. Of a mooring line its nodes from the first end on, none once it is broken. Of a joint two: the
    /// points that its ends hold, or for one about an axis a piece of that axis.
    std::vector<Vec3d> points;
    std::vector<float> load; ///< at each point, N (N/m in 2-D): tension of a line, size of the force of a joint

    bool operator==(const Link&) const = default;
};

} // namespace sluice
