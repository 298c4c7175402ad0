// SPDX-License-Identifier: Apache-2.0
#include "cuda/host_copies.h"

#include <cmath>

namespace sluice::cuda {

PlacedParticles::PlacedParticles(const FixedGrid& grid, const std::vector<Vec3d>& metres,
                                 const std::vector<std::uint32_t>& order) {
    position.reserve(order.size());
    cell.reserve(order.size());
    const double unit = grid.unit;
    const auto low = [](long long u) { return std::int32_t(std::uint32_t(u)); };
    for (const std::uint32_t i : order) {
        const Vec3d& r = metres[i];
        const Units64 u{std::llround(r.x / unit), std::llround(r.y / unit), std::llround(r.z / unit)};
        position.push_back({low(u.x), low(u.y), low(u.z), 0});
        cell.push_back(cell_of(grid, u));
    }
}

} // namespace sluice::cuda
