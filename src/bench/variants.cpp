// SPDX-License-Identifier: Apache-2.0
#include "bench/variants.h"

#include "cpu/particles/processor.h"
#include <algorithm>
#include <fmt/format.h>
#if SLUICE_HAVE_CUDA
#include "bench/paper/ladder.h"
#include "cuda/backend/cuda_backend.h"
#endif

namespace sluice::bench {

namespace {

Variant cpu_variant_of(const std::string& name, const CpuOptions& options) {
    return {name, false, [options](const RunSetup& setup, std::uint32_t particles) {
                return make_cpu_backend(setup, particles, options);
            }};
}

} // namespace

Variant cpu_variant(const std::string& name, CpuMode mode, CellSize cells, const std::string& simd, int threads,
                    std::optional<SliceAxis> slice_axis) {
    CpuOptions options;
    options.mode = mode;
    options.cells = cells;
    options.simd = simd;
    options.threads = threads;
    options.slice_axis = slice_axis;
    return cpu_variant_of(name, options);
}

std::string widest_simd() {
    std::string widest = "off";
    for (const SimdLevel& level : simd_levels())
        if (level.available) widest = level.name;
    return widest;
}

std::vector<Variant> cpu_ladder() {
    return {cpu_variant("basic", CpuMode::asymmetric, CellSize::two_h, "off", 1),
            cpu_variant("A: symmetry", CpuMode::symmetric, CellSize::two_h, "off", 1),
            cpu_variant("A+B: half cells", CpuMode::symmetric, CellSize::h, "off", 1),
            cpu_variant("A+B+C: SIMD", CpuMode::symmetric, CellSize::h, widest_simd(), 1)};
}

Variant best_single_core() { return cpu_variant(single_core, CpuMode::symmetric, CellSize::h, widest_simd(), 1); }

Variant best_cpu() { return cpu_variant_of(fmt::format("CPU, {} threads", default_threads()), {}); }

std::vector<int> thread_counts() {
    std::vector<int> counts;
    for (int n = 1; n < default_threads(); n *= 2) counts.push_back(n);
    counts.push_back(default_threads());
    return counts;
}

Variant rank_variant(const std::string& name, int ranks, int threads) {
    CpuOptions options;
    options.mode = CpuMode::asymmetric;
    options.ranks = ranks;
    options.threads = threads;
    return cpu_variant_of(name, options);
}

#if SLUICE_HAVE_CUDA

bool gpu_present(std::string* why_none) { return count_gpus(why_none) > 0; }

namespace {

GpuDevice first_gpu() { return gpu_present(nullptr) ? describe_gpu(0) : GpuDevice{}; }

} // namespace

int gpu_count() { return int(alike_gpus(0).size()); }
std::string gpu_name() { return first_gpu().name; }

int gpu_capability() {
    const GpuDevice gpu = first_gpu();
    return 10 * gpu.compute_major + gpu.compute_minor;
}

double gpu_total_memory() { return double(first_gpu().total_memory); }

std::vector<KernelUse> gpu_kernels() {
    std::vector<KernelUse> kernels;
    if (!gpu_present(nullptr)) return kernels;
    for (const std::vector<GpuKernel>& some : {paper::kernel_resources(), interaction_kernel_resources()})
        for (const GpuKernel& k : some) kernels.push_back({k.name, k.registers, k.block, k.occupancy, k.occupancy_256});
    return kernels;
}

Variant gpu_partial() {
    return {"interaction alone", true, [](const RunSetup& setup, std::uint32_t particles) {
                return paper::make_partial_backend(setup, particles, CellSize::two_h);
            }};
}

std::vector<Variant> gpu_ladder() {
    std::vector<Variant> ladder{gpu_partial()};
    for (const paper::Rung& rung : paper::ladder)
        ladder.push_back({std::string(rung.name), true, [rung](const RunSetup& setup, std::uint32_t particles) {
                              return paper::make_backend(setup, particles, rung.mode, rung.optimisations);
                          }});
    return ladder;
}

Variant gpu_variant(GpuMode mode) {
    return {std::string(mode_info(gpu_modes, mode).name), true, [mode](const RunSetup& setup, std::uint32_t particles) {
                CudaOptions options;
                options.mode = mode;
                return make_cuda_backend(setup, particles, options);
            }};
}

Variant shared_gpu_variant(const std::string& name, int gpus, bool overlap) {
    return {name, true, [gpus, overlap](const RunSetup& setup, std::uint32_t particles) {
                CudaOptions options;
                options.mode = GpuMode::neighbour_list;
                options.begins_inside = overlap;
                for (int device = 0; gpus > 1 && device < gpus; ++device) options.devices.push_back(device);
                return make_cuda_backend(setup, particles, options);
            }};
}

#else

bool gpu_present(std::string* why_none) {
    if (why_none) *why_none = "this build has no CUDA: configure with -DSLUICE_CUDA=ON";
    return false;
}
int gpu_count() { return 0; }
std::string gpu_name() { return ""; }
int gpu_capability() { return 0; }
double gpu_total_memory() { return 0; }
std::vector<KernelUse> gpu_kernels() { return {}; }
Variant gpu_partial() { return {}; }
std::vector<Variant> gpu_ladder() { return {}; }
Variant gpu_variant(GpuMode mode) { return {std::string(mode_info(gpu_modes, mode).name), true, {}}; }
Variant shared_gpu_variant(const std::string& name, int, bool) { return {name, true, {}}; }

#endif

} // namespace sluice::bench
