// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

// Plain data that the interaction reads and writes, shared by the code of every instruction set.

namespace sluice::cpu {

/// What the interaction reads of one particle, half a cache line. The position counts lattice units (see lattice.h)
/// modulo 2³², so that the difference of two neighbours is exact wherever in the domain they are. The lowest bit of x
/// is not part of it: `drops_diffusion`.
struct alignas(32) Record {
    std::uint32_t x, y, z;
    float pressure_term; ///< P/ρ²
    float vx, vy, vz;
    float rho;
};

/// Bit of Record::x that says that the particle takes no density diffusion. Ghosts do without it, so that no distance
/// may depend on it.
inline constexpr std::uint32_t drops_diffusion = 1;

/// What the interaction makes of one particle: dv/dt without gravity, dρ/dt.
struct alignas(16) Accumulator {
    float ax, ay, az, rho;
};

/// Velocity and density of one particle at one time level.
struct alignas(16) Flow {
    float vx, vy, vz, rho;
};

} // namespace sluice::cpu
