// SPDX-License-Identifier: Apache-2.0
#include "cuda/state_exchange.h"

#include "core/error.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace sluice::cuda {

namespace {

Units64 units_of(const FixedGrid& grid, const Vec3d& r) {
    const double unit = grid.unit;
    return {std::llround(r.x / unit), std::llround(r.y / unit), std::llround(r.z / unit)};
}

Position position_of(const Units64& u) {
    return {std::int32_t(std::uint32_t(u.x)), std::int32_t(std::uint32_t(u.y)), std::int32_t(std::uint32_t(u.z)), 0};
}

Vec3d metres(const FixedGrid& grid, const Position& p, std::uint32_t near_cell) {
    const Units64 u = unwrap(grid, p, near_cell);
    return double(grid.unit) * Vec3d{double(u.x), double(u.y), double(u.z)};
}

/// The order of the state, but boundary particles first.
std::vector<std::uint32_t> boundary_first(const ParticleState& state, const ParticleGroups& groups) {
    std::vector<std::uint32_t> order;
    order.reserve(state.size());
    for (std::uint32_t i = 0; i < state.size(); ++i)
        if (!groups.is_fluid(state.id[i])) order.push_back(i);
    if (order.size() != groups.boundary_count())
        throw RunError("GPU: the state holds " + std::to_string(order.size()) + " of " +
                       std::to_string(groups.boundary_count()) + " boundary particles");
    for (std::uint32_t i = 0; i < state.size(); ++i)
        if (groups.is_fluid(state.id[i])) order.push_back(i);
    return order;
}

/// Positions and cells as the kernels hold them.
struct PlacedParticles {
    std::vector<Position> position;
    std::vector<std::uint32_t> cell;

    PlacedParticles(const FixedGrid& grid, const std::vector<Vec3d>& metres, const std::vector<std::uint32_t>& order) {
        position.reserve(order.size());
        cell.reserve(order.size());
        for (const std::uint32_t i : order) {
            const Units64 u = units_of(grid, metres[i]);
            position.push_back(position_of(u));
            cell.push_back(cell_of(grid, u));
        }
    }
};

/// Whether lists can be built again from where the particles were: those of a run on a grid like this one, in its
/// order.
bool can_restore(const StepQueue& queue, const NeighbourListState& lists, const PlacedParticles& origin,
                 std::uint32_t boundary_count) {
    return lists.skin > 0 && lists.skin <= queue.widest_skin() &&
           std::is_sorted(origin.cell.begin() + boundary_count, origin.cell.end());
}

void upload_flows(const ParticleState& state, const std::vector<std::uint32_t>& order, const ParticleArrays& to) {
    std::vector<Flow> flow(order.size());
    const auto upload_level = [&](const std::vector<Vec3f>& v, const std::vector<float>& rho, Flow* level) {
        for (std::size_t k = 0; k < order.size(); ++k)
            flow[k] = {v[order[k]].x, v[order[k]].y, v[order[k]].z, rho[order[k]]};
        upload(flow, level);
    };
    upload_level(state.velocity, state.density, to.flow);
    upload_level(state.velocity_previous, state.density_previous, to.previous);
}

Control control_of(const ParticleState& state) {
    Control c;
    c.step = state.step;
    c.time = state.time;
    c.dt = state.dt;
    c.dt_limit = state.dt_limit;
    c.alive = static_cast<unsigned>(state.size());
    c.steps_since_build = state.lists.steps_since_build;
    c.skin = state.lists.skin;
    c.spread_rate = state.lists.spread_rate;
    c.spread_bits = std::bit_cast<unsigned>(state.lists.spread);
    c.travel_bits = std::bit_cast<unsigned>(state.lists.travel);
    return c;
}

} // namespace

void upload_state(StepQueue& queue, const RunSetup& setup, const ParticleState& state) {
    if (state.size() > queue.capacity())
        throw RunError("GPU: a state of " + std::to_string(state.size()) + " particles does not fit into a run of " +
                       std::to_string(queue.capacity()));
    if (!state.lists.expired && state.lists.origin.size() != state.size())
        throw RunError("GPU: the state has " + std::to_string(state.size()) + " particles, but its neighbour lists " +
                       std::to_string(state.lists.origin.size()));
    const std::vector<std::uint32_t> order = boundary_first(state, setup.groups);
    PlacedParticles now(queue.grid(), state.position, order);
    upload(now.position, queue.state().position);
    if (queue.state().start) upload(now.position, queue.state().start);
    upload_flows(state, order, queue.state());
    Control control = control_of(state);
    if (queue.uses_lists() && !state.lists.expired) {
        PlacedParticles origin(queue.grid(), state.lists.origin, order);
        control.rebuild = !can_restore(queue, state.lists, origin, setup.groups.boundary_count());
        if (!control.rebuild) {
            upload(origin.position, queue.list_origin());
            now.cell = std::move(origin.cell); // between two builds particles carry the cells of the first
        }
    }
    upload(now.cell, queue.cell());
    std::vector<std::uint32_t> id;
    id.reserve(order.size());
    for (const std::uint32_t i : order) id.push_back(state.id[i]);
    upload(id, queue.state().id);
    check(cudaMemcpy(queue.control(), &control, sizeof control, cudaMemcpyHostToDevice), "copying to the GPU");
    queue.set_count(static_cast<std::uint32_t>(state.size()));
    queue.adopt_state();
    if (queue.uses_lists() && !control.rebuild) queue.adopt_lists();
}

ParticleState download_state(const StepQueue& queue, const Control& control) {
    const std::size_t n = queue.count();
    ParticleState s;
    s.step = control.step;
    s.time = control.time;
    s.dt = control.dt;
    s.dt_limit = control.dt_limit;
    const std::vector<std::uint32_t> cell = download(queue.cell(), n);
    std::vector<std::uint32_t> kept; // those still in the run
    for (std::uint32_t i = 0; i < n; ++i)
        if (cell[i] != queue.excluded_cell()) kept.push_back(i);
    const auto take = [&](auto& values, auto&& value) {
        values.reserve(kept.size());
        for (const std::uint32_t i : kept) values.push_back(value(i));
    };
    take(s.id, [ids = download(queue.state().id, n)](std::uint32_t i) { return ids[i]; });
    take(s.position, [&, position = download(queue.state().position, n)](std::uint32_t i) {
        return metres(queue.grid(), position[i], cell[i]);
    });
    const auto take_flow = [&](const Flow* from, std::vector<Vec3f>& velocity, std::vector<float>& density) {
        const std::vector<Flow> flow = download(from, n);
        take(velocity, [&](std::uint32_t i) { return Vec3f{flow[i].vx, flow[i].vy, flow[i].vz}; });
        take(density, [&](std::uint32_t i) { return flow[i].rho; });
    };
    take_flow(queue.state().flow, s.velocity, s.density);
    take_flow(queue.state().previous, s.velocity_previous, s.density_previous);
    if (!queue.uses_lists()) return s;
    s.lists.expired = control.rebuild != 0;
    s.lists.steps_since_build = control.steps_since_build;
    s.lists.skin = control.skin;
    s.lists.spread_rate = control.spread_rate;
    s.lists.spread = std::bit_cast<float>(control.spread_bits);
    s.lists.travel = std::bit_cast<float>(control.travel_bits);
    if (s.lists.expired) return s;
    take(s.lists.origin, [&, origin = download(queue.list_origin(), n)](std::uint32_t i) {
        return metres(queue.grid(), origin[i], cell[i]);
    });
    // boundary particles have not moved
    std::copy(s.position.begin(), s.position.begin() + queue.boundary_count(), s.lists.origin.begin());
    return s;
}

} // namespace sluice::cuda
