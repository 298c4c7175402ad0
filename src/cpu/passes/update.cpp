// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/update.h"

#include "cpu/passes/wall_extrapolation.h"

#include "scheme/integrators.h"

#include <algorithm>

namespace sluice::cpu {

namespace {

using Rates = sph::Rates<float>;
using Update = sph::Update<float>;

Vec3f velocity(const Flow& flow) { return {flow.vx, flow.vy, flow.vz}; }
Flow flow_of(const Update& update) { return {update.velocity.x, update.velocity.y, update.velocity.z, update.density}; }
Rates rates_of(const Accumulator& sum, Vec3f gravity) { return {Vec3f{sum.ax, sum.ay, sum.az} + gravity, sum.rho}; }
/// Where particle shifting takes the fluid particles beside their displacements.
struct Shifts {
    const Vec3f* shift; ///< null: nowhere
    Vec3f added(const Vec3f& displacement, std::uint32_t i) const {
        return shift ? displacement + shift[i] : displacement;
    }
};

Vec3d moved(const Vec3d& from, const Vec3f& by) { return from + vec_cast<double>(by); }

} // namespace

float Integration::largest_force2(const SortedGroup& fluid, const Accumulator* rates) const {
    const Vec3f gravity = vec_cast<float>(constants_.gravity);
    float largest = 0;
    const bool is_periodic = space_.period.any();
#pragma omp parallel num_threads(threads_.now()) reduction(max : largest)
    for (const OwnRun& run : fluid.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            if (is_periodic && space_.is_image(fluid.state.position[i])) continue;
            const Vec3f force = rates_of(rates[i], gravity).acceleration;
            largest = std::max(largest, dot(force, force));
        }
    return largest;
}

ExcludedParticle Integration::last_state(const SortedGroup& fluid, std::uint32_t i, sph::ExclusionCause cause,
                                         const StageClock& clock) const {
    const Flow& f = fluid.state.flow[i];
    return {fluid.state.id[i], cause, clock.step + 1, clock.time, origin_ + fluid.state.position[i],
            velocity(f),       f.rho};
}

/// `brings_on(i, position, flow)` brings a particle to the end of a stage; those that may not stay then are filed.
template <class Advance>
void Integration::move_fluid(SortedGroup& fluid, const StageClock& clock, const Advance& brings_on) {
    std::vector<ExcludedParticle> found;
    const auto rho_min = static_cast<float>(constants_.rho_out_min),
               rho_max = static_cast<float>(constants_.rho_out_max);
#pragma omp parallel num_threads(threads_.now())
    {
        std::vector<ExcludedParticle> mine;
        const Space space = space_; // copies, which the loop keeps in registers
        const bool is_periodic = space.period.any();
        const std::uint32_t no_cell = space.no_cell();
        const Advance advance = brings_on;
        Vec3d* const position = fluid.state.position.data();
        Flow* const flow = fluid.state.flow.data();
        std::uint32_t* const key = fluid.state.key.data();
        for (const OwnRun& run : fluid.own)
#pragma omp for schedule(static) nowait
            for (std::uint32_t i = run.begin; i < run.end; ++i) {
                Vec3d p = position[i];
                if (is_periodic && space.is_image(p)) {
                    key[i] = no_cell; // the next sort drops it
                    continue;
                }
                Flow f = flow[i];
                advance(i, p, f);
                if (is_periodic) p = space.period.wrapped(p, space.size);
                position[i] = p;
                flow[i] = f;
                const float probe = static_cast<float>(p.x + p.y + p.z) + (f.vx + f.vy + f.vz);
                const auto cause = sph::exclusion_cause(space.contains(p), probe, f.rho, rho_min, rho_max);
                if (cause == sph::ExclusionCause::none) [[likely]] {
                    key[i] = space.key(p);
                } else {
                    key[i] = no_cell;
                    mine.push_back(last_state(fluid, i, cause, clock));
                }
            }
        if (!mine.empty()) {
#pragma omp critical(sluice_excluded)
            found.insert(found.end(), mine.begin(), mine.end());
        }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    excluded_.insert(excluded_.end(), found.begin(), found.end());
}

void Integration::exclude(SortedGroup& fluid, const StageClock& clock) {
    move_fluid(fluid, clock, [](std::uint32_t, Vec3d&, Flow&) {});
}

void Integration::integrate_fluid(Stage stage, SortedGroup& fluid, const Accumulator* rates, const StageClock& clock) {
    switch (stage) {
    case Stage::whole_step: return verlet_fluid(fluid, rates, clock);
    case Stage::predictor: return predict_fluid(fluid, rates, clock);
    case Stage::corrector: return correct_fluid(fluid, rates, clock);
    case Stage::kick: return kick_fluid(fluid, rates, clock);
    case Stage::drift: return drift_fluid(fluid, rates, clock);
    }
}

void Integration::integrate_boundary(Stage stage, SortedGroup& boundary, const Accumulator* rates,
                                     const StageClock& clock) const {
    switch (stage) {
    case Stage::whole_step: return verlet_boundary(boundary, rates, clock);
    case Stage::predictor: return predict_boundary(boundary, rates, clock);
    case Stage::corrector: return correct_boundary(boundary, rates, clock);
    case Stage::kick: return; // densities wait for the middle of the step
    case Stage::drift: return drift_boundary(boundary, rates, clock);
    }
}

void Integration::verlet_fluid(SortedGroup& fluid, const Accumulator* rates, const StageClock& clock) {
    Flow* const previous = fluid.state.flow_previous.data();
    const auto gravity = vec_cast<float>(constants_.gravity);
    const float dt = clock.dt;
    const Shifts shifts{shifts_};
    if (sph::is_euler_step(clock.step, constants_.verlet_steps)) {
        move_fluid(fluid, clock, [=](std::uint32_t i, Vec3d& position, Flow& flow) {
            const Update next = sph::verlet_euler_step(velocity(flow), flow.rho, rates_of(rates[i], gravity), dt);
            position = moved(position, shifts.added(next.displacement, i));
            previous[i] = flow;
            flow = flow_of(next);
        });
    } else {
        move_fluid(fluid, clock, [=](std::uint32_t i, Vec3d& position, Flow& flow) {
            const Flow before = previous[i];
            const Update next =
                sph::verlet_step(velocity(flow), velocity(before), before.rho, rates_of(rates[i], gravity), dt);
            position = moved(position, shifts.added(next.displacement, i));
            previous[i] = flow;
            flow = flow_of(next);
        });
    }
}

void Integration::verlet_boundary(SortedGroup& boundary, const Accumulator* rates, const StageClock& clock) const {
    const bool euler = sph::is_euler_step(clock.step, constants_.verlet_steps);
    const auto rho0 = static_cast<float>(constants_.rho0);
#pragma omp parallel num_threads(threads_.now())
    for (const OwnRun& run : boundary.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            if (setup_.is_extrapolated(boundary.state.id[i])) continue;
            Flow &now = boundary.state.flow[i], &before = boundary.state.flow_previous[i];
            const Rates r = rates_of(rates[i], {});
            const Update next = euler ? sph::verlet_euler_step(velocity(now), now.rho, r, clock.dt)
                                      : sph::verlet_step(velocity(now), velocity(before), before.rho, r, clock.dt);
            before = now;
            now.rho = sph::boundary_density(next.density, rho0);
        }
}

void Integration::predict_fluid(SortedGroup& fluid, const Accumulator* rates, const StageClock& clock) {
    Vec3d* const start = fluid.state.position_start.data();
    Flow* const previous = fluid.state.flow_previous.data();
    const auto gravity = vec_cast<float>(constants_.gravity);
    move_fluid(fluid, clock, [=, dt = clock.dt](std::uint32_t i, Vec3d& position, Flow& flow) {
        const Update half = sph::symplectic_predictor(velocity(flow), flow.rho, rates_of(rates[i], gravity), dt);
        start[i] = position;
        previous[i] = flow;
        position = moved(position, half.displacement);
        flow = flow_of(half);
    });
}

void Integration::predict_boundary(SortedGroup& boundary, const Accumulator* rates, const StageClock& clock) const {
    const auto rho0 = static_cast<float>(constants_.rho0);
#pragma omp parallel num_threads(threads_.now())
    for (const OwnRun& run : boundary.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            if (setup_.is_extrapolated(boundary.state.id[i])) continue;
            Flow &now = boundary.state.flow[i], &start = boundary.state.flow_previous[i];
            start = now;
            const Update half = sph::symplectic_predictor(velocity(now), now.rho, rates_of(rates[i], {}), clock.dt);
            now.rho = sph::boundary_density(half.density, rho0);
        }
}

void Integration::correct_fluid(SortedGroup& fluid, const Accumulator* rates, const StageClock& clock) {
    const Vec3d* const start = fluid.state.position_start.data();
    const Flow* const previous = fluid.state.flow_previous.data();
    const auto gravity = vec_cast<float>(constants_.gravity);
    const Shifts shifts{shifts_};
    move_fluid(fluid, clock, [=, dt = clock.dt](std::uint32_t i, Vec3d& position, Flow& flow) {
        const Flow before = previous[i];
        const Update next =
            sph::symplectic_corrector(velocity(before), before.rho, flow.rho, rates_of(rates[i], gravity), dt);
        position = moved(start[i], shifts.added(next.displacement, i));
        flow = flow_of(next);
    });
}

void Integration::correct_boundary(SortedGroup& boundary, const Accumulator* rates, const StageClock& clock) const {
    const auto rho0 = static_cast<float>(constants_.rho0);
#pragma omp parallel num_threads(threads_.now())
    for (const OwnRun& run : boundary.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            if (setup_.is_extrapolated(boundary.state.id[i])) continue;
            Flow& now = boundary.state.flow[i];
            const float start = boundary.state.flow_previous[i].rho;
            now.rho = sph::boundary_density(sph::symplectic_density(start, now.rho, rates[i].rho, clock.dt), rho0);
        }
}

/// Leaves the velocity of the middle in `flow`, that of the end in `flow_previous`.
void Integration::kick_fluid(SortedGroup& fluid, const Accumulator* rates, const StageClock& clock) {
    Vec3d* const start = setup_.keeps_start() ? fluid.state.position_start.data() : nullptr;
    Flow* const previous = fluid.state.flow_previous.data();
    const auto gravity = vec_cast<float>(constants_.gravity);
    move_fluid(fluid, clock, [=, now = clock](std::uint32_t i, Vec3d& position, Flow& flow) {
        if (start) start[i] = position;
        const auto kick =
            sph::staggered_kick(velocity(previous[i]), rates_of(rates[i], gravity).acceleration, now.dt_before, now.dt);
        position = moved(position, kick.displacement);
        previous[i] = {kick.end_velocity.x, kick.end_velocity.y, kick.end_velocity.z, flow.rho};
        flow = {kick.velocity.x, kick.velocity.y, kick.velocity.z, flow.rho};
    });
}

/// Puts the two velocities where the end of a step has them.
void Integration::drift_fluid(SortedGroup& fluid, const Accumulator* rates, const StageClock& clock) {
    Flow* const previous = fluid.state.flow_previous.data();
    const Shifts shifts{shifts_};
    const sph::PressureForm form = constants_.pressure_form;
    move_fluid(fluid, clock, [=, dt = clock.dt](std::uint32_t i, Vec3d& position, Flow& flow) {
        const Flow end = previous[i];
        position = moved(position, shifts.added((0.5f * dt) * velocity(flow), i));
        previous[i] = flow;
        flow = {end.vx, end.vy, end.vz, sph::staggered_density(form, flow.rho, rates[i].rho, dt)};
    });
}

void Integration::drift_boundary(SortedGroup& boundary, const Accumulator* rates, const StageClock& clock) const {
    const auto rho0 = static_cast<float>(constants_.rho0);
#pragma omp parallel num_threads(threads_.now())
    for (const OwnRun& run : boundary.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            if (setup_.is_extrapolated(boundary.state.id[i])) continue;
            float& rho = boundary.state.flow[i].rho;
            rho = sph::boundary_density(sph::staggered_density(constants_.pressure_form, rho, rates[i].rho, clock.dt),
                                        rho0);
        }
}

} // namespace sluice::cpu
