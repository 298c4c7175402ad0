// SPDX-License-Identifier: Apache-2.0
#include "app/method_choice.h"

#include "core/error.h"
#include "cpu/particles/processor.h"
#include "methods/fvpm/backend.h"
#include "methods/fvpm/vectors.h"
#include "methods/mps/flow/backend.h"
#include "ranks/transport.h"
#include <fmt/format.h>
#if SLUICE_HAVE_CUDA
#include "cuda/backend/cuda_backend.h"
#include "cuda/fvpm/gpu_solver.h"
#endif

namespace sluice {

namespace {

fvpm::Device processor(const BackendOptions& options) {
    const int threads = options.threads > 0 ? options.threads : default_threads();
    fvpm::Device device;
    device.backend = "cpu";
    device.name = processor_name();
    device.arithmetic = fvpm::find_vectors_variants().back().name;
    device.threads = threads;
    device.make_solver = [threads](const FvpmConstants& constants) {
        return fvpm::make_cpu_solver(constants, {threads, fvpm::SearchKind::cells});
    };
    return device;
}

#if SLUICE_HAVE_CUDA

fvpm::Device gpu(const BackendOptions& options) {
    const GpuDevice there = cuda::select_gpu(options.device);
    fvpm::Device device;
    device.backend = "cuda";
    device.name = there.name;
    device.arithmetic = fmt::format("sm_{}{}", there.compute_major, there.compute_minor);
    device.make_solver = [index = options.device](const FvpmConstants& constants) {
        return cuda::make_fvpm_solver(constants, index);
    };
    return device;
}

#else

fvpm::Device gpu(const BackendOptions& options) { return processor(options); } // no such build settles for a GPU

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

std::unique_ptr<Backend> make_mps(const RunSetup& setup, const BackendOptions& options) {
    const int threads = options.threads > 0 ? options.threads : default_threads();
    return mps::make_backend(setup, {processor_name(), {mps::widest_lanes(), threads}});
}

std::unique_ptr<Backend> make_fvpm(const RunSetup& setup, BackendKind kind, const BackendOptions& options) {
    return fvpm::make_backend(setup, kind == BackendKind::cuda ? gpu(options) : processor(options));
}

std::vector<MemoryModel> memory_models_of(const RunSetup& setup) {
    if (setup.method == Method::sph) return {};
    if (setup.method == Method::mps) return {mps::memory_model()};
    MemoryModel on_cpu = fvpm::memory_model(setup.constants), on_gpu = on_cpu;
    on_gpu.mode = "cuda fvpm";
    return {on_cpu, on_gpu};
}

} // namespace sluice
