// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::cuda {

/// How far a fluid particle is shifted at the end of the step, m, beside its density, loaded 16 bytes at once.
struct alignas(16) ShiftRecord {
    float x, y, z;
    float rho; ///< kg/m³
};

} // namespace sluice::cuda
