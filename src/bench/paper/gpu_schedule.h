// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/modes.h"
#include "cpu/schedules/schedule.h"
#include <string>

namespace sluice::paper {

/// All pairs of a step on a GPU, for a run whose cell lists and updates are the processor's: the particles' records
/// travel there and the rates back. Without any of the paper's optimisations.
class GpuSchedule : public cpu::Schedule {
public:
    /// Name of the GPU.
    virtual std::string device() const = 0;
    /// That particles and rates were on their way, since the start, s.
    virtual double transfer_seconds() const = 0;
    /// Bytes held there.
    virtual std::size_t device_bytes() const = 0;
};

/// For up to `particle_count` particles in cells of a CPU backend. InputError and RunError as make_cuda_backend().
std::unique_ptr<GpuSchedule> make_gpu_schedule(const RunSetup& setup, std::uint32_t particle_count, CellSize cells,
                                               int device = 0);

} // namespace sluice::paper
