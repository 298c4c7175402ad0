// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/reduce.cuh"
#include "cuda/device/block_size.cuh"
#include "cuda/device/launch_ahead.cuh"
#include "cuda/passes/fluid_forcing.h"
#include "scheme/integrators.h"

namespace sluice::cuda {

namespace {

constexpr int block = 256;

/// The inputs as they are now; before rates are added to, the largest force is to be found anew.
__global__ void frames_kernel(ForcingView forcing, Control* control, double fraction, bool adds) {
    wait_for_kernel_before();
    const double time = control->time + fraction * control->dt;
    for (int i = int(threadIdx.x); i < forcing.input_count; i += block)
        forcing.frames[i] = frame_at(forcing.inputs[i], forcing.samples, time);
    if (adds && threadIdx.x == 0) control->force2_bits = 0;
}

__global__ void forcing_kernel(const __grid_constant__ InteractionArgs args, const std::uint32_t* ids,
                               ForcingView forcing) {
    wait_for_kernel_before();
    const InteractionView& v = args.view;
    const std::uint32_t i = args.own_first + blockIdx.x * block + threadIdx.x;
    float force2 = 0;
    if (i < args.control->alive && !args.is_vacated(i) && !args.is_held(i)) {
        const Units64 here = args.period.wrapped(unwrap(v.grid, v.position[i], v.cell[i]));
        const Vec3d place = double(v.grid.unit) * Vec3d{double(here.x), double(here.y), double(here.z)};
        const Flow& f = v.flow[i];
        const Vec3d a = forced_acceleration(forcing.frames, forcing.input_count, ids[i], place, {f.vx, f.vy, f.vz});
        RateRecord& rates = args.rates[i];
        rates.ax += float(a.x);
        rates.ay += float(a.y);
        rates.az += float(a.z);
        force2 = rates.ax * rates.ax + rates.ay * rates.ay + rates.az * rates.az;
    }
    raise_maxima(*args.control, force2, 0);
}

/// Symplectic steps keep a second copy of the level that they have reached, for a step that is not taken; staggered
/// ones have a second velocity, half a step behind, which follows the same law.
__global__ void relax_kernel(const __grid_constant__ UpdateArgs args, const __grid_constant__ LeadView view,
                             const std::int32_t* zones) {
    wait_for_kernel_before();
    Control& control = *args.control;
    const std::uint32_t i = args.own_first + blockIdx.x * block + threadIdx.x;
    LedParticle now;
    if (control.active && i < control.alive && args.cell[i] != args.step.excluded_cell) {
        const Units64 here = args.period.wrapped(unwrap(args.grid, args.next.position[i], args.cell[i]));
        const Vec3d place = double(args.grid.unit) * Vec3d{double(here.x), double(here.y), double(here.z)};
        const Flow flow = args.next.flow[i];
        const LevelStep step{control.time + control.dt, control.dt, sph::level_steps(args.step.run, control.step)};
        const bool held = zones && zones[i - args.step.boundary_count] >= 0;
        const auto lead = [&](const Flow& from, Flow& to) {
            const Vec3f v{from.vx, from.vy, from.vz};
            const LedParticle end = led(view, args.now.id[i], place, v, step, held);
            if (!(end.velocity == v)) to = {end.velocity.x, end.velocity.y, end.velocity.z, from.rho};
            return end;
        };
        now = lead(flow, args.next.flow[i]);
        const bool is_led = !(now.velocity == Vec3f{flow.vx, flow.vy, flow.vz});
        if (args.step.run.integrator == sph::Integrator::symplectic && is_led)
            args.next.previous[i] = args.next.flow[i];
        else if (args.step.run.integrator == sph::Integrator::staggered)
            lead(args.next.previous[i], args.next.previous[i]);
    }
    add_counts(&control.work.damping, now.damping);
    add_counts(&control.work.relaxation, now.relaxation);
    add_counts(&control.work.acceleration, now.acceleration);
}

} // namespace

void relax_velocities(const UpdateArgs& args, const ForcingView& forcing, const LeadView& view,
                      const std::int32_t* zones, cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    if (forcing.input_count > 0)
        launch_ahead(frames_kernel, 1, block, stream, "accelerations of the fluid at the end of a step", forcing,
                     args.control, 1.0, false);
    LeadView counting = view;
    counting.inverse_unit = args.step.inverse_work_unit;
    const unsigned blocks = blocks_for(args.particles - args.own_first, block);
    launch_ahead(relax_kernel, blocks, block, stream, "damping and relaxation zones", args, counting, zones);
}

void add_forcing(const InteractionArgs& args, const std::uint32_t* id, const ForcingView& forcing, double fraction,
                 cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    launch_ahead(frames_kernel, 1, block, stream, "accelerations of the fluid now", forcing, args.control, fraction,
                 true);
    const unsigned blocks = blocks_for(args.particles - args.own_first, block);
    launch_ahead(forcing_kernel, blocks, block, stream, "accelerations of the fluid", args, id, forcing);
}

} // namespace sluice::cuda
