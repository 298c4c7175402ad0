// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"
#include "model/work_counts.h"
#include <cstdint>

namespace sluice::cuda {

/// The scalars of a run, kept on the device so that steps follow one another without the host. One thread at a time
/// writes them, except for the maxima, whose bits order like the non-negative floats they are.
struct Control {
    double time = 0;      ///< s
    double dt = 0;        ///< of the step in progress or the last one, s
    double dt_before = 0; ///< of the step before the one in progress, s
    double dt_limit = 0;  ///< symplectic: bound from the last corrector; staggered: from the length of the last step, s
    long long step = 0;   ///< steps done
    long long dt_min_hits = 0;

    double time_limit = 0; ///< steps that start at or past it do nothing
    long long step_limit = 0;
    int active = 0; ///< whether the step in progress is taken
    int failed = 0; ///< the time step is no longer finite, or a wall has left the domain
    static constexpr unsigned no_particle = 0xffffffffu;
    unsigned left_id = no_particle; ///< the smallest id of a boundary particle that has moved out of the domain

    unsigned force2_bits = 0; ///< largest |f|²
    unsigned speed_bits = 0;  ///< largest denominator of the viscous time step
    unsigned alive = 0;    ///< end of the particles in the run; those that left lie behind them, or keep their places
                           ///< (vacated_places.h)
    unsigned excluded = 0; ///< records written to the list of excluded particles

    // open boundaries
    unsigned created = 0; ///< ids given since the start of the run
    unsigned passed = 0;  ///< records written to the list of particles that came or went
    int wants_host = 0;   ///< no step is taken until the host has made room for what the next one may create

    WorkCounts work; ///< since the start of the run, by this device
    /// Work of holding the flow in open boundaries over a step (work_of_holding), by the rates that the step takes.
    std::int64_t held_work = 0;

    unsigned long long last_stamp = 0;   ///< device clock, ns
    unsigned long long phase_ns[3] = {}; ///< cell list, interaction, update

    // neighbour lists
    int rebuild = 1; ///< lists must be rebuilt before the next interaction
    unsigned steps_since_build = 0;
    unsigned occupied = 0;         ///< cells that hold fluid
    float skin = 0;                ///< of the lists in use, m
    float spread_rate = 0;         ///< how fast neighbours moved apart before the last build, m a step; 0: not known
    unsigned spread_bits = 0;      ///< largest relative displacement of neighbours, over what is allowed
    unsigned travel_bits = 0;      ///< largest displacement of a fluid particle since the build, m
    unsigned wall_travel_bits = 0; ///< the same of boundary particles
    unsigned body_cells = 0;       ///< cells that hold particles with lists among those of the boundary
    unsigned body_spread_bits = 0; ///< largest displacement of such particles and fluid, over what is allowed
    unsigned vacated = 0;          ///< places of particles that have left since the build (vacated_places.h)

    // a run that several devices share: the same on all of them
    unsigned agreed_spread_bits = 0, agreed_travel_bits = 0, agreed_wall_travel_bits = 0;
    unsigned newcomers = 0; ///< created by the last step: behind what each device holds, until the next exchange
    int paused = 0;         ///< the step waits for the lists to be renewed, `active` is off

    unsigned viscosity_bits = 0; ///< greatest apparent viscosity of generalised Newtonian fluids, m²/s

    SLUICE_HD void agree_on_spread() {
        agreed_spread_bits = spread_bits;
        agreed_travel_bits = travel_bits;
        agreed_wall_travel_bits = wall_travel_bits;
    }
};

enum class Phase { cell_list = 0, interaction = 1, update = 2 };

/// A fluid particle that open boundaries have created or taken away.
struct PassageRecord {
    double x, y, z; ///< m, from the domain's corner
    double time;    ///< s
    long long step;
    float vx, vy, vz, rho;
    std::uint32_t id;
    std::uint32_t entered; ///< 0: it left
};

/// A fluid particle that left the run.
struct ExcludedRecord {
    double x, y, z; ///< units from the domain's corner
    double time;    ///< s
    long long step;
    float vx, vy, vz, rho;
    std::uint32_t id;
    std::uint32_t cause;
};

} // namespace sluice::cuda
