// SPDX-License-Identifier: Apache-2.0
#include "cpu/schedules/schedule.h"
#include "cpu/schedules/work_units.h"

#include <algorithm>
#include <numeric>
#include <omp.h>

namespace sluice::cpu {

namespace {

/// Slices: one slice of consecutive rows for each thread, across the slowest axis of the grid. A pair inside a slice
/// is computed once, a pair that crosses into another slice once for either. How thick the slices are follows from the
/// particles that each row has to be compared with, and so from the state alone: the same number of threads gives the
/// same numbers again.
class SlicesSchedule final : public Schedule {
public:
    explicit SlicesSchedule(int threads) : slices_(static_cast<std::size_t>(threads)) {}

    void set_rows(const Rows& rows) override {
        row_count_ = static_cast<std::uint32_t>(rows.count_y) * static_cast<std::uint32_t>(rows.count_z);
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
                if (view.boundary_rates)
                    visit(view, slice, view.boundary_begin,
                          [&](const WorkUnit& unit) { interaction.boundary_fluid(view, unit, slice.rows); });
            });
        }
        return speed;
    }

    std::size_t bytes() const override {
        return slices_.capacity() * sizeof(Slice) + (particles_.capacity() + work_.capacity()) * sizeof(double);
    }

private:
    struct alignas(64) Slice {
        OwnRows rows;
    };

    /// Calls `use(slice)` with the slices of the calling thread.
    template <class Use>
    void for_each_slice_of_thread(const Use& use) {
        const auto thread = static_cast<std::size_t>(omp_get_thread_num()),
                   threads = static_cast<std::size_t>(omp_get_num_threads());
        for (std::size_t s = thread; s < slices_.size(); s += threads) use(slices_[s]);
    }

    /// Calls `use(unit)` with every row of a slice that has particles of the kind that `begin` lists.
    template <class Use>
    static void visit(const InteractionView& view, const Slice& slice, const std::uint32_t* begin, const Use& use) {
        const auto count_x = static_cast<std::uint32_t>(view.rows.count_x);
        for (std::uint32_t row = slice.rows.begin; row < slice.rows.end; ++row)
            if (const WorkUnit unit{row, 0, count_x}; particle_count(view.rows, begin, unit) > 0) use(unit);
    }

    /// Comparisons of particles that each row asks for: its fluid with all that is in reach, its boundary with the
    /// fluid.
    void estimate_work(const InteractionView& view) {
        const Rows& rows = view.rows;
        const auto in_row = [&](const std::uint32_t* begin, std::size_t row) {
            const auto count_x = static_cast<std::size_t>(rows.count_x);
            return double(begin[(row + 1) * count_x] - begin[row * count_x]);
        };
        particles_.resize(2 * std::size_t(row_count_));
        for (std::size_t row = 0; row < row_count_; ++row) {
            particles_[2 * row] = in_row(view.fluid_begin, row);
            particles_[2 * row + 1] = in_row(view.boundary_begin, row);
        }
        const auto row_at = [&](int y, int z) {
            return static_cast<std::size_t>(y) + static_cast<std::size_t>(rows.count_y) * static_cast<std::size_t>(z);
        };
        work_.assign(row_count_, 0);
        for (int z = 0; z < rows.count_z; ++z)
            for (int y = 0; y < rows.count_y; ++y) {
                const std::size_t row = row_at(y, z);
                const double fluid = particles_[2 * row], boundary = particles_[2 * row + 1];
                if (fluid + boundary == 0) continue;
                for (int nz = std::max(z - rows.reach, 0); nz <= std::min(z + rows.reach, rows.count_z - 1); ++nz)
                    for (int ny = std::max(y - rows.reach, 0); ny <= std::min(y + rows.reach, rows.count_y - 1); ++ny) {
                        const std::size_t near = row_at(ny, nz);
                        const double near_fluid = particles_[2 * near], near_boundary = particles_[2 * near + 1];
                        work_[row] += fluid * (near_fluid + near_boundary) + boundary * near_fluid;
                    }
            }
    }

    /// Gives each slice whole rows with its share of the work.
    void cut(const InteractionView& view) {
        estimate_work(view);
        const double all = std::accumulate(work_.begin(), work_.end(), 0.0);
        std::uint32_t row = 0;
        double done = 0;
        for (std::size_t n = 0; n < slices_.size(); ++n) {
            slices_[n].rows.begin = row;
            const double end = all * double(n + 1) / double(slices_.size());
            while (row < row_count_ && done < end) done += work_[row++];
            slices_[n].rows.end = row;
        }
        slices_.back().rows.end = row_count_;
    }

    std::uint32_t row_count_ = 0;
    std::vector<Slice> slices_;
    std::vector<double> particles_, work_; ///< of each row: fluid and boundary; comparisons
};

} // namespace

std::unique_ptr<Schedule> make_slices_schedule(int threads) { return std::make_unique<SlicesSchedule>(threads); }

} // namespace sluice::cpu
