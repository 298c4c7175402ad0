// SPDX-License-Identifier: Apache-2.0
#include "cuda/shares/state_exchange.h"
#include "cuda/device/runtime.h"

#include "core/error.h"
#include "cuda/data/list_state.h"
#include "cuda/device/host_copies.h"
#include <algorithm>

namespace sluice::cuda {

namespace {

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

/// A vacated place gets the flow of a particle: nothing comes of it, but it must be finite. Of staggered steps only
/// the velocities of the fluid and of bodies have two levels.
void upload_flows(const ParticleState& state, const std::vector<std::uint32_t>& order, const StepQueue& queue) {
    const RunArrays& run = queue.run();
    std::vector<Flow> flow(order.size());
    const auto upload_level = [&](const std::vector<Vec3f>& v, const std::vector<float>& rho, Flow* level) {
        for (std::size_t k = 0; k < order.size(); ++k) {
            const std::uint32_t i = order[k] == Control::no_particle ? 0 : order[k];
            flow[k] = rho.empty() ? Flow{} : Flow{v[i].x, v[i].y, v[i].z, rho[i]};
        }
        upload_around_gap(flow, level, run.boundary_count, run.fluid_first);
    };
    upload_level(state.velocity, state.density, queue.state().flow);
    if (!queue.is_staggered())
        return upload_level(state.velocity_previous, state.density_previous, queue.state().previous);
    std::vector<Vec3f> lagging = state.velocity_previous;
    for (std::uint32_t k = 0; k < run.boundary_count; ++k)
        if (!queue.rigid().is_of_body(state.id[order[k]])) lagging[order[k]] = state.velocity[order[k]];
    upload_level(lagging, state.density, queue.state().previous);
}

/// An array of the pieces, one after the other; `array_of(queue)` says where it is.
template <class ArrayOf>
auto download_pieces(const DevicePieces& all, ArrayOf&& array_of) {
    using T = std::remove_cvref_t<decltype(*array_of(all.here()))>;
    std::vector<T> values(all.particles());
    MessageWriter mine;
    const auto for_each = [&](auto&& use) {
        T* to = values.data();
        for (const DevicePiece& piece : all.pieces) {
            use(piece, to, size_of(piece.slots));
            to += size_of(piece.slots);
        }
    };
    for_each([&](const DevicePiece& piece, T* to, std::size_t size) {
        if (!piece.queue) return;
        copy_from_device(array_of(*piece.queue) + piece.slots.begin, to, size * sizeof(T));
        if (!all.group.alone()) mine.put(to, size);
    });
    if (all.group.alone()) return values;
    const std::vector<Message> messages = all_gather(*all.group.transport(), mine.take());
    std::vector<MessageReader> theirs(messages.begin(), messages.end());
    for_each([&](const DevicePiece& piece, T* to, std::size_t size) {
        theirs[all.group.process_of(piece.device)].get(to, size);
    });
    return values;
}

Control control_of(const ParticleState& state) {
    Control c;
    c.step = state.step;
    c.time = state.time;
    c.dt = state.dt;
    c.dt_limit = state.dt_limit;
    c.alive = static_cast<unsigned>(state.size());
    c.created = state.created;
    c.work = state.work;
    return c;
}

} // namespace

void upload_state(StepQueue& queue, const ParticleGroups& groups, const ParticleState& state) {
    RunArrays& run = queue.run();
    const std::uint32_t gap = run.fluid_first - run.boundary_count;
    const auto require_room = [&](std::size_t places) {
        if (gap + places > run.capacity)
            throw RunError("GPU: a state of " + std::to_string(places) + " particles does not fit into a run of " +
                           std::to_string(run.capacity));
    };
    require_room(state.size() + lists_of(state.section).vacated.size());
    std::vector<std::uint32_t> order = boundary_first(state, groups);
    PlacedParticles now(run.grid, run.period, state.position, order);
    Control control = control_of(state);
    queue.search().restore(state, order, control, now);
    const auto upload_all = [&run](const auto& values, auto* to) {
        upload_around_gap(values, to, run.boundary_count, run.fluid_first);
    };
    upload_all(now.position, queue.state().position);
    if (queue.state().start) upload_all(now.position, queue.state().start);
    upload_flows(state, order, queue);
    run.count = run.is_open && !run.is_shared ? run.capacity : gap + static_cast<std::uint32_t>(order.size());
    now.cell.resize(run.count - gap,
                    run.excluded_cell()); // what is free is as what has left
    upload_all(now.cell, run.places.cell);
    std::vector<std::uint32_t> id;
    id.reserve(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        id.push_back(order[k] == Control::no_particle ? now.cell[k] : state.id[order[k]]);
    upload_all(id, queue.state().id);
    if (run.is_shared) control.alive = run.own_end;
    copy_to_device(&control, queue.control(), sizeof control);
    queue.rigid().set_state(state.bodies, state.absorbers, state.moorings);
    queue.adopt_state(control.rebuild != 0);
    if (control.vacated == 0) return;
    wait_for_device("build of the neighbour lists");
    for (std::size_t k = 0; k < order.size(); ++k)
        if (order[k] == Control::no_particle) now.cell[k] = run.excluded_cell();
    upload_all(now.cell, run.places.cell);
}

std::vector<std::uint32_t> particles_in_run(const RunArrays& run, const std::vector<std::uint32_t>& cell) {
    std::vector<std::uint32_t> kept;
    kept.reserve(cell.size());
    for (std::uint32_t i = 0; i < cell.size(); ++i)
        if (cell[i] != run.excluded_cell()) kept.push_back(i);
    return kept;
}

const StepQueue& DevicePieces::here() const {
    return *std::ranges::find_if(pieces, [](const DevicePiece& piece) { return piece.queue != nullptr; })->queue;
}

std::size_t DevicePieces::particles() const {
    std::size_t count = 0;
    for (const DevicePiece& piece : pieces) count += size_of(piece.slots);
    return count;
}

ParticleState download_state(const DevicePieces& pieces, const Control& control, bool with_section) {
    const StepQueue& first = pieces.here();
    const RunArrays& run = first.run();
    ParticleState s;
    s.step = control.step;
    s.time = control.time;
    s.dt = control.dt;
    s.dt_limit = control.dt_limit;
    s.created = control.created;
    s.work = control.work;
    s.bodies = first.rigid().bodies();
    s.absorbers = first.rigid().absorbers();
    s.moorings = first.rigid().lines().state();
    const std::vector<std::uint32_t> cell =
        download_pieces(pieces, [](const StepQueue& queue) { return queue.places().cell; });
    const std::vector<std::uint32_t> kept = particles_in_run(run, cell),
                                     id = download_pieces(pieces,
                                                          [](const StepQueue&queue) { return queue.state().id; });
    const auto take = [&](auto& values, auto&& value) {
        values.reserve(kept.size());
        for (const std::uint32_t i : kept) values.push_back(value(i));
    };
    take(s.id, [&](std::uint32_t i) { return id[i]; });
    take(s.position, [&, position = download_pieces(pieces, [](const StepQueue& queue) {
                             return queue.state().position;
                         })](std::uint32_t i) { return metres(run.grid, run.period, position[i], cell[i]); });
    const auto take_flow = [&](const std::vector<Flow>& flow, std::vector<Vec3f>& velocity,
                               std::vector<float>& density) {
        take(velocity, [&](std::uint32_t i) { return Vec3f{flow[i].vx, flow[i].vy, flow[i].vz}; });
        take(density, [&](std::uint32_t i) { return flow[i].rho; });
    };
    take_flow(download_pieces(pieces, [](const StepQueue& queue) { return queue.state().flow; }), s.velocity,
              s.density);
    take_flow(download_pieces(pieces, [](const StepQueue& queue) { return queue.state().previous; }),
              s.velocity_previous, s.density_previous);
    if (!with_section) return s;
    // of devices that share a run each piece is of the lists, but that of the newcomers
    const auto listed = run.is_shared ? static_cast<std::uint32_t>(cell.size()) - control.newcomers : control.alive;
    SavedPlaces places{id, cell, kept, listed, {}};
    if (first.search().origin() && control.rebuild == 0)
        places.origin = download_pieces(pieces, [](const StepQueue& queue) { return queue.search().origin(); });
    first.search().save(control, places, s);
    return s;
}

void download_rates(const DevicePieces& pieces, std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) {
    acceleration.clear();
    density_rate.clear();
    const RunArrays& run = pieces.here().run();
    const bool walls_have_none = pieces.here().walls().is_everywhere();
    const std::vector<RateRecord> records =
        download_pieces(pieces, [](const StepQueue& queue) { return queue.places().spare.rates(); });
    const std::vector<std::uint32_t> cell =
        download_pieces(pieces, [](const StepQueue& queue) { return queue.places().cell; });
    std::size_t first = 0; // of the piece
    for (const DevicePiece& piece : pieces.pieces) {
        for (std::size_t k = first; k < first + size_of(piece.slots); ++k) {
            if (cell[k] == run.excluded_cell()) continue;
            const bool has_none = walls_have_none && piece.slots.begin + (k - first) < run.boundary_count;
            const RateRecord& r = records[k];
            acceleration.push_back(has_none ? Vec3f{} : Vec3f{r.ax, r.ay, r.az});
            density_rate.push_back(has_none ? 0 : r.rho);
        }
        first += size_of(piece.slots);
    }
}

} // namespace sluice::cuda
