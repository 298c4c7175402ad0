// SPDX-License-Identifier: Apache-2.0
#include "cuda/shifting.h"

#include "cuda/gather_kernels.cuh"
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

template <class Kernel>
__global__ void shift_kernel(const __grid_constant__ InteractionArgs args,
                             const __grid_constant__ GatherConstants<sph::Crowding<Kernel>> constants,
                             const __grid_constant__ CrowdingSides sides, ListView lists, ShiftZonesView zones,
                             Vec3f* shifts) {
    std::uint32_t i;
    if (!has_fluid_particle(args, i)) return;
    if (zones.count > 0) {
        const InteractionView& v = args.view;
        const Units64 here = args.period.wrapped(unwrap(v.grid, v.position[i], v.cell[i]));
        const Vec3d place = double(v.grid.unit) * Vec3d{double(here.x), double(here.y), double(here.z)};
        if (!sph::shifts_at(zones.zones, zones.count, place)) {
            shifts[i - args.own_first] = {};
            return;
        }
    }
    const auto sums = gather_sums(args, lists, constants, sides, i);
    const Flow f = args.view.flow[i];
    shifts[i - args.own_first] =
        sph::shift_of<float>(args.step.run, sums.of, {f.vx, f.vy, f.vz}, float(args.control->dt));
}

} // namespace

void find_shifts(const InteractionArgs& args, const ListView& lists, const std::uint32_t* id, const RigidView& rigid,
                 const ShiftZonesView& zones, Vec3f* shifts, cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    const sph::Constants& c = args.step.run;
    const CrowdingSides sides{args.view.flow, id, rigid, args.step.boundary_count, c.shifting};

    sph::with_kernel(c.kernel, [&]<class Kernel>(Kernel) {
        shift_kernel<Kernel><<<gather_blocks(args), gather_block, 0, stream>>>(
            args, GatherConstants<sph::Crowding<Kernel>>(c), sides, lists, zones, shifts);
    });
    check_launch("particle shifting");
}

} // namespace sluice::cuda
