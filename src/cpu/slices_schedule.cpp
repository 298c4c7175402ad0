// SPDX-License-Identifier: Apache-2.0
#include "cpu/schedule.h"
#include "cpu/work_units.h"

#include <algorithm>
#include <cmath>
#include <omp.h>

namespace sluice::cpu {

namespace {

/// Slices: one slice of consecutive rows for each thread, across the slowest axis of the grid. A pair inside a slice
/// is computed once, a pair that crosses into another slice once for either. The time that each slice takes says how
/// thick the slices are from then on.
class SlicesSchedule final : public Schedule {
public:
    SlicesSchedule(const Rows& rows, int threads)
        : row_count_(static_cast<std::uint32_t>(rows.count_y) * static_cast<std::uint32_t>(rows.count_z)),
          slices_(static_cast<std::size_t>(threads)) {
        for (Slice& slice : slices_) slice.share = 1.0 / threads;
    }

    void set_boundary(const InteractionView&) override {}

    float interact(const Interaction& interaction, const InteractionView& view) override {
        cut(view);
        float speed = 0;
#pragma omp parallel num_threads(static_cast <int>(slices_.size())) reduction(max : speed)
        {
            // as many threads as slices, or else some have more than one
            for_each_slice_of_thread([&](Slice& slice) {
                visit(view, slice, view.fluid_begin, [&](const WorkUnit& unit) {
                    if (near_boundary(view, unit))
                        speed = std::max(speed, interaction.fluid_boundary(view, unit, slice.rows));
                });
            });
#pragma omp barrier
            for_each_slice_of_thread([&](Slice& slice) {
                visit(view, slice, view.fluid_begin, [&](const WorkUnit& unit) {
                    speed = std::max(speed, interaction.fluid_fluid(view, unit, slice.rows));
                });
                visit(view, slice, view.boundary_begin,
                      [&](const WorkUnit& unit) { interaction.boundary_fluid(view, unit, slice.rows); });
            });
        }
        if (++steps_ % steps_between_balancing == 0) balance();
        return speed;
    }

    std::size_t bytes() const override { return slices_.capacity() * sizeof(Slice); }

private:
    struct alignas(64) Slice {
        OwnRows rows;
        double share = 0;   ///< of the fluid particles
        double seconds = 0; ///< since the last balancing
    };

    /// Calls `use(slice)` with the slices of the calling thread, and adds to the time that each takes.
    template <class Use>
    void for_each_slice_of_thread(const Use& use) {
        const auto thread = static_cast<std::size_t>(omp_get_thread_num()),
                   threads = static_cast<std::size_t>(omp_get_num_threads());
        for (std::size_t s = thread; s < slices_.size(); s += threads) {
            const double start = omp_get_wtime();
            use(slices_[s]);
            slices_[s].seconds += omp_get_wtime() - start;
        }
    }

    /// Calls `use(unit)` with every row of a slice that has particles of the kind that `begin` lists.
    template <class Use>
    static void visit(const InteractionView& view, const Slice& slice, const std::uint32_t* begin, const Use& use) {
        const auto count_x = static_cast<std::uint32_t>(view.rows.count_x);
        for (std::uint32_t row = slice.rows.begin; row < slice.rows.end; ++row)
            if (const WorkUnit unit{row, 0, count_x}; particle_count(view.rows, begin, unit) > 0) use(unit);
    }

    /// Gives each slice whole rows with its share of the fluid.
    void cut(const InteractionView& view) {
        const auto* const begin = view.fluid_begin;
        const auto count_x = static_cast<std::size_t>(view.rows.count_x);
        const double first = begin[0], all = begin[row_count_ * count_x] - first;
        std::uint32_t row = 0;
        double share = 0;
        for (Slice& slice : slices_) {
            slice.rows.begin = row;
            share += slice.share;
            while (row < row_count_ && begin[row * count_x] - first < share * all) ++row;
            slice.rows.end = row;
        }
        slices_.back().rows.end = row_count_;
    }

    /// Moves the shares towards those that would have taken all threads the same time.
    void balance() {
        double total = 0;
        for (Slice& slice : slices_) {
            slice.share *= std::pow(slice.seconds + 1e-9, -damping);
            slice.seconds = 0;
            total += slice.share;
        }
        for (Slice& slice : slices_) slice.share /= total;
    }

    static constexpr int steps_between_balancing = 10;
    static constexpr double damping = 0.7;
    std::uint32_t row_count_;
    std::vector<Slice> slices_;
    std::int64_t steps_ = 0;
};

} // namespace

std::unique_ptr<Schedule> make_slices_schedule(const Rows& rows, int threads) {
    return std::make_unique<SlicesSchedule>(rows, threads);
}

} // namespace sluice::cpu
