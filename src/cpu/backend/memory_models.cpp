// SPDX-License-Identifier: Apache-2.0
#include "core/cell_grid.h"
#include "cpu/backend/engine.h"
#include "cpu/particles/tiles.h"
#include "cpu/particles/walked_cells.h"
#include "cpu/subdomains/row_split.h"
#include "cpu/subdomains/row_work.h"

#include <algorithm>
#include <cmath>
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

/// Calls `use(key, is_image)` with the cells of all particles in the domain and of their images.
template <class Use>
void for_each_place(const ParticleState& state, const Space& space, const Use& use) {
    for (const Vec3d& position : state.position) {
        if (!space.contains(position)) continue;
        use(space.key(position), false);
        if (!space.period.any()) continue;
        space.period.for_each_image(position, space.size, space.image_reach(), [&](const Vec3d& image) {
            if (const std::int64_t key = space.image_key(image); key >= 0) use(static_cast<std::uint32_t>(key), true);
        });
    }
}

/// The cells that each rank will walk.
std::vector<CellBox> boxes_of_ranks(const ParticleState& state, const Space& space, const RankMap& map) {
    std::vector<CellBox> boxes(static_cast<std::size_t>(map.ranks()));
    for_each_place(state, space, [&](std::uint32_t key, bool) {
        map.for_each_observer(space.row_of(key),
                              [&](int rank) { boxes[static_cast<std::size_t>(rank)].add(space.cell_with(key)); });
    });
    for (int rank = 0; rank < map.ranks(); ++rank) {
        CellBox& box = boxes[static_cast<std::size_t>(rank)];
        box = space.box_around(box, space.layers_of(map.seen(rank)));
    }
    return boxes;
}

/// Particles and images in each row of the whole grid.
struct RowCounts {
    std::vector<std::uint64_t> particles, images;

    RowCounts(const ParticleState& state, const Space& space)
        : particles(space.row_count()), images(space.row_count()) {
        for_each_place(state, space,
                       [&](std::uint32_t key, bool is_image) { ++(is_image ? images : particles)[space.row_of(key)]; });
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

Spread::Spread(const ParticleState& state) : particles(static_cast<std::uint32_t>(state.size())) {
    if (state.size() > 0) low = high = state.position[0];
    for (const Vec3d& p : state.position)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
}

std::uint64_t cells_walked(const RunSetup& setup, const Spread& spread, int divisions) {
    const CellGrid whole = make_cell_grid(setup.domain.min, setup.domain.max, setup.constants.h, divisions);
    CellGrid walked = whole;
    for (int axis = 0; axis < 3; ++axis) {
        if (setup.period.has_images_along(axis)) continue;
        const double cells = std::floor((spread.high[axis] - spread.low[axis]) / whole.cell) + 1;
        walked.count[axis] =
            static_cast<int>(std::min(cells + 2 * Space::room_to_move * whole.reach, double(whole.count[axis])));
    }
    return static_cast<std::uint64_t>(walked.size());
}

std::vector<RankMemory> rank_memory(const RunSetup& setup, const ParticleState& state, const CpuOptions& options) {
    const Choice choice = choose(options, setup.constants, static_cast<std::uint32_t>(state.size()));
    if (choice.ranks == 1) return {};
    const Space space(setup, choice.cells == CellSize::h ? 2 : 1, slowest_axis(setup, choice));
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
    const std::vector<CellBox> boxes = boxes_of_ranks(state, space, map);
    for (int rank = 0; rank < choice.ranks; ++rank) {
        RankMemory& memory = all[static_cast<std::size_t>(rank)];
        const double held = double(memory.particles + memory.ghosts);
        const bool walks_all = boxes[static_cast<std::size_t>(rank)].size() == CellBox{{0, 0, 0}, space.count}.size();
        const double located_bytes =
            walks_all ? 0 : sizeof(std::uint32_t); // of a particle, its cell among those walked
        memory.bytes += (particle_bytes() + located_bytes) * held +
                        cell_bytes() * double(boxes[static_cast<std::size_t>(rank)].size()) +
                        received_bytes * double(memory.ghosts);
        if (rank == 0) memory.bytes += state_bytes() * std::max(0.0, double(state.size()) - held);
    }
    return all;
}

} // namespace sluice
