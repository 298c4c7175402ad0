// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/control.h"
#include "cuda/gpu_team.h"
#include "cuda/stream.h"
#include <vector>

namespace sluice::cuda {

/// What devices that share a run must know of one another: all of it maxima.
struct alignas(32) Vote {
    unsigned force2_bits, speed_bits;
    unsigned spread_bits, travel_bits, wall_travel_bits;
    unsigned rebuild;
    unsigned unused[2];
};

/// The votes of all devices, for a kernel that counts them.
struct Ballot {
    const Vote* votes = nullptr;
    int voters = 0;
};

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
    static constexpr std::size_t most_voters = 32;

    DeviceVotes(std::vector<Voter> voters, const GpuTeam& team);
    ~DeviceVotes();
    DeviceVotes(const DeviceVotes&) = delete;
    DeviceVotes& operator=(const DeviceVotes&) = delete;

    /// Enqueues that all devices vote, on one of their streams; what is enqueued there next may count the ballot.
    Ballot cast(cudaStream_t Voter::*on = &Voter::stream);
    /// The same, with the count of what limits the time step.
    void agree_on_limits();

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

#ifdef __CUDACC__
/// The maxima of a ballot, by a whole warp; all lanes have them.
__device__ inline Vote count_votes(const Ballot& ballot) {
    const auto greatest = [](unsigned bits) {
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) {
            const unsigned other = __shfl_xor_sync(0xffffffffu, bits, offset);
            bits = other > bits ? other : bits;
        }
        return bits;
    };
    Vote all{};
    if (int(threadIdx.x) < ballot.voters) {
        const volatile Vote& vote = ballot.votes[threadIdx.x];
        all.force2_bits = vote.force2_bits;
        all.speed_bits = vote.speed_bits;
        all.spread_bits = vote.spread_bits;
        all.travel_bits = vote.travel_bits;
        all.wall_travel_bits = vote.wall_travel_bits;
        all.rebuild = vote.rebuild;
    }
    all.force2_bits = greatest(all.force2_bits);
    all.speed_bits = greatest(all.speed_bits);
    all.spread_bits = greatest(all.spread_bits);
    all.travel_bits = greatest(all.travel_bits);
    all.wall_travel_bits = greatest(all.wall_travel_bits);
    all.rebuild = greatest(all.rebuild);
    return all;
}
#endif

} // namespace sluice::cuda
