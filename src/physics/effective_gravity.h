// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/run_setup.h"
#include "physics/forcing.h"
#include <algorithm>
#include <limits>

// The gravity that still water would be at rest in: what the hydrostatic difference of the density diffusion has to
// know where the frame of a run is accelerated, and what walls from ghost nodes are in balance with.

namespace sluice {
inline namespace SLUICE_ISA {

/// Gravity and the linear accelerations that all the fluid of the run shares at `time` (s), m/s². Where an input acts
/// on a part of the fluid there is no one still water: gravity alone. What turns is different at every place: its
/// linear part alone counts.
inline Vec3d effective_gravity(const RunSetup& setup, double time) {
    const Forcing& forcing = setup.forcing;
    const auto linear_of = [&](const ParticleGroup& group) {
        Vec3d sum;
        for (const AccelerationInput& input : forcing.inputs)
            if (const ForcedFrame frame = frame_at(input, forcing.samples.data(), time); frame.acts_on(group.begin))
                sum = sum + frame.linear;
        return sum;
    };
    const ParticleGroup* first = nullptr;
    Vec3d shared;
    for (const ParticleGroup& group : setup.groups.all()) {
        if (!group.is_fluid()) continue;
        const Vec3d linear = linear_of(group);
        if (!first) shared = linear;
        first = first ? first : &group;
        if (!(linear == shared)) return setup.constants.gravity;
    }
    return setup.constants.gravity + shared;
}

/// Whether that changes while the run goes on, and the pairs of particles are to know it.
inline bool has_gravity_in_time(const RunSetup& setup) {
    const Forcing& forcing = setup.forcing;
    const auto changes = [&](const AccelerationInput& input) {
        const AccelerationSample* const first = forcing.samples.data() + input.first_sample;
        return input.start > 0 || input.end < std::numeric_limits<double>::infinity() ||
               std::any_of(first, first + input.sample_count,
                           [&](const AccelerationSample& sample) { return !(sample.linear == first->linear); });
    };
    const bool is_wanted =
        sph::is_hydrostatic(setup.constants.diffusion) || setup.constants.wall_pressure == sph::WallPressure::balanced;
    return is_wanted && std::ranges::any_of(forcing.inputs, changes);
}

/// Whether the constants of pairs change while the run goes on.
inline bool has_pairs_in_time(const RunSetup& setup) { return !setup.viscosity.empty() || has_gravity_in_time(setup); }

/// What the constants of pairs (PairConstants) are made of in a step that begins at `time` (s), all through it.
inline sph::Constants pair_constants_at(const RunSetup& setup, double time) {
    sph::Constants c = setup.constants_at(time);
    c.gravity = effective_gravity(setup, time);
    return c;
}

} // namespace SLUICE_ISA
} // namespace sluice
