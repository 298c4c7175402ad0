// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/open_boundaries.h"

#include "core/error.h"
#include "cpu/passes/surface_line.h"
#include "model/work_counts.h"
#include "scheme/outer_work.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace sluice::cpu {

namespace {

Vec3d velocity_of(const Flow& f) { return {f.vx, f.vy, f.vz}; }

Flow flow_of(const ZoneFlow& flow) {
    const auto v = vec_cast<float>(flow.velocity);
    return {v.x, v.y, v.z, static_cast<float>(flow.density)};
}

/// The work of imposing a flow on a particle that has the flow `now`, in units of `unit` (J/kg).
std::uint64_t count_of(const sph::EquationOfState<double>& state, const Flow& now, const Flow& imposed, double unit) {
    const double work = work_of_imposing(state, velocity_of(now), now.rho, velocity_of(imposed), imposed.rho);
    return static_cast<std::uint64_t>(work_count(work, 1 / unit));
}

} // namespace

OpenBoundaries::OpenBoundaries(const std::string& simd, const RunSetup& setup, const Space& space,
                               const ThreadCount& threads, Halo& halo)
    : setup_(setup), space_(space), threads_(threads), halo_(halo),
      ghosts_(simd, setup.constants, space, !std::ranges::all_of(setup.open.zones, &OpenZone::imposes_velocity)),
      surfaces_(setup.open.surfaces), open_(view_of(setup.open)), cells_(open_, space),
      columns_(setup.open.points.size()) {
    open_.surfaces = surfaces_.data();
}

void OpenBoundaries::find_surfaces(std::uint32_t boundary_count, const SortedGroup& fluid) {
    const sph::Constants& c = setup_.constants;
    const double height = setup_.domain.max.z - setup_.domain.min.z;
    for (const OpenZone& zone : setup_.open.zones) {
        if (!zone.finds_surface) continue;
        const auto row = static_cast<std::size_t>(zone.first_surface);
        const double found = surface_above(c, space_, fluid, boundary_count, halo_, surface_foot(c, zone),
                                           surface_points(c, zone, height), sph::usual_limit(c.two_d));
        surfaces_[row].z = surface_from(zone, found, setup_.open.surfaces[row].z);
    }
}

/// Whether this rank owns a sorted particle, and it is not a periodic image.
bool OpenBoundaries::is_own(const SortedGroup& fluid, std::uint32_t i) const {
    const auto after = std::ranges::upper_bound(fluid.own, i, {}, &OwnRun::begin);
    return after != fluid.own.begin() && i < std::prev(after)->end && !space_.is_image(fluid.state.position[i]);
}

/// The zones of all fluid particles, and the particles in zones.
void OpenBoundaries::find_zones(std::uint32_t boundary_count, const SortedGroup& fluid) {
    zone_.assign(fluid.count, -1);
    near_ = cells_.particles(fluid.cells, boundary_count, space_);
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads_.now())
    for (std::size_t k = 0; k < near_.size(); ++k)
        for (std::uint32_t i = near_[k].begin; i < near_[k].end; ++i)
            zone_[i] = place_in(open_, space_.period.wrapped(fluid.state.position[i], space_.size)).zone;
    inside_.clear();
    node_count_ = 0;
    for (const IndexRange& range : near_)
        for (std::uint32_t i = range.begin; i < range.end; ++i) {
            if (zone_[i] < 0) continue;
            inside_.push_back({i, node_count_, is_own(fluid, i)});
            node_count_ += open_.zones[zone_[i]].extrapolates();
        }
}

/// Sums of the ghost nodes of particles in zones. Fluid near a node may be far from the particle, and on other ranks.
std::vector<float> OpenBoundaries::ghost_sums(const InteractionView& view, const SortedGroup& fluid) {
    if (!setup_.open.extrapolate()) return {};
    std::vector<Vec3d> nodes(node_count_);
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::size_t k = 0; k < inside_.size(); ++k) {
        const auto& [i, node, own] = inside_[k];
        const OpenZone& zone = open_.zones[zone_[i]];
        if (!zone.extrapolates()) continue;
        const Vec3d p = space_.period.wrapped(fluid.state.position[i], space_.size);
        nodes[node] = space_.period.wrapped_from_afar(ghost_place(zone, p), space_.size);
    }
    // a little more than the support radius: the search finds what is a little beyond it, too
    const double reach = 1.01 * 2 * setup_.constants.h;
    const auto zones_near = [&](const Vec3d& place) {
        return space_.period.any() || may_hold_any(open_, place, reach) ? zone_.data() : nullptr;
    };
    return ghosts_.around_all(view, nodes, zones_near, threads_, halo_);
}

std::int64_t OpenBoundaries::impose(const InteractionView& view, std::uint32_t boundary_count, SortedGroup& fluid,
                                    double time, double work_unit) {
    find_surfaces(boundary_count, fluid);
    find_zones(boundary_count, fluid);
    const std::vector<float> sums = ghost_sums(view, fluid);
    const sph::EquationOfState<float> eos(setup_.constants);
    const sph::EquationOfState<double> state(setup_.constants);
    std::uint64_t work = 0; // unsigned: no sum is out of bounds
#pragma omp parallel for schedule(static) num_threads(threads_.now()) reduction(+ : work)
    for (std::size_t k = 0; k < inside_.size(); ++k) {
        const std::uint32_t i = inside_[k].particle;
        const OpenZone& zone = open_.zones[zone_[i]];
        const Vec3d p = space_.period.wrapped(fluid.state.position[i], space_.size);
        const Flow& now = fluid.state.flow[i];
        const float* const of_node = sums.data() + std::size_t(inside_[k].node) * sph::ghost_sum_count;
        const Flow flow =
            flow_of(zone_flow(setup_.constants, open_, zone, p, time, of_node, {velocity_of(now), double(now.rho)}));
        if (inside_[k].is_own) work += count_of(state, now, flow, work_unit);
        fluid.state.flow[i] = flow;
        if (writes_level_before()) fluid.state.flow_previous[i] = flow;
        Record& record = view.records[boundary_count + i];
        record.pressure_term = eos.pressure_term(flow.rho);
        record.vx = flow.vx;
        record.vy = flow.vy;
        record.vz = flow.vz;
        record.rho = flow.rho;
    }
    return static_cast<std::int64_t>(work);
}

std::int64_t OpenBoundaries::hold(sph::RatesPart part, const SortedGroup& walls, SortedGroup& fluid, Accumulator* rates,
                                  double dt, double work_unit) const {
    const auto gravity = vec_cast<float>(setup_.constants.gravity);
    const double support = 2 * setup_.constants.h;
#pragma omp parallel for schedule(static) num_threads(threads_.now())
    for (std::uint32_t i = 0; i < walls.count; ++i)
        if (is_wall_of_zone(open_, walls.state.position[i], support)) rates[i].rho = 0;
    Accumulator* const of_fluid = rates + walls.count;
    const sph::EquationOfState<double> state(setup_.constants);
    std::uint64_t work = 0;
#pragma omp parallel for schedule(static) num_threads(threads_.now()) reduction(+ : work)
    for (std::size_t k = 0; k < inside_.size(); ++k) {
        const auto& [i, node, own] = inside_[k];
        const Accumulator taken = std::exchange(of_fluid[i], {-gravity.x, -gravity.y, -gravity.z, 0});
        const Flow now = fluid.state.flow[i];
        if (own) {
            const Vec3d a = Vec3d{taken.ax, taken.ay, taken.az} + setup_.constants.gravity;
            const double lost = work_of_holding(part, state, velocity_of(now), now.rho, a, taken.rho, dt);
            work += static_cast<std::uint64_t>(work_count(lost, 1 / work_unit));
        }
        const OpenZone& zone = open_.zones[zone_[i]];
        if (!zone.holds_level) continue;
        Flow& flow = fluid.state.flow[i];
        flow = flow_of({moving_velocity(zone, velocity_of(flow)), double(flow.rho)});
        if (own) work += count_of(state, now, flow, work_unit);
        if (writes_level_before()) fluid.state.flow_previous[i] = flow;
    }
    return static_cast<std::int64_t>(work);
}

void OpenBoundaries::hold_shifts(Vec3f* shifts) const {
    for (const Inside& inside : inside_) shifts[inside.particle] = {};
}

/// Where a particle was at the beginning of the step: Verlet has moved it since the last sort only.
ZonePlace OpenBoundaries::place_before(const SortedGroup& fluid, std::uint32_t i) const {
    if (setup_.keeps_start()) return place_in(open_, fluid.state.position_start[i]);
    ZonePlace place;
    place.zone = zone_[i];
    return place;
}

ZonePassage OpenBoundaries::passage(std::uint32_t id, const Vec3d& position, const Flow& flow, bool entered,
                                    const StageClock& clock) const {
    return {id,      entered, clock.step + 1, clock.time, setup_.domain.min + position, {flow.vx, flow.vy, flow.vz},
            flow.rho};
}

void OpenBoundaries::Column::add(const Column& part) {
    if (part.deepest > deepest || (part.deepest == deepest && part.id < id)) {
        deepest = part.deepest;
        flow = part.flow;
        id = part.id;
    }
    entered |= part.entered;
}

/// Removes the particles that leave, and finds what the columns hold then.
void OpenBoundaries::take_stock(SortedGroup& fluid, const StageClock& clock) {
    struct Finding {
        std::uint32_t particle;
        ZonePlace place;
        ZoneEvent event;
    };
    std::vector<Finding> found;
    const std::vector<IndexRange> near = own_parts(near_, fluid.own);
#pragma omp parallel num_threads(threads_.now())
    {
        std::vector<Finding> mine;
#pragma omp for schedule(dynamic, 16) nowait
        for (std::size_t k = 0; k < near.size(); ++k)
            for (std::uint32_t i = near[k].begin; i < near[k].end; ++i) {
                if (fluid.state.key[i] == space_.no_cell()) continue;
                const Vec3d& p = fluid.state.position[i];
                const ZonePlace before = place_before(fluid, i), now = place_in(open_, p);
                const ZoneEvent event = zone_event(open_, before, p, now, clock.time);
                if (event == ZoneEvent::none && now.zone < 0) continue;
                mine.push_back({i, event == ZoneEvent::entered ? before : now, event});
            }
#pragma omp critical
        found.insert(found.end(), mine.begin(), mine.end());
    }
    std::fill(columns_.begin(), columns_.end(), Column());
    std::vector<ZonePassage> left;
    for (const auto& [i, place, event] : found) {
        const Flow& flow = fluid.state.flow[i];
        if (event == ZoneEvent::left) {
            left.push_back(passage(fluid.state.id[i], fluid.state.position[i], flow, false, clock));
            fluid.state.key[i] = space_.no_cell();
            continue;
        }
        const OpenZone& zone = open_.zones[place.zone];
        const int point =
            event == ZoneEvent::entered ? cell_of(open_, zone, fluid.state.position[i]).column : place.column;
        if (point < 0) continue;
        Column part;
        if (event == ZoneEvent::entered)
            part.entered = true;
        else
            part = {place.depth, flow, fluid.state.id[i], false};
        columns_[static_cast<std::size_t>(zone.first_point + point)].add(part);
    }
    std::ranges::sort(left, {}, &ZonePassage::id);
    passed_.insert(passed_.end(), left.begin(), left.end());
}

/// Columns may reach across the rows of several ranks, and all ranks create the same particles.
void OpenBoundaries::share_columns() {
    if (halo_.alone()) return;
    struct Part {
        std::size_t point;
        Column column;
    };
    std::vector<Part> mine;
    for (std::size_t point = 0; point < columns_.size(); ++point)
        if (columns_[point].deepest > 0 || columns_[point].entered) mine.push_back({point, columns_[point]});
    std::fill(columns_.begin(), columns_.end(), Column());
    for (const auto& [point, column] : halo_.of_all(std::move(mine))) columns_[point].add(column);
}

/// Lets new particles in at the back of the columns, in the order of zones and points.
void OpenBoundaries::create(SortedGroup& fluid, const StageClock& clock) {
    const std::uint32_t first_id = setup_.groups.particle_count();
    for (int k = 0; k < open_.zone_count; ++k) {
        const OpenZone& zone = open_.zones[k];
        for (int c = zone.first_point; c < zone.first_point + zone.point_count; ++c) {
            const Column& column = columns_[static_cast<std::size_t>(c)];
            const bool empty = column.deepest <= 0;
            const Flow last = empty ? Flow{0, 0, 0, static_cast<float>(setup_.constants.rho0)} : column.flow;
            const double speed = dot(velocity_of(last), zone.direction);
            const double depth =
                depth_of_new(open_, zone, open_.points[c], clock.time, {column.deepest, speed, column.entered});
            if (depth <= 0) continue;
            if (created_ == UINT32_MAX - first_id)
                throw RunError("open boundaries have given all ids that there are: end the run earlier");
            const Vec3d p = space_.period.wrapped(open_.points[c] - depth * zone.direction, space_.size);
            const Flow flow = flow_of(
                imposed_flow(setup_.constants, open_, zone, p, clock.time, {velocity_of(last), double(last.rho)}));
            fluid.newcomers.push_back({first_id + created_++, p, flow});
        }
    }
    for (const Newcomer& n : fluid.newcomers)
        if (halo_.owns(n.position)) passed_.push_back(passage(n.id, n.position, n.flow, true, clock));
}

void OpenBoundaries::pass(SortedGroup& fluid, const StageClock& clock) {
    take_stock(fluid, clock);
    share_columns();
    create(fluid, clock);
}

std::unique_ptr<OpenBoundaries> make_open_boundaries(const std::string& simd, const RunSetup& setup, const Space& space,
                                                     const ThreadCount& threads, Halo& halo) {
    return setup.open.any() ? std::make_unique<OpenBoundaries>(simd, setup, space, threads, halo) : nullptr;
}

} // namespace sluice::cpu
