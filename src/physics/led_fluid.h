// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/work_counts.h"
#include "physics/forcing.h"
#include "physics/relaxation.h"

// What zones make of the velocities of the fluid at the end of a step, and the work of these and of acceleration
// inputs.

namespace sluice {
inline namespace SLUICE_ISA {

/// What leads the fluid of a run.
struct LeadView {
    const DampingZone* damping = nullptr;
    int damping_count = 0;
    RelaxationView relaxation{};
    const ForcedFrame* frames = nullptr; ///< acceleration inputs as they are at the end of the step
    int frame_count = 0;
    double inverse_unit = 0; ///< of work (model/work_counts.h)
};

/// A particle at the end of a step, and what it was given in it.
struct LedParticle {
    Vec3f velocity; ///< m/s
    std::int64_t damping = 0, relaxation = 0, acceleration = 0;
};

/// After damping zones, then relaxation zones. `place`: from the domain's lower corner, m; `held`: by open boundaries,
/// so that no input accelerates it.
///
/// Where velocities leap over two steps, two chains of levels take turns, and what is done to a level counts half. The
/// power of acceleration inputs is summed up with the velocities at the ends of the steps.
SLUICE_HD inline LedParticle led(const LeadView& view, std::uint32_t id, const Vec3d& place, const Vec3f& velocity,
                                 const LevelStep& step, bool held) {
    const Vec3d v = vec_cast<double>(velocity);
    LedParticle now{velocity};
    Vec3d damped_v = v;
    for (int i = 0; i < view.damping_count; ++i) damped_v = damped(view.damping[i], place, damped_v, step);
    const Vec3d to = relaxed(view.relaxation, place, damped_v, step);
    if (!(to == v)) {
        now.velocity = vec_cast<float>(to);
        const Vec3d stored = vec_cast<double>(now.velocity), between = to == damped_v ? stored : damped_v;
        const double half = 0.5 / step.steps;
        now.damping = work_count(half * (dot(between, between) - dot(v, v)), view.inverse_unit);
        now.relaxation = work_count(half * (dot(stored, stored) - dot(between, between)), view.inverse_unit);
    }
    if (held || view.frame_count == 0) return now;
    const Vec3d end = vec_cast<double>(now.velocity);
    const Vec3d a = forced_acceleration(view.frames, view.frame_count, id, place, end);
    now.acceleration = work_count(step.dt * dot(a, end), view.inverse_unit);
    return now;
}

} // namespace SLUICE_ISA
} // namespace sluice
