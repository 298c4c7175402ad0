// SPDX-License-Identifier: Apache-2.0
#include "cuda/wall_extrapolation.h"

#include "cuda/block_size.cuh"
#include "cuda/ghost_sums.cuh"
#include "cuda/host_copies.h"

namespace sluice::cuda {

namespace {

constexpr int block = 128;

/// A boundary particle with its ghost node.
struct GhostOf {
    Vec3d normal, wall_velocity; ///< m, m/s
    Units64 node;                ///< inside the domain, or beyond sides that are not periodic
};

__device__ GhostOf ghost_of(const InteractionArgs& args, const RigidView& rigid, const WallArrays& walls,
                            const Vec3f& normal_at_start, std::uint32_t i) {
    const InteractionView& v = args.view;
    GhostOf ghost{vec_cast<double>(normal_at_start), {}, {}};
    const std::uint32_t id = walls.id[i];
    const std::int32_t object = rigid.object_of(id);
    if (object != RigidParticles::at_rest) {
        const RigidMotion& motion = rigid.now[object];
        ghost.normal = motion.turned(ghost.normal);
        ghost.wall_velocity = motion.velocity_at(motion.position_of(rigid.start[id - rigid.begin]));
    }
    const double scale = 2 / double(v.grid.unit);
    const Units64 offset{llrint(scale * ghost.normal.x), llrint(scale * ghost.normal.y),
                         llrint(scale * ghost.normal.z)};
    ghost.node = args.period.wrapped_from_afar(unwrap(v.grid, v.position[i], v.cell[i]) + offset);
    return ghost;
}

template <class Op>
__global__ void extrapolation_kernel(const __grid_constant__ InteractionArgs args,
                                     const __grid_constant__ sph::GhostNodeConstants<float> constants, WallArrays walls,
                                     const Vec3f* normals, RigidView rigid, float one_cell_travel) {
    const std::uint32_t thread = blockIdx.x * block + threadIdx.x, i = thread / ghost_lanes,
                        first = thread % ghost_lanes;
    if (!args.control->active) return;
    const Vec3f normal = i < args.step.boundary_count ? normals[walls.id[i]] : Vec3f{};
    const bool wanted = is_extrapolated(normal);
    float sums[Op::sum_count] = {};
    GhostOf ghost;
    if (wanted) {
        ghost = ghost_of(args, rigid, walls, normal, i);
        const auto any = [](std::uint32_t) { return true; };
        add_ghost_node<Op>(args, constants, ghost.node, one_cell_travel, first, any, sums);
    }
    add_lanes(sums);
    if (!wanted || first != 0) return;
    const sph::WallFlow wall = sph::wall_flow(args.step.run, sums, ghost.normal, ghost.wall_velocity);
    const float rho = float(wall.density);
    walls.flow[i] = {float(wall.velocity.x), float(wall.velocity.y), float(wall.velocity.z), rho};
    walls.position[i].pressure_term = args.step.eos.pressure_term(rho);
}

} // namespace

WallExtrapolation::WallExtrapolation(const RunSetup& setup, DeviceMemory& memory) {
    if (setup.normals.empty()) return;
    normals_ = {memory, setup.normals.size(), "normals of the walls"};
    upload(setup.normals, normals_.data());
    everywhere_ = setup.extrapolates_everywhere();
}

void extrapolate_to_walls(const InteractionArgs& args, const WallArrays& walls, const Vec3f* normals,
                          const RigidView& rigid, float one_cell_travel, cudaStream_t stream) {
    const sph::GhostNodeConstants<float> constants(args.step.run, {1});
    const unsigned blocks = blocks_for(std::uint64_t(args.step.boundary_count) * ghost_lanes, block);
    sph::with_ghost_node(args.step.run, [&]<class Op>(Op) {
        extrapolation_kernel<Op><<<blocks, block, 0, stream>>>(args, constants, walls, normals, rigid, one_cell_travel);
    });
    check_launch("density of the walls");
}

} // namespace sluice::cuda
