// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/placed_particles.h"
#include "cuda/data/vacated_places.h"
#include "cuda/data/zone_place.h"
#include "cuda/device/block_size.cuh"
#include "cuda/device/launch_ahead.cuh"
#include "cuda/passes/open_boundaries.h"

#include <cub/block/block_scan.cuh>

// The particles that leave through open boundaries at the end of a step, and those that enter.

namespace sluice::cuda {

namespace {

constexpr int block = 256, create_block = 1024;

/// Time and number of the step that ends.
struct StepEnd {
    double time;
    long long step;
    __device__ explicit StepEnd(const Control& control) : time(control.time + control.dt), step(control.step + 1) {}
};

__device__ void record(const UpdateArgs& args, const OpenView& open, std::uint32_t id, const Vec3d& p, const Flow& f,
                       bool entered) {
    const unsigned slot = atomicAdd(&args.control->passed, 1u);
    if (slot >= open.passed_capacity) return;
    const StepEnd end(*args.control);
    open.passed[slot] = {p.x, p.y, p.z, end.time, end.step, f.vx, f.vy, f.vz, f.rho, id, entered ? 1u : 0u};
}

/// Where a particle was at the beginning of the step: Verlet has moved it since the last sort only.
__device__ ZonePlace place_before(const UpdateArgs& args, const OpenView& open, std::uint32_t i) {
    if (args.next.start) return place_in(open.zones, metres(args.grid, args.period, args.next.start[i], args.cell[i]));
    ZonePlace place;
    place.zone = open.zone[i - args.step.boundary_count];
    return place;
}

/// Removes particle i from the run. Its place keeps, as id, the cell that it had at the build of the lists, which a
/// state stores with the lists (ListState).
__device__ void take_away(const UpdateArgs& args, const OpenView& open, std::uint32_t i) {
    atomicAdd(&open.counters->left, 1u);
    if (open.keeps_places) {
        args.next.id[i] = args.cell[i];
        args.next.position[i] = vacated(args.next.position[i]);
        atomicAdd(&args.control->vacated, 1u);
    }
    args.cell[i] = args.step.excluded_cell;
}

/// Removes the particles that leave, and lists those that the columns hold then.
__global__ void take_stock_kernel(const __grid_constant__ UpdateArgs args, const __grid_constant__ OpenView open,
                                  ZoneFinding* findings) {
    wait_for_kernel_before();
    const Control& control = *args.control;
    const std::uint32_t i = args.own_first + blockIdx.x * block + threadIdx.x;
    if (!control.active || i >= control.alive) return;
    const std::uint32_t cell = args.cell[i];
    if (cell == args.step.excluded_cell || !open.near[cell]) return;
    const Vec3d p = metres(args.grid, args.period, args.next.position[i], cell);
    const ZonePlace before = place_before(args, open, i), now = place_in(open.zones, p);
    const ZoneEvent event = zone_event(open.zones, before, p, now, StepEnd(control).time);
    if (event == ZoneEvent::none && now.zone < 0) return;
    if (event == ZoneEvent::left) {
        record(args, open, args.next.id[i], p, args.next.flow[i], false);
        take_away(args, open, i);
        return;
    }
    const bool entered = event == ZoneEvent::entered;
    const OpenZone& zone = open.zones.zones[entered ? before.zone : now.zone];
    const int point = entered ? cell_of(open.zones, zone, p).column : now.column;
    if (point < 0) return;
    const int column = zone.first_point + point;
    if (entered) {
        open.columns.entered[column] = 1;
        return;
    }
    atomicMax(open.columns.deepest + column, static_cast<unsigned long long>(__double_as_longlong(now.depth)));
    findings[atomicAdd(&open.counters->found, 1u)] = {now.depth, i, column};
}

/// The deepest particle of every column: of equals that with the smallest id.
__global__ void find_last_kernel(const __grid_constant__ UpdateArgs args, const __grid_constant__ OpenView open,
                                 const ZoneFinding* findings) {
    wait_for_kernel_before();
    if (!args.control->active) return;
    const std::uint32_t count = open.counters->found;
    for (std::uint32_t k = blockIdx.x * block + threadIdx.x; k < count; k += gridDim.x * block) {
        const ZoneFinding f = findings[k];
        if (static_cast<unsigned long long>(__double_as_longlong(f.depth)) != open.columns.deepest[f.column]) continue;
        const auto id = static_cast<unsigned long long>(args.next.id[f.particle]);
        atomicMin(open.columns.last + f.column, id << 32 | f.particle);
    }
}

/// The deepest particle of every column that this device steps; it is that of all until others' join.
__global__ void find_ends_kernel(const __grid_constant__ UpdateArgs args, const __grid_constant__ OpenView open) {
    if (!args.control->active) return;
    const int c = int(blockIdx.x * block + threadIdx.x);
    if (c >= open.point_count) return;
    const unsigned long long last = open.columns.last[c];
    ColumnEnd end{{}, Control::no_particle};
    if (last != ~0ull) end = {args.next.flow[last & 0xffffffffu], std::uint32_t(last >> 32)};
    open.columns.own_end[c] = open.columns.end[c] = end;
}

__global__ void join_stock_kernel(const Control* control, const __grid_constant__ OpenView open,
                                  const unsigned long long* deepest, const std::uint32_t* entered) {
    const int c = int(blockIdx.x * block + threadIdx.x);
    if (!control->active || c >= open.point_count) return;
    if (deepest[c] > open.columns.deepest[c]) open.columns.deepest[c] = deepest[c];
    if (entered[c]) open.columns.entered[c] = 1;
}

__global__ void join_ends_kernel(const Control* control, const __grid_constant__ OpenView open,
                                 const ColumnEnd* own_end) {
    const int c = int(blockIdx.x * block + threadIdx.x);
    if (control->active && c < open.point_count && own_end[c].id < open.columns.end[c].id)
        open.columns.end[c] = own_end[c];
}

/// A particle that a column needs; none where the depth is 0.
struct NewParticle {
    double depth = 0; ///< behind the plane, m
    const OpenZone* zone = nullptr;
    Flow last; ///< of the column's last particle
};

__device__ NewParticle due_in(const UpdateArgs& args, const OpenView& open, int point) {
    NewParticle due;
    due.zone = open.zones.zones;
    while (point >= due.zone->first_point + due.zone->point_count) ++due.zone;
    ColumnState column;
    column.entered = open.columns.entered[point] != 0;
    if (!may_refill(*due.zone, column.entered)) return due;
    column.deepest = __longlong_as_double(static_cast<long long>(open.columns.deepest[point]));
    due.last = {0, 0, 0, float(args.step.run.rho0)};
    if (column.deepest > 0)
        due.last =
            open.is_shared() ? open.columns.end[point].flow : args.next.flow[open.columns.last[point] & 0xffffffffu];
    column.speed = dot(Vec3d{due.last.vx, due.last.vy, due.last.vz}, due.zone->direction);
    due.depth = depth_of_new(open.zones, *due.zone, open.zones.points[point], StepEnd(*args.control).time, column);
    return due;
}

__device__ void append(const UpdateArgs& args, const OpenView& open, int point, const NewParticle& due,
                       std::uint32_t slot, std::uint32_t id) {
    const Units64 u = args.period.wrapped(zone_place(args.grid, *due.zone, open.zones.points[point], due.depth));
    const Vec3d p = metres_of(args.grid, u);
    const ZoneFlow flow = imposed_flow(args.step.run, open.zones, *due.zone, p, StepEnd(*args.control).time,
                                       {{due.last.vx, due.last.vy, due.last.vz}, due.last.rho});
    const Flow f{float(flow.velocity.x), float(flow.velocity.y), float(flow.velocity.z), float(flow.density)};
    const Position position{int(u.x), int(u.y), int(u.z), args.step.eos.pressure_term(f.rho)};
    args.next.id[slot] = id;
    args.next.position[slot] = position;
    if (args.next.start) args.next.start[slot] = position;
    args.next.flow[slot] = args.next.previous[slot] = f;
    args.cell[slot] = in_domain(args.grid, u) ? cell_of(args.grid, u) : args.step.excluded_cell;
    record(args, open, id, p, f, true);
}

/// Lets new particles in at the back of the columns, in the order of zones and points, behind those that are sorted.
/// One block: columns are as many as the sides of a zone have particles.
__global__ void __launch_bounds__(create_block)
    create_kernel(const __grid_constant__ UpdateArgs args, const __grid_constant__ OpenView open) {
    wait_for_kernel_before();
    using Scan = cub::BlockScan<unsigned, create_block>;
    __shared__ Scan::TempStorage scratch;
    Control& control = *args.control;
    if (!control.active) return;
    const unsigned alive = control.alive, created = control.created, behind = open.is_shared() ? args.particles : alive;
    unsigned made = 0;
    for (int first = 0; first < open.point_count; first += create_block) {
        const int point = first + int(threadIdx.x);
        NewParticle due;
        if (point < open.point_count) due = due_in(args, open, point);
        unsigned before = 0, all = 0;
        if (!__syncthreads_or(due.depth > 0)) continue;
        Scan(scratch).ExclusiveSum(due.depth > 0 ? 1u : 0u, before, all);
        if (due.depth > 0)
            append(args, open, point, due, behind + made + before, open.first_id + created + made + before);
        made += all;
        __syncthreads();
    }
    if (threadIdx.x != 0) return;
    const unsigned most = unsigned(open.point_count), passed = atomicAdd(&control.passed, 0u);
    control.created = created + made;
    open.counters->made = made;
    if (made > 0) control.rebuild = 1;
    if (open.is_shared()) { // the host sees to room and ids
        control.newcomers = made;
        return;
    }
    const bool has_room = open.capacity - alive >= made + most && passed <= open.passed_capacity / 2,
               has_ids = UINT32_MAX - open.first_id - control.created > most;
    if (!has_room || !has_ids) control.wants_host = 1;
}

/// Once some have left, the counts of the cells are made anew: first they are cleared.
__global__ void clear_counts_kernel(const Control* control, const ZoneCounters* counters, unsigned* count,
                                    std::uint32_t excluded_cell) {
    wait_for_kernel_before();
    if (!control->active || counters->left == 0) return;
    for (std::uint64_t c = blockIdx.x * block + threadIdx.x; c <= excluded_cell; c += std::uint64_t(gridDim.x) * block)
        count[c] = 0;
}

/// Counts the new particles in, or all.
__global__ void count_kernel(const __grid_constant__ UpdateArgs args, const ZoneCounters* counters) {
    wait_for_kernel_before();
    const Control& control = *args.control;
    if (!control.active) return;
    const std::uint32_t first = counters->left > 0 ? args.step.boundary_count : control.alive,
                        end = control.alive + counters->made;
    for (std::uint32_t i = first + blockIdx.x * block + threadIdx.x; i < end; i += gridDim.x * block)
        args.counts.enter(i, args.cell[i]);
}

} // namespace

void take_stock(const UpdateArgs& args, const OpenView& open, ZoneFinding* findings, cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    launch_ahead(take_stock_kernel, blocks_for(args.particles - args.own_first, block), block, stream,
                 "particles that leave through open boundaries", args, open, findings);
}

void find_last(const UpdateArgs& args, const OpenView& open, const ZoneFinding* findings, cudaStream_t stream) {
    const unsigned blocks = blocks_for(args.particles - args.own_first, block);
    launch_ahead(find_last_kernel, std::clamp(blocks, 1u, 132u * 4), block, stream, "columns of open boundaries", args,
                 open, findings);
    if (!open.is_shared()) return;
    find_ends_kernel<<<blocks_for(open.point_count, block), block, 0, stream>>>(args, open);
    check_launch("columns of open boundaries");
}

void join_stock(const Control* control, const OpenView& open, const unsigned long long* deepest,
                const std::uint32_t* entered, cudaStream_t stream) {
    join_stock_kernel<<<blocks_for(open.point_count, block), block, 0, stream>>>(control, open, deepest, entered);
    check_launch("columns of open boundaries on other GPUs");
}

void join_ends(const Control* control, const OpenView& open, const ColumnEnd* own_end, cudaStream_t stream) {
    join_ends_kernel<<<blocks_for(open.point_count, block), block, 0, stream>>>(control, open, own_end);
    check_launch("columns of open boundaries on other GPUs");
}

void create_particles(const UpdateArgs& args, const OpenView& open, cudaStream_t stream) {
    launch_ahead(create_kernel, 1, create_block, stream, "particles that enter through open boundaries", args, open);
    if (!args.counts.count) return;
    constexpr unsigned most_blocks = 132 * 8; // mostly there is little to do
    const unsigned blocks = std::min(blocks_for(args.particles - args.step.boundary_count, block), most_blocks);
    launch_ahead(clear_counts_kernel, std::min(blocks_for(args.step.excluded_cell, block), most_blocks), block, stream,
                 "cells of particles that came or went", args.control, open.counters, args.counts.count,
                 args.step.excluded_cell);
    launch_ahead(count_kernel, blocks, block, stream, "cells of particles that came or went", args, open.counters);
}

} // namespace sluice::cuda
