// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "core/error.h"
#include "cuda/data/run_arrays.h"

namespace sluice::cuda {

/// The excluded particles that a device has listed. RunError if there were more than it has room to list.
std::vector<ExcludedRecord> download_excluded(const RunArrays& run, const Control& control);

/// Appends what was listed, in the order in which the particles left (ties by id).
void append_excluded(std::vector<ExcludedRecord> records, const FixedGrid& grid, const RunSetup& setup,
                     std::vector<ExcludedParticle>& to);

/// The end of a run whose time step is no longer finite; `without_fluid`: none is left.
RunError blown_up(long long step, double time, bool without_fluid);

/// Device time of the phases.
PhaseSeconds phase_seconds_of(const Control& control);

} // namespace sluice::cuda
