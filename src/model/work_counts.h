// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"
#include "model/constants.h"
#include <cmath>
#include <cstdint>

// The energy that the fluid and the floating bodies are given from outside, beside that of gravity, counted particle by
// particle and step by step. In whole units: sums are the same in whatever order threads, ranks and GPUs make them.

namespace sluice {

/// Sums since the start of a run, in units of `work_unit`; negative: taken from the fluid.
struct WorkCounts {
    std::int64_t damping = 0;                 ///< of damping zones
    std::int64_t relaxation = 0;              ///< of relaxation zones
    std::int64_t acceleration = 0;            ///< of acceleration inputs
    std::int64_t shift_lift = 0;              ///< of particle shifting: potential energy
    std::int64_t shift_compression = 0;       ///< … internal energy, where densities follow the shifts
    std::int64_t moving_walls = 0;            ///< of walls with a prescribed motion, paddles among them
    std::int64_t bodies = 0;                  ///< of whatever imposes velocities on bodies, and of their outer forces
    std::int64_t open_boundaries = 0;         ///< of what imposes velocities and densities on fluid in open boundaries
    std::int64_t clamps = 0;                  ///< of walls with a prescribed motion that clamp or push structures
    std::int64_t damping_of_structures = 0;   ///< of the damping of these
    std::int64_t hourglass_of_structures = 0; ///< of what opposes their modes without energy

    bool operator==(const WorkCounts&) const = default;
};

/// Calls `use(name, count…)` with every sum, the same one of each.
template <class Use, class... Counts>
void for_each_work(const Use& use, Counts&... counts) {
    use("work_damping", counts.damping...);
    use("work_relaxation", counts.relaxation...);
    use("work_acceleration", counts.acceleration...);
    use("work_shift_lift", counts.shift_lift...);
    use("work_shift_compression", counts.shift_compression...);
    use("work_moving_walls", counts.moving_walls...);
    use("work_bodies", counts.bodies...);
    use("work_open_boundaries", counts.open_boundaries...);
    use("work_clamps", counts.clamps...);
    use("work_damping_of_structures", counts.damping_of_structures...);
    use("work_hourglass_of_structures", counts.hourglass_of_structures...);
}

/// Adds without a bound: a run that has blown up may go beyond any.
SLUICE_HD inline std::int64_t sum_of_counts(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

inline WorkCounts operator+(WorkCounts a, const WorkCounts& b) {
    for_each_work([](const char*, std::int64_t& sum, const std::int64_t& more) { sum = sum_of_counts(sum, more); }, a,
                  b);
    return a;
}

/// Energy over mass (J/kg) that a unit stands for: c0² over 2⁴⁰, which a particle at a hundred-thousandth of the speed
/// of sound has fifty of; more where there are so many particles that sums of 8 c0² for each would not fit.
inline double work_unit(const sph::Constants& c, std::uint32_t fluid_particles) {
    int bits = 40;
    for (std::uint32_t n = fluid_particles >> 20; n > 0; n >>= 1) --bits;
    return std::ldexp(c.c0 * c.c0, -bits);
}

/// An energy over mass (J/kg) in units; nothing where it is none that a particle could have.
SLUICE_HD inline std::int64_t work_count(double energy, double inverse_unit) {
    const double count = energy * inverse_unit;
    return count > -1e15 && count < 1e15 ? static_cast<std::int64_t>(rint(count)) : 0;
}

} // namespace sluice
