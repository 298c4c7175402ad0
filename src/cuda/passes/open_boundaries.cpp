// SPDX-License-Identifier: Apache-2.0
#include "cuda/passes/open_boundaries.h"

#include "backend/gpu_memory_plan.h"
#include "core/error.h"
#include "cuda/device/host_copies.h"
#include <algorithm>

namespace sluice::cuda {

OpenBoundaries::OpenBoundaries(const RunSetup& setup, RunArrays& run, bool has_lists) {
    const OpenZones& open = setup.open;
    if (!open.any()) return;
    DeviceMemory& memory = run.memory;
    constexpr const char* what = "open boundaries";
    const auto copied = [&](const auto& values, auto& array) {
        array = {memory, values.size(), what};
        if (!values.empty()) upload(values, array.data());
    };
    copied(open.zones, zones_);
    copied(open.cells, cells_);
    copied(open.points, points_);
    copied(open.velocities, velocities_);
    copied(open.surfaces, surfaces_);
    copied(open.surfaces, first_surfaces_);
    copied(open.tables.tables, tables_);
    copied(open.tables.numbers, table_numbers_);
    copied(open.tables.values, table_values_);
    const std::uint32_t fluid = run.capacity - run.boundary_count;
    near_ = {memory, run.grid.cells(), what};
    zone_ = {memory, fluid, what};
    counters_ = {memory, 1, what};
    deepest_ = {memory, open.points.size(), what};
    last_ = {memory, open.points.size(), what};
    entered_ = {memory, open.points.size(), what};
    if (run.is_shared) {
        own_end_ = {memory, open.points.size(), what};
        end_ = {memory, open.points.size(), what};
    }
    passed_ = {memory, passage_records(setup), what};
    extrapolates_ = open.extrapolate();
    coarse_ = extrapolates_ && (!has_lists || !setup.constants.two_d);
    holds_level_ = std::ranges::any_of(open.zones, &OpenZone::holds_level);
    if (extrapolates_) extrapolated_ = {memory, fluid, what};

    view_.height = setup.domain.max.z - setup.domain.min.z;
    std::vector<int> finding;
    for (int k = 0; k < static_cast<int>(open.zones.size()); ++k) {
        const OpenZone& zone = open.zones[static_cast<std::size_t>(k)];
        if (!zone.finds_surface) continue;
        finding.push_back(k);
        view_.most_check_points =
            std::max(view_.most_check_points, surface_points(setup.constants, zone, view_.height).count());
    }
    copied(finding, finding_);
    fractions_ = {memory, finding.size() * static_cast<std::size_t>(view_.most_check_points), what};

    view_.zones = {zones_.data(),
                   static_cast<int>(open.zones.size()),
                   cells_.data(),
                   points_.data(),
                   velocities_.data(),
                   surfaces_.data(),
                   {tables_.data(), table_numbers_.data(), table_values_.data()},
                   open.least_determinant};
    view_.surfaces = surfaces_.data();
    view_.first_surfaces = first_surfaces_.data();
    view_.finding = finding_.data();
    view_.finding_count = static_cast<int>(finding.size());
    view_.fractions = fractions_.data();
    view_.near = near_.data();
    view_.zone = zone_.data();
    view_.extrapolated = extrapolated_.data();
    view_.counters = counters_.data();
    view_.columns = {deepest_.data(), last_.data(), entered_.data(), own_end_.data(), end_.data()};
    view_.passed = passed_.data();
    view_.passed_capacity = static_cast<std::uint32_t>(passed_.size());
    view_.point_count = static_cast<int>(open.points.size());
    view_.first_id = setup.groups.particle_count();
    view_.capacity = run.capacity;
    view_.keeps_places = has_lists;
    find_cells_near_zones(run.grid, run.period, view_, near_.data());
}

void OpenBoundaries::expect_ids(const Control& control) const {
    if (any() && control.created > UINT32_MAX - view_.first_id - 2 * most_created())
        throw RunError("open boundaries have given all ids that there are: end the run earlier");
}

std::vector<ZonePassage> OpenBoundaries::passed(const Control& control, const Vec3d& domain_min) const {
    if (control.passed > view_.passed_capacity)
        throw RunError(std::to_string(control.passed) + " particles came or went through open boundaries by step " +
                           std::to_string(control.step) + ", more than any flow brings: the run has blown up",
                       Outcome::blown_up);
    const std::vector<PassageRecord> records = download(passed_.data(), control.passed);
    std::vector<ZonePassage> passages;
    passages.reserve(records.size());
    for (const PassageRecord& r : records)
        passages.push_back(
            {r.id, r.entered != 0, r.step, r.time, domain_min + Vec3d{r.x, r.y, r.z}, {r.vx, r.vy, r.vz}, r.rho});
    std::ranges::sort(passages, {}, passage_order);
    return passages;
}

} // namespace sluice::cuda
