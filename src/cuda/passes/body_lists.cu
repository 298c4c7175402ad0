// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/block_size.cuh"
#include "cuda/search/list_search.cuh"

// The lists of boundary particles (BodyLists).

namespace sluice::cuda {

namespace {

/// Where the boundary particles with lists are, and their cells. A thread a boundary particle.
__global__ void body_places_kernel(ListArgs args) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    const Range& ids = args.bodies.ids;
    if (i >= args.boundary_count || !ids.contains(args.id[i])) return;
    args.bodies.place[args.id[i] - ids.begin] = i;
    const std::uint32_t cell = args.view.cell[i], first = args.view.boundary.base + args.view.boundary.begin[cell];
    for (std::uint32_t before = first; before < i; ++before)
        if (ids.contains(args.id[before])) return; // that particle enters the cell
    args.bodies.cells[atomicAdd(&args.control->body_cells, 1u)] = cell;
}

/// The lists of boundary particles (BodyLists), one block a tile.
__global__ void __launch_bounds__(build_threads) build_bodies_kernel(const __grid_constant__ ListArgs args) {
    extern __shared__ __align__(16) char shared[];
    const BuildMemory memory(shared, args.slots_per_residue);
    const BodyLists& lists = args.bodies;
    const std::uint32_t n = blockIdx.x * warp + threadIdx.x % warp;
    const bool exists = n < lists.count();
    const std::uint32_t i = exists ? lists.place[n] : 0, cell = args.view.cell[i];
    const float radius = args.cell_side / args.view.grid.unit * 1.00002f;
    Seeker seeker{load16(args.position + i), cell_coordinates(args.view.grid, cell), exists};
    if (sees_across(args, unwrap(args.view.grid, seeker.at, cell), static_cast<long long>(radius) + 1))
        seeker.seeks = false;
    const Found found = find_neighbours(args, seeker, radius * radius, memory);
    constexpr int per_chunk = ListView::entries_per_chunk(false);
    const int chunks = (found.total + per_chunk - 1) / per_chunk;
    const bool has_list = seeker.seeks && found.fits && chunks <= int(lists.capacity);
    write_lists({lists.entries, nullptr, nullptr, lists.capacity}, memory, found.total, i, lists.list(n),
                has_list ? chunks : 0);
    if (exists && threadIdx.x < warp) lists.length[n] = has_list ? std::uint16_t(chunks) : ListView::overflowing;
}

} // namespace

void build_body_lists(const ListArgs& args, cudaStream_t stream) {
    body_places_kernel<<<blocks_for(args.boundary_count, 256), 256, 0, stream>>>(args);
    check_launch("places of the bodies' particles");
    const int shared_bytes = build_shared_bytes(args.slots_per_residue);
    allow_shared_memory(build_bodies_kernel, shared_bytes);
    build_bodies_kernel<<<blocks_for(args.bodies.count(), warp), build_threads, shared_bytes, stream>>>(args);
    check_launch("build of the bodies' lists");
}

} // namespace sluice::cuda
