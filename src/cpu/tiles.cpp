// SPDX-License-Identifier: Apache-2.0
#include "cpu/tiles.h"

namespace sluice::cpu {

Tiles::Tiles(const Rows& rows)
    : cells_{static_cast<std::uint32_t>(rows.count_x), static_cast<std::uint32_t>(rows.count_y),
             static_cast<std::uint32_t>(rows.count_z)} {
    const auto reach = static_cast<std::uint32_t>(rows.reach);
    const auto tiles_along = [&](int axis, std::uint32_t side) { return (cells_[axis] + side - 1) / side; };
    // Twice the reach is the least that keeps tiles of one colour apart. Thicker tiles have less surface, across which
    // particles are fetched again for the neighbour; thin ones are more to share out. So: thick ones where there are
    // plenty, also for many threads. The numbers depend on this, and so this may not depend on the threads.
    constexpr std::uint32_t plenty = 1200;
    const std::uint32_t least = 2 * reach;
    const std::uint32_t thickness = tiles_along(1, least) * tiles_along(2, least) > plenty ? 2 * least : least;
    const std::uint32_t sides[3] = {16 * reach, thickness, thickness};
    for (int axis = 0; axis < 3; ++axis) {
        side_[axis] = sides[axis];
        count_[axis] = tiles_along(axis, sides[axis]);
    }
}

TilePass::TilePass(const Tiles& tiles)
    : tiles_(tiles), weight_(tiles.count()), row_queue_(tiles.rows()),
      done_(std::make_unique<std::atomic<bool>[]>(tiles.count())) {}

/// Gives each queue consecutive rows of tiles with an equal part of the work, and puts its tiles into an order in which
/// lower colours come before the higher ones that they touch; beyond that the order is free, and changes no number.
/// Layer by layer, an odd one after the even ones on both its sides, keeps what tiles share in the cache. Where layers
/// are small that would leave the threads waiting between colours: then colour by colour.
void TilePass::fill_queues(std::size_t count) {
    if (queues_.size() != count) queues_ = std::vector<Queue>(count);
    std::uint64_t total = 0, wanted = 0, before = 0;
    for (const std::uint32_t weight : weight_) {
        total += weight;
        wanted += weight > 0;
    }
    std::fill(row_queue_.begin(), row_queue_.end(), 0u);
    for (std::uint32_t tile = 0; tile < tiles_.count(); ++tile) {
        if (weight_[tile] > 0)
            row_queue_[tiles_.row_of(tile)] = static_cast<std::uint32_t>(before * queues_.size() / total);
        before += weight_[tile];
    }
    for (Queue& queue : queues_) {
        queue.tiles.clear();
        queue.next.store(0, std::memory_order_relaxed);
    }
    const auto add = [&](std::uint32_t z, std::uint32_t colour) {
        tiles_.for_each_of_colour(z, colour, [&](std::uint32_t tile) {
            if (weight_[tile] > 0) queues_[row_queue_[tiles_.row_of(tile)]].tiles.push_back(tile);
        });
    };
    constexpr std::uint32_t layer_colours = 4;
    const std::uint32_t layers = tiles_.layers();
    if (wanted >= 4 * queues_.size() * layer_colours * layers) {
        for (std::uint32_t even = 0; even <= layers; even += 2) {
            if (even < layers)
                for (std::uint32_t colour = 0; colour < layer_colours; ++colour) add(even, colour);
            if (even > 0)
                for (std::uint32_t colour = 0; colour < layer_colours; ++colour) add(even - 1, colour);
        }
    } else {
        for (std::uint32_t parity = 0; parity < 2; ++parity)
            for (std::uint32_t colour = 0; colour < layer_colours; ++colour)
                for (std::uint32_t z = parity; z < layers; z += 2) add(z, colour);
    }
}

std::size_t TilePass::bytes() const {
    std::size_t total = tiles_.count() * (sizeof(std::uint32_t) + sizeof(std::atomic<bool>)) +
                        row_queue_.size() * sizeof(std::uint32_t);
    for (const Queue& queue : queues_) total += queue.tiles.capacity() * sizeof(std::uint32_t);
    return total;
}

} // namespace sluice::cpu
