// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/flow/sweeps.inl"
#include "methods/mps/vector/double_pack.h"

namespace sluice::mps {
inline namespace SLUICE_ISA {

/// One neighbour a lane.
struct PackLoads {
    using Real = DoublePack;
    static constexpr int width = DoublePack::width;
    static_assert(width <= int(ParticleSearch::padding));

    SLUICE_INLINE static Real load(const double* p) { return mps::load(p); }
    SLUICE_INLINE static Real load_first(const double* p, int count, Real other) {
        return mps::load_first(p, count, other);
    }
    SLUICE_INLINE static double sum(Real lanes) { return mps::sum(lanes); }
};

} // namespace SLUICE_ISA
} // namespace sluice::mps
