// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/fluids.h"

// In runs of several fluids (model/fluids.h) the phase of a particle rides in the lowest bits of its pressure term,
// which thus goes wherever the particle goes. What that takes from the pressure is less than what the density, from
// which it follows, leaves unknown.

namespace sluice::cuda {

/// The bits of a number.
SLUICE_INLINE std::uint32_t bits_of(float value) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// A pressure term that carries a phase.
SLUICE_INLINE float with_phase(float pressure_term, std::uint32_t phase) {
    const std::uint32_t bits = (bits_of(pressure_term) & ~phase_bits) | phase;
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/// The phase that a pressure term carries.
SLUICE_INLINE std::uint32_t phase_in(float pressure_term) { return bits_of(pressure_term) & phase_bits; }

} // namespace sluice::cuda
