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
/// acts at the middle of a symplectic step, where the stage before has computed dρ/dt. This is that time over half a
/// step.
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

// Staggered kicks and drifts: velocities are known half a step before places and densities. The acceleration at level n
// brings v^{n−½} to v^{n+½}, with which the places drift to level n+½, where dρ/dt is taken, and on to level n+1:
//   v^{n+½} = v^{n−½} + ½(Δt_{n−1} + Δt_n) a(x^n, ρ^n, v^{n−½})
//   ρ^{n+1} = ρ^n + Δt_n D(x^{n+½}, v^{n+½}, ρ^n)
//   x^{n+1} = x^n + Δt_n v^{n+½}
// For sound that is the leapfrog: it takes a step four times as long as Verlet's, and keeps energy as the symplectic
// one does. What dissipates acts over one step, so that no mode is left to grow between Euler steps.

/// What a kick makes of a fluid particle.
template <class S>
struct Kick {
    Vec3<S> displacement; ///< to the middle of the step, and once more to its end, m
    Vec3<S> velocity;     ///< at the middle of the step
    Vec3<S> end_velocity; ///< at its end, extrapolated by this acceleration: what frames show of level n+1
};

/// `lagging`: v^{n−½}; `dt_before`: of the step before, 0 in the first, whose `lagging` velocity is that of level 0.
template <class S>
SLUICE_INLINE Kick<S> staggered_kick(const Vec3<S>& lagging, const Vec3<S>& acceleration, S dt_before, S dt) {
    const S half = S(0.5) * dt;
    const Vec3<S> middle = lagging + (S(0.5) * (dt_before + dt)) * acceleration;
    return {half * middle, middle, middle + half * acceleration};
}

/// ρ^{n+1} of a staggered step. `rate`: D at its middle, with the density of its begin. With PressureForm::squares D
/// does not depend on the particle's own density, and ρ^n + Δt D is right to second order; with product it is
/// proportional to that, and ρ^n (2−ε)/(2+ε) with ε = −Δt D/ρ^n is. Each in the place of the other would be wrong by
/// (Δt D)²/2ρ, of one sign, whatever the sign of D: water that is stirred would swell, or shrink.
template <class S>
SLUICE_INLINE S staggered_density(PressureForm form, S density, S rate, S dt) {
    return form == PressureForm::product ? symplectic_density(density, density, rate, dt) : density + dt * rate;
}

/// A staggered step is at most so many times as long as the one before it.
inline constexpr double longest_growth = 1.1;

} // namespace SLUICE_ISA
} // namespace sluice::sph
