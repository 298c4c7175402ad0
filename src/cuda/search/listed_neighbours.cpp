// SPDX-License-Identifier: Apache-2.0
#include "cuda/search/listed_neighbours.h"
#include "cuda/device/runtime.h"

#include "backend/gpu_memory_plan.h"
#include "core/error.h"
#include "cuda/data/list_state.h"
#include "cuda/data/vacated_places.h"
#include "cuda/device/gpu_devices.h"
#include "cuda/device/host_copies.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sluice::cuda {

namespace {

/// Whether there are too few particles to keep the device busy with one thread each.
bool are_few(std::uint32_t particles) {
    return particles < multiprocessors() * 4096; // four full loads
}

/// Residues do not share a list evenly: a sixth more than their part of it, and never fewer than are cheap.
int slots_per_residue(const sph::Constants& constants) {
    constexpr int cheap = 44;
    constexpr int most = 255; // that a byte counts
    return std::clamp(static_cast<int>(std::ceil(1.15 * list_capacity(constants) / 8)) + 2, cheap, most);
}

} // namespace

ListedNeighbours::ListedNeighbours(RunArrays& run, const sph::Constants& constants, const ListOptions& options)
    : run_(run), sort_(run.memory, run.capacity) {
    const std::uint32_t fluid = run.capacity - run.boundary_count, tiles = (fluid + 31) / 32;
    const auto chunks =
        static_cast<std::uint32_t>(list_capacity(constants) / ListView::entries_per_chunk(options.is_short) +
                                   (run.period.any() ? list_part_chunks : 0));
    entries_ = {run.memory, std::size_t(tiles) * chunks * 32, "neighbour lists"};
    if (options.is_short)
        row_starts_ = {run.memory, std::size_t(tiles) * list_rows * 32,
                       "what the entries of the neighbour lists count from"};
    tile_lengths_ = {run.memory, tiles, "lengths of the neighbour lists"};
    origin_ = {run.memory, run.capacity, "positions at the build of the neighbour lists"};
    boxes_ = {run.memory, run.grid.cells(), "displacements of the cells"};
    occupied_ = {run.memory, std::min(run.grid.cells(), fluid + 1), "occupied cells"};
    if (const std::uint32_t bodies = size_of(run.body_ids); bodies > 0) {
        constexpr const char* what = "neighbour lists of the bodies";
        const auto room = static_cast<std::uint32_t>(list_capacity(constants) / ListView::entries_per_chunk(false));
        body_entries_ = {run.memory, std::size_t((bodies + 31) / 32) * room * 32, what};
        body_lengths_ = {run.memory, bodies, what};
        body_places_ = {run.memory, bodies, what};
        body_cells_ = {run.memory, std::min(run.grid.cells(), bodies), what};
        fixed_.bodies = {run.body_ids, body_places_.data(), body_lengths_.data(), body_entries_.data(),
                         room,         body_cells_.data()};
    }
    fixed_.slots_per_residue = slots_per_residue(constants);
    fixed_.lists = {entries_.data(), tile_lengths_.data(), row_starts_.data(), chunks};
    fixed_.control = run.control.data();
    fixed_.origin = origin_.data();
    fixed_.boxes = boxes_.data();
    fixed_.occupied = occupied_.data();
    fixed_.boundary_count = run.boundary_count;
    fixed_.walls_move = run.walls_move;
    fixed_.period = run.period;
    fixed_.few_particles = are_few(run.usual_fluid); // not of those left: a resumed run sums in the same order
    fixed_.support = static_cast<float>(2 * constants.h);
    fixed_.cell_side = std::ldexp(run.grid.unit, run.grid.cell_bits);
    fixed_.fixed_skin = static_cast<float>(std::min(options.skin, widest_list_skin)) * fixed_.support;
}

ListArgs ListedNeighbours::args() const {
    ListArgs args = fixed_;
    args.view = run_.view();
    args.position = run_.places.state.position;
    args.id = run_.places.state.id;
    args.own_first = run_.own_first;
    args.particles = run_.count;
    return args;
}

void ListedNeighbours::mark_near_walls(cudaStream_t stream) {
    FixedGrid around = run_.grid;
    around.reach = 2; // a particle may be in the next cell before its lists are renewed
    mark_near_boundary(around, run_.period, run_.view().boundary, run_.near_boundary.data(), stream);
}

void ListedNeighbours::adopt_state(bool rebuild, cudaStream_t stream) {
    if (rebuild && run_.walls_move) return; // the renewal sorts everything
    if (run_.walls_move)                    // in the order and the cells of the last build already
        find_cell_begins(run_.places.cell, run_.boundary(), run_.excluded_cell(), run_.boundary_begin.data(), nullptr,
                         stream);
    else
        run_.sort_boundary(true, sort_.scratch(), stream);
    mark_near_walls(stream);
    if (rebuild) return;
    find_cell_begins(run_.places.cell, run_.fluid(), run_.excluded_cell(), run_.fluid_begin.data(), run_.counter(),
                     stream);
    restore_lists(args(), stream);
}

void ListedNeighbours::sort_walls(cudaStream_t stream) {
    if (run_.period.any())
        wrap_positions(run_.grid, run_.period, run_.places.state, run_.places.cell, run_.boundary(),
                       run_.excluded_cell(), stream);
    run_.sort_boundary(true, sort_.scratch(), stream);
    mark_near_walls(stream);
}

void ListedNeighbours::renew(cudaStream_t stream) {
    if (run_.period.any())
        wrap_positions(run_.grid, run_.period, run_.places.state, run_.places.cell, run_.fluid(), run_.excluded_cell(),
                       stream);
    if (run_.walls_move) sort_walls(stream);
    const std::uint32_t* const order = run_.sort_fluid(true, sort_.scratch(), stream);
    reorder_in_place(run_.places.state, order, run_.fluid(), run_.places.spare, stream);
    build_lists(args(), stream);
}

void ListedNeighbours::adopt_order(cudaStream_t stream) {
    run_.places.sorted = run_.places.state;
    build_lists(args(), stream);
}

void ListedNeighbours::renew_if_host_says(cudaStream_t stream) {
    check_lists(args(), 0, stream);
    Control control;
    copy_to_host(&control, run_.control.data(), sizeof control, stream, "reading the step control");
    wait_for(stream, "check of the neighbour lists");
    if (control.active && control.rebuild) renew(stream);
}

void ListedNeighbours::build(cudaStream_t stream) {
    if (!recording_graph(stream)) return renew_if_host_says(stream);
    renewal_.record(
        stream, [&](cudaGraphConditionalHandle handle) { check_lists(args(), handle, stream); },
        [&](cudaStream_t branch) { renew(branch); });
}

void ListedNeighbours::interact(const InteractionArgs& interaction, cudaStream_t stream, cudaStream_t beside) {
    interact_boundary(interaction, beside);
    const std::uint32_t fluid = std::max(interaction.particles, interaction.own_first) - interaction.own_first;
    interact_fluid(interaction, {{0, fluid}, {fluid, fluid}}, stream);
}

void ListedNeighbours::interact_fluid(const InteractionArgs& interaction, const OwnParticles& which,
                                      cudaStream_t stream) {
    launch_list_interaction(interaction, args(), {which, false}, stream);
}

void ListedNeighbours::interact_boundary(const InteractionArgs& interaction, cudaStream_t stream) {
    launch_list_interaction(interaction, args(), {{}, true}, stream);
}

const std::uint32_t* ListedNeighbours::coarse_positions(cudaStream_t stream) {
    std::uint32_t* const coarse = sort_.coarse();
    find_coarse_positions(run_.grid, run_.view().position, run_.count, coarse, stream);
    return coarse;
}

void ListedNeighbours::save(const Control& control, const SavedPlaces& places, ParticleState& state) const {
    ListState lists;
    lists.expired = control.rebuild != 0;
    lists.steps_since_build = control.steps_since_build;
    lists.skin = control.skin;
    lists.spread_rate = control.spread_rate;
    lists.spread = std::bit_cast<float>(control.spread_bits);
    lists.travel = std::bit_cast<float>(control.travel_bits);
    lists.wall_travel = std::bit_cast<float>(control.wall_travel_bits);
    if (!lists.expired) {
        // walls that rest are where they were, and have no origins
        const std::uint32_t resting = run_.walls_move ? 0 : run_.boundary_count;
        lists.origin.assign(state.position.begin(), state.position.begin() + resting);
        lists.origin.reserve(places.kept.size());
        for (std::size_t k = resting; k < places.kept.size(); ++k) {
            const std::uint32_t i = places.kept[k];
            lists.origin.push_back(metres(run_.grid, run_.period, places.origin[i], places.cell[i]));
        }
        for (std::uint32_t i = run_.boundary_count; i < places.listed; ++i)
            if (places.cell[i] == run_.excluded_cell())
                lists.vacated.push_back({i - run_.boundary_count, metres(run_.grid, run_.period, places.origin[i],
                                                                         places.id[i])}); // the cell that it had
    }
    state.section = list_section(lists);
}

void ListedNeighbours::restore(const ParticleState& state, std::vector<std::uint32_t>& order, Control& control,
                               PlacedParticles& now) {
    const ListState lists = lists_of(state.section);
    control.steps_since_build = lists.steps_since_build;
    control.skin = lists.skin;
    control.spread_rate = lists.spread_rate;
    control.spread_bits = std::bit_cast<unsigned>(lists.spread);
    control.travel_bits = std::bit_cast<unsigned>(lists.travel);
    control.wall_travel_bits = std::bit_cast<unsigned>(lists.wall_travel);
    control.agree_on_spread();
    if (lists.expired) return;
    if (lists.origin.size() != state.size())
        throw RunError("GPU: the state has " + std::to_string(state.size()) + " particles, but its neighbour lists " +
                       std::to_string(lists.origin.size()));
    std::vector<std::uint32_t> places = listed_places(lists, order, run_.boundary_count);
    PlacedParticles origin(run_.grid, run_.period, listed_origins(lists, places));
    const auto walls_end = origin.cell.begin() + run_.boundary_count;
    // only lists of a run on a grid like this one, in its order, can be built again
    if (!(lists.skin > 0) || lists.skin > static_cast<float>(widest_list_skin) * fixed_.support ||
        (run_.walls_move && !std::is_sorted(origin.cell.begin(), walls_end)) ||
        !std::is_sorted(walls_end, origin.cell.end()))
        return;
    control.rebuild = 0;
    control.vacated = static_cast<unsigned>(lists.vacated.size());
    control.alive = static_cast<unsigned>(places.size());
    upload_around_gap(origin.position, origin_.data(), run_.boundary_count, run_.fluid_first);
    PlacedParticles all = origin;
    for (std::size_t k = 0, next = 0; k < places.size(); ++k) {
        if (places[k] == Control::no_particle) continue;
        all.position[k] = now.position[next];
        all.cell[k] = now.cell[next++];
    }
    now = std::move(all);
    if (run_.period.any()) now.move_next_to(origin, run_.grid, run_.period);
    for (std::size_t k = 0; k < places.size(); ++k)
        if (places[k] == Control::no_particle) now.position[k] = vacated(now.position[k]);
    now.cell = std::move(origin.cell); // between two builds particles carry the cells of the first
    order = std::move(places);
}

} // namespace sluice::cuda
