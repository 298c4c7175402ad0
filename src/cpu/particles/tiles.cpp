// SPDX-License-Identifier: Apache-2.0
#include "cpu/particles/tiles.h"

namespace sluice::cpu {

Tiles::Tiles(const Rows& rows)
    : cells_{static_cast<std::uint32_t>(rows.count_x), static_cast<std::uint32_t>(rows.count_y),
             static_cast<std::uint32_t>(rows.count_z)} {
    for (int axis = 0; axis < 3; ++axis) {
        side_[axis] = tile_side(axis, rows.reach);
        count_[axis] = (cells_[axis] + side_[axis] - 1) / side_[axis];
    }
}

TileGraph::TileGraph(const Tiles& tiles)
    : tiles_(tiles), load_(tiles.count()), rank_(tiles.count()), row_region_(tiles.rows()),
      waits_for_(std::make_unique<std::atomic<std::uint32_t>[]>(2 * std::size_t(tiles.count()))) {
    rank_tiles();
}

/// Layer by layer, an odd one after the even ones on both its sides, colour by colour in each: what tiles share stays
/// in the cache, and what others wait for comes early.
void TileGraph::rank_tiles() {
    std::uint32_t next = 0;
    const auto rank_layer = [&](std::uint32_t z) {
        for (std::uint32_t colour = 0; colour < 4; ++colour)
            tiles_.for_each_of_colour(z, colour, [&](std::uint32_t tile) { rank_[tile] = next++; });
    };
    for (std::uint32_t even = 0; even <= tiles_.layers(); even += 2) {
        if (even < tiles_.layers()) rank_layer(even);
        if (even > 0) rank_layer(even - 1);
    }
}

void TileGraph::prepare(int threads) {
    if (regions_.size() != static_cast<std::size_t>(threads))
        regions_ = std::vector<Region>(static_cast<std::size_t>(threads));
    share_out();
    for (std::uint32_t n = 0; n < 2 * tiles_.count(); ++n) waits_for_[n].store(0, std::memory_order_relaxed);
    const auto for_each_job = [&](const auto& use) {
        for (std::uint32_t tile = 0; tile < tiles_.count(); ++tile)
            for (const Job job : {Job(tile, false), Job(tile, true)})
                if (exists(job)) use(job);
    };
    std::uint32_t jobs = 0;
    for_each_job([&](const Job& job) {
        ++jobs;
        for_each_successor(job,
                           [&](const Job& later) { waits_for_[later.index].fetch_add(1, std::memory_order_relaxed); });
    });
    for_each_job([&](const Job& job) {
        if (waits_for_[job.index].load(std::memory_order_relaxed) == 0) push(job);
    });
    left_.store(jobs, std::memory_order_release);
}

/// Gives each region consecutive rows of tiles with an equal part of the fluid.
void TileGraph::share_out() {
    std::uint64_t total = 0, before = 0;
    for (const Load& load : load_) total += load.fluid;
    for (std::uint32_t tile = 0; tile < tiles_.count(); ++tile) {
        if (load_[tile].fluid > 0)
            row_region_[tiles_.row_of(tile)] = static_cast<std::uint32_t>(before * regions_.size() / total);
        before += load_[tile].fluid;
    }
}

void TileGraph::push(const Job& job) {
    Region& region = regions_[row_region_[tiles_.row_of(job.tile())]];
    const std::uint32_t rank = rank_[job.tile()] + (job.is_fluid() ? tiles_.count() : 0);
    const std::lock_guard lock(region.mutex);
    region.heap.push_back({rank, job});
    std::push_heap(region.heap.begin(), region.heap.end());
    region.has_any.store(true, std::memory_order_relaxed);
}

std::optional<TileGraph::Job> TileGraph::take(std::size_t thread) {
    for (std::size_t k = 0; k < regions_.size(); ++k) {
        Region& region = regions_[(thread + k) % regions_.size()];
        if (!region.has_any.load(std::memory_order_relaxed)) continue;
        const std::lock_guard lock(region.mutex);
        if (region.heap.empty()) continue;
        std::pop_heap(region.heap.begin(), region.heap.end());
        const Job job = region.heap.back().job;
        region.heap.pop_back();
        region.has_any.store(!region.heap.empty(), std::memory_order_relaxed);
        return job;
    }
    return std::nullopt;
}

void TileGraph::finish(const Job& job) {
    for_each_successor(job, [&](const Job& later) {
        if (waits_for_[later.index].fetch_sub(1, std::memory_order_acq_rel) == 1) push(later);
    });
    left_.fetch_sub(1, std::memory_order_acq_rel);
}

std::size_t TileGraph::bytes() const {
    std::size_t total = load_.size() * (sizeof(Load) + sizeof(rank_[0]) + 2 * sizeof(waits_for_[0])) +
                        row_region_.size() * sizeof(row_region_[0]);
    for (const Region& region : regions_) total += sizeof(Region) + region.heap.capacity() * sizeof(region.heap[0]);
    return total;
}

} // namespace sluice::cpu
