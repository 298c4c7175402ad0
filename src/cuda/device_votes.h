// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/control.h"
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

/// One device as its votes go: where it keeps its control, and its stream.
struct Voter {
    int device = 0;
    Control* control = nullptr;
    cudaStream_t stream = nullptr;
};

/// Brings the maxima of all devices into the control of each, through page-locked memory of the host: no device waits
/// for the host, and none for anything but the others' streams to come as far.
class DeviceVotes {
public:
    /// At most so many: a warp counts them.
    static constexpr std::size_t most_voters = 32;

    explicit DeviceVotes(std::vector<Voter> voters);
    ~DeviceVotes();
    DeviceVotes(const DeviceVotes&) = delete;
    DeviceVotes& operator=(const DeviceVotes&) = delete;

    /// Enqueues a vote on all streams. `lists_measured`: the lists have just been measured; if any device knew already
    /// that they must be renewed, that counts for nothing, as a device alone would not have measured then.
    void enqueue(bool lists_measured);

private:
    std::vector<Voter> voters_;
    std::vector<cudaEvent_t> cast_;
    Vote* votes_ = nullptr; ///< page-locked: of two votes, which take turns
    std::size_t turn_ = 0;
};

/// After the decision about the lists: a step that is to be taken, but not with these lists, pauses.
void pause_for_renewal(Control* control, cudaStream_t stream);
/// The lists are renewed.
void end_pause(Control* control, cudaStream_t stream);

} // namespace sluice::cuda
