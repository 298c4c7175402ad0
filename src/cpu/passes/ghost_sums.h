// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/pairs/ghost_gather.h"
#include "cpu/particles/particles.h"
#include "cpu/subdomains/halo.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sluice::cpu {

/// The `zones` of GhostGather::sum() for a node at a place, m from the domain's corner: null where no particle in one
/// is near it.
using ZonesNear = std::function<const std::int32_t*(const Vec3d& place)>;

/// The sums of ghost nodes over the fluid around them, anywhere in the cells.
class GhostSums {
public:
    /// `with_velocity`: sums of the fluid's velocity are wanted, too. `simd`: a level of `simd_levels()`.
    GhostSums(const std::string& simd, const sph::Constants& constants, const Space& space, bool with_velocity);

    /// The sums of a node at `place`, m from the domain's corner; see GhostGather.
    void around(const InteractionView& view, const Vec3d& place, const std::int32_t* zones, float* sums) const;
    /// The sums of nodes anywhere in the run, sph::ghost_sum_count numbers each, computed by the ranks that own their
    /// rows. All ranks make the call.
    std::vector<float> around_all(const InteractionView& view, const std::vector<Vec3d>& places, const ZonesNear& zones,
                                  const ThreadCount& threads, Halo& halo) const;

private:
    const Space& space_;
    std::unique_ptr<GhostGather> gather_;
    int fastest_ = 0; ///< axis along which cells follow one another
};

} // namespace sluice::cpu
