// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/fluid/layout.h"
#include "model/frame.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice {

/// The boundary particles that the player shows, of those that rest or of those that move, in the order of their
/// `wall_sides`: those of the first frame that is shown, which others need not hold.
class ShownWalls {
public:
    /// `sides`: of the boundary particles of the first frame. One in `stride` particles is shown.
    ShownWalls(const Frame& first, const ParticleLayout& layout, const std::vector<std::uint8_t>& sides,
               std::uint32_t stride, bool moving);

    /// Where they are in a frame, m; those that it does not hold stay where they were last.
    const std::vector<Vec3d>& positions(const Frame& frame);
    /// The pressure of the fluid that each feels, Pa; NaN where there is none.
    std::vector<float> pressures(const Frame& frame) const;
    /// Side, first, how many.
    const std::vector<std::array<int, 3>>& ranges() const { return ranges_; }

private:
    std::vector<std::uint32_t> ids_;
    std::vector<Vec3d> last_; ///< m
    std::vector<std::array<int, 3>> ranges_;
};

} // namespace sluice
