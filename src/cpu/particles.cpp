// SPDX-License-Identifier: Apache-2.0
#include "cpu/particles.h"

#include "core/cell_grid.h"
#include "core/error.h"
#include "cpu/lattice.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace sluice::cpu {

Space::Space(const RunSetup& setup, int cell_divisions, bool slowest_is_longest)
    : size(setup.domain.max - setup.domain.min),
      units_per_metre(lattice_units_per_support / (2 * setup.constants.h)) {
    const CellGrid grid = make_cell_grid(setup.domain.min, setup.domain.max, setup.constants.h, cell_divisions);
    inverse_cell = 1 / grid.cell;
    count = grid.count;
    if (double(count.x) * count.y * count.z > 4e9)
        throw InputError(fmt::format("domain: {} x {} x {} cells are more than can be numbered, make it smaller", count.x,
                                     count.y, count.z));
    std::array<int, 3> axis{0, 1, 2}; // of the domain, in the order in which the grid's own run: fastest first
    if (slowest_is_longest) std::stable_sort(axis.begin(), axis.end(), [&](int a, int b) { return count[a] < count[b]; });
    if (slowest_is_longest) std::swap(axis[0], axis[1]); // long rows are better than many
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

ParticleGroup::ParticleGroup(const Space& space, int threads, bool with_start)
    : cells(space.cell_count(), threads), threads_(threads), with_start_(with_start) {}

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

void ParticleGroup::sort(std::uint32_t first) {
    cells.sort(state.key.data(), count, first);
    count = cells.inside_count();
    reorder();
}

void ParticleGroup::reorder() {
    const std::uint32_t* const order = cells.order();
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t i = order[k];
        spare_.id[k] = state.id[i];
        spare_.key[k] = state.key[i];
        spare_.position[k] = state.position[i];
        if (with_start_) spare_.position_start[k] = state.position_start[i];
        spare_.flow[k] = state.flow[i];
        spare_.flow_previous[k] = state.flow_previous[i];
    }
    state.swap(spare_);
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

void InteractionArrays::fill(const ParticleGroup& group, std::uint32_t first, const Space& space,
                             const sph::EquationOfState<float>& eos, int threads) {
    const double scale = space.units_per_metre;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::uint32_t i = 0; i < group.count; ++i) {
        const Vec3d& p = group.state.position[i];
        const Flow& f = group.state.flow[i];
        const std::uint32_t x = to_lattice(p.x, scale), y = to_lattice(p.y, scale), z = to_lattice(p.z, scale);
        const std::uint32_t k = first + i;
        records[k] = {x & ~drops_diffusion, y, z, eos.pressure_term(f.rho), f.vx, f.vy, f.vz, f.rho};
        search[0][k] = static_cast<std::uint16_t>(x >> 16);
        search[1][k] = static_cast<std::uint16_t>(y >> 16);
        search[2][k] = static_cast<std::uint16_t>(z >> 16);
        rates[k] = {};
    }
}

} // namespace sluice::cpu
