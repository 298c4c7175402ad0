// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/gpu_devices.h"
#include "cuda/device/kernel_resources.h"
#include "cuda/pairs/interaction.h"
#include "cuda/pairs/neighbour_lists.h"

#include "physics/sph/kernels.h"

namespace sluice::cuda {

template <class Kernel, bool Periodic, bool Whole>
void launch_list_interaction(const InteractionArgs& args, const ListArgs& lists, const ListedParticles& which,
                             cudaStream_t stream);

// Of the kernels that have the general formulation alone: one file instantiates all of them, whichever there are.
template <bool Periodic, bool Whole>
void launch_general_interaction(const InteractionArgs& args, cudaStream_t stream, cudaStream_t side);
template <bool Periodic, bool Whole>
void launch_general_list_interaction(const InteractionArgs& args, const ListArgs& lists, const ListedParticles& which,
                                     cudaStream_t stream);

namespace {

/// Calls `use` with a value as a type.
template <class Use>
void as_type(bool value, Use&& use) {
    value ? use(std::true_type{}) : use(std::false_type{});
}

/// Calls `use(kernel, periodic, whole)` with what the interaction has of them, as types; other files define what it
/// calls.
template <class Use>
void with_variant(const InteractionArgs& args, Use&& use) {
    sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel kernel) {
        as_type(args.period.any(), [&](auto periodic) {
            as_type(args.part == sph::RatesPart::both, [&](auto whole) { use(kernel, periodic, whole); });
        });
    });
}

} // namespace

void launch_interaction(const InteractionArgs& args, cudaStream_t stream, cudaStream_t side) {
    with_variant(args, [&]<class Kernel, bool Periodic, bool Whole>(Kernel, std::bool_constant<Periodic>,
                                                                    std::bool_constant<Whole>) {
        if constexpr (Kernel::general_only)
            launch_general_interaction<Periodic, Whole>(args, stream, side);
        else
            launch_interaction<Kernel, Periodic, Whole>(args, stream, side);
    });
}

void launch_list_interaction(const InteractionArgs& args, const ListArgs& lists, const ListedParticles& which,
                             cudaStream_t stream) {
    with_variant(args, [&]<class Kernel, bool Periodic, bool Whole>(Kernel, std::bool_constant<Periodic>,
                                                                    std::bool_constant<Whole>) {
        if constexpr (Kernel::general_only)
            launch_general_list_interaction<Periodic, Whole>(args, lists, which, stream);
        else
            launch_list_interaction<Kernel, Periodic, Whole>(args, lists, which, stream);
    });
}

template <class Kernel>
std::vector<GpuKernel> search_kernels();
template <class Kernel>
std::vector<GpuKernel> list_kernels();
extern template std::vector<GpuKernel> search_kernels<sph::CubicSpline>();
extern template std::vector<GpuKernel> list_kernels<sph::CubicSpline>();

} // namespace sluice::cuda

namespace sluice {

std::vector<GpuKernel> interaction_kernel_resources(int device) {
    cuda::select_gpu(device);
    std::vector<GpuKernel> all = cuda::search_kernels<sph::CubicSpline>();
    const std::vector<GpuKernel> lists = cuda::list_kernels<sph::CubicSpline>();
    all.insert(all.end(), lists.begin(), lists.end());
    return all;
}

} // namespace sluice
