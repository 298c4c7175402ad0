// SPDX-License-Identifier: Apache-2.0
#include "cuda/passes/shifting.h"

#include "cuda/data/reduce.cuh"
#include "cuda/pairs/gather_kernels.cuh"
#include "physics/sph/internal_energy.h"
#include "physics/sph/shifting.h"

namespace sluice::cuda {

namespace {

/// What Crowding reads of particle j.
struct CrowdingSides {
    const Flow* flow;
    const std::uint32_t* id;
    RigidView rigid;
    std::uint32_t boundary_count;
    sph::Shifting shifting;

    template <class Op>
    SLUICE_INLINE typename Op::template Side<float> of(std::uint32_t j) const {
        bool rests = false;
        if (j < boundary_count && shifting == sph::Shifting::off_resting_walls)
            rests = rigid.object_of(id[j]) == RigidParticles::at_rest;
        return {load16(flow + j).rho, sph::holds_fluid(shifting, rests) ? 1.0f : 0.0f};
    }
};

/// Whether particle i is where there is shifting.
__device__ bool is_in_zones(const InteractionArgs& args, const ShiftZonesView& zones, std::uint32_t i) {
    if (zones.count == 0) return true;
    const InteractionView& v = args.view;
    const Units64 here = args.period.wrapped(unwrap(v.grid, v.position[i], v.cell[i]));
    const Vec3d place = double(v.grid.unit) * Vec3d{double(here.x), double(here.y), double(here.z)};
    return sph::shifts_at(zones.zones, zones.count, place);
}

/// What ShiftConvergence reads of particle j.
struct ShiftSides {
    const Flow* flow;
    const ShiftRecord* shifts;
    std::uint32_t boundary_count;

    template <class Op>
    SLUICE_INLINE typename Op::template Side<float> of(std::uint32_t j) const {
        if (j < boundary_count) return {0, 0, 0, load16(flow + j).rho};
        const ShiftRecord s = load16(shifts + (j - boundary_count));
        return {s.x, s.y, s.z, s.rho};
    }
};

template <class Fluid, class Op>
__global__ void __launch_bounds__(gather_block, gather_blocks_at_once<Fluid>)
    shift_kernel(const __grid_constant__ InteractionArgs args, const __grid_constant__ GatherConstants<Op> constants,
                 const __grid_constant__ CrowdingSides sides, ListView lists, ShiftZonesView zones,
                 ShiftRecord* shifts) {
    __shared__ typename Fluid::Shared shared;
    std::uint32_t i;
    const bool valid = has_fluid_particle(args, i), shifted = valid && is_in_zones(args, zones, i);
    const auto sums = gather_sums<Fluid>(args, lists, shared, constants, sides, i, shifted);
    Vec3f shift{};
    if (valid) {
        const Flow f = args.view.flow[i];
        if (shifted) shift = sph::shift_of<float>(args.step.run, sums.of, {f.vx, f.vy, f.vz}, float(args.control->dt));
        shifts[i - args.step.boundary_count] = {shift.x, shift.y, shift.z, f.rho};
    }
    const bool counts = shifted && !args.is_held(i);
    const double lift = counts ? -dot(args.step.run.gravity, vec_cast<double>(shift)) : 0;
    add_counts(&args.control->work.shift_lift, work_count(lift, args.step.inverse_work_unit));
}

template <class Fluid, class Op>
__global__ void __launch_bounds__(gather_block, gather_blocks_at_once<Fluid>)
    follow_kernel(const __grid_constant__ InteractionArgs args, const __grid_constant__ GatherConstants<Op> constants,
                  const __grid_constant__ ShiftSides sides, ListView lists) {
    __shared__ typename Fluid::Shared shared;
    std::uint32_t i;
    const bool valid = has_fluid_particle(args, i);
    const auto sums = gather_sums<Fluid>(args, lists, shared, constants, sides, i, valid);
    double work = 0;
    if (valid && !args.is_held(i)) {
        const float rho = sides.shifts[i - args.step.boundary_count].rho, dt = float(args.control->dt);
        const float rate = sph::shift_density_rate(sums.of[0], rho, dt);
        args.rates[i].rho += rate;
        work =
            sph::compression_work(sph::EquationOfState<double>(args.step.run), double(rho), double(dt) * double(rate));
    }
    add_counts(&args.control->work.shift_compression, work_count(work, args.step.inverse_work_unit));
}

} // namespace

void find_shifts(const InteractionArgs& args, const ListView& lists, const std::uint32_t* id, const RigidView& rigid,
                 const ShiftZonesView& zones, ShiftRecord* shifts, cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    const sph::Constants& c = args.step.run;
    const CrowdingSides sides{args.view.flow, id, rigid, args.step.boundary_count, c.shifting};

    with_fluid_search(lists, [&]<class Fluid>(Fluid) {
        sph::with_kernel(c.kernel, [&]<class Kernel>(Kernel) {
            sph::with_crowding<Kernel>(c.shifting, [&]<class Op>(Op) {
                shift_kernel<Fluid, Op><<<gather_blocks(args), gather_block, 0, stream>>>(args, GatherConstants<Op>(c),
                                                                                          sides, lists, zones, shifts);
            });
        });
    });
    check_launch("particle shifting");
}

void follow_shifts(const InteractionArgs& args, const ListView& lists, const ShiftRecord* shifts, cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    const ShiftSides sides{args.view.flow, shifts, args.step.boundary_count};
    with_fluid_search(lists, [&]<class Fluid>(Fluid) {
        sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel) {
            using Op = sph::ShiftConvergence<Kernel>;
            follow_kernel<Fluid, Op><<<gather_blocks(args), gather_block, 0, stream>>>(
                args, GatherConstants<Op>(args.step.run), sides, lists);
        });
    });
    check_launch("densities that follow shifts");
}

} // namespace sluice::cuda
