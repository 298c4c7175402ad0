// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"

namespace sluice::cuda {

/// The place of a particle that has left since the build (vacated_places.h).
struct VacatedPlace {
    std::uint64_t before = 0; ///< places of fluid in the lists before it, those of particles that left included
    Vec3d origin;             ///< where the particle was at the build

    bool operator==(const VacatedPlace&) const = default;
};

/// What a run needs to go on with the very neighbour lists that it had: the order of their entries is the order of its
/// sums.
struct ListState {
    bool expired = true; ///< new lists are built before the next interaction
    std::uint32_t steps_since_build = 0;
    float skin = 0;   ///< of the lists in use, m
    float spread = 0; ///< largest displacement of neighbours against one another since the build, over what is allowed
    float travel = 0; ///< largest displacement of a fluid particle since the build, m
    float wall_travel = 0;     ///< the same of walls that move, m
    float spread_rate = 0;     ///< how fast neighbours moved apart before the last build, m a step; 0: not known
    std::vector<Vec3d> origin; ///< where the particles were at the build, as ParticleState::position; empty if expired
    std::vector<VacatedPlace> vacated; ///< in their order

    bool operator==(const ListState&) const = default;
};

/// The places of the lists: `order`, of which the first `boundary` are of boundary particles, with the places of
/// particles that left among the fluid's, as Control::no_particle. RunError if there are no such places.
std::vector<std::uint32_t> listed_places(const ListState& lists, const std::vector<std::uint32_t>& order,
                                         std::size_t boundary);
/// The positions at the build of the particles that had these places. `places`: indices into ListState::origin, or
/// Control::no_particle.
std::vector<Vec3d> listed_origins(const ListState& lists, const std::vector<std::uint32_t>& places);

/// As a section of a state.
BackendSection list_section(const ListState& lists);

/// The lists of a section; expired ones for a section of another backend or none. RunError if the section is damaged.
ListState lists_of(const BackendSection& section);

} // namespace sluice::cuda
