// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/gpu_memory_plan.h"
#include "cuda/ballot.h"
#include "cuda/control.h"
#include "cuda/gpu_team.h"
#include "cuda/stream.h"
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

/// Lets all devices know the maxima of each, through page-locked memory of the host: no device waits for the host, and
/// none for anything but the others' streams to come as far. Where there are other processes, the host waits for the
/// votes of its devices, and brings those of the others.
class DeviceVotes {
public:
    /// At most so many: a warp counts them.
    static constexpr std::size_t most_voters = most_gpus;
    static_assert(most_voters <= 32);

    DeviceVotes(std::vector<Voter> voters, const GpuTeam& team);
    ~DeviceVotes();
    DeviceVotes(const DeviceVotes&) = delete;
    DeviceVotes& operator=(const DeviceVotes&) = delete;

    /// Enqueues that all devices vote, on one of their streams; what is enqueued there next may count the ballot.
    Ballot cast(cudaStream_t Voter::*on = &Voter::stream);

private:
    void tell_other_processes(Vote* votes, cudaStream_t Voter::*on) const;

    std::vector<Voter> voters_;
    const GpuTeam& team_;
    std::vector<cudaEvent_t> cast_;
    Vote* votes_ = nullptr; ///< page-locked: of two votes, which take turns
    std::size_t turn_ = 0;
};

/// The lists are renewed: the step goes on that paused for it.
void end_pause(Control* control, cudaStream_t stream);

} // namespace sluice::cuda
