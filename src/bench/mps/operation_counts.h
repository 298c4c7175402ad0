// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/choices.h"
#include <cstdint>

// How many floating-point operations the MPS operators have: the formulas run with a number type that counts.

namespace sluice::bench {

/// Operations in double precision. A product that is added is one fused operation, and neither a multiplication nor an
/// addition.
struct OperationCounts {
    std::int64_t additions = 0, multiplications = 0, fused = 0;
    std::int64_t roots = 0, reciprocals = 0; ///< which take several instructions

    /// Floating-point operations as Murotani et al. (2015) count them: a fused one is two.
    std::int64_t total() const { return additions + multiplications + 2 * fused; }
    OperationCounts& operator+=(const OperationCounts& more);
};
OperationCounts operator*(std::int64_t times, const OperationCounts& counts);

/// The operations for one neighbour inside the domain, without its separation, which every candidate needs.
OperationCounts operations_per_pair(mps::DifferentialOperator which, mps::DomainShape shape);

/// The operations of an operator that looks at so many candidates and finds so many inside, each counting itself.
OperationCounts operations_of(mps::DifferentialOperator which, mps::DomainShape shape, std::int64_t candidates,
                              std::int64_t inside);

} // namespace sluice::bench
