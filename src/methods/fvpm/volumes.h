// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/fvpm/neighbours.h"
#include "methods/fvpm/particles.h"
#include <vector>

namespace sluice::fvpm {

/// The exact volumes V_i = ∫ 1/σ over the supports (Eqs 15 to 19), m³ (in 2-D m²): where n + 1 supports overlap, each
/// particle has a share of 1/(n + 1). They sum to the volume of the union of the supports. By the divergence theorem
///     d V_i = h_i Σ_e |S_e|/(n_e + 1) − Σ_j (h_j a_ji + (x_j − x_i)·A_ji),
/// with the areas |S_e| of the regions of the particle's own surface and the weighted areas a_ji of those parts of the
/// neighbours' surfaces that are within its support. Steps integrate volumes (Eq. 10); these are for the begin and
/// tests.
std::vector<double> exact_volumes(const Particles& particles, const NeighbourRows& rows, int dimensions);

} // namespace sluice::fvpm
