// SPDX-License-Identifier: Apache-2.0
#include "cpu/particles.h"

#include "core/cell_grid.h"
#include "core/error.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace sluice::cpu {

Space::Space(const RunSetup& setup, int cell_divisions, int slowest)
    : size(setup.domain.max - setup.domain.min), units_per_metre(lattice_units_per_support / (2 * setup.constants.h)) {
    const CellGrid grid = make_cell_grid(setup.domain.min, setup.domain.max, setup.constants.h, cell_divisions);
    inverse_cell = 1 / grid.cell;
    count = grid.count;
    constexpr int longest = 1 << 21; // lattice coordinates are exact up to 2^51
    if (std::max({count.x, count.y, count.z}) > longest || double(count.x) * count.y * count.z > 4e9)
        throw InputError(fmt::format("domain: {} x {} x {} cells are more than can be numbered, make it smaller",
                                     count.x, count.y, count.z));
    std::array<int, 3> axis{slowest == 0 ? 1 : 0, slowest == 2 ? 1 : 2, slowest}; // fastest first
    if (count[axis[1]] > count[axis[0]]) std::swap(axis[0], axis[1]);             // long rows are better than many
    stride[axis[0]] = 1;
    stride[axis[1]] = count[axis[0]];
    stride[axis[2]] = count[axis[0]] * count[axis[1]];
    rows = {count[axis[0]], count[axis[1]], count[axis[2]], grid.reach};
}

void GroupState::reserve(std::size_t count, bool with_start) {
    id.reserve(count);
    key.reserve(count);
    position.reserve(count);
    if (with_start) position_start.reserve(count);
    flow.reserve(count);
    flow_previous.reserve(count);
}

void GroupState::swap(GroupState& other) noexcept {
    id.swap(other.id);
    key.swap(other.key);
    position.swap(other.position);
    position_start.swap(other.position_start);
    flow.swap(other.flow);
    flow_previous.swap(other.flow_previous);
}

std::size_t GroupState::bytes() const {
    return id.bytes() + key.bytes() + position.bytes() + position_start.bytes() + flow.bytes() + flow_previous.bytes();
}

ParticleGroup::ParticleGroup(const Space& space, const ThreadCount& threads, bool with_start)
    : cells(space.cell_count()), threads_(threads), with_start_(with_start) {}

void ParticleGroup::load(const ParticleState& from, std::uint32_t id_begin, std::uint32_t id_end, const Space& space) {
    count = 0;
    for (const std::uint32_t id : from.id) count += id >= id_begin && id < id_end;
    state.reserve(count, with_start_);
    spare_.reserve(count, with_start_);
    std::uint32_t k = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from.id[i] < id_begin || from.id[i] >= id_end) continue;
        const Vec3f v = from.velocity[i], w = from.velocity_previous[i];
        state.id[k] = from.id[i];
        state.position[k] = from.position[i];
        state.flow[k] = {v.x, v.y, v.z, from.density[i]};
        state.flow_previous[k] = {w.x, w.y, w.z, from.density_previous[i]};
        state.key[k] = space.contains(from.position[i]) ? space.key(from.position[i]) : cells.outside();
        ++k;
    }
}

void ParticleGroup::sort_unordered(std::uint32_t first) {
    cells.sort(state.key.data(), count, first, 1);
    count = cells.inside_count();
    reorder(1, [](std::uint32_t, const Vec3d&, const Flow&) {});
}

void ParticleGroup::sort(std::uint32_t first, const RecordWriter& writer) {
    cells.sort(state.key.data(), count, first, threads_.now());
    count = cells.inside_count();
    reorder(threads_.now(), [writer, first](std::uint32_t k, const Vec3d& position, const Flow& flow) {
        writer.write(first + k, position, flow);
    });
}

/// Puts the particles in the order that the cell list has found. `also_do` gets each at its new place.
template <class AlsoDo>
void ParticleGroup::reorder(int threads, const AlsoDo& also_do) {
#pragma omp parallel num_threads(threads)
    {
        // plain pointers, which the loop keeps in registers
        const std::uint32_t* const order = cells.order();
        const std::uint32_t *const id = state.id.data(), *const key = state.key.data();
        const Vec3d *const position = state.position.data(), *const start = state.position_start.data();
        const Flow *const flow = state.flow.data(), *const previous = state.flow_previous.data();
        std::uint32_t *const new_id = spare_.id.data(), *const new_key = spare_.key.data();
        Vec3d *const new_position = spare_.position.data(), *const new_start = spare_.position_start.data();
        Flow *const new_flow = spare_.flow.data(), *const new_previous = spare_.flow_previous.data();
        const AlsoDo also = also_do;
        const bool with_start = with_start_;
#pragma omp for schedule(static)
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint32_t i = order[k];
            new_id[k] = id[i];
            new_key[k] = key[i];
            const Vec3d p = position[i];
            const Flow f = flow[i];
            new_position[k] = p;
            new_flow[k] = f;
            new_previous[k] = previous[i];
            if (with_start) new_start[k] = start[i];
            also(k, p, f);
        }
    }
    state.swap(spare_);
}

void ParticleGroup::refresh(std::uint32_t first, const RecordWriter& writer) const {
#pragma omp parallel for schedule(static) num_threads(threads_.now()) firstprivate(writer)
    for (std::uint32_t k = 0; k < count; ++k) writer.write(first + k, state.position[k], state.flow[k]);
}

void ParticleGroup::store(ParticleState& to) const {
    for (std::uint32_t i = 0; i < count; ++i) {
        const Flow &v = state.flow[i], &w = state.flow_previous[i];
        to.id.push_back(state.id[i]);
        to.position.push_back(state.position[i]);
        to.velocity.push_back({v.vx, v.vy, v.vz});
        to.velocity_previous.push_back({w.vx, w.vy, w.vz});
        to.density.push_back(v.rho);
        to.density_previous.push_back(w.rho);
    }
}

std::size_t ParticleGroup::bytes() const { return state.bytes() + spare_.bytes() + cells.bytes(); }

void InteractionArrays::reserve(std::size_t count) {
    constexpr std::size_t search_overrun = 64; // the search reads whole vectors
    records.reserve(count);
    rates.reserve(count);
    for (auto& coordinate : search) coordinate.reserve(count + search_overrun);
}

std::size_t InteractionArrays::bytes() const {
    return records.bytes() + rates.bytes() + search[0].bytes() + search[1].bytes() + search[2].bytes();
}

} // namespace sluice::cpu
