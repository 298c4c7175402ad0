// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"
#include <cstdint>

namespace sluice::sph {

/// Why a fluid particle left the run.
enum class ExclusionCause : std::uint8_t { none = 0, position = 1, density = 2, not_finite = 3 };
inline constexpr int exclusion_cause_count = 4;

/// "position", "density", "not_finite".
inline const char* exclusion_cause_name(ExclusionCause cause) {
    switch (cause) {
    case ExclusionCause::position: return "position";
    case ExclusionCause::density: return "density";
    case ExclusionCause::not_finite: return "not_finite";
    case ExclusionCause::none: break;
    }
    return "none";
}

inline namespace SLUICE_ISA {

/// Cause of a fluid particle's exclusion, given whether its position lies in the domain (false for NaN too), a
/// value that is finite only if position and velocity are, and its density.
SLUICE_INLINE ExclusionCause exclusion_cause(bool in_domain, float finite_probe, float rho, float rho_min,
                                             float rho_max) {
    const float sum = finite_probe + rho;
    if (!(sum - sum == 0.0f)) return ExclusionCause::not_finite;
    if (!in_domain) return ExclusionCause::position;
    if (rho < rho_min || rho > rho_max) return ExclusionCause::density;
    return ExclusionCause::none;
}

} // namespace SLUICE_ISA
} // namespace sluice::sph
