// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/evaluate.h"

namespace sluice::bench {

/// Floating-point operations in double precision a second that so many threads reach with fused multiply-adds of
/// independent numbers in registers, measured; 0: this processor has none of the vector units that the operators use.
double measured_cpu_peak(int threads);

} // namespace sluice::bench
