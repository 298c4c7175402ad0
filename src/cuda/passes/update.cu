// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/reduce.cuh"
#include "cuda/device/block_size.cuh"
#include "cuda/device/launch_ahead.cuh"
#include "cuda/passes/update.h"
#include "model/run_setup.h"
#include "scheme/exclusion.h"
#include "scheme/integrators.h"
#include "scheme/time_step_choice.h"

namespace sluice::cuda {

namespace {

constexpr int block = 256;

__device__ unsigned long long device_clock() {
    unsigned long long ns;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
    return ns;
}

__device__ void stamp(Control& c, Phase phase) {
    const unsigned long long now = device_clock();
    if (c.active) c.phase_ns[int(phase)] += now - c.last_stamp;
    c.last_stamp = now;
}

__device__ bool may_step(const Control& c) {
    return !c.failed && !c.wants_host && c.step < c.step_limit && c.time < c.time_limit;
}

__global__ void begin_advance_kernel(Control* control, double time_limit, long long step_limit) {
    control->time_limit = time_limit;
    control->step_limit = step_limit;
    control->active = may_step(*control);
    control->last_stamp = device_clock();
}

__global__ void begin_interaction_kernel(Control* control, sph::RatesPart part) {
    wait_for_kernel_before();
    stamp(*control, Phase::cell_list);
    control->force2_bits = 0;
    control->speed_bits = 0;
    control->viscosity_bits = 0;
    if (part != sph::RatesPart::density) control->held_work = 0; // else that of the accelerations is in it
}

__device__ sph::TimeStepLimits limits_of(const Control& c) {
    return {__uint_as_float(c.force2_bits), __uint_as_float(c.speed_bits), __uint_as_float(c.viscosity_bits)};
}

/// Whether the step goes on after the interaction: not one that is not taken, nor a run that has just blown up.
__device__ bool goes_on(Control& control, const sph::Constants& c) {
    if (control.active && sph::has_blown_up(c, limits_of(control))) {
        control.failed = 1;
        control.active = 0;
    }
    return control.active;
}

/// What limits the time step becomes the maximum of all devices that share a run. By a whole warp if there are several.
__device__ void take_limits(Control& control, const AllMaxima& maxima) {
    if (maxima.devices == 0) return;
    const Maxima all = greatest_of_all(maxima);
    if (threadIdx.x != 0) return;
    control.force2_bits = all.force2_bits;
    control.speed_bits = all.speed_bits;
    control.viscosity_bits = all.viscosity_bits;
}

/// One thread, or one warp.
__global__ void time_step_kernel(Control* control, sph::Constants c, AllMaxima maxima) {
    wait_for_kernel_before();
    take_limits(*control, maxima);
    if (threadIdx.x != 0) return;
    stamp(*control, Phase::interaction);
    if (!goes_on(*control, c)) return;
    const auto choice = sph::choose_time_step(c, limits_of(*control), control->step, control->dt_limit);
    if (choice.raised) ++control->dt_min_hits;
    control->dt_before = control->dt;
    control->dt = choice.dt;
}

__global__ void corrector_limit_kernel(Control* control, sph::Constants c, AllMaxima maxima) {
    wait_for_kernel_before();
    take_limits(*control, maxima);
    if (threadIdx.x != 0) return;
    stamp(*control, Phase::interaction);
    if (goes_on(*control, c)) control->dt_limit = sph::time_step(c, limits_of(*control));
}

/// `growth`: so many times as long as this step the next one may be; 0: as long as its limits let it.
__global__ void finish_kernel(Control* control, double growth) {
    wait_for_kernel_before();
    stamp(*control, Phase::update);
    if (control->active) {
        if (growth > 0) control->dt_limit = growth * control->dt;
        control->time += control->dt;
        control->work.open_boundaries = sum_of_counts(control->work.open_boundaries, control->held_work);
        ++control->step;
        ++control->steps_since_build;
    }
    control->active = may_step(*control);
}

__device__ Vec3<float> velocity_of(const Flow& f) { return {f.vx, f.vy, f.vz}; }

__device__ sph::Rates<float> rates_of(const RateRecord& r) { return {{r.ax, r.ay, r.az}, r.rho}; }

/// `fraction` of the step brought the particle where it may not be.
__device__ void record_excluded(const UpdateArgs& args, std::uint32_t id, sph::ExclusionCause cause,
                                const Units64& from, const sph::Update<float>& update, double fraction) {
    const unsigned slot = atomicAdd(&args.control->excluded, 1u);
    if (slot >= args.excluded_capacity) return;
    const float unit = args.grid.unit;
    args.excluded[slot] = {double(from.x) + double(update.displacement.x) / unit,
                           double(from.y) + double(update.displacement.y) / unit,
                           double(from.z) + double(update.displacement.z) / unit,
                           args.control->time + fraction * args.control->dt,
                           args.control->step + 1,
                           update.velocity.x,
                           update.velocity.y,
                           update.velocity.z,
                           update.density,
                           id,
                           std::uint32_t(cause)};
}

/// Particle shifting, if the run has any.
__device__ void add_shift(const UpdateArgs& args, std::uint32_t i, sph::Update<float>& update) {
    if (!args.shifts) return;
    const ShiftRecord shift = load16(args.shifts + (i - args.step.boundary_count));
    update.displacement = update.displacement + Vec3f{shift.x, shift.y, shift.z};
}

/// Where `update` takes fluid particle i, not wrapped.
__device__ Units64 arrival(const UpdateArgs& args, std::uint32_t i, const Units64& from,
                           const sph::Update<float>& update) {
    const float scale = args.grid.inverse_unit;
    const Rounding rounding = Rounding::of(args.now.id[i], std::uint32_t(args.control->step));
    return {from.x + whole_units(update.displacement.x, scale, rounding.x),
            from.y + whole_units(update.displacement.y, scale, rounding.y),
            from.z + whole_units(update.displacement.z, scale, rounding.z)};
}

template <bool Periodic>
__device__ sph::ExclusionCause cause_of(const UpdateArgs& args, const Units64& to, const sph::Update<float>& update) {
    const float probe = update.displacement.x + update.displacement.y + update.displacement.z + update.velocity.x +
                        update.velocity.y + update.velocity.z;
    return sph::exclusion_cause(in_domain(args.grid, Periodic ? args.period.wrapped(to) : to), probe, update.density,
                                float(args.step.run.rho_out_min), float(args.step.run.rho_out_max));
}

/// Particle i is in `cell` now.
__device__ void enter(const UpdateArgs& args, std::uint32_t i, std::uint32_t cell) {
    args.cell[i] = cell;
    args.counts.enter(i, cell);
}

/// Where a particle that arrives at `to` is kept.
template <bool Periodic>
__device__ Units64 kept_at(const UpdateArgs& args, const Units64& to) {
    if constexpr (Periodic)
        if (args.counts.count) return args.period.wrapped(to);
    return to;
}

/// Writes where fluid particle i is after `update` takes it to `arrived`, and what it carries. Its pressure is that of
/// `pressure_density`.
template <bool Periodic>
__device__ void write_moved(const UpdateArgs& args, std::uint32_t i, const Units64& arrived,
                            const sph::Update<float>& update, float pressure_density) {
    const Units64 to = kept_at<Periodic>(args, arrived);
    args.next.position[i] = {int(to.x), int(to.y), int(to.z),
                             args.step.eos.pressure_term(update.density, pressure_density)};
    args.next.flow[i] = {update.velocity.x, update.velocity.y, update.velocity.z, update.density};
    if (args.counts.count) enter(args, i, cell_of(args.grid, to));
}

/// Whether fluid particle i stays in the run after `update`, which takes it from `start` to `arrived` over `fraction`
/// of the step; if not, it is listed and marked.
template <bool Periodic>
__device__ bool stays(const UpdateArgs& args, std::uint32_t i, const Units64& start, const Units64& arrived,
                      const sph::Update<float>& update, double fraction) {
    const sph::ExclusionCause cause = cause_of<Periodic>(args, arrived, update);
    if (cause == sph::ExclusionCause::none) return true;
    record_excluded(args, args.now.id[i], cause, start, update, fraction);
    args.cell[i] = args.step.excluded_cell;
    if (args.counts.count) args.counts.enter(i, args.step.excluded_cell);
    args.control->rebuild = 1;
    return false;
}

/// A particle of a step that is not taken: its levels only go where the next step looks for them. Those that left the
/// run lie behind `alive` and stay there. In a step that is taken nothing is to be done for them, nor for those that
/// other devices step, and send.
__device__ void write_resting(const UpdateArgs& args, std::uint32_t i, const Flow& flow, const Flow& previous) {
    if (args.control->active) return;
    args.next.flow[i] = flow;
    args.next.previous[i] = previous;
    if (args.counts.count && i >= args.step.boundary_count && i < args.control->alive)
        args.counts.enter(i, args.cell[i]);
}

/// Whether particle i takes part in the step that is taken, on this device.
__device__ bool is_stepped(const UpdateArgs& args, std::uint32_t i) {
    if (!args.control->active || i >= args.control->alive || args.cell[i] == args.step.excluded_cell) return false;
    return i < args.step.boundary_count ? args.own_walls.contains(i) : i >= args.own_first;
}

/// Whether the density of boundary particle i is extrapolated, and not integrated.
__device__ bool is_extrapolated(const UpdateArgs& args, std::uint32_t i) {
    return args.normals && sluice::is_extrapolated(args.normals[args.now.id[i]]);
}

/// A boundary particle gets its new density, or keeps what it took part in the interaction with; it does not move.
/// `lead`: of the acoustic damper, over what has changed since `old`.
__device__ void write_boundary(const UpdateArgs& args, std::uint32_t i, float density, const Flow& old,
                               const Flow& previous, float lead = 0) {
    if (is_extrapolated(args, i)) {
        args.next.previous[i] = args.next.flow[i] = args.now.flow[i];
        return;
    }
    const float rho = sph::boundary_density(density, float(args.step.run.rho0));
    args.next.position[i].pressure_term = args.step.eos.pressure_term(rho, sph::damped_density(old.rho, rho, lead));
    args.next.flow[i] = {old.vx, old.vy, old.vz, rho};
    args.next.previous[i] = previous;
}

template <bool Periodic>
__global__ void verlet_kernel(const __grid_constant__ UpdateArgs args) {
    wait_for_kernel_before();
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= args.particles) return;
    const Flow old = args.now.flow[i], previous = args.now.previous[i];
    if (!is_stepped(args, i)) return write_resting(args, i, old, previous);
    const float dt = float(args.control->dt);
    const sph::Rates<float> rates = rates_of(args.rates[i]);
    const bool euler = sph::is_euler_step(args.control->step, args.step.run.verlet_steps);
    sph::Update<float> update =
        euler ? sph::verlet_euler_step(velocity_of(old), old.rho, rates, dt)
              : sph::verlet_step(velocity_of(old), velocity_of(previous), previous.rho, rates, dt);
    if (i < args.step.boundary_count) {
        write_boundary(args, i, update.density, old, {previous.vx, previous.vy, previous.vz, old.rho});
        return;
    }
    add_shift(args, i, update);
    const Position from = args.now.position[i];
    const Units64 start = unwrap(args.grid, from, args.cell[i]);
    const Units64 arrived = arrival(args, i, start, update);
    if (!stays<Periodic>(args, i, start, arrived, update, 1)) return;
    write_moved<Periodic>(args, i, arrived, update, update.density);
    if (args.next.previous != args.now.flow) args.next.previous[i] = old;
}

template <bool Periodic>
__global__ void predictor_kernel(const __grid_constant__ UpdateArgs args) {
    wait_for_kernel_before();
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= args.particles) return;
    const Flow old = args.now.flow[i];
    const Position from = args.now.position[i];
    args.next.start[i] = from;
    if (!is_stepped(args, i)) return write_resting(args, i, old, old);
    const double dt = args.control->dt;
    const float lead = float(sph::acoustic_lead(args.step.run, dt));
    const sph::Update<float> update =
        sph::symplectic_predictor(velocity_of(old), old.rho, rates_of(args.rates[i]), float(dt));
    if (i < args.step.boundary_count) return write_boundary(args, i, update.density, old, old, lead);
    const Units64 start = unwrap(args.grid, from, args.cell[i]);
    const Units64 arrived = arrival(args, i, start, update);
    if (!stays<Periodic>(args, i, start, arrived, update, 0.5))
        return;             // or the cells of the half step would not hold it
    if constexpr (Periodic) // the start stays on the particle's side
        args.next.start[i] = displaced(from, kept_at<Periodic>(args, arrived) - arrived);
    write_moved<Periodic>(args, i, arrived, update, sph::damped_density(old.rho, update.density, lead));
    if (args.next.previous != args.now.flow) args.next.previous[i] = old;
}

template <bool Periodic>
__global__ void corrector_kernel(const __grid_constant__ UpdateArgs args) {
    wait_for_kernel_before();
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= args.particles) return;
    const Flow half = args.now.flow[i], old = args.now.previous[i];
    const Position from = args.now.start[i];
    if (!is_stepped(args, i)) { // back to level n, as if the predictor had not been
        args.next.position[i] = from;
        return write_resting(args, i, old, old);
    }
    const float dt = float(args.control->dt);
    sph::Update<float> update =
        sph::symplectic_corrector(velocity_of(old), old.rho, half.rho, rates_of(args.rates[i]), dt);
    if (i < args.step.boundary_count) {
        const float rho = sph::boundary_density(update.density, float(args.step.run.rho0));
        write_boundary(args, i, rho, old, {old.vx, old.vy, old.vz, rho});
        return;
    }
    add_shift(args, i, update);
    const Units64 start = unwrap(args.grid, from, args.cell[i]);
    const Units64 arrived = arrival(args, i, start, update);
    if (!stays<Periodic>(args, i, start, arrived, update, 1)) return;
    write_moved<Periodic>(args, i, arrived, update, update.density);
    // as a step that is not taken leaves it
    args.next.previous[i] = {update.velocity.x, update.velocity.y, update.velocity.z, update.density};
}

/// Leaves the velocity of the middle of the step in `flow`, that of its end in `previous`. Boundary particles get their
/// own velocity back, and keep the density that they took part in the interaction with.
template <bool Periodic>
__global__ void kick_kernel(const __grid_constant__ UpdateArgs args) {
    wait_for_kernel_before();
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= args.particles) return;
    const Flow old = args.now.flow[i], lagging = args.now.previous[i];
    const Position from = args.now.position[i];
    if (args.next.start) args.next.start[i] = from;
    if (!is_stepped(args, i)) return write_resting(args, i, old, lagging);
    if (i < args.step.boundary_count) {
        const bool rests = is_extrapolated(args, i); // unless it moves, and gets its velocity with its place
        args.next.flow[i] = rests ? Flow{0, 0, 0, lagging.rho} : Flow{old.vx, old.vy, old.vz, lagging.rho};
        args.next.previous[i] = lagging;
        return;
    }
    const auto kick = sph::staggered_kick(velocity_of(lagging), rates_of(args.rates[i]).acceleration,
                                          float(args.control->dt_before), float(args.control->dt));
    const sph::Update<float> update{kick.displacement, kick.velocity, old.rho};
    const Units64 start = unwrap(args.grid, from, args.cell[i]);
    const Units64 arrived = arrival(args, i, start, update);
    if (!stays<Periodic>(args, i, start, arrived, update, 0.5)) return;
    if constexpr (Periodic) // the start stays on the particle's side
        if (args.next.start) args.next.start[i] = displaced(from, kept_at<Periodic>(args, arrived) - arrived);
    write_moved<Periodic>(args, i, arrived, update, old.rho);
    args.next.previous[i] = {kick.end_velocity.x, kick.end_velocity.y, kick.end_velocity.z, old.rho};
}

/// Puts the two velocities where the end of a step has them, with the density of the end beside both. Walls from ghost
/// nodes show what they took part in the first interaction with.
template <bool Periodic>
__global__ void drift_kernel(const __grid_constant__ UpdateArgs args) {
    wait_for_kernel_before();
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i == 0) stamp(*args.control, Phase::interaction);
    if (i >= args.particles) return;
    const Flow middle = args.now.flow[i], end = args.now.previous[i];
    if (!is_stepped(args, i)) return write_resting(args, i, middle, end);
    const float dt = float(args.control->dt);
    const float rho = sph::staggered_density(args.step.run.pressure_form, middle.rho, args.rates[i].rho, dt);
    if (i < args.step.boundary_count) {
        Flow wall = end;
        if (!is_extrapolated(args, i)) {
            wall = middle;
            wall.rho = sph::boundary_density(rho, float(args.step.run.rho0));
            args.next.position[i].pressure_term = args.step.eos.pressure_term(wall.rho);
        }
        args.next.flow[i] = args.next.previous[i] = wall;
        return;
    }
    sph::Update<float> update{(0.5f * dt) * velocity_of(middle), velocity_of(end), rho};
    add_shift(args, i, update);
    const Units64 start = unwrap(args.grid, args.now.position[i], args.cell[i]);
    const Units64 arrived = arrival(args, i, start, update);
    if (!stays<Periodic>(args, i, start, arrived, update, 1)) return;
    write_moved<Periodic>(args, i, arrived, update, rho);
    args.next.previous[i] = {middle.vx, middle.vy, middle.vz, rho};
}

__global__ void pressure_kernel(const __grid_constant__ UpdateArgs args) {
    wait_for_kernel_before();
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i < args.particles) args.next.position[i].pressure_term = args.step.eos.pressure_term(args.next.flow[i].rho);
}

template <class Kernel>
void launch(Kernel kernel, const UpdateArgs& args, const char* what, cudaStream_t stream) {
    if (args.particles == 0) return;
    launch_ahead(kernel, blocks_for(args.particles, block), block, stream, what, args);
}

} // namespace

void begin_advance(Control* control, double time_limit, long long step_limit, cudaStream_t stream) {
    begin_advance_kernel<<<1, 1, 0, stream>>>(control, time_limit, step_limit);
    check_launch("start of the steps");
}

void begin_interaction(Control* control, sph::RatesPart part, cudaStream_t stream) {
    launch_ahead(begin_interaction_kernel, 1, 1, stream, "start of the interaction", control, part);
}

void compute_time_step(const UpdateArgs& args, const AllMaxima& maxima, cudaStream_t stream) {
    launch_ahead(time_step_kernel, 1, maxima.devices > 0 ? warp : 1, stream, "time step", args.control, args.step.run,
                 maxima);
}

void compute_corrector_limit(const UpdateArgs& args, const AllMaxima& maxima, cudaStream_t stream) {
    launch_ahead(corrector_limit_kernel, 1, maxima.devices > 0 ? warp : 1, stream, "time step of the corrector",
                 args.control, args.step.run, maxima);
}

void integrate_verlet(const UpdateArgs& args, cudaStream_t stream) {
    launch(args.period.any() ? verlet_kernel<true> : verlet_kernel<false>, args, "Verlet step", stream);
}
void integrate_predictor(const UpdateArgs& args, cudaStream_t stream) {
    launch(args.period.any() ? predictor_kernel<true> : predictor_kernel<false>, args, "predictor", stream);
}
void integrate_corrector(const UpdateArgs& args, cudaStream_t stream) {
    launch(args.period.any() ? corrector_kernel<true> : corrector_kernel<false>, args, "corrector", stream);
}
void integrate_kick(const UpdateArgs& args, cudaStream_t stream) {
    launch(args.period.any() ? kick_kernel<true> : kick_kernel<false>, args, "kick", stream);
}
void integrate_drift(const UpdateArgs& args, cudaStream_t stream) {
    launch(args.period.any() ? drift_kernel<true> : drift_kernel<false>, args, "drift", stream);
}
void refresh_pressures(const UpdateArgs& args, cudaStream_t stream) {
    launch(pressure_kernel, args, "pressures", stream);
}

void finish_step(const UpdateArgs& args, cudaStream_t stream) {
    const bool is_staggered = args.step.run.integrator == sph::Integrator::staggered;
    launch_ahead(finish_kernel, 1, 1, stream, "end of the step", args.control,
                 is_staggered ? sph::longest_growth : 0.0);
}

} // namespace sluice::cuda
