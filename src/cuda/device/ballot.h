// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::cuda {

/// The values that the devices of a run all-reduce: all of them are maxima.
struct alignas(32) Vote {
    unsigned force2_bits, speed_bits;
    unsigned spread_bits, travel_bits, wall_travel_bits, body_spread_bits;
    unsigned rebuild;
    unsigned unused;
};

/// The values of all devices, for a kernel that reduces them.
struct Ballot {
    const Vote* votes = nullptr;
    int voters = 0;
};

#ifdef __CUDACC__
/// The maxima over all devices, computed by a whole warp; all lanes get them.
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
        all.body_spread_bits = vote.body_spread_bits;
        all.rebuild = vote.rebuild;
    }
    all.force2_bits = greatest(all.force2_bits);
    all.speed_bits = greatest(all.speed_bits);
    all.spread_bits = greatest(all.spread_bits);
    all.travel_bits = greatest(all.travel_bits);
    all.wall_travel_bits = greatest(all.wall_travel_bits);
    all.body_spread_bits = greatest(all.body_spread_bits);
    all.rebuild = greatest(all.rebuild);
    return all;
}
#endif

} // namespace sluice::cuda
