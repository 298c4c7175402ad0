// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/launch_ahead.cuh"
#include "cuda/passes/wall_extrapolation.h"

#include "cuda/device/block_size.cuh"
#include "cuda/device/gpu_devices.h"
#include "cuda/device/host_copies.h"
#include "cuda/passes/ghost_sums.cuh"

namespace sluice::cuda {

namespace {

constexpr int block = 128;

/// A boundary particle with its ghost node.
struct GhostOf {
    Vec3d normal, wall_velocity; ///< m, m/s
    bool balanced;               ///< WallPressure, of a wall at rest
    Units64 node;                ///< inside the domain, or beyond sides that are not periodic
};

__device__ GhostOf ghost_of(const InteractionArgs& args, const RigidView& rigid, const WallArrays& walls,
                            const Vec3f& normal_at_start, std::uint32_t i) {
    const InteractionView& v = args.view;
    GhostOf ghost{vec_cast<double>(normal_at_start), {}, false, {}};
    const std::uint32_t id = walls.id[i];
    const std::int32_t object = rigid.object_of(id);
    ghost.balanced = object == RigidParticles::at_rest && args.step.run.wall_pressure == sph::WallPressure::balanced;
    if (object != RigidParticles::at_rest) {
        const RigidMotion& motion = rigid.now[object];
        ghost.normal = motion.turned(ghost.normal);
        ghost.wall_velocity = motion.velocity_of(rigid.start[id - rigid.begin]);
    }
    const double scale = 2 / double(v.grid.unit);
    const Units64 offset{llrint(scale * ghost.normal.x), llrint(scale * ghost.normal.y),
                         llrint(scale * ghost.normal.z)};
    ghost.node = args.period.wrapped_from_afar(unwrap(v.grid, v.position[i], v.cell[i]) + offset);
    return ghost;
}

__device__ void write_wall(const InteractionArgs& args, const WallArrays& walls, std::uint32_t i, const Flow& flow) {
    walls.flow[i] = flow;
    walls.position[i].pressure_term = args.step.eos.pressure_term(flow.rho);
}

/// What a boundary particle takes part with.
__device__ void write_wall(const InteractionArgs& args, const WallArrays& walls, std::uint32_t i, const float* sums,
                           const GhostOf& ghost) {
    const sph::WallFlow wall = sph::wall_flow(args.step.run, sums, ghost.normal, ghost.wall_velocity,
                                              ghost.balanced ? &args.step.gravity : nullptr);
    write_wall(args, walls, i,
               {float(wall.velocity.x), float(wall.velocity.y), float(wall.velocity.z), float(wall.density)});
}

/// Some lanes a boundary particle.
template <class Op>
__global__ void extrapolation_kernel(const __grid_constant__ InteractionArgs args,
                                     const __grid_constant__ sph::GhostNodeConstants<float> constants, WallArrays walls,
                                     const Vec3f* normals, RigidView rigid, float one_cell_travel) {
    wait_for_kernel_before();
    const std::uint32_t thread = blockIdx.x * block + threadIdx.x, i = thread / ghost_lanes,
                        first = thread % ghost_lanes;
    if (!args.control->active) return;
    const Vec3f normal = i < args.step.boundary_count ? normals[walls.id[i]] : Vec3f{};
    bool wanted = is_extrapolated(normal);
    float sums[Op::sum_count] = {};
    GhostOf ghost;
    if (wanted) ghost = ghost_of(args, rigid, walls, normal, i);
    wanted = wanted && args.answers_for(ghost.node);
    if (wanted) {
        const auto any = [](std::uint32_t) { return true; };
        add_ghost_node<Op>(args, constants, ghost.node, one_cell_travel, first, any, sums);
    }
    add_lanes(sums);
    if (wanted && first == 0) write_wall(args, walls, i, sums, ghost);
}

/// Blocks that a multiprocessor is to have room for: more registers gain less than what waits beside them.
template <class Op>
inline constexpr int blocks_at_once = Op::sum_count < sph::ghost_velocity_gradient ? 7 : 6;

/// A thread a boundary particle. Their order brings them next to one another, and so their ghost nodes: the lanes of a
/// warp look into nearly the same cells.
template <class Op>
__global__ void __launch_bounds__(block, blocks_at_once<Op>)
    coarse_extrapolation_kernel(const __grid_constant__ InteractionArgs args,
                                const __grid_constant__ sph::GhostNodeConstants<float> constants, int coarse_limit,
                                WallArrays walls, const Vec3f* normals, const __grid_constant__ RigidView rigid,
                                float one_cell_travel) {
    wait_alone_for_kernel_before();
    __shared__ uint2 rings[block / warp * WideRing::bytes_per_warp / sizeof(uint2)];
    if (!args.control->active) return;
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    const Vec3f normal = i < args.step.boundary_count ? normals[walls.id[i]] : Vec3f{};
    bool wanted = is_extrapolated(normal);
    GhostOf ghost{};
    if (wanted) ghost = ghost_of(args, rigid, walls, normal, i);
    wanted = wanted && args.answers_for(ghost.node);
    float sums[Op::sum_count] = {};
    const auto any = [](std::uint32_t) { return true; };
    sum_ghost_node<Op>(args, constants, coarse_limit, ghost.node, one_cell_travel, wanted, rings, any, sums);
    if (wanted) write_wall(args, walls, i, sums, ghost);
}

/// A thread a boundary particle that this device sees.
__global__ void take_kernel(const __grid_constant__ InteractionArgs args, WallArrays walls, const Vec3f* normals,
                            const __grid_constant__ RigidView rigid, FoundWalls found) {
    const std::uint32_t i = found.seen.begin + blockIdx.x * block + threadIdx.x;
    if (!args.control->active || i >= found.seen.end) return;
    const Vec3f normal = normals[walls.id[i]];
    if (!is_extrapolated(normal)) return;
    const GhostOf ghost = ghost_of(args, rigid, walls, normal, i);
    if (found.rows.contains(row_of(args.view.grid, ghost.node))) write_wall(args, walls, i, found.flow[i]);
}

/// Whether so many ghost nodes keep the device busy with one thread each. In 2-D they find so few neighbours that
/// making coarse positions costs more than it saves.
bool are_many(std::size_t nodes, const sph::Constants& constants) {
    return !constants.two_d && nodes >= std::size_t(multiprocessors()) * 512;
}

} // namespace

WallExtrapolation::WallExtrapolation(const RunSetup& setup, DeviceMemory& memory) {
    if (setup.normals.empty()) return;
    normals_ = {memory, setup.normals.size(), "normals of the walls"};
    upload(setup.normals, normals_.data());
    everywhere_ = setup.extrapolates_everywhere();
    coarse_ = are_many(setup.normals.size(), setup.constants);
}

void extrapolate_to_walls(const InteractionArgs& args, const WallArrays& walls, const Vec3f* normals,
                          const RigidView& rigid, float one_cell_travel, cudaStream_t stream) {
    const sph::GhostNodeConstants<float> constants(args.step.run, sph::metre);
    const std::uint64_t nodes = args.step.boundary_count;
    constexpr const char* what = "density of the walls";
    sph::with_ghost_node(args.step.run, [&]<class Op>(Op) {
        if (args.view.coarse)
            launch_ahead(coarse_extrapolation_kernel<Op>, blocks_for(nodes, block), block, stream, what, args,
                         constants, coarse_limit_for(args.view.grid, 2 * args.step.run.h), walls, normals, rigid,
                         one_cell_travel);
        else
            launch_ahead(extrapolation_kernel<Op>, blocks_for(nodes * ghost_lanes, block), block, stream, what, args,
                         constants, walls, normals, rigid, one_cell_travel);
    });
}

void take_extrapolated(const InteractionArgs& args, const WallArrays& walls, const Vec3f* normals,
                       const RigidView& rigid, const FoundWalls& found, cudaStream_t stream) {
    if (size_of(found.seen) == 0) return;
    take_kernel<<<blocks_for(size_of(found.seen), block), block, 0, stream>>>(args, walls, normals, rigid, found);
    check_launch("density of other GPUs' walls");
}

} // namespace sluice::cuda
