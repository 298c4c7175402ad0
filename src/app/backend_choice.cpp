// SPDX-License-Identifier: Apache-2.0
#include "app/backend_choice.h"

#include "cpu/cpu_backend.h"

namespace sluice {

std::unique_ptr<Backend> make_backend(const RunSetup& setup, std::uint32_t particles, const BackendOptions& options) {
    CpuOptions cpu;
    cpu.mode = options.cpu_mode;
    cpu.cells = options.cells;
    cpu.simd = options.simd;
    cpu.threads = options.threads;
    return make_cpu_backend(setup, particles, cpu);
}

std::vector<MemoryModel> memory_models(const BackendOptions& options) { return cpu_memory_models(options.threads); }

} // namespace sluice
