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

TilePass::TilePass(const Tiles& tiles) : tiles_(tiles), done_(std::make_unique<std::atomic<bool>[]>(tiles.count())) {}

std::size_t TilePass::bytes() const {
    std::size_t total = order_.capacity() * sizeof(std::uint32_t) + tiles_.count() * sizeof(std::atomic<bool>);
    for (const auto& tiles : by_colour_) total += tiles.capacity() * sizeof(std::uint32_t);
    return total;
}

} // namespace sluice::cpu
