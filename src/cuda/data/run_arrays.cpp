// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/run_arrays.h"

#include "model/body_ids.h"

#include <algorithm>
#include <cmath>

namespace sluice::cuda {

namespace {

/// Fluid particles as the case gives them, with full zones, and not as they are now, so that a resumed or larger run
/// makes the same choices.
std::uint32_t fluid_of_case(const RunSetup& setup) {
    double fluid = setup.groups.fluid_count();
    for (const OpenZone& zone : setup.open.zones) fluid += zone.point_count * std::round(zone.depth / zone.dp);
    return static_cast<std::uint32_t>(std::min(fluid, 4e9));
}

} // namespace

ParticleStore::ParticleStore(DeviceMemory& memory, std::uint32_t particles, bool with_start)
    : position(memory, particles, "positions"),
      start(memory, with_start ? particles : 0, "positions at the start of the step"),
      flow(memory, particles, "velocities and densities"),
      previous(memory, particles, "velocities and densities of the last step"), id(memory, particles, "ids") {}

RunArrays::RunArrays(const RunSetup& setup, const FixedGrid& cells, std::uint32_t particles, bool two_stores)
    : grid(cells), period(make_grid_period(setup.period, cells, 2 * setup.constants.h)), capacity(particles),
      count(particles), boundary_count(setup.groups.boundary_count()), is_open(setup.open.any()),
      walls_move(setup.rigid.any()), fluid_first(boundary_count),
      own_first(boundary_count), own_walls{0, boundary_count}, own_rows{0, grid.rows()} {
    const BodyIds bodies = ids_of(setup.bodies);
    body_ids = {bodies.begin, bodies.end};
    usual_fluid = is_open ? fluid_of_case(setup) : capacity - boundary_count;
    store = ParticleStore(memory, capacity, setup.keeps_start());
    if (two_stores) other_store = ParticleStore(memory, capacity, setup.keeps_start());
    cell_memory = {memory, capacity, "cells of the particles"};
    rates_memory = {memory, capacity, "rates"};
    fluid_begin = {memory, std::size_t(grid.cells()) + 2, "cell list of the fluid"};
    boundary_begin = {memory, std::size_t(grid.cells()) + 2, "cell list of the boundary"};
    near_boundary = {memory, grid.cells(), "cells near a boundary"};
    control = {memory, 1, "step control"};
    excluded = {memory, 65536, "list of excluded particles"};
    places = {store.arrays(), store.arrays(), SpareRecords(rates_memory.data()), cell_memory.as<CellsOfParticles>()};
}

ParticleArrays RunArrays::free_store() const {
    return (places.state.position == store.position.data() ? other_store : store).arrays();
}

InteractionView RunArrays::view() const {
    InteractionView v;
    v.grid = grid;
    v.position = places.sorted.position;
    v.flow = places.sorted.flow;
    v.cell = places.cell;
    v.fluid = {fluid_begin.data(), fluid_first};
    v.boundary = {boundary_begin.data(), 0};
    v.near_boundary = near_boundary.data();
    v.boundary_count = boundary_count;
    return v;
}

void RunArrays::sort_boundary(bool along_curve, const SortScratch& scratch, cudaStream_t stream) {
    const std::uint32_t* const order = sort_by_cell(grid, places.state.position, places.cell, boundary(),
                                                    excluded_cell(), along_curve, scratch, stream);
    reorder_in_place(places.state, order, boundary(), places.spare, stream);
    find_cell_begins(places.cell, boundary(), excluded_cell(), boundary_begin.data(), nullptr, stream);
}

const std::uint32_t* RunArrays::sort_fluid(bool along_curve, const SortScratch& scratch, cudaStream_t stream) {
    const std::uint32_t* const order =
        sort_by_cell(grid, places.state.position, places.cell, fluid(), excluded_cell(), along_curve, scratch, stream);
    find_cell_begins(places.cell, fluid(), excluded_cell(), fluid_begin.data(), counter(), stream);
    return order;
}

} // namespace sluice::cuda
