// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/interaction.h"

namespace sluice::cpu {

/// Fluid records in the cells around a place: those of each row are one range.
struct RecordRanges {
    static constexpr int capacity = 25; ///< rows
    std::uint32_t begin[capacity], end[capacity];
    int count = 0;
};

/// The sums of ghost nodes over the fluid around them (sph::GhostNode), compiled for one instruction set.
class GhostGather {
public:
    virtual ~GhostGather() = default;
    /// The sums of a place, given as a record, over the particles of the ranges in its reach. `zones`: of each fluid
    /// record; particles in one (from 0 on) do not count; or none. `sums`: one for each that the operator has.
    virtual void sum(const InteractionView& view, const RecordRanges& ranges, const Record& node,
                     const std::int32_t* zones, float* sums) const = 0;
};

} // namespace sluice::cpu
