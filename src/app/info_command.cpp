// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/version.h"
#include "core/numbers.h"
#include "cpu/cpu_backend.h"
#include "cpu/processor.h"
#include "run/modes.h"
#if SLUICE_HAVE_CUDA
#include "cuda/cuda_backend.h"
#endif
#include <fmt/format.h>

namespace sluice {

namespace {

template <class Table>
void print_modes(const char* title, const Table& table) {
    fmt::print("{}\n", title);
    for (const auto& entry : table) fmt::print("  {:<12} {}\n", entry.option, entry.description);
}

#if SLUICE_HAVE_CUDA
void print_gpus() {
    std::string why_none;
    const std::vector<GpuDevice> gpus = list_gpus(&why_none);
    fmt::print("GPUs (--device):{}\n", gpus.empty() ? " none (" + why_none + ")" : "");
    for (const GpuDevice& gpu : gpus)
        fmt::print("  {:<12} {}, compute capability {}.{}, {:.1f} of {:.1f} GB free, {}\n", gpu.index, gpu.name,
                   gpu.compute_major, gpu.compute_minor, double(gpu.free_memory) * 1e-9,
                   double(gpu.total_memory) * 1e-9, gpu.driver);
}
#else
void print_gpus() { fmt::print("GPUs: this build has no CUDA\n"); }
#endif

} // namespace

int info_command() {
    fmt::print("Sluice {} ({}, {})\n\n", version, build_type, compiler);
    fmt::print("processor: {}, {}\n", processor_name(), counted(default_threads(), "thread"));
    fmt::print("instruction sets (--simd):\n");
    for (const auto& level : simd_levels())
        fmt::print("  {:<12} {}{}\n", level.name, level.description, level.available ? "" : " (not on this processor)");
    print_modes("CPU modes (--cpu-mode):", cpu_modes);
    print_modes("cells (--cells):", cell_sizes);
    print_modes("GPU modes (--gpu-mode):", gpu_modes);
    print_gpus();
    return exit_done;
}

} // namespace sluice
