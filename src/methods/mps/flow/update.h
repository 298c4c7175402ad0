// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/flow/pairs.h"
#include "physics/sph/equation_of_state.h"
#include "scheme/exclusion.h"

// What a step does with one particle, on the processor and on GPUs.

namespace sluice::mps {

/// Where fluid may be and which densities it may have.
struct FlowBounds {
    Vec3d size;                     ///< of the domain, from its lower corner, m
    bool two_d = false;             ///< y does not count
    float rho_min = 0, rho_max = 0; ///< kg/m³
};

inline namespace SLUICE_ISA {

/// A kick and a drift along an axis: v ← v + Δt dv/dt, r ← r + Δt v.
SLUICE_INLINE void kick_and_drift(double dt, double acceleration, double& velocity, double& place) {
    place += dt * (velocity += dt * acceleration);
}

/// The density after a step, kg/m³. A particle of the free surface bears no tension: it is not below `rho0`.
SLUICE_INLINE double density_after(double rho, double rate, double fullness, double rho0, double dt) {
    const double after = rho + dt * rate;
    return fullness < surface_fullness && after < rho0 ? rho0 : after;
}

/// The pressure of the fluid at a density, Pa, which is not negative.
SLUICE_INLINE double fluid_pressure(const sph::EquationOfState<double>& eos, double rho) {
    return positive_part(eos.pressure(rho));
}

/// Why a fluid particle may not stay. `place` counts from the lower corner of the domain.
SLUICE_INLINE sph::ExclusionCause cause_of_leaving(const FlowBounds& bounds, Vec3d place, Vec3d velocity, double rho) {
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
        const bool counts = !(bounds.two_d && axis == 1);
        if (counts && !(place[axis] >= 0 && place[axis] < bounds.size[axis])) inside = false;
    }
    const auto probe = static_cast<float>(dot(place, place) + dot(velocity, velocity));
    return sph::exclusion_cause(inside, probe, static_cast<float>(rho), bounds.rho_min, bounds.rho_max);
}

} // namespace SLUICE_ISA
} // namespace sluice::mps
