// SPDX-License-Identifier: Apache-2.0
#include "cuda/block_size.cuh"
#include "cuda/fluid_forcing.h"
#include "cuda/launch_ahead.cuh"
#include "cuda/reduce.cuh"

namespace sluice::cuda {

namespace {

constexpr int block = 256;

/// The inputs as they are now; the largest force is to be found anew.
__global__ void frames_kernel(ForcingView forcing, Control* control, double fraction) {
    wait_for_kernel_before();
    const double time = control->time + fraction * control->dt;
    for (int i = int(threadIdx.x); i < forcing.input_count; i += block)
        forcing.frames[i] = frame_at(forcing.inputs[i], forcing.samples, time);
    if (threadIdx.x == 0) control->force2_bits = 0;
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
        const Vec3d a = forced_acceleration(forcing.damping, forcing.damping_count, forcing.frames, forcing.input_count,
                                            ids[i], place, {f.vx, f.vy, f.vz});
        RateRecord& rates = args.rates[i];
        rates.ax += float(a.x);
        rates.ay += float(a.y);
        rates.az += float(a.z);
        force2 = rates.ax * rates.ax + rates.ay * rates.ay + rates.az * rates.az;
    }
    raise_maxima(*args.control, force2, 0);
}

/// Symplectic steps keep a second copy of the level that they have reached, for a step that is not taken.
__global__ void relax_kernel(const __grid_constant__ UpdateArgs args, RelaxationView view) {
    wait_for_kernel_before();
    const Control& control = *args.control;
    const std::uint32_t i = args.own_first + blockIdx.x * block + threadIdx.x;
    if (!control.active || i >= control.alive || args.cell[i] == args.step.excluded_cell) return;
    const Units64 here = args.period.wrapped(unwrap(args.grid, args.next.position[i], args.cell[i]));
    const Vec3d place = double(args.grid.unit) * Vec3d{double(here.x), double(here.y), double(here.z)};
    Flow& flow = args.next.flow[i];
    const Vec3d v{flow.vx, flow.vy, flow.vz};
    const Vec3d to = relaxed(view, place, v, control.time + control.dt, control.dt);
    if (to == v) return;
    flow = {float(to.x), float(to.y), float(to.z), flow.rho};
    if (args.step.run.integrator == sph::Integrator::symplectic) args.next.previous[i] = flow;
}

} // namespace

void relax_velocities(const UpdateArgs& args, const RelaxationView& view, cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    const unsigned blocks = blocks_for(args.particles - args.own_first, block);
    launch_ahead(relax_kernel, blocks, block, stream, "relaxation zones", args, view);
}

void add_forcing(const InteractionArgs& args, const std::uint32_t* id, const ForcingView& forcing, double fraction,
                 cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    launch_ahead(frames_kernel, 1, block, stream, "accelerations of the fluid now", forcing, args.control, fraction);
    const unsigned blocks = blocks_for(args.particles - args.own_first, block);
    launch_ahead(forcing_kernel, blocks, block, stream, "accelerations of the fluid", args, id, forcing);
}

} // namespace sluice::cuda
