// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/canvas.h"

namespace sluice {

/// Which stored mk a selection of the case means, as a closed range; void is 0.
std::pair<std::uint16_t, std::uint16_t> mk_range(const MkConfig& config, const MkSelection& selection);

/// The nodes strictly between those nearest to the corners of a box of metres.
IndexBox nodes_between(const Lattice& lattice, const Vec3d& min, const Vec3d& max);

/// What a fill found, for diagnostics.
struct FillResult {
    bool seed_inside = false;  ///< the seed is a node of the lattice and of the region
    bool seed_free = false;    ///< the seed is of a kind that is filled
    bool reached_edge = false; ///< the fill came to the edge of the lattice
    std::size_t filled = 0;
};

/// From the seed over the six neighbours of each node (four in 2-D) inside `bounds`, while the nodes are of the
/// kinds of `fill`. `enclosed`, if given, is 1 on the nodes of the region.
FillResult flood(Canvas& canvas, const MkConfig& config, const Fill& fill, const Vec3i& seed, const IndexBox& bounds,
                 const ParticleGrid* enclosed);

void redraw(Canvas& canvas, const MkConfig& config, const Redraw& command, const std::optional<IndexBox>& box);
void redraw_near(Canvas& canvas, const MkConfig& config, const RedrawNear& command, const std::optional<IndexBox>& box);

} // namespace sluice
