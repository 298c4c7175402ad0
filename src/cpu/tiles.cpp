// SPDX-License-Identifier: Apache-2.0
#include "cpu/tiles.h"

namespace sluice::cpu {

Tiles::Tiles(const Rows& rows)
    : cells_{static_cast<std::uint32_t>(rows.count_x), static_cast<std::uint32_t>(rows.count_y), static_cast<std::uint32_t>(rows.count_z)} {
    const auto reach = static_cast<std::uint32_t>(rows.reach);
    const std::uint32_t sides[3] = {8 * reach, 2 * reach, 2 * reach};
    for (int axis = 0; axis < 3; ++axis) {
        side_[axis] = sides[axis];
        count_[axis] = (cells_[axis] + sides[axis] - 1) / sides[axis];
    }
}

TilePass::TilePass(const Tiles& tiles, int threads)
    : tiles_(tiles), threads_(static_cast<std::uint32_t>(threads)),
      done_(std::make_unique<std::atomic<bool>[]>(tiles.count())) {}

/// Lower colours come before the higher ones that they touch; beyond that the order is free, and changes no number.
/// Layer by layer, an odd one after the even ones on both its sides, keeps what tiles share in the cache. That gives
/// each thread too little to do between one colour and the next where layers are small: then colour by colour.
void TilePass::make_order() {
    order_.clear();
    const auto add = [&](std::uint32_t z, std::uint32_t colour) {
        tiles_.for_each_of_colour(z, colour, [&](std::uint32_t tile) {
            if (!done_[tile].load(std::memory_order_relaxed)) order_.push_back(tile);
        });
    };
    constexpr std::uint32_t layer_colours = 4;
    const std::uint32_t layers = tiles_.layers();
    if (wanted_ >= 4 * threads_ * layer_colours * layers) {
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
    return order_.capacity() * sizeof(std::uint32_t) + tiles_.count() * sizeof(std::atomic<bool>);
}

} // namespace sluice::cpu
