// SPDX-License-Identifier: Apache-2.0
#include "cpu/schedules/schedule.h"
#include "cpu/schedules/work_units.h"

#include <algorithm>

namespace sluice::cpu {

namespace {

/// Asymmetric (Domínguez, Crespo & Gómez-Gesteira 2013, section 3): every particle gathers from all its neighbours,
/// units of cells go to whichever thread is free. Each sum belongs to one thread and is added up in the order of the
/// cells, so that the numbers do not depend on the threads.
class AsymmetricSchedule final : public Schedule {
public:
    explicit AsymmetricSchedule(const ThreadCount& threads) : threads_(threads) {}

    void set_boundary(const InteractionView& view) override {
        boundary_units_ = make_work_units(view.rows, view.boundary_begin, unit_particles);
    }

    float interact(const Interaction& interaction, const InteractionView& view) override {
        fluid_units_ = make_work_units(view.rows, view.fluid_begin, unit_particles);
        const auto fluid_units = static_cast<std::int64_t>(fluid_units_.size());
        const auto boundary_units = view.boundary_rates ? static_cast<std::int64_t>(boundary_units_.size()) : 0;
        const OwnRows none;
        float speed = 0;
#pragma omp parallel num_threads(threads_.now()) reduction(max : speed)
        {
#pragma omp for schedule(dynamic)
            for (std::int64_t u = 0; u < fluid_units; ++u)
                if (near_boundary(view, fluid_units_[u]))
                    speed = std::max(speed, interaction.fluid_boundary(view, fluid_units_[u], none));
#pragma omp for schedule(dynamic) nowait
            for (std::int64_t u = 0; u < fluid_units; ++u)
                speed = std::max(speed, interaction.fluid_fluid(view, fluid_units_[u], none));
#pragma omp for schedule(dynamic) nowait
            for (std::int64_t u = 0; u < boundary_units; ++u)
                interaction.boundary_fluid(view, boundary_units_[u], none);
        }
        return speed;
    }

    std::size_t bytes() const override {
        return (boundary_units_.capacity() + fluid_units_.capacity()) * sizeof(WorkUnit);
    }

private:
    static constexpr std::uint32_t unit_particles = 128;
    const ThreadCount& threads_;
    std::vector<WorkUnit> boundary_units_, fluid_units_;
};

} // namespace

std::unique_ptr<Schedule> make_asymmetric_schedule(const ThreadCount& threads) {
    return std::make_unique<AsymmetricSchedule>(threads);
}

} // namespace sluice::cpu
