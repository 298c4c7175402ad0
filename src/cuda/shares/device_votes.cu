// SPDX-License-Identifier: Apache-2.0
#include "cuda/shares/device_votes.h"

#include "cuda/device/check.h"
#include "cuda/device/launch_ahead.cuh"

#include <algorithm>
#include <stdexcept>

namespace sluice::cuda {

namespace {

__global__ void cast_kernel(const Control* control, Vote* vote) {
    wait_for_kernel_before();
    *vote = {control->force2_bits,      control->speed_bits,       control->spread_bits,       control->travel_bits,
             control->wall_travel_bits, control->body_spread_bits, unsigned(control->rebuild), 0};
    __threadfence_system();
}

__global__ void end_pause_kernel(Control* control) {
    if (!control->paused) return;
    control->paused = 0;
    control->active = 1;
}

} // namespace

DeviceVotes::DeviceVotes(std::vector<Voter> voters, const GpuTeam& team) : voters_(std::move(voters)), team_(team) {
    if (team_.devices() > most_voters) throw std::logic_error("more devices than a vote can count");
    cast_.reserve(voters_.size());
    for (const Voter& voter : voters_) {
        use_device(voter.device);
        cast_.emplace_back();
    }
}

Ballot DeviceVotes::cast(cudaStream_t Voter::*on) {
    Vote* const votes = votes_.data() + turn_ * most_voters;
    turn_ = 1 - turn_; // a device that writes to the next but one has read all of the next, which all wrote after they
                       // had read this one
    for (std::size_t d = 0; d < voters_.size(); ++d) {
        use_device(voters_[d].device);
        launch_ahead(cast_kernel, 1, 1, voters_[d].*on, "vote of a device", voters_[d].control,
                     votes + voters_[d].number);
        cast_[d].record(voters_[d].*on, "vote of a device");
    }
    for (std::size_t d = 0; d < voters_.size(); ++d)
        for (std::size_t other = 0; other < voters_.size(); ++other)
            if (other != d) cast_[other].let_wait(voters_[d].*on, "vote of a device");
    if (!team_.alone()) tell_other_processes(votes, on);
    return {votes, int(team_.devices())};
}

void DeviceVotes::tell_other_processes(Vote* votes, cudaStream_t Voter::*on) const {
    for (const Voter& voter : voters_) {
        use_device(voter.device);
        wait_for(voter.*on, "vote of a device");
    }
    std::vector<Vote> all(votes, votes + team_.devices());
    team_.complete(all);
    std::copy(all.begin(), all.end(), votes);
}

void end_pause(Control* control, cudaStream_t stream) {
    end_pause_kernel<<<1, 1, 0, stream>>>(control);
    check_launch("end of a pause");
}

} // namespace sluice::cuda
