// SPDX-License-Identifier: Apache-2.0
#include "cuda/block_size.cuh"
#include "cuda/ghost_sums.cuh"
#include "cuda/launch_ahead.cuh"
#include "cuda/open_boundaries.h"
#include "cuda/placed_particles.h"
#include "cuda/surface_line.cuh"

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

__device__ ZoneFlow flow_now(const Flow& f) { return {{f.vx, f.vy, f.vz}, f.rho}; }

__device__ void write_flow(const InteractionArgs& args, const ZoneTargets& to, std::uint32_t i, const ZoneFlow& flow) {
    const Flow f{float(flow.velocity.x), float(flow.velocity.y), float(flow.velocity.z), float(flow.density)};
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
    const Vec3d p = metres(args.view.grid, args.period, to.position[i], args.view.cell[i]);
    const int in = place_in(open.zones, p).zone;
    open.zone[k] = in;
    if (in < 0 || i < args.own_first || i >= control.alive) return;
    const OpenZone& zone = open.zones.zones[in];
    if (zone.extrapolates())
        open.extrapolated[atomicAdd(&open.counters->extrapolated, 1u)] = i;
    else
        write_flow(args, to, i,
                   imposed_flow(args.step.run, open.zones, zone, p, time_at(control, fraction), flow_now(to.flow[i])));
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
                                 flow_now(to.flow[i])));
    }
}

void extrapolate(const InteractionArgs& args, const OpenView& open, const ZoneTargets& to, double fraction,
                 float one_cell_travel, cudaStream_t stream) {
    constexpr unsigned most_blocks = 132 * 8; // zones hold few of the particles
    const sph::GhostNodeConstants<float> constants(args.step.run, sph::metre);
    const unsigned blocks =
        std::min(blocks_for(std::uint64_t(args.particles - args.own_first) * ghost_lanes, ghost_block), most_blocks);
    sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel) {
        launch_ahead(extrapolate_kernel<sph::GhostNode<Kernel, sph::GhostVelocity::linear>>, blocks, ghost_block,
                     stream, "ghost nodes of open boundaries", args, constants, open, to, fraction, one_cell_travel);
    });
}

__global__ void hold_kernel(const __grid_constant__ InteractionArgs args, const __grid_constant__ OpenView open,
                            ZoneTargets to) {
    wait_for_kernel_before();
    Control& control = *args.control;
    const std::uint32_t k = blockIdx.x * block + threadIdx.x, i = args.step.boundary_count + k;
    if (k == 0) open.counters->extrapolated = 0;
    if (!control.active) return;
    float force2 = 0;
    if (i >= args.own_first && i < control.alive) {
        if (open.zone[k] >= 0) {
            args.rates[i] = {0, 0, 0, 0};
            const OpenZone& zone = open.zones.zones[open.zone[k]];
            if (zone.holds_level) {
                const Vec3d v = moving_velocity(zone, flow_now(to.flow[i]).velocity);
                to.flow[i] = {float(v.x), float(v.y), float(v.z), to.flow[i].rho};
                if (to.previous) to.previous[i] = to.flow[i];
            }
        } else {
            const RateRecord r = args.rates[i];
            force2 = r.ax * r.ax + r.ay * r.ay + r.az * r.az;
        }
    }
    raise_maximum(&control.force2_bits, force2);
}

__global__ void hold_walls_kernel(const __grid_constant__ InteractionArgs args, const __grid_constant__ OpenView open,
                                  const Position* position) {
    wait_for_kernel_before();
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (!args.control->active || !args.own_walls.contains(i)) return;
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

void hold_rates(const InteractionArgs& args, const OpenView& open, const ZoneTargets& to, cudaStream_t stream) {
    // what acts on those that are held does not limit the time step: the largest force is found anew
    check(cudaMemsetAsync(&args.control->force2_bits, 0, sizeof args.control->force2_bits, stream),
          "rates in open boundaries");
    launch_ahead(hold_kernel, fluid_blocks(args), block, stream, "rates in open boundaries", args, open, to);
    if (args.step.boundary_count == 0) return;
    launch_ahead(hold_walls_kernel, blocks_for(args.step.boundary_count, block), block, stream,
                 "walls of open boundaries", args, open, to.position);
}

void hold_shifts(const InteractionArgs& args, const OpenView& open, ShiftRecord* shifts, cudaStream_t stream) {
    launch_ahead(hold_shifts_kernel, fluid_blocks(args), block, stream, "shifts in open boundaries", args, open,
                 shifts);
}

} // namespace sluice::cuda
