// SPDX-License-Identifier: Apache-2.0
#include "bench/paper/paper_interaction.h"

#include "bench/paper/prepared_side.h"
#include "core/error.h"
#include "cuda/device/block_size.cuh"
#include "cuda/device/gpu_devices.h"
#include "physics/sph/kernels.h"

namespace sluice::paper {

namespace {

constexpr int block = 256;

/// Fills the six arrays; sound speed and tensile term are made once a step instead of once a pair.
__global__ void separate_kernel(const __grid_constant__ InteractionArgs args, SixArrays to) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= args.particles) return;
    const Position p = load16(args.view.position + i);
    const Flow f = load16(args.view.flow + i);
    to.position[i] = {p.x, p.y, p.z};
    to.velocity[i] = {f.vx, f.vy, f.vz};
    to.density[i] = f.rho;
    to.sound_speed[i] = args.step.eos.sound_speed(f.rho);
    to.pressure_term[i] = p.pressure_term;
    to.tensile[i] = tensile_share(args.pairs.fluid, p.pressure_term);
}

} // namespace

extern template void launch_paper_interaction<sph::CubicSpline>(const PaperArgs& args, cudaStream_t stream);
extern template void launch_paper_interaction<sph::Wendland>(const PaperArgs& args, cudaStream_t stream);

template <class Kernel>
std::vector<GpuKernel> paper_kernels();
extern template std::vector<GpuKernel> paper_kernels<sph::CubicSpline>();

std::vector<GpuKernel> kernel_resources(int device) {
    select_gpu(device);
    return paper_kernels<sph::CubicSpline>();
}

PaperInteraction::PaperInteraction(DeviceMemory& memory, const sph::Constants& constants, const FixedGrid& grid,
                                   std::uint32_t particles, const Optimisations& optimisations)
    : optimisations_(optimisations) {
    if (constants.viscosity != sph::ViscosityModel::artificial)
        throw InputError("the papers' GPU versions have artificial viscosity only");
    if (constants.gamma != 7)
        throw InputError("gamma " + std::to_string(constants.gamma) +
                         ": the paper's GPU kernels are built for gamma 7 only");
    if (constants.pressure_form != sph::PressureForm::squares)
        throw InputError("the papers' GPU versions have the pressures of PressureForm Monaghan only");
    sph::with_kernel(constants.kernel, []<class Kernel>(Kernel) {
        if (Kernel::general_only)
            throw InputError("the papers' GPU versions have the cubic spline and Wendland C2 only");
    });
    if (optimisations.stored_ranges) {
        const std::size_t ranges = std::size_t(grid.cells()) * rows_around(grid);
        fluid_ranges_ = DeviceArray<Range>(memory, ranges, "ranges of fluid particles");
        boundary_ranges_ = DeviceArray<Range>(memory, ranges, "ranges of boundary particles");
    }
    if (!optimisations.packed_arrays) {
        position_ = DeviceArray<Triple<std::int32_t>>(memory, particles, "positions by themselves");
        velocity_ = DeviceArray<Triple<float>>(memory, particles, "velocities by themselves");
        density_ = DeviceArray<float>(memory, particles, "densities by themselves");
        sound_speed_ = DeviceArray<float>(memory, particles, "speeds of sound");
        pressure_term_ = DeviceArray<float>(memory, particles, "pressures by themselves");
        tensile_ = DeviceArray<float>(memory, particles, "tensile corrections");
    }
    if (!optimisations.specific_kernels) unfinished_ = DeviceArray<Unfinished>(memory, particles, "unfinished sums");
}

void PaperInteraction::adopt_boundary(const InteractionView& view, cudaStream_t stream) const {
    if (optimisations_.stored_ranges) store_all_ranges(view.grid, view.boundary, boundary_ranges_.data(), stream);
}

void PaperInteraction::adopt_fluid(const InteractionView& view, std::uint32_t particles, cudaStream_t stream) const {
    if (optimisations_.stored_ranges)
        store_ranges(view.grid, view.fluid, view.cell, particles, fluid_ranges_.data(), stream);
}

void PaperInteraction::launch(const InteractionArgs& base, cudaStream_t stream) const {
    PaperArgs args{base,
                   {position_.data(), velocity_.data(), density_.data(), sound_speed_.data(), pressure_term_.data(),
                    tensile_.data()},
                   unfinished_.data(),
                   fluid_ranges_.data(),
                   boundary_ranges_.data(),
                   optimisations_};
    if (!optimisations_.packed_arrays && base.particles > 0) {
        for (auto* c : {&args.base.pairs.fluid, &args.base.pairs.boundary, &args.base.boundary_pairs})
            *c = for_prepared_sides(*c, base.step.run);
        separate_kernel<<<blocks_for(base.particles, block), block, 0, stream>>>(args.base, args.separate);
        check_launch("separate arrays");
    }
    sph::with_kernel(base.step.run.kernel, [&]<class Kernel>(Kernel) {
        if constexpr (!Kernel::general_only) launch_paper_interaction<Kernel>(args, stream);
    });
}

} // namespace sluice::paper
