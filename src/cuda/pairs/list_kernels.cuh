// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/launch_ahead.cuh"
#include "cuda/pairs/image_loops.h"
#include "cuda/pairs/interaction_kernels.cuh"
#include "cuda/pairs/list_parts.h"

namespace sluice::cuda {

// ---- what the entries of a list are (ListView)

/// Numbers of particles.
struct LongEntries {
    static constexpr int per_chunk = ListView::entries_per_chunk(false);
    struct Shared {};

    __device__ LongEntries(const ListView&, Shared&, std::uint32_t) {}
    __device__ void use_row(int, std::uint32_t) {}
    template <class Use>
    __device__ void for_each(const uint4& chunk, Use&& use) const {
        use(chunk.x);
        use(chunk.y);
        use(chunk.z);
        use(chunk.w);
    }
};

/// Row and place. A lane reads only what it has brought to shared memory itself, from banks of its own.
template <bool Periodic>
struct ShortEntries {
    static constexpr int per_chunk = ListView::entries_per_chunk(true);
    struct Shared {
        std::uint32_t row_starts[4][(list_rows + Periodic) * 32]; ///< per warp
    };

    __device__ ShortEntries(const ListView& lists, Shared& shared, std::uint32_t tile)
        : row_starts_(shared.row_starts[threadIdx.x / 32] + threadIdx.x % 32) {
        const std::uint32_t* const from = lists.row_starts + std::size_t(tile) * list_rows * 32 + threadIdx.x % 32;
#pragma unroll
        for (int row = 0; row < list_rows; ++row) row_starts_[row * 32] = from[row * 32];
    }
    /// Entries count from another start of a row from now on.
    __device__ void use_row(int row, std::uint32_t start) { row_starts_[row * 32] = start; }
    template <class Use>
    __device__ void for_each(const uint4& chunk, Use&& use) const {
        for_both(chunk.x, use);
        for_both(chunk.y, use);
        for_both(chunk.z, use);
        for_both(chunk.w, use);
    }

private:
    template <class Use>
    __device__ void for_both(std::uint32_t two, Use&& use) const {
        use(particle(two & 0xffffu));
        use(particle(two >> 16));
    }
    __device__ std::uint32_t particle(std::uint32_t code) const {
        return row_starts_[ListView::row_of(code) * 32] + ListView::place_of(code);
    }

    std::uint32_t* row_starts_;
};

/// The chunks of a list that one of `Warps` warps takes: every so many-th eight of entries, so that all are at the same
/// place of their lists, and what one has brought to the L1 cache the others find there.
template <class Entries, int Warps>
struct ChunksOfWarp {
    static constexpr int per_eight = 8 / Entries::per_chunk;

    __device__ static int first(int warp) { return warp * per_eight; }
    __device__ static int behind(int chunk) {
        if (Warps == 1 || chunk % per_eight != per_eight - 1) return chunk + 1;
        return chunk + 1 + (Warps - 1) * per_eight;
    }
};

/// The chunks of a list below `end`, from `first` on, that one warp takes. The kernel does not test first whether a
/// listed neighbour is near: lanes that wait for others gain nothing by skipping it.
template <class F, class Chunks, class Entries, class Parts>
__device__ FluidSums sum_listed(const InteractionView& v, const sph::PairConstants<float>& c, Target a, Entries entries,
                                Parts parts, const uint4* list, int first, int end) {
    FluidSums sums;
    uint4 next = first < end ? __ldcs(list + first * 32) : uint4{};
    for (int g = first, behind = Chunks::behind(g); g < end; g = behind, behind = Chunks::behind(g)) {
        const uint4 chunk = next;
        if (behind < end) next = __ldcs(list + behind * 32);
        parts.go_to(g, a, [&](int row, std::uint32_t start) { entries.use_row(row, start); });
        entries.for_each(chunk, [&](std::uint32_t j) {
            if (!parts.fills_up(j)) add_pair<Gathered<F>, true>(v, c, a, j, sums);
        });
    }
    sums.scale(sph::pair_scales<typename F::Kernel>(c), a.side.rho);
    return sums;
}

/// F–F through the lists, or through the cells of the last build for tiles without lists; F–B through the cells of the
/// boundary around the particle's present position. What `part` of `Parts` warps of a tile do of all that.
template <class F, class Entries, int Parts, bool Periodic>
__device__ FluidSums sum_part(const InteractionArgs& args, const ListView& lists, typename Entries::Shared& shared,
                              const Target& a, std::uint32_t k, int part) {
    const InteractionView& v = args.view;
    const std::uint32_t tile = k / 32, cell = v.cell[args.own_first + k];
    const std::uint16_t length = lists.tile_lengths[tile];
    FluidSums sums;
    if (length != ListView::overflowing) {
        using Chunks = ChunksOfWarp<Entries, Parts>;
        const int chunks = Periodic ? ListView::chunks_of(length) : length, first = Chunks::first(part);
        const uint4* const list = lists.entries + std::size_t(tile) * lists.tile_capacity * 32 + k % 32;
        const Entries entries(lists, shared, tile);
        if (Periodic && chunks != length)
            sums = sum_listed<F, Chunks>(
                v, args.pairs.fluid, a, entries,
                PartsOfList(v, args.period, lists.parts(tile, k % 32), Chunks::per_eight, args.own_first + k), list,
                first, chunks);
        else
            sums = sum_listed<F, Chunks>(v, args.pairs.fluid, a, entries, OnePart{}, list, first, chunks);
    } else if (part == 0) {
        sums = sum_fluid<F>(v, args.pairs.fluid, a, WholeRows{v.grid, v.fluid}, cell);
        if constexpr (Periodic) sums.add(sum_fluid_images<F>(v, args.pairs.fluid, args.period, a, cell));
    }
    if (v.near_boundary[cell]) {
        if constexpr (Periodic)
            sums.add(sum_wall_and_images<F>(v, args.pairs.boundary, args.period, a, cell, part, Parts));
        else {
            const std::uint32_t now = cell_of(v.grid, unwrap(v.grid, a.position(), cell));
            sums.add(sum_wall<F>(v, args.pairs.boundary, a,
                                 EveryNthRow<SearchedRows>{{v.grid, v.boundary}, part, Parts}, now));
        }
    }
    return sums;
}

/// Sums of one warp's particles, handed to the warp that finishes them.
struct SumsSlot {
    float ax[32], ay[32], az[32], density[32], diffusion[32], viscous[32];
    int touches[32];

    __device__ void put(int lane, const FluidSums& s) {
        ax[lane] = s.ax;
        ay[lane] = s.ay;
        az[lane] = s.az;
        density[lane] = s.density;
        diffusion[lane] = s.diffusion;
        viscous[lane] = s.viscous;
        touches[lane] = s.touches_boundary;
    }
    __device__ FluidSums get(int lane) const {
        FluidSums s;
        s.ax = ax[lane];
        s.ay = ay[lane];
        s.az = az[lane];
        s.density = density[lane];
        s.diffusion = diffusion[lane];
        s.viscous = viscous[lane];
        s.touches_boundary = touches[lane];
        return s;
    }
};

/// `Parts` warps a tile: more than one when there are too few particles to keep the device busy. The sums of the
/// warps are added in their order. `Open`: the run may have zones of open boundaries.
template <class F, class Entries, int Parts, bool Periodic, bool Open>
__global__ void __launch_bounds__(128, 8)
    listed_fluid_kernel(const __grid_constant__ InteractionArgs args, ListView lists, OwnParticles which) {
    wait_for_kernel_before();
    constexpr int tiles_per_block = 4 / Parts;
    __shared__ typename Entries::Shared shared;
    __shared__ SumsSlot slots[Parts > 1 ? 4 : 1];
    const Control& control = *args.control;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, part = warp % Parts;
    const std::uint32_t n = (blockIdx.x * tiles_per_block + warp / Parts) * 32 + lane, k = which.number(n),
                        i = args.own_first + k;
    const bool valid =
        control.active && !control.rebuild && n < which.count() && i < control.alive && !(Open && args.is_vacated(i));
    FluidSums sums;
    Target a{};
    if (valid) {
        a = load_target(args.view, i);
        sums = sum_part<F, Entries, Parts, Periodic>(args, lists, shared, a, k, part);
    }
    if constexpr (Parts > 1) {
        if (valid && part > 0) slots[warp].put(lane, sums);
        __syncthreads();
        if (part > 0) return;
        for (int other = 1; other < Parts; ++other)
            if (valid) sums.add(slots[warp + other].get(lane));
    }
    finish_particle<Open, F::general>(args, i, valid, a.side.rho, sums);
}

/// Lanes that share a boundary particle and take its candidates in turn: rows of large cells are long.
inline constexpr unsigned boundary_lanes = 8;

/// B–F through the cells of the last build: both have moved since, so cells further away count once the fluid
/// may have come from there. Not of those that have lists.
template <class Continuity, bool Periodic>
__global__ void listed_boundary_kernel(const __grid_constant__ InteractionArgs args, BodyLists lists,
                                       const std::uint32_t* ids, float one_cell_travel) {
    WholeRows fluid{args.view.grid, args.view.fluid};
    const float travel = __uint_as_float(args.control->travel_bits) + __uint_as_float(args.control->wall_travel_bits);
    if (travel > one_cell_travel) fluid.grid.reach = 2;
    const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x,
                        i = args.own_walls.begin + thread / boundary_lanes;
    const bool is_own = args.control->active && i < args.own_walls.end,
               valid = is_own && !(lists.any() && lists.has(ids[i]));
    float density = 0;
    if (valid)
        density = sum_boundary_particle<Continuity>(args.view, args.boundary_pairs, fluid, i, thread % boundary_lanes,
                                                    boundary_lanes);
    if constexpr (Periodic)
        if (valid)
            density += sum_boundary_images<Continuity>(args.view, args.boundary_pairs, args.period, fluid.grid.reach, i,
                                                       thread % boundary_lanes, boundary_lanes);
#pragma unroll
    for (unsigned offset = boundary_lanes / 2; offset > 0; offset /= 2)
        density += __shfl_xor_sync(0xffffffffu, density, offset);
    if (valid && thread % boundary_lanes == 0) args.rates[i] = {0, 0, 0, density};
    raise_boundary_speed(args, i, is_own);
}

template <class F, class Entries, int Parts, bool Periodic>
void launch_parts(const InteractionArgs& args, const ListArgs& lists, const OwnParticles& which, cudaStream_t stream) {
    const auto launch = [&](auto kernel) {
        launch_ahead(kernel, blocks_for(std::uint64_t(which.count()) * Parts, 128), 128, stream,
                     "interaction of the fluid particles", args, lists.lists, which);
    };
    if constexpr (!F::general) // whose runs are few: one kernel does for them
        if (!args.zone) return launch(listed_fluid_kernel<F, Entries, Parts, Periodic, false>);
    launch(listed_fluid_kernel<F, Entries, Parts, Periodic, true>);
}

template <class F, class Entries, bool Periodic>
void launch_listed_fluid(const InteractionArgs& args, const ListArgs& lists, const OwnParticles& which,
                         cudaStream_t stream) {
    if (which.count() == 0) return;
    if (lists.few_particles)
        launch_parts<F, Entries, 4, Periodic>(args, lists, which, stream);
    else
        launch_parts<F, Entries, 1, Periodic>(args, lists, which, stream);
}

/// The kernels for a formulation without density diffusion.
template <class Kernel>
std::vector<GpuKernel> list_kernels() {
    using F = sph::Formulation<Kernel, sph::DensityDiffusion::none>;
    return {
        describe_kernel("NeighbourList, fluid", listed_fluid_kernel<F, LongEntries, 1, false, false>, 128),
        describe_kernel("NeighbourList16, fluid", listed_fluid_kernel<F, ShortEntries<false>, 1, false, false>, 128),
        describe_kernel("NeighbourList, boundary",
                        listed_boundary_kernel<sph::Continuity<Kernel, sph::PressureForm::squares>, false>, 128)};
}

template <class Kernel, bool Periodic, bool Whole>
void launch_list_interaction(const InteractionArgs& args, const ListArgs& lists, const ListedParticles& which,
                             cudaStream_t stream) {
    if (which.boundary && args.visits_boundary()) {
        const unsigned blocks =
            blocks_for(std::uint64_t(args.own_walls.end - args.own_walls.begin) * boundary_lanes, 128);
        sph::with_continuity<Kernel>(args.step.run, [&]<class C>(C) {
            listed_boundary_kernel<C, Periodic>
                <<<blocks, 128, 0, stream>>>(args, lists.bodies, lists.id, one_cell_travel(lists));
        });
        check_launch("interaction of the boundary particles");
    }
    with_pairs_of<Kernel, Whole>(args, [&]<class F>(F) {
        if (lists.lists.is_short())
            launch_listed_fluid<F, ShortEntries<Periodic>, Periodic>(args, lists, which.fluid, stream);
        else
            launch_listed_fluid<F, LongEntries, Periodic>(args, lists, which.fluid, stream);
    });
}

} // namespace sluice::cuda
