// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/placed_particles.h"
#include "cuda/data/reduce.cuh"
#include "cuda/device/block_size.cuh"
#include "cuda/device/launch_ahead.cuh"
#include "cuda/device/runtime.h"
#include "cuda/passes/ghost_sums.cuh"
#include "cuda/passes/open_boundaries.h"
#include "cuda/passes/surface_line.cuh"
#include "scheme/outer_work.h"

// What the particles of open boundaries flow with, before and after an interaction.

namespace sluice::cuda {

namespace {

constexpr int block = 256, ghost_block = 128;

/// Check point k of a zone that finds its surface; false if it has not so many.
__device__ bool find_check_point(const InteractionArgs& args, const OpenView& open, unsigned finding, std::uint32_t k,
                                 Vec3d& place) {
    const OpenZone& zone = open.zones.zones[open.finding[finding]];
    const sph::Constants& c = args.step.run;
    const sph::CheckPoints points = surface_points(c, zone, open.height);
    if (k >= std::uint32_t(points.count())) return false;
    place = surface_foot(c, zone) + Vec3d{0, 0, points.at(int(k))};
    return true;
}

/// A warp a check point, a row of blocks a zone.
template <class Kernel>
__global__ void fraction_kernel(const __grid_constant__ InteractionArgs args, const __grid_constant__ OpenView open,
                                float one_cell_travel) {
    wait_for_kernel_before();
    if (!args.control->active) return;
    const std::uint32_t thread = blockIdx.x * ghost_block + threadIdx.x, k = thread / warp;
    Vec3d place;
    if (!find_check_point(args, open, blockIdx.y, k, place)) return;
    if (!args.answers_for(units_of(args.view.grid, place))) return;
    const double sum = fraction_at<Kernel>(args, place, one_cell_travel);
    if (thread % warp == 0) open.fractions[blockIdx.y * open.most_check_points + k] = sum;
}

/// A thread a check point, a row of blocks a zone.
__global__ void take_fractions_kernel(const __grid_constant__ InteractionArgs args,
                                      const __grid_constant__ OpenView open, FoundFractions found) {
    if (!args.control->active) return;
    const std::uint32_t k = blockIdx.x * ghost_block + threadIdx.x, at = blockIdx.y * open.most_check_points + k;
    const FixedGrid& grid = args.view.grid;
    Vec3d place;
    if (find_check_point(args, open, blockIdx.y, k, place) && found.rows.contains(row_of(grid, units_of(grid, place))))
        open.fractions[at] = found.fractions[at];
}

/// A block a zone.
__global__ void surface_kernel(const __grid_constant__ InteractionArgs args, const __grid_constant__ OpenView open) {
    wait_for_kernel_before();
    __shared__ int first;
    if (!args.control->active) return;
    const OpenZone& zone = open.zones.zones[open.finding[blockIdx.x]];
    const sph::Constants& c = args.step.run;
    const double found = surface_of(surface_points(c, zone, open.height), sph::usual_limit(c.two_d),
                                    open.fractions + blockIdx.x * open.most_check_points, first);
    if (threadIdx.x == 0)
        open.surfaces[zone.first_surface].z = surface_from(zone, found, open.first_surfaces[zone.first_surface].z);
}

/// How far from a cell particles that carry it may be, in cells: as far as neighbour lists let them go since their
/// build, and by no more than one cell further in the step that ends. Without lists they are nearer, but walls of zones
/// (is_wall_of_zone) stand as far beside these as the support radius, which is two cells then.
constexpr double cells_away = 2;

__global__ void near_kernel(FixedGrid grid, GridPeriod period, ZonesView open, std::uint8_t* near) {
    const std::uint64_t cell = std::uint64_t(blockIdx.x) * block + threadIdx.x;
    if (cell >= grid.cells()) return;
    const double side = ldexp(double(grid.unit), grid.cell_bits);
    const CellCoordinates c = cell_coordinates(grid, std::uint32_t(cell));
    const Vec3d middle = side * Vec3d{c.x + 0.5, c.y + 0.5, c.z + 0.5};
    bool is_near = false;
    period.for_each_copy([&](const Units64& shift) {
        const Vec3d at = middle + double(grid.unit) * Vec3d{double(shift.x), double(shift.y), double(shift.z)};
        for (int k = 0; k < open.zone_count; ++k) is_near |= may_hold(open.zones[k], at, (cells_away + 0.9) * side);
    });
    near[cell] = is_near;
}

__device__ ZoneFlow flow_now(const Flow& f) { return {{f.vx, f.vy, f.vz}, f.rho}; }

/// The work of imposing a flow on a particle that has the flow `now`, as a count.
__device__ std::int64_t imposing_count(const InteractionArgs& args, const Flow& now, const Flow& imposed) {
    const double work = work_of_imposing(sph::EquationOfState<double>(args.step.run), {now.vx, now.vy, now.vz}, now.rho,
                                         {imposed.vx, imposed.vy, imposed.vz}, imposed.rho);
    return work_count(work, args.step.inverse_work_unit);
}

/// `fraction`: of the step.
__device__ void write_flow(const InteractionArgs& args, const ZoneTargets& to, std::uint32_t i, const ZoneFlow& flow,
                           double fraction) {
    const Flow f{float(flow.velocity.x), float(flow.velocity.y), float(flow.velocity.z), float(flow.density)};
    if (outlasts_step(args.step.run.integrator, fraction))
        add_count(&args.control->work.open_boundaries, imposing_count(args, to.flow[i], f));
    to.flow[i] = f;
    if (to.previous) to.previous[i] = f;
    to.position[i].pressure_term = args.step.eos.pressure_term(f.rho);
}

__device__ double time_at(const Control& control, double fraction) { return control.time + fraction * control.dt; }

/// Which zone each particle is in. Where that extrapolates nothing a particle that this device steps takes its flow at
/// once, else it is listed. Columns and counters begin anew.
__global__ void locate_kernel(const __grid_constant__ InteractionArgs args, const __grid_constant__ OpenView open,
                              ZoneTargets to, Range seen, double fraction) {
    wait_for_kernel_before();
    const Control& control = *args.control;
    if (!control.active) return;
    const std::uint32_t k = blockIdx.x * block + threadIdx.x, i = args.step.boundary_count + k;
    for (std::uint32_t c = k; c < std::uint32_t(open.point_count); c += gridDim.x * block) {
        open.columns.deepest[c] = 0;
        open.columns.last[c] = ~0ull;
        open.columns.entered[c] = 0;
    }
    if (k == 0) open.counters->found = open.counters->left = open.counters->made = 0;
    if (i < seen.begin || i >= (open.is_shared() ? seen.end : control.alive)) return;
    const std::uint32_t cell = args.view.cell[i];
    if (cell == args.step.excluded_cell || !open.near[cell]) {
        open.zone[k] = -1;
        return;
    }
    const Vec3d p = metres(args.view.grid, args.period, to.position[i], cell);
    const int in = place_in(open.zones, p).zone;
    open.zone[k] = in;
    if (in < 0 || i < args.own_first || i >= control.alive) return;
    const OpenZone& zone = open.zones.zones[in];
    if (zone.extrapolates())
        open.extrapolated[atomicAdd(&open.counters->extrapolated, 1u)] = i;
    else
        write_flow(args, to, i,
                   imposed_flow(args.step.run, open.zones, zone, p, time_at(control, fraction), flow_now(to.flow[i])),
                   fraction);
}

/// Some lanes a listed particle, a warp several of them in turn.
template <class Op>
__global__ void extrapolate_kernel(const __grid_constant__ InteractionArgs args,
                                   const __grid_constant__ sph::GhostNodeConstants<float> constants,
                                   const __grid_constant__ OpenView open, ZoneTargets to, double fraction,
                                   float one_cell_travel) {
    wait_for_kernel_before();
    constexpr std::uint32_t nodes_per_warp = warp / ghost_lanes;
    if (!args.control->active) return;
    const std::uint32_t thread = blockIdx.x * ghost_block + threadIdx.x, lane = thread % ghost_lanes,
                        count = open.counters->extrapolated, stride = gridDim.x * (ghost_block / ghost_lanes);
    const auto is_outside = [&](std::uint32_t j) { return open.zone[j - args.step.boundary_count] < 0; };
    for (std::uint32_t n = thread / warp * nodes_per_warp; n < count; n += stride) {
        const std::uint32_t mine = n + thread % warp / ghost_lanes;
        const bool valid = mine < count;
        const std::uint32_t i = open.extrapolated[valid ? mine : n];
        const Vec3d p = metres(args.view.grid, args.period, to.position[i], args.view.cell[i]);
        const OpenZone& zone = open.zones.zones[open.zone[i - args.step.boundary_count]];
        float sums[Op::sum_count] = {};
        if (valid) {
            const Units64 node = args.period.wrapped_from_afar(units_of(args.view.grid, ghost_place(zone, p)));
            add_ghost_node<Op>(args, constants, node, one_cell_travel, lane, is_outside, sums);
        }
        add_lanes(sums);
        if (valid && lane == 0)
            write_flow(args, to, i,
                       zone_flow(args.step.run, open.zones, zone, p, time_at(*args.control, fraction), sums,
                                 flow_now(to.flow[i])),
                       fraction);
    }
}

/// Warps that share listed particles, one a lane.
constexpr int parts = ghost_block / warp;

/// A lane of each of a block's warps a listed particle. They were listed in the order of the fluid, more or less, and
/// so have their ghost nodes next to one another: the lanes of a warp look into nearly the same cells.
template <class Op>
__global__ void __launch_bounds__(ghost_block, 7)
    coarse_extrapolate_kernel(const __grid_constant__ InteractionArgs args,
                              const __grid_constant__ sph::GhostNodeConstants<float> constants, int coarse_limit,
                              const __grid_constant__ OpenView open, ZoneTargets to, double fraction,
                              float one_cell_travel) {
    wait_alone_for_kernel_before();
    __shared__ uint2 shared[parts * WideRing::bytes_per_warp / sizeof(uint2)];
    static_assert((parts - 1) * Op::sum_count * warp * sizeof(float) <= sizeof shared);
    if (!args.control->active) return;
    const std::uint32_t count = open.counters->extrapolated, lane = threadIdx.x % warp;
    const int part = int(threadIdx.x) / warp;
    const auto is_outside = [&](std::uint32_t j) { return open.zone[j - args.step.boundary_count] < 0; };
    for (std::uint32_t n = blockIdx.x * warp; n < count; n += gridDim.x * warp) {
        const bool valid = n + lane < count;
        const std::uint32_t i = open.extrapolated[valid ? n + lane : n];
        const Vec3d p = metres(args.view.grid, args.period, to.position[i], args.view.cell[i]);
        const OpenZone& zone = open.zones.zones[open.zone[i - args.step.boundary_count]];
        const Units64 node = args.period.wrapped_from_afar(units_of(args.view.grid, ghost_place(zone, p)));
        float sums[Op::sum_count] = {};
        sum_ghost_node<Op, parts>(args, constants, coarse_limit, node, one_cell_travel, valid, shared, is_outside, sums,
                                  part);
        add_parts<parts>(sums, part, reinterpret_cast<float*>(shared));
        if (valid && part == 0)
            write_flow(args, to, i,
                       zone_flow(args.step.run, open.zones, zone, p, time_at(*args.control, fraction), sums,
                                 flow_now(to.flow[i])),
                       fraction);
    }
}

void extrapolate(const InteractionArgs& args, const OpenView& open, const ZoneTargets& to, double fraction,
                 float one_cell_travel, cudaStream_t stream) {
    constexpr unsigned most_blocks = 132 * 16; // zones hold few of the particles
    constexpr const char* what = "ghost nodes of open boundaries";
    const sph::GhostNodeConstants<float> constants(args.step.run, sph::metre);
    const std::uint64_t most = args.particles - args.own_first;
    sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel) {
        using Op = sph::GhostNode<Kernel, sph::GhostVelocity::linear>;
        if (args.view.coarse)
            launch_ahead(coarse_extrapolate_kernel<Op>, std::min(blocks_for(most, warp), most_blocks), ghost_block,
                         stream, what, args, constants, coarse_limit_for(args.view.grid, 2 * args.step.run.h), open, to,
                         fraction, one_cell_travel);
        else
            launch_ahead(extrapolate_kernel<Op>, std::min(blocks_for(most * ghost_lanes, ghost_block), most_blocks / 2),
                         ghost_block, stream, what, args, constants, open, to, fraction, one_cell_travel);
    });
}

__global__ void hold_level_kernel(const __grid_constant__ InteractionArgs args, const __grid_constant__ OpenView open,
                                  ZoneTargets to) {
    wait_for_kernel_before();
    const std::uint32_t i = args.own_first + blockIdx.x * block + threadIdx.x;
    if (!args.control->active || i >= args.control->alive || !args.is_held(i)) return;
    const OpenZone& zone = open.zones.zones[args.zone[i - args.step.boundary_count]];
    if (!zone.holds_level) return;
    const Vec3d v = moving_velocity(zone, flow_now(to.flow[i]).velocity);
    const Flow now = to.flow[i], held{float(v.x), float(v.y), float(v.z), now.rho};
    add_count(&args.control->held_work, imposing_count(args, now, held));
    to.flow[i] = held;
    if (to.previous) to.previous[i] = to.flow[i];
}

/// Walls of zones; clears the list of particles that extrapolate.
__global__ void hold_walls_kernel(const __grid_constant__ InteractionArgs args, const __grid_constant__ OpenView open,
                                  const Position* position) {
    wait_for_kernel_before();
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i == 0) open.counters->extrapolated = 0;
    if (!args.control->active || !args.own_walls.contains(i) || !open.near[args.view.cell[i]]) return;
    const Vec3d p = metres(args.view.grid, args.period, position[i], args.view.cell[i]);
    if (is_wall_of_zone(open.zones, p, 2 * args.step.run.h)) args.rates[i].rho = 0;
}

__global__ void hold_shifts_kernel(const __grid_constant__ InteractionArgs args, const __grid_constant__ OpenView open,
                                   ShiftRecord* shifts) {
    wait_for_kernel_before();
    const std::uint32_t k = blockIdx.x * block + threadIdx.x, i = args.step.boundary_count + k;
    if (args.control->active && i >= args.own_first && i < args.control->alive && open.zone[k] >= 0)
        shifts[k] = {0, 0, 0, shifts[k].rho};
}

unsigned fluid_blocks(const InteractionArgs& args) {
    return blocks_for(args.particles - args.step.boundary_count, block);
}

} // namespace

void find_cells_near_zones(const FixedGrid& grid, const GridPeriod& period, const OpenView& open, std::uint8_t* near) {
    near_kernel<<<blocks_for(grid.cells(), block), block>>>(grid, period, open.zones, near);
    check_launch("cells near open boundaries");
    wait_for(nullptr, "cells near open boundaries");
}

void look_at_surfaces(const InteractionArgs& args, const OpenView& open, float one_cell_travel, cudaStream_t stream) {
    if (open.finding_count == 0) return;
    const dim3 blocks(blocks_for(std::uint64_t(open.most_check_points) * warp, ghost_block),
                      unsigned(open.finding_count));
    sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel) {
        launch_ahead(fraction_kernel<Kernel>, blocks, ghost_block, stream, "water before open boundaries", args, open,
                     one_cell_travel);
    });
}

void take_surface_fractions(const InteractionArgs& args, const OpenView& open, const FoundFractions& found,
                            cudaStream_t stream) {
    const dim3 blocks(blocks_for(std::uint64_t(open.most_check_points), ghost_block), unsigned(open.finding_count));
    take_fractions_kernel<<<blocks, ghost_block, 0, stream>>>(args, open, found);
    check_launch("water before open boundaries on other GPUs");
}

void impose_flow(const InteractionArgs& args, const OpenView& open, const ZoneTargets& to, const Range& seen,
                 double fraction, bool extrapolates, float one_cell_travel, cudaStream_t stream) {
    if (open.finding_count > 0)
        launch_ahead(surface_kernel, unsigned(open.finding_count), ghost_block, stream,
                     "surfaces before open boundaries", args, open);
    launch_ahead(locate_kernel, blocks_for(seen.end - args.step.boundary_count, block), block, stream,
                 "particles in open boundaries", args, open, to, seen, fraction);
    if (extrapolates && args.particles > args.own_first) extrapolate(args, open, to, fraction, one_cell_travel, stream);
}

void hold_rates(const InteractionArgs& args, const OpenView& open, const ZoneTargets& to, bool hold_level,
                cudaStream_t stream) {
    if (hold_level && args.particles > args.own_first)
        launch_ahead(hold_level_kernel, blocks_for(args.particles - args.own_first, block), block, stream,
                     "levels of open boundaries", args, open, to);
    launch_ahead(hold_walls_kernel, blocks_for(std::max(args.step.boundary_count, 1u), block), block, stream,
                 "walls of open boundaries", args, open, to.position);
}

void hold_shifts(const InteractionArgs& args, const OpenView& open, ShiftRecord* shifts, cudaStream_t stream) {
    launch_ahead(hold_shifts_kernel, fluid_blocks(args), block, stream, "shifts in open boundaries", args, open,
                 shifts);
}

} // namespace sluice::cuda
