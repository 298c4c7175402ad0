// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/bodies.h"
#include "model/moorings.h"
#include "model/wave_absorption.h"
#include "model/work_counts.h"
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// What of a state only its backend understands, beside the particles: without it a run goes on the same to rounding,
/// with it bit for bit. Other backends ignore it.
struct BackendSection {
    std::string owner; ///< the backend that wrote it, and the format; empty: there is no section
    std::vector<std::byte> bytes;

    bool operator==(const BackendSection&) const = default;
};

/// The complete state between two steps, in the backend's own order: what a checkpoint must hold for the resumed
/// run to be bitwise the same. Positions are relative to `RunSetup::domain.min`, in double precision, which holds
/// every backend's representation exactly.
struct ParticleState {
    std::vector<std::uint32_t> id;
    std::vector<Vec3d> position;          ///< relative to the domain's lower corner, m
    std::vector<Vec3f> velocity;          ///< level n, m/s
    std::vector<Vec3f> velocity_previous; ///< level n−1 (Verlet) or n−½ (staggered)
    std::vector<float> density;           ///< level n, kg/m³
    std::vector<float> density_previous;
    std::int64_t step = 0;                ///< steps done
    double time = 0;                      ///< s
    double dt = 0;                        ///< of the last step, s
    std::vector<BodyState> bodies;        ///< in the order of RunSetup::bodies; none: as they are at time 0
    std::vector<AbsorberState> absorbers; ///< in the order of RunSetup::absorbers; none: as they are at time 0
    MooringState moorings;                ///< of RunSetup::moorings; none: as they are at time 0
    double dt_limit = 0;                  ///< bound that the last step left (sph::choose_time_step), s; 0: none
    std::uint32_t created = 0;            ///< ids given since the start, from the groups' number of particles on
    WorkCounts work;                      ///< since the start
    BackendSection section;               ///< of the backend that the state comes from

    std::size_t size() const { return id.size(); }
    /// Bit for bit, but that −0 is 0 and that what is not a number equals nothing.
    bool operator==(const ParticleState&) const = default;
};

/// Calls `use(name, array…)` with every array of particles that states have, the same one of each state. Whatever
/// copies, sends, checks or stores particles goes through here: a further field of theirs is declared once.
template <class Use, class... States>
void for_each_particle_array(const Use& use, States&... states) {
    use("id", states.id...);
    use("position", states.position...);
    use("velocity", states.velocity...);
    use("velocity_previous", states.velocity_previous...);
    use("density", states.density...);
    use("density_previous", states.density_previous...);
}

/// The same with what a state has of numbers that are not of particles, bodies, absorbers or lines.
template <class Use, class... States>
void for_each_state_number(const Use& use, States&... states) {
    use("step", states.step...);
    use("time", states.time...);
    use("dt", states.dt...);
    use("dt_limit", states.dt_limit...);
    use("created", states.created...);
    for_each_work(use, states.work...);
}

} // namespace sluice
