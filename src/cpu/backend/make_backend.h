// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/modes.h"
#include "cpu/schedules/schedule.h"

namespace sluice::cpu {

/// A CPU backend whose pairs are computed by another schedule than that of a mode: for benches and tests. Layers of
/// rows of cells follow one another along z. `threads`: for the rest of a step; 0: all that the machine has.
std::unique_ptr<Backend> make_cpu_backend_with(const RunSetup& setup, CellSize cells, int threads,
                                               std::unique_ptr<Schedule> schedule);

} // namespace sluice::cpu
