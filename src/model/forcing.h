// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/relaxation.h"
#include "model/velocity_table.h"
#include <cstdint>
#include <limits>
#include <vector>

// What acts on the fluid beside gravity and its neighbours, as plain data which a backend may copy to a device: damping
// zones and accelerations that the case prescribes, and relaxation zones. The formulas are in physics/forcing.h and
// physics/relaxation.h.

namespace sluice {

/// A region in which the velocity of the fluid decays, at a rate that grows from its inner limit to its outer one.
struct DampingZone {
    enum class Shape : int {
        plane,   ///< along a direction: from the point `inner_min` to `outer_min`
        box,     ///< from the faces of an inner box to those of an outer one
        cylinder ///< from a radius about an axis to another
    } shape = Shape::plane;
    Vec3d inner_min, inner_max, outer_min, outer_max;      ///< m
    Vec3d axis_point, axis{0, 0, 1};                       ///< cylinder; the axis is a unit vector
    double inner_radius = 0, outer_radius = 0;             ///< cylinder, m
    bool active[6] = {true, true, true, true, true, true}; ///< box: faces −x, +x, −y, +y, −z, +z
    bool has_domain = false;                               ///< plane: acts in a prism only,
    Vec3d corner[4];                                       ///< whose corners in x–y these are, in order
    double z_min = 0, z_max = 0;                           ///< and which reaches from here to there, m
    double over_limit = 0;                                 ///< how far beyond the outer limit it acts in full, m
    double rate = 10;                                      ///< at the outer limit, 1/s
    Vec3d factor{1, 1, 1};                                 ///< of each component of the velocity

    bool operator==(const DampingZone&) const = default;
};

/// The accelerations of an input at one time, linear between two of them, and their integrals: since the first of them
/// or since the input begins to act, whichever is earlier.
struct AccelerationSample {
    double time = 0;                  ///< s
    Vec3d linear, angular;            ///< m/s², rad/s²
    Vec3d velocity, angular_velocity; ///< m/s, rad/s

    bool operator==(const AccelerationSample&) const = default;
};

/// Which terms of rotation an acceleration input adds.
enum class Rotation : int {
    of_frame,    ///< those of a frame that turns: centrifugal and Coriolis forces
    of_reference ///< what the reference solver adds in their place (ForcedFrame)
};

/// Acceleration of the particles of one mkfluid.
struct AccelerationInput {
    std::uint32_t first_id = 0, last_id = 0; ///< from the first to before the last
    std::uint32_t created_id = UINT32_MAX;   ///< and from this one on, which open boundaries create
    double start = 0, end = std::numeric_limits<double>::infinity(); ///< s
    Vec3d centre;                                                    ///< of the angular part, m
    Vec3d constant; ///< added to the linear part: minus gravity where that is off, m/s²
    int first_sample = 0, sample_count = 0;
    Rotation rotation = Rotation::of_frame;

    bool operator==(const AccelerationInput&) const = default;
};

/// All that acts on the fluid of a run beside gravity.
struct Forcing {
    std::vector<DampingZone> damping;
    std::vector<AccelerationInput> inputs;
    std::vector<AccelerationSample> samples;
    std::vector<RelaxationZone> relaxation;
    std::vector<RelaxationWave> relaxation_waves;
    std::vector<SpeedSample> relaxation_speeds;
    VelocityTables relaxation_tables; ///< with places from the domain's lower corner

    /// Whether anything accelerates the fluid; zones change its velocity at the end of a step.
    bool accelerates() const { return !inputs.empty(); }
    /// Whether the end of a step has anything to do: for zones, or to sum up the work of inputs.
    bool leads() const { return !damping.empty() || !relaxation.empty() || !inputs.empty(); }
    bool operator==(const Forcing&) const = default;
};

} // namespace sluice
