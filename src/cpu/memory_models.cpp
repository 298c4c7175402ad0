// SPDX-License-Identifier: Apache-2.0
#include "cpu/cpu_backend.h"
#include "cpu/particles.h"
#include "cpu/tiles.h"

#include <fmt/format.h>

namespace sluice {

namespace {

using namespace cpu;

/// State of a particle, the copy of it that sorting writes to, what the interaction reads and writes, and its place in
/// the order. The symplectic integrator holds two positions more.
constexpr double particle_bytes() {
    constexpr std::size_t state = 2 * sizeof(std::uint32_t) + sizeof(Vec3d) + 2 * sizeof(Flow);
    return 2 * state + sizeof(Record) + 3 * sizeof(std::uint16_t) + sizeof(Accumulator) + sizeof(std::uint32_t);
}

/// First particles, next places and counts of both groups, and whether boundary is near.
constexpr double cell_bytes() { return 2 * 3 * sizeof(std::uint32_t) + sizeof(std::uint8_t); }

} // namespace

std::vector<MemoryModel> cpu_memory_models(int threads) {
    std::vector<MemoryModel> models;
    for (const auto& mode : cpu_modes)
        for (const auto& cells : cell_sizes)
            models.push_back({fmt::format("cpu {}, cells {}", mode.name, cells.name), cells.mode == CellSize::h ? 2 : 1,
                              particle_bytes(), cell_bytes(), 64.0 * threads});
    return models;
}

} // namespace sluice
