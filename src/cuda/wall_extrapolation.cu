// SPDX-License-Identifier: Apache-2.0
#include "cuda/wall_extrapolation.h"

#include "cuda/block_size.cuh"
#include "cuda/host_copies.h"
#include "cuda/image_loops.h"
#include "physics/sph/wall_extrapolation.h"

namespace sluice::cuda {

namespace {

constexpr int block = 128;
/// Lanes that share a ghost node and take the fluid around it in turn.
constexpr unsigned lanes = 8;

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

/// How far from a ghost node fluid may be found, which has moved by `travel` (m) since its cells were made.
struct SearchRadius {
    int reach;           ///< cells on either side
    float squared_cells; ///< squared, in cells
};
__device__ SearchRadius search_radius(const FixedGrid& grid, float support, float travel, float one_cell_travel) {
    const float cells = 1.00001f * (support + travel) / ldexpf(grid.unit, grid.cell_bits);
    return {travel > one_cell_travel ? 2 : grid.reach, cells * cells};
}

/// Adds what the fluid around a place says, every `lanes`-th candidate from `first` on. Candidates are tested before
/// those that hit are visited, so that the lanes of a warp compute together.
template <class Op>
__device__ void add_around(const InteractionView& v, const sph::GhostNodeConstants<float>& c, const Units64& place,
                           const SearchRadius& radius, std::uint32_t first, float (&sums)[Op::sum_count]) {
    const Target node{prepared(int(place.x)), prepared(int(place.y)), prepared(int(place.z)), {}};
    ImageRows rows{v.grid, v.fluid};
    rows.grid.reach = radius.reach;
    Reach reach = node.reach(v.grid);
    reach.radius2 = radius.squared_cells;
    rows.for_each(cell_around(v.grid, place), reach, [&](Range range) {
        for (std::uint32_t start = range.begin + first; start < range.end; start += 32 * lanes) {
            std::uint32_t near = 0;
            for (std::uint32_t k = 0; k < 32 && start + k * lanes < range.end; ++k)
                if (separation_from(v, node, load16(v.position + start + k * lanes)).r2 < c.support2) near |= 1u << k;
            for (; near; near &= near - 1) {
                const std::uint32_t j = start + lowest_bit(near) * lanes;
                const Separation s = separation_from(v, node, load16(v.position + j));
                Op::add(c, s.dx, s.dy, s.dz, s.r2, load16(v.flow + j), sums);
            }
        }
    });
}

template <class Op>
__global__ void extrapolation_kernel(const __grid_constant__ InteractionArgs args,
                                     const __grid_constant__ sph::GhostNodeConstants<float> constants, WallArrays walls,
                                     const Vec3f* normals, RigidView rigid, float one_cell_travel) {
    const InteractionView& v = args.view;
    const std::uint32_t thread = blockIdx.x * block + threadIdx.x, i = thread / lanes, first = thread % lanes;
    if (!args.control->active) return;
    const Vec3f normal = i < args.step.boundary_count ? normals[walls.id[i]] : Vec3f{};
    const bool wanted = is_extrapolated(normal);
    float sums[Op::sum_count] = {};
    GhostOf ghost;
    if (wanted) {
        ghost = ghost_of(args, rigid, walls, normal, i);
        const SearchRadius radius = search_radius(v.grid, 2 * float(args.step.run.h),
                                                  __uint_as_float(args.control->travel_bits), one_cell_travel);
        add_around<Op>(v, constants, ghost.node, radius, first, sums);
        args.period.for_each_shift([&](const Units64& shift) {
            if (near_domain(v.grid, ghost.node + shift, search_reach))
                add_around<Op>(v, constants, ghost.node + shift, radius, first, sums);
        });
    }
#pragma unroll
    for (float& sum : sums)
#pragma unroll
        for (unsigned offset = lanes / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
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
    const unsigned blocks = blocks_for(std::uint64_t(args.step.boundary_count) * lanes, block);
    sph::with_ghost_node(args.step.run, [&]<class Op>(Op) {
        extrapolation_kernel<Op><<<blocks, block, 0, stream>>>(args, constants, walls, normals, rigid, one_cell_travel);
    });
    check_launch("density of the walls");
}

} // namespace sluice::cuda
