// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/vector/vector_sweep.inl"

namespace sluice::mps {

Particles vector_sweep_v4(const SweepJob& job) { return vector_sweep(job); }

} // namespace sluice::mps
