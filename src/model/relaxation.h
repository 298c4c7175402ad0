// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"

// Relaxation zones as plain data which a backend may copy to a device: parts of the fluid whose velocity is led to that
// of a wave, or to a uniform one. The formula is in physics/relaxation.h.

namespace sluice {

/// A wave along x, or a harmonic of one: u = U cosh κ(z+d)/sinh κd · cos(ωt − κx + φ), with z from still water.
struct RelaxationWave {
    double frequency = 0, number = 0, phase = 0; ///< ω, rad/s; κ, 1/m; φ
    double speed = 0;                            ///< U, m/s

    bool operator==(const RelaxationWave&) const = default;
};

/// A speed at a time; linear between two of them, held before the first and after the last.
struct SpeedSample {
    double time = 0, speed = 0; ///< s, m/s

    bool operator==(const SpeedSample&) const = default;
};

/// A zone. Lengths from the domain's lower corner.
struct RelaxationZone {
    enum class Kind : int {
        waves,   ///< a strip across x in which the fluid follows waves
        uniform, ///< a box in which it follows a uniform velocity
        table    ///< a strip across x in which it follows velocities on a mesh
    } kind = Kind::waves;
    Vec3d centre, half;                   ///< of the box, and half its sides; of a strip: half the width in x, m
    Vec3d direction{1, 0, 0};             ///< of the uniform velocity: a unit vector
    double start = 0, end = 0, ramp = 0;  ///< s
    double rate = 0;                      ///< share of the difference taken away over a time, 1/s; 0: over a step
    double weight = 0.9, shape = 1;       ///< at the centre, and its fall to the edge
    Vec3d factor{1, 1, 1};                ///< of each component
    double still = 0, depth = 0;          ///< waves: z of still water; its depth, m
    double highest = 0;                   ///< waves: from here above still water on velocities grow no more, m
    double current = 0;                   ///< of a strip: added along x against the drift of its waves, m/s
    int first_wave = 0, wave_count = 0;   ///< Forcing::relaxation_waves
    int first_speed = 0, speed_count = 0; ///< Forcing::relaxation_speeds
    int table_index = 0;                  ///< Forcing::relaxation_tables

    bool operator==(const RelaxationZone&) const = default;
};

} // namespace sluice
