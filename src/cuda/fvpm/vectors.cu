// SPDX-License-Identifier: Apache-2.0
#include "cuda/fvpm/vectors.h"

#include "cuda/device/block_size.cuh"
#include "methods/fvpm/vectors.h"
#include "physics/fvpm/caps.h"

namespace sluice::cuda::fvpm {

namespace {

constexpr unsigned all_lanes = 0xffffffffu;
constexpr double full_turn = 2 * 3.14159265358979323846;

/// Weights by the number of caps that cover a point or an arc (physics/fvpm/caps.h): divisions are done once a block.
struct WeightTable {
    double of_others[most_neighbours + 1], of_own[most_neighbours + 1]; ///< WeightJumps
    double of_cover[most_neighbours + 1], of_circle[most_neighbours + 1];
};

/// What the lanes of a warp share: the circles of the particle, and the ends of the arcs on one of them.
template <int chunks>
struct WarpShare {
    Circle<double> circle[32 * chunks];
    double angle[2][32 * chunks], cosine[2][32 * chunks], sine[2][32 * chunks]; ///< [0]: begins
};

/// The next smaller number.
__device__ double just_below(double x) {
    const long long bits = __double_as_longlong(x);
    if (x == 0) return __longlong_as_double(0x8000000000000001ll);
    return __longlong_as_double(x > 0 ? bits - 1 : bits + 1);
}

/// The caps of one lane, one a chunk of 32 neighbours, on a circle.
template <int chunks>
struct LaneArcs {
    double from[chunks], to[chunks];
    bool part[chunks], whole[chunks];
};

template <class Weights>
__device__ void fill_table(WeightTable& table) {
    for (int n = threadIdx.x; n <= most_neighbours; n += blockDim.x) {
        const WeightJumps<double> jumps = Weights::at(double(n));
        table.of_others[n] = jumps.of_others;
        table.of_own[n] = jumps.of_own; // on a sphere of_circle is the same, in the plane no circle has a cap
        table.of_cover[n] = n > 0 ? Weights::of_cover(double(n)) : 0;
        table.of_circle[n] = Weights::of_circle(double(n));
    }
}

/// The sums of each cap of the lane on one circle, which is cap `own`'s (−1: no cap's).
template <int chunks>
__device__ void sum_arcs(const Circle<double>& circle, int own, const Cap<double> (&cap)[chunks],
                         WarpShare<chunks>& share, const WeightTable& table, ArcSums<double> (&sums)[chunks]) {
    const int lane = threadIdx.x % 32;
    LaneArcs<chunks> arcs;
    unsigned parts[chunks];
    int covers = 0, at_cut = 0;
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
        const int m = 32 * c + lane;
        const CoveredArc<double> arc = arc_covered(circle, cap[c]);
        arcs.from[c] = arc.from;
        arcs.to[c] = arc.to;
        arcs.part[c] = arc.part && m != own;
        arcs.whole[c] = arc.whole && m != own;
        share.angle[0][m] = arc.from;
        share.cosine[0][m] = arc.cos_from;
        share.sine[0][m] = arc.sin_from;
        share.angle[1][m] = arc.to;
        share.cosine[1][m] = arc.cos_to;
        share.sine[1][m] = arc.sin_to;
        parts[c] = __ballot_sync(all_lanes, arcs.part[c]);
        covers += __popc(__ballot_sync(all_lanes, arcs.whole[c]));
        at_cut += __popc(__ballot_sync(all_lanes, arcs.part[c] && arc.from > arc.to));
        sums[c] = {};
    }
    __syncwarp();
    at_cut += covers;

#pragma unroll
    for (int chunk = 0; chunk < chunks; ++chunk)
        for (unsigned left = parts[chunk]; left != 0; left &= left - 1) {
            const int a = 32 * chunk + __ffs(left) - 1;
            double from[chunks], to[chunks]; // a later number at the same angle lies behind
#pragma unroll
            for (int c = 0; c < chunks; ++c) {
                const bool later = a > 32 * c + lane;
                from[c] = later ? just_below(arcs.from[c]) : arcs.from[c];
                to[c] = later ? just_below(arcs.to[c]) : arcs.to[c];
            }
#pragma unroll
            for (int end = 0; end < 2; ++end) {
                const double angle = share.angle[end][a], cosine = share.cosine[end][a], sine = share.sine[end][a];
                bool inside[chunks];
                int count = covers;
#pragma unroll
                for (int c = 0; c < chunks; ++c) {
                    const bool behind_from = angle > from[c], behind_to = angle > to[c];
                    const bool within_arc =
                        arcs.from[c] > arcs.to[c] ? behind_from || !behind_to : behind_from && !behind_to;
                    inside[c] = arcs.part[c] && within_arc && a != 32 * c + lane;
                    count += __popc(__ballot_sync(all_lanes, inside[c]));
                }
                const double others = table.of_others[count], of_own = table.of_own[count];
#pragma unroll
                for (int c = 0; c < chunks; ++c) {
                    const int m = 32 * c + lane;
                    const double jump = inside[c] || arcs.whole[c] ? others : m == a || m == own ? of_own : 0.0;
                    const double weight = end == 0 ? jump : -jump;
                    sums[c].cosine += weight * cosine;
                    sums[c].sine += weight * sine;
                    sums[c].angle += weight * angle;
                }
            }
        }
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
        const bool through_cut = arcs.whole[c] || (arcs.part[c] && arcs.from[c] > arcs.to[c]);
        const double weight = through_cut            ? table.of_cover[at_cut]
                              : 32 * c + lane == own ? table.of_circle[at_cut]
                                                     : 0.0;
        sums[c].angle += full_turn * weight;
    }
    __syncwarp(); // the ends are read
}

template <class Weights, int chunks>
__global__ void __launch_bounds__(32 * 8 / chunks)
    vectors_kernel(ParticlePointers particles, RowPointers rows, std::uint32_t count) {
    __shared__ WeightTable table;
    __shared__ WarpShare<chunks> shares[8 / chunks];
    fill_table<Weights>(table);
    __syncthreads();
    const std::uint32_t i = blockIdx.x * (8 / chunks) + threadIdx.x / 32;
    if (i >= count) return;
    const std::uint32_t first = rows.first[i], neighbours = rows.first[i + 1] - first;
    // rows of other lengths are for the kernels of more or fewer chunks
    if (neighbours > 32u * chunks || (chunks > 1 && neighbours <= 16u * chunks)) return;

    WarpShare<chunks>& share = shares[threadIdx.x / 32];
    const int lane = threadIdx.x % 32;
    const Vec3d x = particles.position[i];
    const double h = particles.radius[i];
    Cap<double> cap[chunks];
    Vec3d vectors[chunks];
    unsigned circles[chunks];
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
        const std::uint32_t m = 32 * c + lane;
        cap[c] = {{0, 0, 1}, 2}; // none
        if (m < neighbours) {
            const std::uint32_t j = rows.neighbour[first + m];
            cap[c] = cap_of(particles.position[j] - x, h, particles.radius[j]);
        }
        const bool has_circle = fabs(cap[c].offset) < 1;
        if (has_circle) share.circle[m] = circle_of(cap[c]);
        circles[c] = __ballot_sync(all_lanes, has_circle);
        vectors[c] = {};
    }
    __syncwarp();

    ArcSums<double> sums[chunks];
    double face = h;
    if constexpr (std::is_same_v<Weights, PlanarWeights>) {
        const Circle<double> circle = planar_circle<double>();
        sum_arcs<chunks>(circle, -1, cap, share, table, sums);
#pragma unroll
        for (int c = 0; c < chunks; ++c) vectors[c] = arc_length(circle, sums[c]);
    } else {
        face = h * h;
        for (int chunk = 0; chunk < chunks; ++chunk)
            for (unsigned left = circles[chunk]; left != 0; left &= left - 1) {
                const int k = 32 * chunk + __ffs(left) - 1;
                const Circle<double> circle = share.circle[k];
                sum_arcs<chunks>(circle, k, cap, share, table, sums);
#pragma unroll
                for (int c = 0; c < chunks; ++c) vectors[c] = vectors[c] + arc_area(circle, sums[c]);
            }
    }
#pragma unroll
    for (int c = 0; c < chunks; ++c)
        if (32u * c + lane < neighbours) rows.vectors[first + 32 * c + lane] = face * vectors[c];
}

template <class Weights, int chunks>
void launch(const ParticlePointers& particles, const RowPointers& rows, std::uint32_t count, cudaStream_t stream) {
    constexpr int block = 32 * 8 / chunks;
    vectors_kernel<Weights, chunks>
        <<<blocks_for(std::uint64_t(count) * 32, block), block, 0, stream>>>(particles, rows, count);
    check_launch("interaction vectors");
}

template <class Weights>
void launch_all(const ParticlePointers& particles, const RowPointers& rows, std::uint32_t count, std::uint32_t longest,
                cudaStream_t stream) {
    launch<Weights, 1>(particles, rows, count, stream);
    if (longest > 32) launch<Weights, 2>(particles, rows, count, stream);
    if (longest > 64) launch<Weights, 4>(particles, rows, count, stream);
}

} // namespace

void find_vectors(const ParticlePointers& particles, const RowPointers& rows, std::uint32_t count,
                  std::uint32_t longest, int dimensions, cudaStream_t stream) {
    if (dimensions == 3)
        launch_all<SphereWeights>(particles, rows, count, longest, stream);
    else
        launch_all<PlanarWeights>(particles, rows, count, longest, stream);
}

} // namespace sluice::cuda::fvpm
