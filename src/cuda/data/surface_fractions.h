// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/views.h"

namespace sluice::cuda {

/// How much fluid another device has found at those of some check points that lie in its `rows`, where this device can
/// read it.
struct FoundFractions {
    Range rows;
    const double* fractions;
};

} // namespace sluice::cuda
