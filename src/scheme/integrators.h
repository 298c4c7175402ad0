// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/constants.h"
#include "physics/math.h"
#include "physics/sph/boundary_density.h"

// Time integration of one particle. Velocities and densities are of type S (single precision in the backends);
// displacements are returned, because each backend has its own way to hold a position.

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// Rates of a fluid particle: dv/dt with gravity (m/s²) and dρ/dt (kg/m³/s).
template <class S>
struct Rates {
    Vec3<S> acceleration;
    S density;
};

/// What a stage makes of a fluid particle.
template <class S>
struct Update {
    Vec3<S> displacement; ///< to be added to the position that the stage starts from, m
    Vec3<S> velocity;
    S density;
};

/// Verlet (A.7a): from level n−1 over 2Δt; the position from level n.
template <class S>
SLUICE_INLINE Update<S> verlet_step(const Vec3<S>& velocity, const Vec3<S>& previous_velocity, S previous_density,
                                    const Rates<S>& rates, S dt) {
    const S dt2 = S(2) * dt;
    return {dt * velocity + (S(0.5) * dt * dt) * rates.acceleration, previous_velocity + dt2 * rates.acceleration,
            previous_density + dt2 * rates.density};
}

/// The Euler form (A.7b) that Verlet takes every `verlet_steps`-th step, to keep the two time levels together.
template <class S>
SLUICE_INLINE Update<S> verlet_euler_step(const Vec3<S>& velocity, S density, const Rates<S>& rates, S dt) {
    return {dt * velocity + (S(0.5) * dt * dt) * rates.acceleration, velocity + dt * rates.acceleration,
            density + dt * rates.density};
}

/// Whether step number `step` (from 0) of a run takes Verlet's Euler form. The first one must: level −1 is not there.
SLUICE_INLINE bool is_euler_step(long long step, int verlet_steps) { return step % verlet_steps == 0; }

/// Over how many steps the velocities at the end of a step have been brought forward: Verlet leaps from level n−1, but
/// in the Euler form.
SLUICE_INLINE int level_steps(const Constants& c, long long step) {
    return c.integrator == Integrator::verlet && !is_euler_step(step, c.verlet_steps) ? 2 : 1;
}

/// Symplectic predictor: half a step with the rates of level n.
template <class S>
SLUICE_INLINE Update<S> symplectic_predictor(const Vec3<S>& velocity, S density, const Rates<S>& rates, S dt) {
    const S half = S(0.5) * dt;
    return {half * velocity, velocity + half * rates.acceleration, density + half * rates.density};
}

/// The acoustic damper (Sun, Pilloton, Antuono & Colagrossi 2023, J. Comput. Phys. 483) adds α₂ c0 h ∇(∇·v) to the
/// acceleration. That is the gradient of the pressure that a density would have α₂ h/c0 later, since ρ∇·v = −dρ/dt. It
/// acts at the middle of a symplectic step, where the stage before tells dρ/dt. This is that time over half a step.
SLUICE_INLINE double acoustic_lead(const Constants& c, double dt) {
    return c.acoustic_damping > 0 ? c.acoustic_damping * c.h / (c.c0 * (0.5 * dt)) : 0;
}

/// The density whose pressure acts at the middle of a symplectic step; `start`, `half`: levels n and n+½.
template <class S>
SLUICE_INLINE S damped_density(S start, S half, S lead) {
    return half + lead * (half - start);
}

/// ρ^{n+1} = ρ^n (2−ε)/(2+ε) with ε = −(D^{n+½}/ρ^{n+½})Δt.
template <class S>
SLUICE_INLINE S symplectic_density(S density, S half_density, S half_rate, S dt) {
    const S epsilon = -(half_rate / half_density) * dt;
    return density * ((S(2) - epsilon) / (S(2) + epsilon));
}

/// Symplectic corrector: the whole step from level n (`velocity`, `density`) with the rates of level n+½; the
/// displacement counts from the position of level n.
template <class S>
SLUICE_INLINE Update<S> symplectic_corrector(const Vec3<S>& velocity, S density, S half_density,
                                             const Rates<S>& half_rates, S dt) {
    const Vec3<S> next = velocity + dt * half_rates.acceleration;
    return {(S(0.5) * dt) * (velocity + next), next, symplectic_density(density, half_density, half_rates.density, dt)};
}

} // namespace SLUICE_ISA
} // namespace sluice::sph
