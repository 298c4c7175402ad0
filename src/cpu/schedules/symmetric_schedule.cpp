// SPDX-License-Identifier: Apache-2.0
#include "cpu/particles/tiles.h"
#include "cpu/schedules/schedule.h"
#include "cpu/schedules/work_units.h"

#include <algorithm>
#include <omp.h>

namespace sluice::cpu {

namespace {

/// Symmetric: every pair once. A thread takes a tile of cells at a time and writes both sides of its pairs straight
/// to the rates; tiles that write to the same particles have an order (tiles.h). So there are no force arrays to keep,
/// to clear and to add up for each thread, and the numbers do not depend on the threads.
class SymmetricSchedule final : public Schedule {
public:
    explicit SymmetricSchedule(const ThreadCount& threads) : threads_(threads) {}

    void set_rows(const Rows& rows) override {
        all_rows_ = {0, static_cast<std::uint32_t>(rows.count_y) * static_cast<std::uint32_t>(rows.count_z)};
        work_ = std::make_unique<Work>(rows);
    }

    void set_boundary(const InteractionView&) override {}

    float interact(const Interaction& interaction, const InteractionView& view) override {
        float speed = 0;
        TileGraph& graph = work_->graph;
#pragma omp parallel num_threads(threads_.now()) reduction(max : speed)
        {
#pragma omp for schedule(static)
            for (std::uint32_t tile = 0; tile < work_->tiles.count(); ++tile) graph.set_load(tile, load_of(view, tile));
#pragma omp single
            graph.prepare(omp_get_num_threads());
            graph.work(
                omp_get_thread_num(),
                [&](const WorkUnit& unit) {
                    if (near_boundary(view, unit))
                        speed = std::max(speed, interaction.fluid_boundary(view, unit, all_rows_));
                },
                [&](const WorkUnit& unit) { speed = std::max(speed, interaction.fluid_fluid(view, unit, all_rows_)); });
        }
        return speed;
    }

    std::size_t bytes() const override { return work_ ? work_->graph.bytes() : 0; }

private:
    struct Work {
        explicit Work(const Rows& rows) : tiles(rows), graph(tiles) {}
        Tiles tiles;
        TileGraph graph;
    };

    TileGraph::Load load_of(const InteractionView& view, std::uint32_t tile) const {
        TileGraph::Load load;
        work_->tiles.for_each_unit(tile, [&](const WorkUnit& unit) {
            const std::uint32_t fluid = particle_count(view.rows, view.fluid_begin, unit);
            load.fluid += fluid;
            if (fluid > 0 && near_boundary(view, unit)) load.near_walls += fluid;
        });
        return load;
    }

    const ThreadCount& threads_;
    OwnRows all_rows_;
    std::unique_ptr<Work> work_; ///< of the rows walked
};

} // namespace

std::unique_ptr<Schedule> make_symmetric_schedule(const ThreadCount& threads) {
    return std::make_unique<SymmetricSchedule>(threads);
}

} // namespace sluice::cpu
