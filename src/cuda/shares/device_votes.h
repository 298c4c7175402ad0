// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/gpu_memory_plan.h"
#include "cuda/data/control.h"
#include "cuda/device/ballot.h"
#include "cuda/device/runtime.h"
#include "cuda/device/stream.h"
#include "cuda/shares/gpu_team.h"
#include <vector>

namespace sluice::cuda {

/// One device of this process as its votes go: its number in the run, where it keeps its control, its stream, and the
/// one beside it.
struct Voter {
    std::size_t number = 0;
    int device = 0;
    Control* control = nullptr;
    cudaStream_t stream = nullptr, beside = nullptr;
};

/// All-reduces the maxima of the devices through page-locked memory of the host. No device waits for the host; each
/// waits only until the others' streams have reached the same point. With several processes the host waits for the
/// values of its devices, and exchanges them with the other processes.
class DeviceVotes {
public:
    /// At most so many: a warp counts them.
    static constexpr std::size_t most_voters = most_gpus;
    static_assert(most_voters <= 32);

    DeviceVotes(std::vector<Voter> voters, const GpuTeam& team);

    /// Enqueues the all-reduce of the maxima on one stream of each device; kernels enqueued there next may read the
    /// result.
    Ballot cast(cudaStream_t Voter::*on = &Voter::stream);

private:
    void tell_other_processes(Vote* votes, cudaStream_t Voter::*on) const;

    std::vector<Voter> voters_;
    const GpuTeam& team_;
    std::vector<Event> cast_;
    PageLocked<Vote> votes_{2 * most_voters}; ///< of two votes, which take turns
    std::size_t turn_ = 0;
};

/// The lists are renewed: the step goes on that paused for it.
void end_pause(Control* control, cudaStream_t stream);

} // namespace sluice::cuda
