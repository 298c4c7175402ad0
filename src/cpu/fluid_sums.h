// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/gather.h"
#include "cpu/thread_count.h"
#include "cpu/work_units.h"

namespace sluice::cpu {

/// Sums of all fluid particles that are no images, by a gather; each sum belongs to one thread. `sums`: of all fluid
/// records, one after the other; those of images stay as they are.
inline void sum_over_fluid(const Gather& gather, const InteractionView& view, const ThreadCount& threads, float* sums) {
    constexpr std::uint32_t unit_particles = 128;
    const std::vector<WorkUnit> units = make_work_units(view.rows, view.fluid_begin, unit_particles);
#pragma omp parallel for schedule(dynamic) num_threads(threads.now())
    for (std::size_t u = 0; u < units.size(); ++u) gather.sum(view, units[u], sums);
}

} // namespace sluice::cpu
