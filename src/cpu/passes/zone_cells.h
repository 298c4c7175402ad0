// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "physics/open_zones.h"
#include <vector>

namespace sluice::cpu {

/// Whether any zone may hold particles that are no farther than `distance` (m) from a place.
bool may_hold_any(const ZonesView& open, const Vec3d& p, double distance);

/// The cells in which particles may be that are in open boundaries now, or once a step has moved them by no more than
/// the side of a cell. So the passes over zones take as long as zones are large, whatever the rest of the run is.
class ZoneCells {
public:
    ZoneCells(const ZonesView& open, const Space& space);

    /// The particles in these cells, in their order. `cells`: of a sorted group whose first record is `first`.
    std::vector<IndexRange> particles(const CellList& cells, std::uint32_t first, const Space& space) const;

private:
    std::vector<IndexRange> keys_; ///< of cells in one row each, in their order
};

/// The parts of ranges that lie in the rank's own runs, in their order.
std::vector<IndexRange> own_parts(const std::vector<IndexRange>& ranges, const std::vector<OwnRun>& own);

} // namespace sluice::cpu
