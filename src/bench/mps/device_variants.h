// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/mps/operator_variants.h"
#include "bench/variants.h"

namespace sluice::bench {

/// The versions of the MPS operators that run on the first GPU; none without one.
std::vector<OperatorVariant> device_operator_variants();

/// Registers and occupancy of their kernels; none without a GPU.
std::vector<KernelUse> device_operator_kernels();

/// Floating-point operations in double precision a second of the first GPU without tensor cores; 0: none, or not known.
double gpu_peak();

} // namespace sluice::bench
