// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/pictures/picture_scene.h"
#include <cstdint>
#include <vector>

// What a picture in three dimensions shows of the boundary: one looks into the tank from outside.

namespace sluice {

/// How a boundary particle is drawn.
enum class WallLook : std::uint8_t {
    solid,    ///< part of a shaded surface
    left_out, ///< in a wall of the tank between the eye and the inside
    mist      ///< translucent: of a hull that would hide most of the fluid
};

/// The boundary as a picture shows it, in the order of its frame.
struct WallLooks {
    std::vector<WallLook> look;
    std::vector<std::uint32_t> colour; ///< 0xRRGGBB, shaded by where the surface faces
};

/// Decides it for a view. The walls of the tank are the layers of particles on the faces of the box around the
/// boundary that is not floating, where they cover a third of the face or more; those on faces that look towards the
/// eye are left out. Of the others, blocks that hide more than half of the fluid become mist. `colour` holds the colour
/// of each particle by mk; empty: light walls, and other bodies darker.
WallLooks wall_looks(const Frame& frame, const ParticleLayout& layout, const Projection& projection,
                     std::span<const std::uint32_t> colour);

/// Where a boundary particle stands, for a player in which one looks from anywhere: a bit for each face of the tank
/// that it is a wall on (below and above in x, then in y, then in z), `around_fluid` for a hull of another shape around
/// most of the fluid, 0 for a body in the tank.
inline constexpr std::uint8_t around_fluid = 64;

/// That of each boundary particle, in the order of its frame.
std::vector<std::uint8_t> wall_sides(const Frame& frame, const ParticleLayout& layout);

} // namespace sluice
