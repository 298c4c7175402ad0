// SPDX-License-Identifier: Apache-2.0
#include "cpu/schedule.h"
#include "cpu/tiles.h"
#include "cpu/work_units.h"

#include <algorithm>

namespace sluice::cpu {

namespace {

/// Symmetric: every pair once. A thread takes a tile of cells at a time and writes both sides of its pairs straight
/// to the rates; tiles that would write to the same particles wait for each other (tiles.h). So there are no force
/// arrays to keep, to clear and to add up for each thread, and the numbers do not depend on the threads.
class SymmetricSchedule final : public Schedule {
public:
    SymmetricSchedule(const Rows& rows, int threads)
        : threads_(threads), all_rows_{0, static_cast<std::uint32_t>(rows.count_y) * static_cast<std::uint32_t>(rows.count_z)},
          tiles_(rows), near_walls_(tiles_, threads), everywhere_(tiles_, threads) {}

    void set_boundary(const InteractionView&) override {}

    float interact(const Interaction& interaction, const InteractionView& view) override {
        near_walls_.prepare([&](const WorkUnit& unit) { return near_boundary(view, unit) && has_particles(view.rows, view.fluid_begin, unit); });
        everywhere_.prepare([&](const WorkUnit& unit) { return has_particles(view.rows, view.fluid_begin, unit); });
        float speed = 0;
#pragma omp parallel num_threads(threads_) reduction(max : speed)
        {
            near_walls_.work([&](const WorkUnit& unit) {
                if (near_boundary(view, unit)) speed = std::max(speed, interaction.fluid_boundary(view, unit, all_rows_));
            });
#pragma omp barrier
            everywhere_.work([&](const WorkUnit& unit) {
                speed = std::max(speed, interaction.fluid_fluid(view, unit, all_rows_));
            });
        }
        return speed;
    }

    std::size_t bytes() const override { return near_walls_.bytes() + everywhere_.bytes(); }

private:
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
