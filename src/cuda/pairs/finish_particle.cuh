// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/pair_loops.h"
#include "cuda/data/phase_table.h"
#include "cuda/data/reduce.cuh"
#include "cuda/pairs/interaction.h"
#include "scheme/outer_work.h"

// What every interaction kernel does with the sums of its particle. All lanes of a warp must call these.

namespace sluice::cuda {

/// Counts the work of what keeps fluid particle i in its open boundary from taking its rates.
__device__ inline void count_holding(const InteractionArgs& args, std::uint32_t i, const RateRecord& rates) {
    const Flow flow = args.view.flow[i];
    const double work =
        work_of_holding(args.part, sph::EquationOfState<double>(args.step.run), {flow.vx, flow.vy, flow.vz}, flow.rho,
                        {rates.ax, rates.ay, rates.az}, rates.rho, args.control->dt);
    add_count(&args.control->held_work, work_count(work, args.step.inverse_work_unit));
}

/// Rates of fluid particle i from its sums, and its share in the maxima. What acts on particles that open boundaries
/// hold does not limit the time step. `Open`: there may be such particles. `General`: there may be several fluids.
template <bool Open = true, bool General = false>
__device__ inline void finish_particle(const InteractionArgs& args, std::uint32_t i, bool valid, float rho,
                                       FluidSums sums) {
    float force2 = 0, speed = 0;
    if (valid) {
        const PhaseTable* const fluids = General ? phase_table(args.pairs.fluid) : nullptr;
        const float weight = fluids ? fluids->weight[phase_in(args.view.position[i].pressure_term)] : 1;
        if (fluids) sums.weigh(weight);
        RateRecord rates = fluid_rates(args.step, sums);
        if (args.acceleration) {
            const Vec3f& more = args.acceleration[i - args.own_first];
            rates.ax += weight * more.x;
            rates.ay += weight * more.y;
            rates.az += weight * more.z;
        }
        if (Open && args.is_held(i)) {
            count_holding(args, i, rates);
            rates = {0, 0, 0, 0};
        }
        args.rates[i] = rates;
        force2 = rates.ax * rates.ax + rates.ay * rates.ay + rates.az * rates.az;
        speed = (fluids ? fluids->sound_speed : args.step.eos.sound_speed(rho)) + sums.viscous;
    }
    raise_maxima(*args.control, force2, speed);
}

/// The share of boundary particle i in the maxima, where boundary particles limit the time step too.
__device__ inline void raise_boundary_speed(const InteractionArgs& args, std::uint32_t i, bool valid) {
    if (args.step.run.dt_all_particles)
        raise_maxima(*args.control, 0, valid ? args.step.eos.sound_speed(args.view.flow[i].rho) : 0);
}

} // namespace sluice::cuda
