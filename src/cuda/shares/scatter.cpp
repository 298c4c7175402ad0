// SPDX-License-Identifier: Apache-2.0
#include "cuda/shares/scatter.h"

#include "cuda/data/control.h"
#include "cuda/data/list_state.h"
#include "cuda/data/placed_particles.h"
#include <algorithm>
#include <iterator>

namespace sluice::cuda {

namespace {

/// Whether a device would build the lists of this state again, from fluid that lay in these cells at their build.
bool can_go_on(const ListState& lists, const ParticleState& state, const std::vector<std::uint32_t>& cells,
               const ScatterRules& rules) {
    return !lists.expired && lists.origin.size() == state.size() && lists.skin > 0 && lists.skin <= rules.widest_skin &&
           std::ranges::is_sorted(cells);
}

std::vector<std::uint32_t> rows_of(const std::vector<std::uint32_t>& cells, const FixedGrid& grid) {
    std::vector<std::uint32_t> rows;
    rows.reserve(cells.size());
    for (const std::uint32_t cell : cells) rows.push_back(cell / std::uint32_t(grid.nx));
    return rows;
}

} // namespace

ScatteredState scatter(const ParticleState& state, const ParticleGroups& groups, const ScatterRules& rules,
                       const std::vector<double>& parts) {
    ScatteredState scattered;
    std::vector<std::uint32_t> fluid;
    for (std::uint32_t i = 0; i < state.size(); ++i)
        (groups.is_fluid(state.id[i]) ? fluid : scattered.boundary).push_back(i);
    const ListState lists = rules.has_lists ? lists_of(state.section) : ListState{};
    std::vector<std::uint32_t> rows;
    if (!lists.expired && lists.origin.size() == state.size()) {
        std::vector<std::uint32_t> places = listed_places(lists, fluid, 0);
        const std::vector<std::uint32_t> cells =
            PlacedParticles(rules.grid, rules.period, listed_origins(lists, places)).cell;
        scattered.lists_go_on = can_go_on(lists, state, cells, rules);
        if (scattered.lists_go_on) {
            rows = rows_of(cells, rules.grid);
            fluid = std::move(places);
        }
    }
    if (!scattered.lists_go_on)
        rows = rows_of(PlacedParticles(rules.grid, rules.period, state.position, fluid).cell, rules.grid);
    std::vector<std::uint32_t> counts(std::size_t(rules.grid.ny) * std::size_t(rules.grid.nz));
    for (const std::uint32_t row : rows) ++counts[row];
    const std::vector<std::uint32_t> row_first = firsts_of(counts);
    scattered.sighted = cut_shares(row_first, rules.reach_rows, parts);
    scattered.shares = scattered.lists_go_on ? scattered.sighted : cut_rows(row_first, parts);
    scattered.fluid.resize(scattered.shares.size());
    for (std::size_t s = 0; s < scattered.shares.size(); ++s) {
        const Range seen = scattered.shares[s].seen;
        scattered.fluid[s].reserve(size_of(scattered.shares[s].held));
        for (std::size_t k = 0; k < fluid.size(); ++k)
            if (rows[k] >= seen.begin && rows[k] < seen.end) scattered.fluid[s].push_back(fluid[k]);
    }
    return scattered;
}

ParticleState part_of(const ParticleState& state, const ScatteredState& scattered, std::size_t share) {
    ParticleState part;
    for_each_state_number([](const char*, const auto& from, auto& to) { to = from; }, state, part);
    part.bodies = state.bodies;
    part.absorbers = state.absorbers;
    part.moorings = state.moorings;
    if (share > 0) part.work = {}; // the first has what has been done so far
    std::vector<std::uint32_t> order = scattered.boundary;
    std::ranges::copy_if(scattered.fluid[share], std::back_inserter(order),
                         [](std::uint32_t i) { return i != Control::no_particle; });
    const auto take = [&order](const char*, const auto& from, auto& to) {
        to.reserve(order.size());
        for (const std::uint32_t i : order) to.push_back(from[i]);
    };
    for_each_particle_array(take, state, part);
    ListState lists = lists_of(state.section);
    if (state.section.owner.empty()) return part;
    std::vector<Vec3d> origin;
    if (scattered.lists_go_on) take("", lists.origin, origin);
    lists.origin = std::move(origin);
    const Range& held = scattered.shares[share].held;
    std::erase_if(lists.vacated, [&](const VacatedPlace& place) {
        return !scattered.lists_go_on || place.before < held.begin || place.before >= held.end;
    });
    for (VacatedPlace& place : lists.vacated) place.before -= held.begin;
    lists.expired = !scattered.lists_go_on;
    part.section = list_section(lists);
    return part;
}

} // namespace sluice::cuda
