// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sluice::cuda {

/// The scalars of a run, kept on the device so that steps follow one another without the host. One thread at a time
/// writes them, except for the maxima, whose bits order like the non-negative floats they are.
struct Control {
    double time = 0;        ///< s
    double dt = 0;          ///< of the step in progress or the last one, s
    double dt_limit = 0;    ///< symplectic: bound from the last corrector, s
    long long step = 0;     ///< steps done
    long long dt_min_hits = 0;

    double time_limit = 0;      ///< steps that start at or past it do nothing
    long long step_limit = 0;
    int active = 0;             ///< whether the step in progress is taken
    int failed = 0;             ///< the time step is no longer finite

    unsigned force2_bits = 0;   ///< largest |f|²
    unsigned speed_bits = 0;    ///< largest denominator of the viscous time step
    unsigned alive = 0;         ///< particles in the run; those that left lie behind them
    unsigned excluded = 0;      ///< records written to the list of excluded particles

    unsigned long long last_stamp = 0;   ///< device clock, ns
    unsigned long long phase_ns[3] = {}; ///< cell list, interaction, update

    // neighbour lists
    int rebuild = 1;               ///< lists must be rebuilt before the next interaction
    unsigned list_used = 0;        ///< entries taken from the pool
    unsigned list_overflows = 0;   ///< tiles that found no room
    unsigned rebuilds = 0;
    unsigned steps_since_build = 0;
    float skin = 0;                ///< in metres, of the lists now in use
    unsigned spread_bits = 0;      ///< largest relative displacement of two neighbours since the build, m
    unsigned travel_bits = 0;      ///< largest displacement since the build, m
    unsigned wall_bits = 0;        ///< largest displacement near a boundary since the build, m
};

enum class Phase { cell_list = 0, interaction = 1, update = 2 };

/// A fluid particle that left the run.
struct ExcludedRecord {
    double x, y, z;       ///< units from the domain's corner
    double time;          ///< s
    long long step;
    float vx, vy, vz, rho;
    std::uint32_t id;
    std::uint32_t cause;
};

} // namespace sluice::cuda
