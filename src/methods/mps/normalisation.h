// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/choices.h"

namespace sluice::mps {

/// Sums over the neighbours of a particle in a full lattice.
struct LatticeSums {
    int neighbours = 0; ///< in the interaction domain, without the particle itself
    double n0 = 0;      ///< Σ w, equation (6)
    double lambda0 = 0; ///< Σ w r²/Σ w, equation (7), squared spacings
};

/// The sums for a radius of `ratio` spacings (c_0 of equation 5, more than 1) in 2 or 3 dimensions.
LatticeSums lattice_sums(DomainShape shape, double ratio, int dimensions);

/// The scale of the operators for a domain of `radius` m around particles of spacing `spacing` m.
OperatorScale operator_scale(DomainShape shape, double radius, double spacing, int dimensions);

} // namespace sluice::mps
