// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/particle_search.h"
#include <string_view>
#include <vector>

namespace sluice::mps {

/// How many pairs the CPU computes at a time.
enum class Lanes {
    one,  ///< any processor
    four, ///< x86-64-v3 (AVX2)
    eight ///< x86-64-v4 (AVX-512)
};

/// The most that this processor has.
Lanes widest_lanes();
/// "scalar", "AVX2", "AVX-512".
std::string_view name_of(Lanes lanes);

/// What to evaluate and how.
struct Evaluation {
    DifferentialOperator which = DifferentialOperator::lsmps;
    DomainShape shape = DomainShape::sphere;
    Visit visit = Visit::reached_runs; ///< more than one lane takes runs or reached_runs only
    Lanes lanes = Lanes::one;
    int threads = 1;
};

/// The derivatives at all particles, in the order of the cloud.
struct Derivatives {
    std::vector<double> x, y, z; ///< of a gradient, 1/m times the unit of the values; the Laplacian's is x alone
    std::vector<std::uint32_t>
        singular; ///< particles whose neighbours do not span space, ascending; their results are 0
};

/// Evaluates an operator. `result` keeps its memory from call to call. InputError: lanes that the processor or the
/// visit does not have, no threads, or a linked list that was not made.
void evaluate(const ParticleSearch& search, const OperatorScale& scale, const Evaluation& evaluation,
              Derivatives& result);

} // namespace sluice::mps
