// SPDX-License-Identifier: Apache-2.0
#include "cpu/particles/particles.h"

#include "core/cell_grid.h"
#include "core/error.h"
#include "cpu/particles/tiles.h"

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
            // in less, the coordinates of the lattice would not distinguish the particles of two cells
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
    walk({{0, 0, 0}, count}, nullptr);
}

Rows Space::whole_rows() const {
    Rows whole{count[axes[0]], count[axes[1]], count[axes[2]], rows.reach};
    for (int k = 0; k < 3; ++k) {
        whole.inner_begin[k] = layers[axes[static_cast<std::size_t>(k)]];
        whole.inner_end[k] = whole.inner_begin[k] + inner[axes[static_cast<std::size_t>(k)]];
    }
    return whole;
}

void Space::walk(const CellBox& box, const std::uint8_t* own) {
    first = box.first;
    walked = box.end - box.first;
    walked_stride[axes[0]] = 1;
    walked_stride[axes[1]] = walked[axes[0]];
    walked_stride[axes[2]] = walked[axes[0]] * walked[axes[1]];
    rows = {walked[axes[0]], walked[axes[1]], walked[axes[2]], rows.reach};
    for (std::size_t k = 0; k < 3; ++k) {
        const int axis = axes[k];
        rows.inner_begin[k] = std::clamp(layers[axis] - first[axis], 0, walked[axis]);
        rows.inner_end[k] = std::clamp(layers[axis] + inner[axis] - first[axis], 0, walked[axis]);
    }
    rows.own = own;
}

CellBox Space::layers_of(const IndexRange& seen) const {
    const auto last_layer = static_cast<std::uint32_t>(count[slowest]) - 1;
    const std::uint32_t low = std::min(seen.begin / rows_a_layer(), last_layer),
                        high = std::max(low + 1, (seen.end + rows_a_layer() - 1) / rows_a_layer());
    CellBox box{{0, 0, 0}, count};
    box.first[slowest] = static_cast<int>(low);
    box.end[slowest] = static_cast<int>(high);
    return box;
}

CellBox Space::box_around(const CellBox& occupied, const CellBox& seen) const {
    constexpr double worth_it = 0.6; // of the cells seen
    const int room = room_to_move * rows.reach;
    CellBox box = seen;
    for (std::size_t k = 0; k < 3; ++k) {
        const int axis = axes[k];
        if (layers[axis] > 0) continue; // images may be anywhere beyond these faces
        const int pair_of_tiles = 2 * static_cast<int>(tile_side(static_cast<int>(k), rows.reach));
        const int low = std::max(occupied.first[axis] - room, 0) / pair_of_tiles * pair_of_tiles;
        box.first[axis] = std::max(box.first[axis], low);
        box.end[axis] = std::max(box.first[axis] + 1, std::min(box.end[axis], occupied.end[axis] + room));
    }
    return double(box.size()) < worth_it * double(seen.size()) ? box : seen;
}

Vec3i Space::cell_with(std::uint32_t key) const {
    const std::uint32_t row = row_of(key);
    Vec3i place;
    place[axes[0]] = static_cast<int>(key - row * cells_a_row());
    place[axes[1]] = static_cast<int>(row % rows_a_layer());
    place[axes[2]] = static_cast<int>(row / rows_a_layer());
    return place;
}

Space::WalkedCells::WalkedCells(const Space& space)
    : inverse_x_(1.0 / space.cells_a_row()), inverse_y_(1.0 / space.rows_a_layer()), count_x_(space.cells_a_row()),
      count_y_(space.rows_a_layer()), no_cell_(space.no_cell()), none_(space.cell_count()) {
    for (std::size_t k = 0; k < 3; ++k) {
        first_[k] = static_cast<std::uint32_t>(space.first[space.axes[k]]);
        walked_[k] = static_cast<std::uint32_t>(space.walked[space.axes[k]]);
    }
    skipped_in_row_ = count_x_ - walked_[0];
    skipped_in_layer_ = walked_[0] * (count_y_ - walked_[1]);
    base_ = first_[0] + walked_[0] * (first_[1] + walked_[1] * first_[2]);
}

std::uint64_t CellBox::size() const {
    const Vec3i side = end - first;
    return std::uint64_t(std::max(side.x, 0)) * std::max(side.y, 0) * std::max(side.z, 0);
}

void CellBox::add(const Vec3i& cell) {
    const bool is_first = empty();
    for (int axis = 0; axis < 3; ++axis) {
        first[axis] = is_first ? cell[axis] : std::min(first[axis], cell[axis]);
        end[axis] = is_first ? cell[axis] + 1 : std::max(end[axis], cell[axis] + 1);
    }
}

bool CellBox::has(const CellBox& other) const {
    for (int axis = 0; axis < 3; ++axis)
        if (other.first[axis] < first[axis] || other.end[axis] > end[axis]) return false;
    return true;
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
        const double layer = place > 0 ? std::min(place, double(count[axis] - 1)) : 0; // what is not a number is at 0
        key += static_cast<std::uint32_t>(layer) * static_cast<std::uint32_t>(stride[axis]);
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

SortedGroup::SortedGroup(const ThreadCount& threads, bool with_start)
    : cells(0), threads_(threads), with_start_(with_start) {}

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

void SortedGroup::add_occupied(CellBox& box, const Space& space) const {
    const std::uint32_t no_cell = space.no_cell();
#pragma omp parallel num_threads(threads_.now())
    {
        CellBox mine;
        std::uint32_t last = no_cell; // most lie where the one before does
        for (const IndexRange& part : parts_)
#pragma omp for schedule(static) nowait
            for (std::uint32_t i = part.begin; i < part.end; ++i) {
                if (state.key[i] == last || state.key[i] == no_cell) continue;
                last = state.key[i];
                mine.add(space.cell_with(last));
            }
#pragma omp critical(add_occupied)
        if (!mine.empty()) {
            box.add(mine.first);
            box.add(mine.end - Vec3i{1, 1, 1});
        }
    }
}

bool SortedGroup::locate(const Space& space) {
    if (space.walks_all()) return true; // keys say it
    located_.reserve(state.capacity());
    const Space::WalkedCells cells_walked(space);
    int elsewhere = 0;
#pragma omp parallel num_threads(threads_.now()) reduction(| : elsewhere)
    {
        const Space::WalkedCells walked = cells_walked;
        const std::uint32_t* const key = state.key.data();
        std::uint32_t* const located = located_.data();
        for (const IndexRange& part : parts_)
#pragma omp for schedule(static) nowait
            for (std::uint32_t i = part.begin; i < part.end; ++i) {
                elsewhere |= !walked.has(key[i]);
                located[i] = walked(key[i]);
            }
    }
    return elsewhere == 0;
}

void SortedGroup::sort_unordered(std::uint32_t first, const Space& space) {
    locate(space);
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
    cells.sort(space.walks_all() ? state.key.data() : located_.data(), parts_, first, threads);
    count = cells.inside_count();
    if (space.period.has_steps()) order_images_by_id(first, space);
    reorder(threads, also_do);
    find_own(first, space);
}

/// Where images have stepped along an axis, a cell has those of particles of several cells: their order would depend on
/// whether particles were sorted before the images were made, as they are when a state is read.
void SortedGroup::order_images_by_id(std::uint32_t first, const Space& space) {
    std::uint32_t* const order = cells.order();
    const std::uint32_t* const begin = cells.begin();
    const auto id_of = [&](std::uint32_t i) { return state.id[i]; };
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t c = 0; c < cells.cell_count(); ++c) {
        const std::uint32_t from = begin[c] - first, to = begin[c + 1] - first;
        if (to - from > 1 && space.is_image(state.position[order[from]]))
            std::ranges::sort(order + from, order + to, {}, id_of);
    }
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
                own.push_back({begin, end, space.whole_row(y, z)});
            goes_on = true;
        }
}

/// Puts the particles in the order that the cell list has found. `also_do` gets each at its new place.
template <class AlsoDo>
void SortedGroup::reorder(int threads, const AlsoDo& also_do) {
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

std::size_t SortedGroup::bytes() const { return state.bytes() + spare_.bytes() + located_.bytes() + cells.bytes(); }

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
