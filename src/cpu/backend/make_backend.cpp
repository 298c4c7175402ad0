// SPDX-License-Identifier: Apache-2.0
#include "cpu/backend/make_backend.h"

#include "cpu/backend/cpu_backend.h"
#include "cpu/backend/engine.h"
#include "cpu/backend/rank_backend.h"
#include "cpu/particles/processor.h"

namespace sluice {

std::unique_ptr<Backend> make_cpu_backend(const RunSetup& setup, std::uint32_t particle_count,
                                          const CpuOptions& options) {
    const cpu::Choice choice = cpu::choose(options, setup.constants, particle_count);
    cpu::log_choice(options, choice, setup.constants, particle_count);
    if (options.processes)
        return cpu::make_rank_backend(setup, choice, cpu::make_rank_processes(*options.processes), options.stop);
    if (choice.ranks > 1) return cpu::make_rank_backend(setup, choice, cpu::make_rank_threads(choice.ranks), nullptr);
    return cpu::make_engine(setup, choice, nullptr, nullptr);
}

std::unique_ptr<Backend> cpu::make_cpu_backend_with(const RunSetup& setup, CellSize cells, int threads,
                                                    std::unique_ptr<Schedule> schedule) {
    Choice choice;
    choice.cells = cells;
    choice.threads = threads > 0 ? threads : default_threads();
    choice.threads_as_pay = threads == 0;
    return make_engine(setup, choice, std::move(schedule), nullptr);
}

} // namespace sluice
