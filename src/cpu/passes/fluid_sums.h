// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/pairs/gather.h"
#include "cpu/particles/particles.h"
#include "cpu/particles/thread_count.h"
#include "cpu/schedules/work_units.h"
#include "cpu/subdomains/halo.h"
#include <algorithm>
#include <vector>

namespace sluice::cpu {

/// Sums of all fluid particles that are no images, by a gather; each sum belongs to one thread. `sums`: of all fluid
/// records, one after the other; those of images stay as they are.
inline void sum_over_fluid(const Gather& gather, const InteractionView& view, const ThreadCount& threads, float* sums) {
    constexpr std::uint32_t unit_particles = 128;
    const std::vector<WorkUnit> units = make_work_units(view.rows, view.fluid_begin, unit_particles);
#pragma omp parallel for schedule(dynamic) num_threads(threads.now())
    for (std::size_t u = 0; u < units.size(); ++u) gather.sum(view, units[u], sums);
}

/// Values of the fluid by id, for ghosts, which have those of their particles: `value_of(i)` of the i-th, which is this
/// rank's own; the others come from their ranks.
template <class Value, class ValueOf>
void collect_by_id(std::vector<Value>& by_id, const SortedGroup& fluid, const Space& space, const ThreadCount& threads,
                   Halo& halo, const ValueOf& value_of) {
    std::uint32_t ids = static_cast<std::uint32_t>(by_id.size());
#pragma omp parallel for schedule(static) num_threads(threads.now()) reduction(max : ids)
    for (std::uint32_t i = 0; i < fluid.count; ++i) ids = std::max(ids, fluid.state.id[i] + 1);
    by_id.resize(ids);
#pragma omp parallel num_threads(threads.now())
    for (const OwnRun& run : fluid.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i)
            if (!space.is_image(fluid.state.position[i])) by_id[fluid.state.id[i]] = value_of(i);
    halo.share_by_id(fluid, by_id.data());
}

} // namespace sluice::cpu
