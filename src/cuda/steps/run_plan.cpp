// SPDX-License-Identifier: Apache-2.0
#include "cuda/steps/run_plan.h"
#include "cuda/device/runtime.h"

#include "core/error.h"
#include "core/log.h"
#include "cuda/search/counted_cells.h"
#include "cuda/search/listed_neighbours.h"
#include <algorithm>

namespace sluice::cuda {

double available_memory(const CudaOptions& options, std::size_t held) {
    const double available = double(free_device_memory()) + double(held);
    return options.memory_limit ? std::min(available, double(*options.memory_limit)) : available;
}

GpuMemoryPlan plan_run(const RunSetup& setup, std::uint64_t particles, int gpus, double available,
                       const CudaOptions& options) {
    GpuMemoryRequest request{setup, particles, available, options.mode, options.neighbour_list, gpus};
    if (!options.mode && options.mode_before) {
        request.mode = options.mode_before;
        if (GpuMemoryPlan plan = plan_gpu_memory(request); plan.choice) return plan;
        spdlog::warn("warning: version {}, which the run has had so far, does not fit into the memory any more: it "
                     "goes on in another, the same to rounding",
                     mode_info(gpu_modes, *options.mode_before).name);
        request.mode.reset();
    }
    GpuMemoryPlan plan = plan_gpu_memory(request);
    if (!plan.choice) throw InputError("GPU memory: " + plan.why);
    return plan;
}

MakeSearch search_of(const RunSetup& setup, GpuMode mode, const CudaOptions& options) {
    if (!has_neighbour_lists(mode)) return [](RunArrays& run) { return std::make_unique<CountedCells>(run); };
    const ListOptions lists{mode == GpuMode::short_list, options.skin.value_or(0)};
    return [constants = setup.constants, lists](RunArrays& run) {
        return std::make_unique<ListedNeighbours>(run, constants, lists);
    };
}

} // namespace sluice::cuda
