// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/reduce.cuh"
#include "cuda/device/block_size.cuh"
#include "cuda/device/gpu_devices.h"
#include "cuda/device/launch_ahead.cuh"
#include "cuda/pairs/around_place.cuh"
#include "cuda/pairs/image_loops.h"
#include "cuda/pairs/list_kernels.cuh"
#include "cuda/passes/rigid_objects.h"
#include "scheme/contact_time_step.h"
#include "scheme/outer_work.h"

#include <algorithm>
#include <climits>

// What acts on the particles of floating bodies, and its sums.

namespace sluice::cuda {

namespace {

constexpr int block = 128;

/// Lanes that share a particle of a body and take its candidates in turn: bodies have few particles, and what counts is
/// how long one takes.
constexpr unsigned sharing_lanes = 32;
/// Blocks of such warps that a multiprocessor has at once.
constexpr unsigned blocks_at_once = 16;

/// The sum over the lanes that share a particle; by all of them, each of which has it then.
__device__ float sum_of_lanes(float value) {
#pragma unroll
    for (unsigned offset = sharing_lanes / 2; offset > 0; offset /= 2)
        value += __shfl_xor_sync(all_lanes, value, offset);
    return value;
}
__device__ Vec3f sum_of_lanes(const Vec3f& v) { return {sum_of_lanes(v.x), sum_of_lanes(v.y), sum_of_lanes(v.z)}; }

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

__device__ Vec3d in_metres(const FixedGrid& grid, const Units64& u) {
    return double(grid.unit) * Vec3d{double(u.x), double(u.y), double(u.z)};
}

/// Whether something at most `reach` (m) away from a box of places, or across periodic sides anything, may be of body
/// b.
__device__ bool is_near_body(const InteractionArgs& args, const RigidView& rigid, const Vec3d& low, const Vec3d& high,
                             int b, double reach) {
    if (args.period.any()) return true;
    const Vec3d centre = rigid.body[b].centre;
    const auto gap = [](double x, double from, double to) { return fmax(fmax(from - x, x - to), 0.0); };
    const Vec3d r{gap(centre.x, low.x, high.x), gap(centre.y, low.y, high.y), gap(centre.z, low.z, high.z)};
    const double far = rigid.radius[b] + reach;
    return dot(r, r) < far * far;
}

/// Where the particles of a warp are, m: they were in these cells when they were sorted, and are in them or the next.
struct PlacesOfWarp {
    Vec3d low, high;

    /// By all lanes; those with `valid` false have no particle.
    __device__ PlacesOfWarp(const FixedGrid& grid, std::uint32_t cell, bool valid) {
        const CellCoordinates c = cell_coordinates(grid, cell);
        const double side = ldexp(double(grid.unit), grid.cell_bits);
        const auto lowest = [&](int k) { return side * (warp_min(valid ? k : INT_MAX / 2) - 1.0); };
        const auto highest = [&](int k) { return side * (warp_max(valid ? k : INT_MIN / 2) + 2.0); };
        low = {lowest(c.x), lowest(c.y), lowest(c.z)};
        high = {highest(c.x), highest(c.y), highest(c.z)};
    }
};

/// Calls `use(b)` for every body that may be within `reach` (m) of `place`; by all lanes, each of which has one.
template <class Use>
__device__ void for_each_body_near(const InteractionArgs& args, const RigidView& rigid, const PlacesOfWarp& places,
                                   const Vec3d& place, double reach, const Use& use) {
    for (int first = 0; first < rigid.body_count; first += warp) {
        const int mine = first + int(threadIdx.x) % warp;
        unsigned near = __ballot_sync(all_lanes, mine < rigid.body_count &&
                                                     is_near_body(args, rigid, places.low, places.high, mine, reach));
        for (; near; near &= near - 1) {
            const int b = first + lowest_bit(near);
            if (is_near_body(args, rigid, place, place, b, reach)) use(b);
        }
    }
}

/// Appends the particles of those lanes of a warp whose `wants` is true to an array, in any order. All lanes call it.
__device__ void append(std::uint32_t* array, unsigned* count, bool wants, std::uint32_t i) {
    const unsigned who = __ballot_sync(all_lanes, wants), lane = threadIdx.x % warp;
    unsigned slot = 0;
    if (lane == 0 && who) slot = atomicAdd(count, unsigned(__popc(who)));
    slot = __shfl_sync(all_lanes, slot, 0);
    if (wants) array[slot + __popc(who & ((1u << lane) - 1))] = i;
}

/// Lists the boundary particles of this device that must search cells: particles of bodies without a list of the fluid,
/// and, with contacts, other boundary particles near bodies. Marks each body near which there are particles of other
/// objects (`has_company`), whichever device steps them. Lists its particles of bodies on which elastic contacts may
/// act, too. One thread a particle.
__global__ void meet_kernel(const __grid_constant__ InteractionArgs args, const std::uint32_t* ids, RigidView rigid,
                            BodyLists lists) {
    wait_for_kernel_before();
    const InteractionView& v = args.view;
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    const bool exists = args.control->active && i < args.step.boundary_count;
    if (!__any_sync(all_lanes, exists)) return;
    const std::int32_t object = exists ? rigid.object_of(ids[i]) : RigidParticles::at_rest;
    const bool of_body = rigid.is_body(object), is_own = exists && args.own_walls.contains(i);
    bool is_near = false;
    if (rigid.in_contact) {
        const std::uint32_t cell = exists ? v.cell[i] : 0;
        const Units64 here = unwrap(v.grid, exists ? v.position[i] : Position{}, cell);
        for_each_body_near(args, rigid, PlacesOfWarp(v.grid, cell, exists), in_metres(v.grid, here),
                           2.001 * args.step.run.h, [&](int b) {
                               if (!exists || object == rigid.motions.object_count + b) return;
                               is_near = true;
                               rigid.has_company[b] = 1;
                           });
    }
    const bool seeks = of_body ? !lists.has(ids[i]) : is_near;
    append(rigid.seeking, rigid.seeking_count, seeks && is_own, i);
    if (rigid.touched) append(rigid.touched, rigid.touched_count, of_body && is_own, i);
}

/// Adds the particles with lists of bodies near which there are particles of other objects: they search cells for these
/// alone. One thread a list.
__global__ void company_kernel(const __grid_constant__ InteractionArgs args, RigidView rigid, BodyLists lists) {
    wait_for_kernel_before();
    const std::uint32_t n = blockIdx.x * block + threadIdx.x, id = lists.ids.begin + n;
    const bool has_list = args.control->active && n < lists.count() && lists.has(id);
    const std::int32_t object = has_list ? rigid.object_of(id) : RigidParticles::at_rest;
    const std::uint32_t i = has_list ? lists.place[n] : 0;
    const bool seeks = rigid.is_body(object) && rigid.has_company[object - rigid.motions.object_count];
    append(rigid.seeking, rigid.seeking_count, seeks && args.own_walls.contains(i), i);
}

/// A boundary particle that searches cells, and the forces that it takes.
struct Met {
    std::uint32_t i, id;
    std::int32_t object;
    bool of_body;     ///< those of the fluid
    bool has_company; ///< those of boundary particles, of other bodies or for bodies
};

__device__ Met met_particle(const RigidView& rigid, const std::uint32_t* ids, std::uint32_t k) {
    Met met{rigid.seeking[k], 0, 0, false, false};
    met.id = ids[met.i];
    met.object = rigid.object_of(met.id);
    met.of_body = rigid.is_body(met.object);
    met.has_company = rigid.in_contact && (!met.of_body || rigid.has_company[met.object - rigid.motions.object_count]);
    return met;
}

/// Whether boundary particle j pushes the particle `met`, by the pair formula.
__device__ bool touches(const RigidView& rigid, const std::uint32_t* ids, const Met& met, std::uint32_t j) {
    const std::int32_t other = rigid.object_of(ids[j]);
    return other != met.object && (met.of_body || rigid.is_body(other));
}

/// The effect of the fluid on boundary particles with lists (BodyLists): dv/dt of those of bodies, which are the
/// fluid's pair terms with the opposite sign, and dρ/dt. Four warps compute a tile, and their sums are added in the
/// order of the warps.
template <class F>
__global__ void __launch_bounds__(block, 8)
    listed_reaction_kernel(const __grid_constant__ InteractionArgs args, BodyLists lists, RigidView rigid) {
    wait_for_kernel_before();
    constexpr int parts = block / warp;
    __shared__ SumsSlot slots[parts];
    const int part = int(threadIdx.x) / warp, lane = int(threadIdx.x) % warp;
    const std::uint32_t n = blockIdx.x * warp + unsigned(lane);
    const bool exists = args.control->active && n < lists.count();
    const std::uint32_t i = exists ? lists.place[n] : 0;
    const std::uint16_t length = exists ? lists.length[n] : ListView::overflowing;
    const bool valid = length != ListView::overflowing && args.own_walls.contains(i);
    FluidSums sums;
    if (valid) {
        using Chunks = ChunksOfWarp<LongEntries, parts>;
        LongEntries::Shared nothing;
        sums =
            sum_listed<F, Chunks>(args.view, args.boundary_pairs, load_target(args.view, i),
                                  LongEntries({}, nothing, 0), OnePart{}, lists.list(n), Chunks::first(part), length);
        if (part > 0) slots[part].put(lane, sums);
    }
    __syncthreads();
    if (part > 0 || !valid) return;
    for (int other = 1; other < parts; ++other) sums.add(slots[other].get(lane));
    args.rates[i] = {0, 0, 0, sums.density};
    rigid.acceleration[lists.ids.begin + n - rigid.begin] = {sums.ax, sums.ay, sums.az};
}

/// For the boundary particles that search cells: dv/dt by the fluid of particles of bodies without a list, dv/dt by
/// walls and other bodies, and dρ/dt by the latter. A warp computes one particle after the other.
template <class F>
__global__ void reaction_kernel(const __grid_constant__ InteractionArgs args,
                                const __grid_constant__ sph::PairConstants<float> contact_pairs,
                                const std::uint32_t* ids, RigidView rigid, BodyLists lists, float one_cell_travel) {
    wait_for_kernel_before();
    const InteractionView& v = args.view;
    const Control& control = *args.control;
    if (!control.active) return;
    const std::uint32_t first = threadIdx.x % sharing_lanes, warps = gridDim.x * (block / sharing_lanes);
    const float fluid_travel = __uint_as_float(control.travel_bits),
                wall_travel = __uint_as_float(control.wall_travel_bits);
    const auto reach = [&](float travel) { return travel > one_cell_travel ? 2 : v.grid.reach; };
    for (std::uint32_t k = (blockIdx.x * block + threadIdx.x) / sharing_lanes; k < *rigid.seeking_count; k += warps) {
        const Met met = met_particle(rigid, ids, k);
        const bool is_listed = lists.has(met.id);
        FluidSums sums;
        float contact_density = 0;
        const Target a = load_target(v, met.i);
        if (met.of_body && !is_listed)
            sums = sum_around<F>(args, args.boundary_pairs, v.fluid, reach(fluid_travel + wall_travel), met.i, a, first,
                                 [](std::uint32_t) { return true; });
        if (met.has_company) {
            const FluidSums contact =
                sum_around<F>(args, contact_pairs, v.boundary, reach(2 * wall_travel), met.i, a, first,
                              [&](std::uint32_t j) { return touches(rigid, ids, met, j); });
            contact_density = contact.density;
            sums.add(contact);
        }
        const Vec3f push = sum_of_lanes({sums.ax, sums.ay, sums.az});
        contact_density = sum_of_lanes(contact_density);
        if (first != 0) continue;
        args.rates[met.i].rho += contact_density;
        if (!met.of_body) continue;
        Vec3f& acceleration = rigid.acceleration[met.id - rigid.begin];
        const Vec3f by_list = is_listed ? acceleration : Vec3f{};
        acceleration = by_list + push;
    }
}

/// A warp so many boundary particles, and takes those that move one after the other.
template <class F>
__global__ void wall_work_kernel(const __grid_constant__ InteractionArgs args, const std::uint32_t* ids,
                                 const __grid_constant__ RigidView rigid, float one_cell_travel) {
    wait_for_kernel_before();
    const InteractionView& v = args.view;
    const Control& control = *args.control;
    if (!control.active || !samples_walls(control.step)) return;
    const std::uint32_t lane = threadIdx.x % warp, first = blockIdx.x * block + threadIdx.x - lane, mine = first + lane;
    const bool is_own = mine < args.step.boundary_count && args.own_walls.contains(mine);
    const std::int32_t object = is_own ? rigid.object_of(ids[mine]) : RigidParticles::at_rest;
    const bool is_wall = object != RigidParticles::at_rest && !rigid.is_body(object);
    const float travel = __uint_as_float(control.travel_bits) + __uint_as_float(control.wall_travel_bits);
    const int reach = travel > one_cell_travel ? 2 : v.grid.reach;
    std::int64_t sum = 0;
    for (unsigned todo = __ballot_sync(all_lanes, is_wall); todo; todo &= todo - 1) {
        const std::uint32_t i = first + lowest_bit(todo);
        const std::uint32_t id = ids[i];
        const RigidMotion& motion = rigid.now[rigid.object_of(id)]; // not what walls from ghost nodes mirror
        const Vec3d velocity = motion.velocity_of(rigid.start[id - rigid.begin]);
        if (velocity.x == 0 && velocity.y == 0 && velocity.z == 0) continue;
        const FluidSums sums = sum_around<F>(args, args.boundary_pairs, v.fluid, reach, i, load_target(v, i), lane,
                                             [](std::uint32_t) { return true; });
        const double work =
            work_of_wall(sum_of_lanes({sums.ax, sums.ay, sums.az}), velocity, args.step.run.mass_bound, control.dt);
        sum += work_count(work, args.step.inverse_work_unit / args.step.run.mass_fluid);
    }
    if (lane == 0 && sum != 0) add_count(&args.control->work.moving_walls, sum);
}

/// Threads a block of the kernel that gives each particle one: few, so that few particles are on all multiprocessors.
constexpr unsigned contact_block = 64;
constexpr std::size_t ring_words = contact_block / warp * WideRing::bytes_per_warp / sizeof(uint2);

/// Where a boundary particle is to the last digit: contacts are shallower than the units of the grid. `approximately`:
/// in those, m.
__device__ Vec3d exact_place(const RigidView& rigid, std::uint32_t id, const Vec3d& approximately) {
    const std::int32_t object = rigid.object_of(id);
    return object == RigidParticles::at_rest ? approximately
                                             : rigid.now[object].position_of(rigid.start[id - rigid.begin]);
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

/// What elastic contacts do to the particles of bodies: a thread each.
__global__ void __launch_bounds__(contact_block)
    contact_kernel(const __grid_constant__ InteractionArgs args, const std::uint32_t* ids,
                   const __grid_constant__ RigidView rigid, float one_cell_travel, int coarse_limit) {
    wait_for_kernel_before();
    __shared__ uint2 rings[ring_words];
    const InteractionView& v = args.view;
    if (!args.control->active) return;
    const SearchRadius radius = search_radius(v.grid, float(dem::reach * args.step.run.dp),
                                              __uint_as_float(args.control->wall_travel_bits), one_cell_travel);
    const std::uint32_t count = *rigid.touched_count;
    for (std::uint32_t first = blockIdx.x * contact_block; first < count; first += gridDim.x * contact_block) {
        const std::uint32_t k = first + threadIdx.x, i = rigid.touched[k < count ? k : first], id = ids[i],
                            part = rigid.part_of_id[id];
        const Target seen = load_target(v, i);
        const Units64 here = unwrap(v.grid, seen.position(), v.cell[i]);
        const ContactTarget a{seen, id, part, exact_place(rigid, id, in_metres(v.grid, here))};
        dem::Push sum;
        visit_around(args, v.boundary, seen, here, radius, coarse_limit, k < count && part != ContactParts::inside,
                     rings,
                     [&](const Target& image, std::uint32_t j) { add_push(args, ids, rigid, a, image, j, sum); });
        raise_maximum(&args.control->speed_bits, float(dem::speed_of_contact(args.step.run, sum.pace)));
        if (k < count)
            rigid.contact[id - rigid.begin] = {vec_cast<float>(sum.force), vec_cast<float>(sum.couple),
                                               float(sum.stiffness)};
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

/// What load_kernel does beside its sums.
__global__ void forget_kernel(RigidView rigid, const Control* control) {
    wait_for_kernel_before();
    if (!control->active) return;
    const int b = int(blockIdx.x * block + threadIdx.x);
    if (b < rigid.body_count) rigid.has_company[b] = 0;
    if (b == 0) *rigid.seeking_count = *rigid.touched_count = 0;
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
    rigid.has_company[b] = 0; // for the next interaction
    if (b == 0) *rigid.seeking_count = *rigid.touched_count = 0;
    rigid.load[b] = sum;
    if (!rigid.contact) return;
    const double speed = fmax(c.c0, dem::speed_of_springs(c, body.mass, sum.stiffness));
    atomicMax(&control->speed_bits, __float_as_uint(float(speed)));
}

} // namespace

void begin_reactions(const InteractionArgs& args, const std::uint32_t* id, const RigidView& rigid,
                     const BodyLists& lists, float one_cell_travel, cudaStream_t stream) {
    launch_ahead(meet_kernel, blocks_for(args.step.boundary_count, block), block, stream,
                 "what the floating bodies meet", args, id, rigid, lists);
    if (rigid.in_contact && lists.any())
        launch_ahead(company_kernel, blocks_for(lists.count(), block), block, stream, "company of the floating bodies",
                     args, rigid, lists);
    if (lists.any())
        sph::with_formulation(args.step.run, [&]<class F>(F) {
            launch_ahead(listed_reaction_kernel<typename F::AtWall>, blocks_for(lists.count(), warp), block, stream,
                         "forces on the floating bodies", args, lists, rigid);
        });
    if (rigid.contact && args.part != sph::RatesPart::density)
        launch_ahead(contact_kernel, blocks_for(rigid.body_particles, contact_block), contact_block, stream,
                     "contacts of the floating bodies", args, id, rigid, one_cell_travel,
                     coarse_limit_for(args.view.grid, dem::reach * args.step.run.dp));
}

void end_reactions(const InteractionArgs& args, const std::uint32_t* id, const RigidView& rigid, const BodyLists& lists,
                   float one_cell_travel, cudaStream_t stream) {
    const sph::PairConstants<float> contact(args.step.run, sph::PairKind::boundary_boundary, sph::metre);
    const unsigned blocks = std::min(blocks_for(std::uint64_t(rigid.body_particles) * sharing_lanes, block),
                                     multiprocessors() * blocks_at_once);
    sph::with_formulation(args.step.run, [&]<class F>(F) {
        launch_ahead(reaction_kernel<typename F::AtWall>, blocks, block, stream, "forces on the floating bodies", args,
                     contact, id, rigid, lists, one_cell_travel);
    });
}

void forget_meetings(const InteractionArgs& args, const RigidView& rigid, cudaStream_t stream) {
    launch_ahead(forget_kernel, blocks_for(rigid.body_count, block), block, stream, "company of the floating bodies",
                 rigid, args.control);
}

void take_reactions(const InteractionArgs& args, const std::uint32_t* id, const RigidView& rigid,
                    const FoundReactions& found, cudaStream_t stream) {
    if (size_of(found.walls) == 0) return;
    take_reactions_kernel<<<blocks_for(size_of(found.walls), block), block, 0, stream>>>(args.control, id, rigid,
                                                                                         found);
    check_launch("forces on other GPUs' particles of bodies");
}

void add_work_of_walls(const InteractionArgs& args, const std::uint32_t* id, const RigidView& rigid,
                       float one_cell_travel, cudaStream_t stream) {
    sph::with_formulation(args.step.run, [&]<class F>(F) {
        launch_ahead(wall_work_kernel<typename F::AtWall>, blocks_for(args.step.boundary_count, block), block, stream,
                     "work of moving walls", args, id, rigid, one_cell_travel);
    });
}

void sum_body_loads(const InteractionArgs& args, const RigidView& rigid, cudaStream_t stream) {
    launch_ahead(load_kernel, unsigned(rigid.body_count), load_block, stream, "loads of the floating bodies", rigid,
                 args.control, args.step.run);
}

} // namespace sluice::cuda
