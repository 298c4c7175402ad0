// SPDX-License-Identifier: Apache-2.0
#include "cpu/cpu_backend.h"
#include "cpu/particles.h"

#include <fmt/format.h>

namespace sluice {

std::vector<MemoryModel> cpu_memory_models(int) {
    using namespace cpu;
    // the state and the copy that sorting writes to, records and rates, the order that the sort finds
    const std::size_t state = sizeof(std::uint32_t) * 2 + sizeof(Vec3d) + 2 * sizeof(Flow);
    const auto particle = double(2 * state + sizeof(Record) + sizeof(Accumulator) + sizeof(std::uint32_t));
    // two groups, each with first particles, next places and counters
    const double cell = 2 * 3 * double(sizeof(std::uint32_t));
    std::vector<MemoryModel> models;
    for (const auto& cells : cell_sizes)
        models.push_back({fmt::format("cpu asymmetric, cells {}", cells.name), cells.mode == CellSize::h ? 2 : 1, particle, cell, 0});
    return models;
}

} // namespace sluice
