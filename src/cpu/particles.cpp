// SPDX-License-Identifier: Apache-2.0
#include "cpu/particles.h"

#include "core/cell_grid.h"
#include "core/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace sluice::cpu {

Space::Space(const RunSetup& setup, int cell_divisions, int slowest_axis)
    : size(setup.domain.max - setup.domain.min), period(setup.period),
      units_per_metre(lattice_units_per_support / (2 * setup.constants.h)), slowest(slowest_axis) {
    const CellGrid grid = make_cell_grid(setup.domain.min, setup.domain.max, setup.constants.h, cell_divisions);
    for (int axis = 0; axis < 3; ++axis) {
        cell[axis] = grid.cell;
        inner[axis] = grid.count[axis];
        if (period.periodic[axis]) {
            inner[axis] = static_cast<int>(std::floor(size[axis] / grid.cell));
            // in less, the coordinates of the lattice would not tell the particles of two cells apart
            if (size[axis] < 4 * setup.constants.h)
                throw InputError(
                    fmt::format("the domain is periodic in {} over {} m: at least two support radii ({} m) "
                                "are needed, make it wider or take a finer dp",
                                "xyz"[axis], size[axis], 4 * setup.constants.h));
            cell[axis] = size[axis] / inner[axis];
        }
        inverse_cell[axis] = 1 / cell[axis];
        layers[axis] = period.has_images_along(axis) ? grid.reach : 0;
        count[axis] = inner[axis] + 2 * layers[axis];
    }
    constexpr int longest = 1 << 21; // lattice coordinates are exact up to 2^51
    if (std::max({count.x, count.y, count.z}) > longest || double(count.x) * count.y * count.z > 4e9)
        throw InputError(fmt::format("domain: {} x {} x {} cells are more than can be numbered, make it smaller",
                                     count.x, count.y, count.z));
    axes = {slowest == 0 ? 1 : 0, slowest == 2 ? 1 : 2, slowest};
    if (count[axes[1]] > count[axes[0]]) std::swap(axes[0], axes[1]); // long rows are better than many
    stride[axes[0]] = 1;
    stride[axes[1]] = count[axes[0]];
    stride[axes[2]] = count[axes[0]] * count[axes[1]];
    rows.reach = grid.reach;
    rows = whole_rows();
    walked = count;
}

Rows Space::whole_rows() const {
    Rows whole{count[axes[0]], count[axes[1]], count[axes[2]], rows.reach};
    for (int k = 0; k < 3; ++k) {
        whole.inner_begin[k] = layers[axes[static_cast<std::size_t>(k)]];
        whole.inner_end[k] = whole.inner_begin[k] + inner[axes[static_cast<std::size_t>(k)]];
    }
    return whole;
}

void Space::walk(const IndexRange& seen, const std::uint8_t* own) {
    const auto rows_a_layer = static_cast<std::uint32_t>(rows.count_y);
    const auto last_layer = static_cast<std::uint32_t>(count[slowest]) - 1;
    const std::uint32_t low = std::min(seen.begin / rows_a_layer, last_layer),
                        high = std::max(low + 1, (seen.end + rows_a_layer - 1) / rows_a_layer);
    first[slowest] = static_cast<int>(low);
    walked[slowest] = rows.count_z = static_cast<int>(high - low);
    rows.inner_begin[2] = std::clamp(layers[slowest] - first[slowest], 0, rows.count_z);
    rows.inner_end[2] = std::clamp(layers[slowest] + inner[slowest] - first[slowest], 0, rows.count_z);
    rows.own = own ? own + first_row() : nullptr;
}

std::int64_t Space::image_key(const Vec3d& p) const {
    std::int64_t key = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double place = std::floor(p[axis] * inverse_cell[axis]);
        if (!(place >= -1.0 * layers[axis] - 1 && place <= 1.0 * inner[axis] + layers[axis])) return -1;
        int c = layers[axis] + static_cast<int>(place);
        // rounding must not put an image among the particles
        if (period.periodic[axis] && p[axis] < 0) c = std::min(c, layers[axis] - 1);
        if (period.periodic[axis] && p[axis] >= size[axis]) c = std::max(c, layers[axis] + inner[axis]);
        if (!period.periodic[axis] && layers[axis] == 0) c = std::clamp(c, 0, inner[axis] - 1);
        if (c < 0 || c >= count[axis]) return -1;
        key += std::int64_t(c) * stride[axis];
    }
    return key;
}

std::uint32_t Space::nearest_key(const Vec3d& p) const {
    std::uint32_t key = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double place = layers[axis] + std::floor(p[axis] * inverse_cell[axis]);
        const double cell = place > 0 ? std::min(place, double(count[axis] - 1)) : 0; // what is not a number is at 0
        key += static_cast<std::uint32_t>(cell) * static_cast<std::uint32_t>(stride[axis]);
    }
    return key;
}

void GroupState::reserve(std::size_t count, bool with_start) {
    id.reserve(count);
    key.reserve(count);
    position.reserve(count);
    if (with_start) position_start.reserve(count);
    flow.reserve(count);
    flow_previous.reserve(count);
}

void GroupState::grow(std::size_t used, std::size_t count, bool with_start) {
    id.grow(used, count);
    key.grow(used, count);
    position.grow(used, count);
    if (with_start) position_start.grow(used, count);
    flow.grow(used, count);
    flow_previous.grow(used, count);
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

SortedGroup::SortedGroup(const Space& space, const ThreadCount& threads, bool with_start)
    : cells(space.cell_count()), threads_(threads), with_start_(with_start) {}

void SortedGroup::load(const ParticleState& from, const std::function<bool(std::uint32_t)>& takes, const Space& space) {
    count = 0;
    newcomers.clear();
    for (const std::uint32_t id : from.id) count += takes(id);
    state.reserve(count, with_start_);
    spare_.reserve(count, with_start_);
    std::uint32_t k = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (!takes(from.id[i])) continue;
        const Vec3f v = from.velocity[i], w = from.velocity_previous[i];
        state.id[k] = from.id[i];
        state.position[k] = from.position[i];
        state.flow[k] = {v.x, v.y, v.z, from.density[i]};
        state.flow_previous[k] = {w.x, w.y, w.z, from.density_previous[i]};
        state.key[k] = space.contains(from.position[i]) ? space.key(from.position[i]) : space.no_cell();
        ++k;
    }
    own.clear();
    if (count > 0) own.push_back({0, count, 0});
    parts_ = {{0, count}};
}

std::uint32_t SortedGroup::own_count() const {
    std::uint32_t total = 0;
    for (const OwnRun& run : own) total += run.end - run.begin;
    return total;
}

void SortedGroup::make_room(std::size_t total) {
    if (!newcomers.empty() && total > state.capacity()) total += total / 16;
    state.grow(own_end(), total, with_start_);
    spare_.reserve(state.capacity(), with_start_);
}

void SortedGroup::sort_unordered(std::uint32_t first, const Space& space) {
    sort(first, space, 1, [](std::uint32_t, const Vec3d&, const Flow&, const Flow&) {});
}

void SortedGroup::sort(std::uint32_t first, const Space& space, const RecordWriter& writer) {
    sort(first, space, threads_.now(),
         [writer, first](std::uint32_t k, const Vec3d& position, const Flow& flow, const Flow& previous) {
             writer.write(first + k, position, flow, previous);
         });
}

template <class AlsoDo>
void SortedGroup::sort(std::uint32_t first, const Space& space, int threads, const AlsoDo& also_do) {
    cells.sort(state.key.data(), parts_, first, threads);
    count = cells.inside_count();
    reorder(space.first_cell(), threads, also_do);
    find_own(first, space);
}

void SortedGroup::find_own(std::uint32_t first, const Space& space) {
    const Rows& rows = space.rows;
    own.clear();
    bool goes_on = false; // the last run, in the next row
    for (int z = rows.inner_begin[2]; z < rows.inner_end[2]; ++z)
        for (int y = rows.inner_begin[1]; y < rows.inner_end[1]; ++y) {
            const auto row = static_cast<std::uint32_t>(z * rows.count_y + y);
            if (!rows.owns(row)) {
                goes_on = false;
                continue;
            }
            const std::uint32_t* const cell =
                cells.begin() + std::size_t(row) * static_cast<std::uint32_t>(rows.count_x);
            const std::uint32_t begin = cell[0] - first, end = cell[rows.count_x] - first;
            if (begin == end) continue;
            if (goes_on)
                own.back().end = end;
            else
                own.push_back({begin, end, space.first_row() + row});
            goes_on = true;
        }
}

/// Puts the particles in the order that the cell list has found, which counts cells from `first_cell` on. `also_do`
/// gets each at its new place.
template <class AlsoDo>
void SortedGroup::reorder(std::uint32_t first_cell, int threads, const AlsoDo& also_do) {
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
            new_key[k] = first_cell + key[i];
            const Vec3d p = position[i];
            const Flow f = flow[i];
            new_position[k] = p;
            new_flow[k] = f;
            const Flow before = previous[i];
            new_previous[k] = before;
            if (with_start) new_start[k] = start[i];
            also(k, p, f, before);
        }
    }
    state.swap(spare_);
}

void SortedGroup::refresh(std::uint32_t first, const RecordWriter& writer) {
#pragma omp parallel for schedule(static) num_threads(threads_.now()) firstprivate(writer)
    for (std::uint32_t k = 0; k < count; ++k)
        writer.write(first + k, state.position[k], state.flow[k], state.flow_previous[k]);
}

void SortedGroup::store(ParticleState& to, const Space& space) const {
    for_each_own(space, [&](std::uint32_t i) {
        const Flow &v = state.flow[i], &w = state.flow_previous[i];
        to.id.push_back(state.id[i]);
        to.position.push_back(state.position[i]);
        to.velocity.push_back({v.vx, v.vy, v.vz});
        to.velocity_previous.push_back({w.vx, w.vy, w.vz});
        to.density.push_back(v.rho);
        to.density_previous.push_back(w.rho);
    });
}

std::size_t SortedGroup::bytes() const { return state.bytes() + spare_.bytes() + cells.bytes(); }

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
