// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles.h"
#include "cpu/records.h"
#include "cpu/thread_count.h"
#include "model/forcing.h"

namespace sluice::cpu {

/// Adds what damping zones and acceleration inputs do at `time` (s) to the rates of the fluid, first to last.
void add_forcing(const Forcing& forcing, const SortedGroup& fluid, double time, const ThreadCount& threads,
                 Accumulator* rates);

/// Brings the velocities of the fluid in relaxation zones nearer to those that the zones lead to, at the end of a step
/// of `dt` (s) at `time` (s).
void relax_velocities(const Forcing& forcing, SortedGroup& fluid, double time, double dt, const ThreadCount& threads);

} // namespace sluice::cpu
