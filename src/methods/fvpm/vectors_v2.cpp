// SPDX-License-Identifier: Apache-2.0
#include "methods/fvpm/vectors.inl"

namespace sluice::fvpm {

FindVectors find_vectors_v2() { return &SLUICE_ISA::find_vectors; }

} // namespace sluice::fvpm
