// SPDX-License-Identifier: Apache-2.0
#include "cpu/schedule.h"
#include "cpu/tiles.h"
#include "cpu/work_units.h"

#include <algorithm>
#include <omp.h>

namespace sluice::cpu {

namespace {

/// Symmetric: every pair once. A thread takes a tile of cells at a time and writes both sides of its pairs straight
/// to the rates; tiles that would write to the same particles wait for each other (tiles.h). So there are no force
/// arrays to keep, to clear and to add up for each thread, and the numbers do not depend on the threads.
class SymmetricSchedule final : public Schedule {
public:
    SymmetricSchedule(const Rows& rows, int threads)
        : threads_(threads), all_rows_{0, static_cast<std::uint32_t>(rows.count_y) *
                                              static_cast<std::uint32_t>(rows.count_z)},
          tiles_(rows), near_walls_(tiles_), everywhere_(tiles_) {}

    void set_boundary(const InteractionView&) override {}

    float interact(const Interaction& interaction, const InteractionView& view) override {
        float speed = 0;
#pragma omp parallel num_threads(threads_) reduction(max : speed)
        {
            const int thread = omp_get_thread_num();
#pragma omp single
            prepare(view, omp_get_num_threads());
            near_walls_.work(thread, [&](const WorkUnit& unit) {
                if (near_boundary(view, unit))
                    speed = std::max(speed, interaction.fluid_boundary(view, unit, all_rows_));
            });
#pragma omp barrier
            everywhere_.work(thread, [&](const WorkUnit& unit) {
                speed = std::max(speed, interaction.fluid_fluid(view, unit, all_rows_));
            });
        }
        return speed;
    }

    std::size_t bytes() const override { return near_walls_.bytes() + everywhere_.bytes(); }

private:
    void prepare(const InteractionView& view, int threads) {
        const auto fluid = [&](const WorkUnit& unit) { return particle_count(view.rows, view.fluid_begin, unit); };
        near_walls_.prepare(threads, [&](const WorkUnit& unit) { return near_boundary(view, unit) ? fluid(unit) : 0; });
        everywhere_.prepare(threads, fluid);
    }

    int threads_;
    OwnRows all_rows_;
    Tiles tiles_;
    TilePass near_walls_, everywhere_;
};

} // namespace

std::unique_ptr<Schedule> make_symmetric_schedule(const Rows& rows, int threads) {
    return std::make_unique<SymmetricSchedule>(rows, threads);
}

} // namespace sluice::cpu
