// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice {

/// What holds across the plane of a 2-D structure, or that it is a 3-D one: an infinitely wide plate has no strain
/// across, a thin sheet no stress.
enum class StressState { plane_strain, plane_stress, full };

/// An elastic solid (St Venant–Kirchhoff): linear between Green–Lagrange strain and second Piola–Kirchhoff stress.
struct ElasticMaterial {
    double density = 0;   ///< when it is not deformed, kg/m³
    double young = 0;     ///< Young's modulus, Pa
    double poisson = 0;   ///< Poisson's ratio: in (−1, ½), in plane stress (−1, ½]
    double hourglass = 0; ///< factor of the forces against modes without strain (physics/solid/total_lagrangian.h)
    double damping = 0;   ///< of velocities, 1/s: what is left to itself slows down as exp(−damping·t)
    StressState state = StressState::full;

    bool operator==(const ElasticMaterial&) const = default;
};

} // namespace sluice
