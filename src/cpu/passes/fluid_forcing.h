// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "cpu/particles/records.h"
#include "cpu/particles/thread_count.h"
#include "model/forcing.h"
#include "model/work_counts.h"
#include "physics/level_step.h"

namespace sluice::cpu {

/// Adds what acceleration inputs do at `time` (s) to the rates of the fluid, first to last; not of what open boundaries
/// hold. `zones`: as below.
void add_forcing(const Forcing& forcing, const SortedGroup& fluid, double time, const ThreadCount& threads,
                 const std::int32_t* zones, Accumulator* rates);

/// Brings the velocities of the fluid in damping and relaxation zones nearer to those that the zones lead to, at the
/// end of a step. Returns the work of these and of acceleration inputs on this rank's particles in the step, in units
/// of `work_unit` (J/kg). `also`: previous: zones lead that velocity, too, and its work does not count. `zones`: of
/// open boundaries, by particle, −1: none; null: there are none.
WorkCounts relax_velocities(const Forcing& forcing, SortedGroup& fluid, const LevelStep& step, FlowVelocity also,
                            double work_unit, const std::int32_t* zones, const Space& space,
                            const ThreadCount& threads);

} // namespace sluice::cpu
