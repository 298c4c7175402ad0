// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include "physics/sph/internal_energy.h"
#include "scheme/body_motion.h"

// The work that reaches the fluid and the floating bodies from outside in a step: of walls whose motion is prescribed,
// of whatever drives bodies, and of open boundaries. The pair terms conserve energy (docs/output.md, The ledger): what
// a wall particle b gives a fluid particle a is v_b·F_ab, less what the compression of b itself takes.

namespace sluice {
inline namespace SLUICE_ISA {

/// The forces of the fluid on walls with a prescribed motion are sampled once in so many steps, as they have to be
/// summed up for the ledger alone. Sound crosses a few smoothing lengths in the meantime.
constexpr int wall_sampling_interval = 16;

/// Whether a step samples them.
SLUICE_HD inline bool samples_walls(std::int64_t step) { return step % wall_sampling_interval == 0; }

/// The work of a wall particle on the fluid over the steps that a sample stands for, J. `acceleration`: by the fluid,
/// m/s²; `velocity`: of the wall, m/s; `mass`: what it stands for in the pair terms, kg; `dt`: of the step, s.
SLUICE_HD inline double work_of_wall(const Vec3f& acceleration, const Vec3d& velocity, double mass, double dt) {
    return -wall_sampling_interval * dt * mass * dot(vec_cast<double>(acceleration), velocity);
}

/// Kinetic and potential energy of a floating body, ½ m v² + ½ ω·Iω − m g·c, J.
SLUICE_HD inline double mechanical_energy(const Body& body, const BodyState& state, const Vec3d& gravity) {
    Vec3d inertia[3];
    body::turned_inertia(body.inertia, state.turning, inertia);
    const Vec3d& omega = state.angular_velocity;
    return 0.5 * body.mass * dot(state.velocity, state.velocity) + 0.5 * dot(omega, body::product(inertia, omega)) -
           body.mass * dot(gravity, state.centre);
}

/// Whether something else than gravity, the fluid and contacts moves a body, as mooring lines do. Of joints that is
/// what space, walls, springs and friction do to a mechanism: what its bodies do to one another cancels in the sum.
SLUICE_HD inline bool is_driven(const Body& body) {
    return body.imposed_velocity.any() || body.imposed_turning.any() || body.outer_force.any() ||
           body.outer_moment.any() || body.mechanism >= 0 || body.moored;
}

/// The work of what drives a body over a step, J: what its energy has grown by more than fluid and contacts have
/// given it.
SLUICE_HD inline double work_on_body(const Body& body, const BodyState& before, const BodyState& after,
                                     const BodyLoads& loads, const Vec3d& gravity, double dt) {
    const BodyLoad given = loads.fluid + loads.contact;
    const double power = 0.5 * (dot(given.force, before.velocity + after.velocity) +
                                dot(given.moment, before.angular_velocity + after.angular_velocity));
    return mechanical_energy(body, after, gravity) - mechanical_energy(body, before, gravity) - dt * power;
}

/// The same over the kick of a staggered step: what the body's energy has grown by between the middles of two steps.
SLUICE_HD inline double work_of_kick(const Body& body, const BodyState& before, const BodyLoads& loads,
                                     const BodyDrive& drive, double time, const KickTime& kick) {
    const BodyState after = kicked_to_middle(body, before, loads, drive, time, kick), lags = lagging(before);
    const BodyLoad given = loads.fluid + loads.contact + BodyLoad{body.mass * drive.gravity, {}};
    const double power = 0.5 * (dot(given.force, lags.velocity + after.velocity) +
                                dot(given.moment, lags.angular_velocity + after.angular_velocity));
    return mechanical_energy(body, after, {}) - mechanical_energy(body, lags, {}) - kick.duration() * power;
}

/// The work of what drives a body over a step, counted in the stage of the step that takes the loads, J. `after`: at
/// the end of that stage; `time`: of the begin of the step; `dt`, `dt_before`: of the step and of the one before, s.
SLUICE_HD inline double work_in_step(BodyStage stage, const Body& body, const BodyState& before, const BodyState& after,
                                     const BodyLoads& loads, const BodyDrive& drive, double time, double dt,
                                     double dt_before) {
    if (stage != BodyStage::kick) return work_on_body(body, before, after, loads, drive.gravity, dt);
    if (!is_released(body, time)) return 0;
    return work_of_kick(body, before, loads, drive, time, kick_time(body, time, 0.5 * dt, dt_before));
}

/// How much more energy than `now` a fluid particle has with what an open boundary imposes on it, J/kg.
SLUICE_HD inline double work_of_imposing(const sph::EquationOfState<double>& state, const Vec3d& velocity_now,
                                         double density_now, const Vec3d& velocity, double density) {
    return 0.5 * (dot(velocity, velocity) - dot(velocity_now, velocity_now)) + sph::internal_energy(state, density) -
           sph::internal_energy(state, density_now);
}

/// Whether the fluid keeps what is imposed on it `fraction` into a step: at the middle of a symplectic step it does
/// not, since the corrector returns to the begin.
SLUICE_HD constexpr bool outlasts_step(sph::Integrator integrator, double fraction) {
    return fraction == 0 || integrator == sph::Integrator::staggered;
}

/// The work, over a step, of what keeps a fluid particle in an open boundary from taking its rates, J/kg. Backends take
/// the last time step where the next one follows from the same rates (Verlet, and the accelerations of staggered
/// steps). `part`: the rates that an interaction found; the others do not count. `acceleration`: with gravity, m/s²;
/// `density_rate`, kg/(m³ s).
SLUICE_HD inline double work_of_holding(sph::RatesPart part, const sph::EquationOfState<double>& state,
                                        const Vec3d& velocity, double density, const Vec3d& acceleration,
                                        double density_rate, double dt) {
    double power = 0;
    if (part != sph::RatesPart::density) power += dot(velocity, acceleration);
    if (part != sph::RatesPart::velocity) power += sph::compression_work(state, density, density_rate);
    return -dt * power;
}

} // namespace SLUICE_ISA
} // namespace sluice
