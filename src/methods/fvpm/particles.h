// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::fvpm {

/// What a particle is. Walls and inlet particles keep their velocity, whatever acts on them.
enum class Kind : std::uint8_t {
    fluid,
    wall,  ///< lets no mass through and keeps mass and volume
    inlet, ///< water before it has passed the inlet
};

/// The particles of a run with the finite volume particle method, as structure of arrays. A particle is the sphere (in
/// 2-D the circle) around its position; its volume is less than that, since supports overlap.
struct Particles {
    std::vector<Vec3d> position; ///< m; in 2-D y is 0
    std::vector<Vec3d> velocity; ///< of the fluid, m/s
    std::vector<double> mass;    ///< kg (in 2-D kg/m)
    std::vector<double> volume;  ///< m³ (in 2-D m²)
    std::vector<double> radius;  ///< h, m
    std::vector<std::uint32_t> id;
    std::vector<Kind> kind;
    /// ẋ at the begin of the next step, m/s, as a solver leaves it; none: the velocities.
    std::vector<Vec3d> motion;

    std::size_t size() const { return position.size(); }
};

/// Calls `visit` with each array of `particles`.
template <class P, class Visit>
void for_each_array(P& particles, Visit visit) {
    visit(particles.position);
    visit(particles.velocity);
    visit(particles.mass);
    visit(particles.volume);
    visit(particles.radius);
    visit(particles.id);
    visit(particles.kind);
    visit(particles.motion);
}

/// The particles at `places`, in that order. An array that is empty stays so.
Particles reordered(const Particles& from, const std::vector<std::uint32_t>& places);

} // namespace sluice::fvpm
