// SPDX-License-Identifier: Apache-2.0
#include "app/method_choice.h"

#include "core/error.h"
#include "cpu/particles/processor.h"
#include "methods/fvpm/backend.h"
#include "methods/fvpm/vectors.h"
#include "methods/mps/flow/backend.h"
#include "methods/mps/flow/cpu_flow.h"
#include "ranks/transport.h"
#include <algorithm>
#include <fmt/format.h>
#if SLUICE_HAVE_CUDA
#include "cuda/backend/cuda_backend.h"
#include "cuda/fvpm/gpu_solver.h"
#include "cuda/mps/gpu_flow.h"
#endif

namespace sluice {

namespace {

/// A device of either method, on the processor: all but what computes there.
template <class Device>
Device on_processor(std::string_view arithmetic, int threads) {
    Device device;
    device.backend = "cpu";
    device.name = processor_name();
    device.arithmetic = arithmetic;
    device.threads = threads;
    return device;
}

/// Threads take this many particles at a time (dynamic schedules of both methods).
constexpr std::uint32_t particles_at_a_time = 256;

/// As many as have something to do in a loop over the particles, unless the user says how many. They change no result.
int threads_of(const BackendOptions& options, std::uint32_t particles) {
    if (options.threads > 0) return options.threads;
    const int there = default_threads();
    if (openmp_says_threads()) return there;
    return static_cast<int>(std::clamp<std::uint32_t>(particles / particles_at_a_time, 1, std::uint32_t(there)));
}

fvpm::Device fvpm_on_processor(const BackendOptions& options, std::uint32_t particles) {
    const int threads = threads_of(options, particles);
    auto device = on_processor<fvpm::Device>(fvpm::find_vectors_variants().back().name, threads);
    device.make_solver = [threads](const FvpmConstants& constants) {
        return fvpm::make_cpu_solver(constants, {threads, fvpm::SearchKind::cells});
    };
    return device;
}

mps::Device mps_on_processor(const BackendOptions& options, std::uint32_t particles) {
    const mps::FlowOptions how{mps::widest_lanes(), threads_of(options, particles)};
    auto device = on_processor<mps::Device>(mps::name_of(how.lanes), how.threads);
    device.make_flow = [how](const sph::Constants& constants, std::uint32_t walls) {
        return std::make_unique<mps::CpuFlow>(constants, walls, how);
    };
    return device;
}

#if SLUICE_HAVE_CUDA

/// The same on a GPU.
template <class Device>
Device on_gpu(const BackendOptions& options) {
    const GpuDevice there = cuda::select_gpu(options.device);
    Device device;
    device.backend = "cuda";
    device.name = there.name;
    device.arithmetic = fmt::format("sm_{}{}", there.compute_major, there.compute_minor);
    return device;
}

fvpm::Device fvpm_on_gpu(const BackendOptions& options) {
    auto device = on_gpu<fvpm::Device>(options);
    device.make_solver = [index = options.device](const FvpmConstants& constants) {
        return cuda::make_fvpm_solver(constants, index);
    };
    return device;
}

mps::Device mps_on_gpu(const BackendOptions& options) {
    auto device = on_gpu<mps::Device>(options);
    device.make_flow = [index = options.device](const sph::Constants& constants, std::uint32_t walls) {
        return cuda::make_mps_flow(constants, walls, index);
    };
    return device;
}

#else // no such build settles for a GPU

fvpm::Device fvpm_on_gpu(const BackendOptions& options) { return fvpm_on_processor(options, 0); }
mps::Device mps_on_gpu(const BackendOptions& options) { return mps_on_processor(options, 0); }

#endif

} // namespace

void require_options_without_modes(Method method, const BackendOptions& options) {
    const auto refuse = [&](const char* option, const char* advice) {
        throw InputError(
            fmt::format("{}: runs with Method={} have no such option; {}", option, method_name(method).word, advice));
    };
    const char* const leave_out = "leave it out";
    const bool splits = options.split && options.split->kind != cpu::Split::Kind::automatic;
    if (options.cpu_mode) refuse("--cpu-mode", leave_out);
    if (options.cells) refuse("--cells", leave_out);
    if (options.slice_axis) refuse("--slice-axis", leave_out);
    if (options.simd) refuse("--simd", leave_out);
    if (options.gpu_mode) refuse("--gpu-mode", leave_out);
    if (options.neighbour_list) refuse("--neighbour-list", leave_out);
    if (options.gpu_memory) refuse("--gpu-memory", leave_out);
    if (splits) refuse("--split", leave_out);
    if (options.ranks.value_or(1) != 1) refuse("--ranks", "one process computes them: leave it out");
    if (options.gpus.value_or(1) != 1) refuse("--gpus", "one GPU computes them: leave it out");
    if (options.processes && options.processes->count() > 1)
        throw InputError(fmt::format("runs with Method={} are not shared by several processes: start one",
                                     method_name(method).word));
}

std::unique_ptr<Backend> make_mps(const RunSetup& setup, BackendKind kind, std::uint32_t particles,
                                  const BackendOptions& options) {
    return mps::make_backend(setup,
                             kind == BackendKind::cuda ? mps_on_gpu(options) : mps_on_processor(options, particles));
}

std::unique_ptr<Backend> make_fvpm(const RunSetup& setup, BackendKind kind, std::uint32_t particles,
                                   const BackendOptions& options) {
    return fvpm::make_backend(setup,
                              kind == BackendKind::cuda ? fvpm_on_gpu(options) : fvpm_on_processor(options, particles));
}

std::vector<MemoryModel> memory_models_of(const RunSetup& setup) {
    if (setup.method == Method::sph) return {};
    if (setup.method == Method::mps) return mps::memory_models();
    MemoryModel on_cpu = fvpm::memory_model(setup.constants), on_gpu = on_cpu;
    on_gpu.mode = "cuda fvpm";
    return {on_cpu, on_gpu};
}

} // namespace sluice
