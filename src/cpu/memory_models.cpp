// SPDX-License-Identifier: Apache-2.0
#include "cpu/engine.h"
#include "cpu/row_split.h"
#include "cpu/row_work.h"
#include "cpu/tiles.h"

#include <fmt/format.h>

namespace sluice {

namespace {

using namespace cpu;

/// State of a particle and the copy of it that sorting writes to. The symplectic integrator holds two positions more.
constexpr double state_bytes() { return 2 * (2 * sizeof(std::uint32_t) + sizeof(Vec3d) + 2 * sizeof(Flow)); }

/// That, what the interaction reads and writes, and its place in the order.
constexpr double particle_bytes() {
    return state_bytes() + sizeof(Record) + 3 * sizeof(std::uint16_t) + sizeof(Accumulator) + sizeof(std::uint32_t);
}

/// First particles, next places and counts of both groups, and whether boundary is near.
constexpr double cell_bytes() { return 2 * 3 * sizeof(std::uint32_t) + sizeof(std::uint8_t); }

/// What an exchange holds of a ghost, in lists that grow by doubling: its sender names it twice, with where it goes,
/// and a message brings it.
constexpr double sent_bytes = 1.5 * 2 * 40, received_bytes = 1.5 * 48;

/// Particles and images in each row of the whole grid.
struct RowCounts {
    std::vector<std::uint64_t> particles, images;

    RowCounts(const ParticleState& state, const Space& space)
        : particles(space.row_count()), images(space.row_count()) {
        for (const Vec3d& position : state.position) {
            if (!space.contains(position)) continue;
            ++particles[space.row_of(space.key(position))];
            if (!space.period.any()) continue;
            space.period.for_each_image(position, space.size, space.image_reach(), [&](const Vec3d& image) {
                const std::int64_t cell = space.image_key(image);
                if (cell >= 0) ++images[space.row_of(static_cast<std::uint32_t>(cell))];
            });
        }
    }
};

} // namespace

std::vector<MemoryModel> cpu_memory_models(int threads) {
    std::vector<MemoryModel> models;
    for (const auto& mode : cpu_modes)
        for (const auto& cells : cell_sizes)
            models.push_back({fmt::format("cpu {}, cells {}", mode.name, cells.name), cells.mode == CellSize::h ? 2 : 1,
                              particle_bytes(), cell_bytes(), 64.0 * threads});
    return models;
}

std::vector<RankMemory> rank_memory(const RunSetup& setup, const ParticleState& state, const CpuOptions& options) {
    const Choice choice = choose(options, setup.constants, static_cast<std::uint32_t>(state.size()));
    if (choice.ranks == 1) return {};
    Space space(setup, choice.cells == CellSize::h ? 2 : 1, slowest_axis(setup, choice));
    const RowSplit split(choice.split, space, choice.ranks);
    const auto is_fluid = [&](std::uint32_t id) { return setup.groups.is_fluid(id); };
    const RankMap map = split.map(split.owners(rough_work(state, space, is_fluid)));
    const RowCounts rows(state, space);
    std::vector<RankMemory> all(static_cast<std::size_t>(choice.ranks));
    for (std::uint32_t row = 0; row < space.row_count(); ++row) {
        RankMemory& owner = all[static_cast<std::size_t>(map.owner(row))];
        owner.particles += rows.particles[row];
        map.for_each_observer(row, [&](int rank) {
            const std::uint64_t ghosts = rows.images[row] + (rank == map.owner(row) ? 0 : rows.particles[row]);
            all[static_cast<std::size_t>(rank)].ghosts += ghosts;
            owner.bytes += sent_bytes * double(ghosts);
        });
    }
    for (int rank = 0; rank < choice.ranks; ++rank) {
        RankMemory& memory = all[static_cast<std::size_t>(rank)];
        space.walk(map.seen(rank), nullptr);
        const double held = double(memory.particles + memory.ghosts);
        memory.bytes +=
            particle_bytes() * held + cell_bytes() * space.cell_count() + received_bytes * double(memory.ghosts);
        if (rank == 0) memory.bytes += state_bytes() * std::max(0.0, double(state.size()) - held);
    }
    return all;
}

} // namespace sluice
