// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/reduce.cuh"
#include "cuda/device/block_size.cuh"
#include "cuda/device/launch_ahead.cuh"
#include "cuda/passes/rigid_objects.h"
#include "model/motion.h"
#include "scheme/integrators.h"
#include "scheme/outer_work.h"

namespace sluice::cuda {

namespace {

constexpr int block = 128;

__device__ BodyStage body_stage_of(const StepConstants& constants, Stage stage, const Control& control) {
    return body_stage(stage, sph::is_euler_step(control.step, constants.run.verlet_steps));
}

/// Counts the work of what drives body b, which has gone through a stage that takes forces.
__device__ void count_work(const RigidView& rigid, int b, const BodyState& from, const StepConstants& constants,
                           Stage stage, Control& control) {
    const sph::Constants& c = constants.run;
    const Body& body = rigid.bodies[b];
    if (!takes_forces(stage) || !is_driven(body)) return;
    const double work = work_in_step(body_stage_of(constants, stage, control), body, from, rigid.body[b], rigid.load[b],
                                     {c.gravity, rigid.series}, control.time, control.dt, control.dt_before);
    add_count(&control.work.bodies, work_count(work, constants.inverse_work_unit / c.mass_fluid));
}

/// Brings body b to the end of a stage, and counts the work of what drives it if `counts`.
__device__ void move_body(const RigidView& rigid, int b, const StepConstants& constants, Stage stage, bool counts,
                          Control& control) {
    if (stage == Stage::predictor) rigid.body_start[b] = rigid.body[b];
    const BodyState from = stage == Stage::corrector ? rigid.body_start[b] : rigid.body[b];
    rigid.body[b] = after_stage(body_stage_of(constants, stage, control), rigid.bodies[b], from, rigid.load[b],
                                {constants.run.gravity, rigid.series}, control.time, part_of_step(stage) * control.dt,
                                control.dt_before);
    if (counts) count_work(rigid, b, from, constants, stage, control);
}

/// `lags`: whether a body takes part in what follows with the velocities of half a step before.
__device__ void find_motion(const RigidView& rigid, int object, bool lags, double time) {
    const int b = object - rigid.motions.object_count;
    rigid.now[object] = b < 0 ? motion_at(rigid.motions, object, time)
                              : motion_at(rigid.bodies[b], lags ? lagging(rigid.body[b]) : rigid.body[b], time);
}

/// Blocks of a warp. Walls and bodies have different blocks, so that neither waits for the computation of the other.
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

__global__ void motion_kernel(RigidView rigid, ObjectBlocks blocks, Control* control, StepConstants constants,
                              Stage stage, bool counts) {
    wait_for_kernel_before();
    const int object = object_of_thread(rigid, blocks);
    if (!control->active || object < 0) return;
    const int b = object - rigid.motions.object_count;
    if (rigid.is_body(object) && rigid.bodies[b].mechanism < 0)
        move_body(rigid, b, constants, stage, counts, *control);
    else if (rigid.is_body(object) && counts) // HostMechanisms has moved it
        count_work(rigid, b, rigid.body_start[b], constants, stage, *control);
    find_motion(rigid, object, stage == Stage::drift, control->time + part_of_step(stage) * control->dt);
}

__global__ void find_motions_kernel(RigidView rigid, ObjectBlocks blocks, const Control* control) {
    wait_for_kernel_before();
    const int object = object_of_thread(rigid, blocks);
    if (object >= 0) find_motion(rigid, object, rigid.lags, control->time);
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
    // as a step that is not taken leaves it, or as the next interaction reads it
    if (stage == Stage::corrector || stage == Stage::drift) args.next.previous[i] = flow;
    if (stage != Stage::drift || !rigid.is_body(object)) return;
    const int b = object - rigid.motions.object_count;
    const Vec3d shown = velocity_at(rigid.bodies[b], rigid.body[b], place, args.control->time + args.control->dt);
    flow = {float(shown.x), float(shown.y), float(shown.z), flow.rho};
}

} // namespace

void find_motions(const Control* control, const RigidView& rigid, cudaStream_t stream) {
    const ObjectBlocks blocks(rigid);
    launch_ahead(find_motions_kernel, blocks.count(), warp, stream, "motion of the rigid objects", rigid, blocks,
                 control);
}

void move_objects(const UpdateArgs& args, const RigidView& rigid, Stage stage, bool counts, cudaStream_t stream) {
    const ObjectBlocks blocks(rigid);
    launch_ahead(motion_kernel, blocks.count(), warp, stream, "motion of the rigid objects", rigid, blocks,
                 args.control, args.step, stage, counts);
}

void place_objects(const UpdateArgs& args, const RigidView& rigid, Stage stage, cudaStream_t stream) {
    launch_ahead(place_kernel, blocks_for(args.step.boundary_count, block), block, stream,
                 "places of the rigid objects' particles", args, rigid, stage);
}

} // namespace sluice::cuda
