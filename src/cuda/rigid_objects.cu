// SPDX-License-Identifier: Apache-2.0
#include "cuda/block_size.cuh"
#include "cuda/image_loops.h"
#include "cuda/launch_ahead.cuh"
#include "cuda/reduce.cuh"
#include "cuda/rigid_objects.h"
#include "model/motion.h"
#include "scheme/contact_time_step.h"
#include "scheme/integrators.h"

#include <algorithm>

namespace sluice::cuda {

namespace {

constexpr int block = 128;
constexpr unsigned all_lanes_of_warp = 0xffffffffu;

__device__ double part_of_step(Stage stage) { return stage == Stage::predictor ? 0.5 : 1.0; }

/// Where body b is after a stage.
__device__ BodyState body_after(const RigidView& rigid, int b, const sph::Constants& c, Stage stage,
                                const Control& control) {
    if (stage == Stage::predictor) rigid.body_start[b] = rigid.body[b];
    const BodyState from = stage == Stage::corrector ? rigid.body_start[b] : rigid.body[b];
    const BodyStage of_body = stage != Stage::whole_step                         ? BodyStage::symplectic
                              : sph::is_euler_step(control.step, c.verlet_steps) ? BodyStage::verlet_euler
                                                                                 : BodyStage::verlet_leap;
    return after_stage(of_body, rigid.bodies[b], from, rigid.load[b], {c.gravity, rigid.series}, control.time,
                       part_of_step(stage) * control.dt);
}

__device__ void find_motion(const RigidView& rigid, int object, double time) {
    const int b = object - rigid.motions.object_count;
    rigid.now[object] =
        b < 0 ? motion_at(rigid.motions, object, time) : motion_at(rigid.bodies[b], rigid.body[b], time);
}

/// Blocks of a warp: walls have others than bodies, so that nobody waits for what the other kind computes.
struct ObjectBlocks {
    int of_walls, of_bodies;

    explicit ObjectBlocks(const RigidView& rigid)
        : of_walls((rigid.motions.object_count + warp - 1) / warp), of_bodies((rigid.body_count + warp - 1) / warp) {}
    unsigned count() const { return unsigned(of_walls + of_bodies); }
};

/// The object of a thread; none: −1.
__device__ int object_of_thread(const RigidView& rigid, const ObjectBlocks& blocks) {
    const int walls = rigid.motions.object_count, of_kind = int(threadIdx.x);
    if (int(blockIdx.x) < blocks.of_walls) {
        const int wall = int(blockIdx.x) * warp + of_kind;
        return wall < walls ? wall : -1;
    }
    const int b = (int(blockIdx.x) - blocks.of_walls) * warp + of_kind;
    return b < rigid.body_count ? walls + b : -1;
}

__global__ void motion_kernel(RigidView rigid, ObjectBlocks blocks, const Control* control, sph::Constants constants,
                              Stage stage) {
    wait_for_kernel_before();
    const int object = object_of_thread(rigid, blocks);
    if (!control->active || object < 0) return;
    if (rigid.is_body(object)) {
        const int b = object - rigid.motions.object_count;
        rigid.body[b] = body_after(rigid, b, constants, stage, *control);
    }
    find_motion(rigid, object, control->time + part_of_step(stage) * control->dt);
}

__global__ void find_motions_kernel(RigidView rigid, ObjectBlocks blocks, const Control* control) {
    wait_for_kernel_before();
    const int object = object_of_thread(rigid, blocks);
    if (object >= 0) find_motion(rigid, object, control->time);
}

/// The image of a place in the domain that is nearest to another place.
__device__ Units64 image_next_to(const GridPeriod& period, const Units64& place, const Units64& other) {
    const auto distance2 = [&](const Units64& u) {
        const double x = double(u.x - other.x), y = double(u.y - other.y), z = double(u.z - other.z);
        return x * x + y * y + z * z;
    };
    Units64 best = place;
    period.for_each_shift([&](const Units64& shift) {
        const Units64 image = place + shift;
        if (distance2(image) < distance2(best)) best = image;
    });
    return best;
}

__global__ void place_kernel(const __grid_constant__ UpdateArgs args, RigidView rigid, Stage stage) {
    wait_for_kernel_before();
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= args.step.boundary_count || !args.control->active) return;
    const std::uint32_t id = args.next.id[i];
    const std::int32_t object = rigid.object_of(id);
    if (object == RigidParticles::at_rest) return;
    const RigidMotion& motion = rigid.now[object];
    const Vec3d place = motion.position_of(rigid.start[id - rigid.begin]);
    const Vec3d velocity = motion.velocity_at(place);
    Units64 to = args.period.wrapped_from_afar(units_of(args.grid, place));
    if (!in_domain(args.grid, to)) {
        atomicMin(&args.control->left_id, id);
        args.control->failed = 1;
    }
    // cells that are made only now and then must still be near
    if (args.period.any() && !args.counts.count)
        to = image_next_to(args.period, to, unwrap(args.grid, args.next.position[i], args.cell[i]));
    Position& position = args.next.position[i];
    position = {int(to.x), int(to.y), int(to.z), position.pressure_term};
    Flow& flow = args.next.flow[i];
    flow = {float(velocity.x), float(velocity.y), float(velocity.z), flow.rho};
    if (stage == Stage::corrector) args.next.previous[i] = flow; // as a step that is not taken leaves it
}

/// Lanes that share a particle of a body and take its candidates in turn: bodies have few particles, and what counts is
/// how long one takes.
constexpr unsigned sharing_lanes = 32;
/// Blocks that keep any device busy.
constexpr unsigned most_reaction_blocks = 4096;

/// Adds the particles of some rows of cells that `takes(j)` says, every `sharing_lanes`-th candidate from `first` on.
/// Candidates are tested before those that hit are visited, so that the lanes compute together.
template <class F, class Rows, class Cell, class Takes>
__device__ void add_particles(const InteractionView& v, const sph::PairConstants<float>& c, const Target& a,
                              const Rows& rows, const Cell& cell, std::uint32_t first, const Takes& takes,
                              FluidSums& sums) {
    rows.for_each(cell, a.reach(v.grid), [&](Range range) {
        for (std::uint32_t start = range.begin + first; start < range.end; start += 32 * sharing_lanes) {
            std::uint32_t near = 0;
            for (std::uint32_t k = 0; k < 32 && start + k * sharing_lanes < range.end; ++k) {
                const std::uint32_t j = start + k * sharing_lanes;
                if (separation_from(v, a, load16(v.position + j)).r2 < c.support2 && takes(j)) near |= 1u << k;
            }
            for (; near; near &= near - 1)
                add_pair<typename F::Gathered, false>(v, c, a, start + lowest_bit(near) * sharing_lanes, sums);
        }
    });
}

/// Sums over the particles of one kind around boundary particle i and its images.
template <class F, class Takes>
__device__ FluidSums sum_around(const InteractionArgs& args, const sph::PairConstants<float>& c, CellBegins cells,
                                int reach, std::uint32_t i, const Target& a, std::uint32_t first, const Takes& takes) {
    const InteractionView& v = args.view;
    FluidSums sums;
    WholeRows rows{v.grid, cells};
    rows.grid.reach = reach;
    add_particles<F>(v, c, a, rows, v.cell[i], first, takes, sums);
    const Units64 here = unwrap(v.grid, a.position(), v.cell[i]);
    args.period.for_each_shift([&](const Units64& shift) {
        add_particles<F>(v, c, a.shifted(shift), BoxRows{v.grid, cells},
                         box_around(cell_around(v.grid, here + shift), reach), first, takes, sums);
    });
    sums.scale(sph::pair_scales<typename F::Kernel>(c), a.side.rho);
    return sums;
}

/// Whether particles of body b may be within `reach` (m) of a place. Across periodic sides: always.
__device__ bool is_near_body(const InteractionArgs& args, const RigidView& rigid, const Vec3d& place, int b,
                             double reach) {
    if (args.period.any()) return true;
    const Vec3d r = place - rigid.body[b].centre;
    const double far = rigid.radius[b] + reach;
    return dot(r, r) < far * far;
}

/// Which of its boundary particles something may push: those of bodies, and with contacts those near the bodies of
/// others, who have company then, whoever steps it. One thread a particle; in any order.
__global__ void meet_kernel(const __grid_constant__ InteractionArgs args, const std::uint32_t* ids, RigidView rigid) {
    wait_for_kernel_before();
    const InteractionView& v = args.view;
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    bool meets = false;
    if (args.control->active && i < args.step.boundary_count) {
        const std::int32_t object = rigid.object_of(ids[i]);
        meets = rigid.is_body(object);
        if (rigid.in_contact) {
            const Units64 here = unwrap(v.grid, v.position[i], v.cell[i]);
            const Vec3d place = double(v.grid.unit) * Vec3d{double(here.x), double(here.y), double(here.z)};
            for (int b = 0; b < rigid.body_count; ++b)
                if (object != rigid.motions.object_count + b &&
                    is_near_body(args, rigid, place, b, 2.001 * args.step.run.h)) {
                    meets = true;
                    rigid.has_company[b] = 1;
                }
        }
        meets &= args.own_walls.contains(i);
    }
    const unsigned who = __ballot_sync(all_lanes_of_warp, meets), lane = threadIdx.x % warp;
    unsigned slot = 0;
    if (lane == 0 && who) slot = atomicAdd(rigid.met_count, unsigned(__popc(who)));
    slot = __shfl_sync(all_lanes_of_warp, slot, 0);
    if (meets) rigid.met[slot + __popc(who & ((1u << lane) - 1))] = i;
}

/// dv/dt of the particles of bodies by the fluid, which are the pair terms of the fluid seen from the other side, and
/// by walls and other bodies; dρ/dt by the latter of all boundary particles. A warp takes one particle of those met
/// after the other.
template <class F>
__global__ void reaction_kernel(const __grid_constant__ InteractionArgs args,
                                const __grid_constant__ sph::PairConstants<float> contact_pairs,
                                const std::uint32_t* ids, RigidView rigid, float one_cell_travel) {
    wait_for_kernel_before();
    const InteractionView& v = args.view;
    const Control& control = *args.control;
    if (!control.active) return;
    const std::uint32_t first = threadIdx.x % sharing_lanes, warps = gridDim.x * (block / sharing_lanes);
    const float fluid_travel = __uint_as_float(control.travel_bits),
                wall_travel = __uint_as_float(control.wall_travel_bits);
    const auto reach = [&](float travel) { return travel > one_cell_travel ? 2 : v.grid.reach; };
    for (std::uint32_t k = (blockIdx.x * block + threadIdx.x) / sharing_lanes; k < *rigid.met_count; k += warps) {
        const std::uint32_t i = rigid.met[k];
        const std::int32_t object = rigid.object_of(ids[i]);
        const bool of_body = rigid.is_body(object);
        FluidSums sums;
        float contact_density = 0;
        const Target a = load_target(v, i);
        if (of_body)
            sums = sum_around<F>(args, args.boundary_pairs, v.fluid, reach(fluid_travel + wall_travel), i, a, first,
                                 [](std::uint32_t) { return true; });
        if (rigid.in_contact && (!of_body || rigid.has_company[object - rigid.motions.object_count])) {
            const auto touches = [&](std::uint32_t j) {
                const std::int32_t other = rigid.object_of(ids[j]);
                return other != object && (of_body || rigid.is_body(other));
            };
            const FluidSums contact =
                sum_around<F>(args, contact_pairs, v.boundary, reach(2 * wall_travel), i, a, first, touches);
            contact_density = contact.density;
            sums.add(contact);
        }
#pragma unroll
        for (unsigned offset = sharing_lanes / 2; offset > 0; offset /= 2) {
            sums.ax += __shfl_xor_sync(all_lanes_of_warp, sums.ax, offset);
            sums.ay += __shfl_xor_sync(all_lanes_of_warp, sums.ay, offset);
            sums.az += __shfl_xor_sync(all_lanes_of_warp, sums.az, offset);
            contact_density += __shfl_xor_sync(all_lanes_of_warp, contact_density, offset);
        }
        if (first != 0) continue;
        if (of_body) rigid.acceleration[ids[i] - rigid.begin] = {sums.ax, sums.ay, sums.az};
        args.rates[i].rho += contact_density;
    }
}

/// Where a boundary particle is to the last digit: contacts are shallower than the units of the grid. `approximately`:
/// in those, m.
__device__ Vec3d exact_place(const RigidView& rigid, std::uint32_t id, const Vec3d& approximately) {
    const std::int32_t object = rigid.object_of(id);
    return object == RigidParticles::at_rest ? approximately
                                             : rigid.now[object].position_of(rigid.start[id - rigid.begin]);
}

__device__ Vec3d in_metres(const FixedGrid& grid, const Units64& u) {
    return double(grid.unit) * Vec3d{double(u.x), double(u.y), double(u.z)};
}

/// Boundary particle i of a body, and what touches it.
struct ContactTarget {
    Target seen;
    std::uint32_t id, part;
    Vec3d place;
};

/// What boundary particle j does to a particle, if they touch.
__device__ void add_push(const InteractionArgs& args, const std::uint32_t* ids, const RigidView& rigid,
                         const ContactTarget& a, const Target& seen, std::uint32_t j, dem::Push& sum) {
    const InteractionView& v = args.view;
    const sph::Constants& c = args.step.run;
    const float reach = float(dem::reach * c.dp);
    const Separation s = separation_from(v, seen, load16(v.position + j));
    if (s.r2 >= reach * reach) return;
    const std::uint32_t part = rigid.part_of_id[ids[j]];
    if (part == a.part || part == ContactParts::inside) return;
    const Vec3d near{s.dx, s.dy, s.dz};
    Vec3d r = a.place - exact_place(rigid, ids[j], in_metres(v.grid, unwrap(v.grid, v.position[j], v.cell[j])));
    const Vec3d off = r - near;
    if (dot(off, off) > 1e-4 * c.dp * c.dp) r = near; // a period lies between them
    if (dot(r, r) >= dem::reach * dem::reach * c.dp * c.dp) return;
    const Flow f = load16(v.flow + j);
    const Vec3d velocity{double(seen.side.vx) - f.vx, double(seen.side.vy) - f.vy, double(seen.side.vz) - f.vz};
    sum.add(dem::push_of(rigid.parts[a.part], rigid.parts[part], r, velocity, c.dp, dem::creep_speed(c)));
}

__device__ double warp_sum(double value) {
#pragma unroll
    for (unsigned offset = sharing_lanes / 2; offset > 0; offset /= 2)
        value += __shfl_xor_sync(all_lanes_of_warp, value, offset);
    return value;
}

__device__ Vec3d warp_sum(const Vec3d& v) { return {warp_sum(v.x), warp_sum(v.y), warp_sum(v.z)}; }

/// What touches boundary particle i of a body; the lanes of a warp take what may in turn.
__device__ dem::Push push_on(const InteractionArgs& args, const std::uint32_t* ids, const RigidView& rigid,
                             std::uint32_t i, std::uint32_t first, float one_cell_travel) {
    const InteractionView& v = args.view;
    const std::uint32_t id = ids[i], part = rigid.part_of_id[id];
    dem::Push sum;
    if (part == ContactParts::inside) return sum;
    const Target seen = load_target(v, i);
    const Units64 here = unwrap(v.grid, seen.position(), v.cell[i]);
    const ContactTarget a{seen, id, part, exact_place(rigid, id, in_metres(v.grid, here))};
    WholeRows rows{v.grid, v.boundary};
    if (2 * __uint_as_float(args.control->wall_travel_bits) > one_cell_travel) rows.grid.reach = 2;
    rows.for_each(v.cell[i], seen.reach(v.grid), [&](Range range) {
        for (std::uint32_t j = range.begin + first; j < range.end; j += sharing_lanes)
            add_push(args, ids, rigid, a, seen, j, sum);
    });
    args.period.for_each_shift([&](const Units64& shift) {
        const Target image = seen.shifted(shift);
        BoxRows{v.grid, v.boundary}.for_each(
            box_around(cell_around(v.grid, here + shift), rows.grid.reach), seen.reach(v.grid), [&](Range range) {
                for (std::uint32_t j = range.begin + first; j < range.end; j += sharing_lanes)
                    add_push(args, ids, rigid, a, image, j, sum);
            });
    });
    return sum;
}

/// What elastic contacts do to the particles of bodies, which are all that is met. A warp takes one after the other.
__global__ void contact_kernel(const __grid_constant__ InteractionArgs args, const std::uint32_t* ids, RigidView rigid,
                               float one_cell_travel) {
    wait_for_kernel_before();
    if (!args.control->active) return;
    const std::uint32_t first = threadIdx.x % sharing_lanes, warps = gridDim.x * (block / sharing_lanes);
    for (std::uint32_t k = (blockIdx.x * block + threadIdx.x) / sharing_lanes; k < *rigid.met_count; k += warps) {
        const std::uint32_t i = rigid.met[k];
        const dem::Push sum = push_on(args, ids, rigid, i, first, one_cell_travel);
        const Vec3d force = warp_sum(sum.force), couple = warp_sum(sum.couple);
        const double stiffness = warp_sum(sum.stiffness);
        raise_maximum(&args.control->speed_bits, float(dem::speed_of_contact(args.step.run, sum.pace)));
        if (first == 0)
            rigid.contact[ids[i] - rigid.begin] = {vec_cast<float>(force), vec_cast<float>(couple), float(stiffness)};
    }
}

/// A thread a boundary particle of the other device.
__global__ void take_reactions_kernel(const Control* control, const std::uint32_t* ids, RigidView rigid,
                                      FoundReactions found) {
    const std::uint32_t i = found.walls.begin + blockIdx.x * block + threadIdx.x;
    if (!control->active || i >= found.walls.end) return;
    const std::int32_t object = rigid.object_of(ids[i]);
    if (object == RigidParticles::at_rest || !rigid.is_body(object)) return;
    const std::uint32_t k = ids[i] - rigid.begin;
    rigid.acceleration[k] = found.acceleration[k];
    if (rigid.contact) rigid.contact[k] = found.contact[k];
}

constexpr int load_block = 512; // whose sums fit into shared memory

/// The sums over a block, added pair by pair, always alike; thread 0 has them.
template <int count>
__device__ void sum_over_block(double (&values)[count], double (&parts)[count][load_block]) {
    const int t = int(threadIdx.x);
    __syncthreads();
    for (int c = 0; c < count; ++c) parts[c][t] = values[c];
    for (int half = load_block / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            for (int c = 0; c < count; ++c) parts[c][t] += parts[c][t + half];
    }
    if (t == 0)
        for (int c = 0; c < count; ++c) values[c] = parts[c][0];
}

__device__ BodyLoad sum_over_block(const BodyLoad& own, double (&parts)[6][load_block]) {
    double sum[6] = {own.force.x, own.force.y, own.force.z, own.moment.x, own.moment.y, own.moment.z};
    sum_over_block(sum, parts);
    return {{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}};
}

/// One block a body, whose threads take its particles in turn.
__global__ void load_kernel(RigidView rigid, Control* control, sph::Constants c) {
    wait_for_kernel_before();
    __shared__ double parts[6][load_block], stiffness[1][load_block];
    if (!control->active) return;
    const int b = int(blockIdx.x), t = int(threadIdx.x);
    const Body& body = rigid.bodies[b];
    const RigidMotion motion = motion_of(body, rigid.body[b]);
    BodyLoads sum;
    for (std::uint32_t k = body.first_id - rigid.begin + t; k < body.first_id - rigid.begin + body.particles;
         k += load_block) {
        add_particle(sum.fluid, body, motion, rigid.start[k], vec_cast<double>(rigid.acceleration[k]), c.mass_bound);
        if (rigid.contact) add_contact(sum, body, motion, rigid.start[k], rigid.contact[k]);
    }
    sum.fluid = sum_over_block(sum.fluid, parts);
    if (rigid.contact) {
        sum.contact = sum_over_block(sum.contact, parts);
        double springs[1] = {sum.stiffness};
        sum_over_block(springs, stiffness);
        sum.stiffness = springs[0];
    }
    if (t != 0) return;
    rigid.load[b] = sum;
    if (!rigid.contact) return;
    const double speed = fmax(c.c0, dem::speed_of_springs(c, body.mass, sum.stiffness));
    atomicMax(&control->speed_bits, __float_as_uint(float(speed)));
}

} // namespace

void react_on_bodies(const InteractionArgs& args, const std::uint32_t* id, const RigidView& rigid,
                     float one_cell_travel, cudaStream_t stream) {
    const unsigned blocks =
        std::min(blocks_for(std::uint64_t(rigid.body_particles) * sharing_lanes, block), most_reaction_blocks);
    check(cudaMemsetAsync(rigid.met_count, 0, sizeof(unsigned) * (1 + unsigned(rigid.body_count)), stream),
          "count of what bodies meet, and their company");
    launch_ahead(meet_kernel, blocks_for(args.step.boundary_count, block), block, stream,
                 "what the floating bodies meet", args, id, rigid);
    const sph::PairConstants<float> contact(args.step.run, sph::PairKind::boundary_boundary, sph::metre);
    sph::with_formulation(args.step.run, [&]<class F>(F) {
        launch_ahead(reaction_kernel<typename F::AtWall>, blocks, block, stream, "forces on the floating bodies", args,
                     contact, id, rigid, one_cell_travel);
    });
    if (rigid.contact)
        launch_ahead(contact_kernel, blocks, block, stream, "contacts of the floating bodies", args, id, rigid,
                     one_cell_travel);
}

void take_reactions(const InteractionArgs& args, const std::uint32_t* id, const RigidView& rigid,
                    const FoundReactions& found, cudaStream_t stream) {
    if (size_of(found.walls) == 0) return;
    take_reactions_kernel<<<blocks_for(size_of(found.walls), block), block, 0, stream>>>(args.control, id, rigid,
                                                                                         found);
    check_launch("forces on other GPUs' particles of bodies");
}

void sum_body_loads(const InteractionArgs& args, const RigidView& rigid, cudaStream_t stream) {
    launch_ahead(load_kernel, unsigned(rigid.body_count), load_block, stream, "loads of the floating bodies", rigid,
                 args.control, args.step.run);
}

void find_motions(const Control* control, const RigidView& rigid, cudaStream_t stream) {
    const ObjectBlocks blocks(rigid);
    launch_ahead(find_motions_kernel, blocks.count(), warp, stream, "motion of the rigid objects", rigid, blocks,
                 control);
}

void place_objects(const UpdateArgs& args, const RigidView& rigid, Stage stage, cudaStream_t stream) {
    const ObjectBlocks blocks(rigid);
    launch_ahead(motion_kernel, blocks.count(), warp, stream, "motion of the rigid objects", rigid, blocks,
                 args.control, args.step.run, stage);
    launch_ahead(place_kernel, blocks_for(args.step.boundary_count, block), block, stream,
                 "places of the rigid objects' particles", args, rigid, stage);
}

} // namespace sluice::cuda
