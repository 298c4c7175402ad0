// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/elastic_contacts.h"

#include "cpu/pairs/neighbour_rows.h"
#include "cpu/pairs/scalar_pairs.h"
#include "scheme/contact_time_step.h"
#include <algorithm>

namespace sluice::cpu {

ElasticContacts::ElasticContacts(const RunSetup& setup, const Space& space, const ThreadCount& threads)
    : setup_(setup), space_(space), threads_(threads) {
    if (setup.contact == BodyContact::elastic && !setup.bodies.empty()) force_.resize(setup.rigid.start.size());
}

/// What is inside a body or a wall cannot be touched.
void ElasticContacts::gather(const SortedGroup& boundary) {
    const bool lags = setup_.constants.integrator == sph::Integrator::staggered;
    touchable_.clear();
    begin_.resize(std::size_t(space_.cell_count()) + 1);
    const std::uint32_t* const cell = boundary.cells.begin();
    for (std::uint32_t c = 0; c < space_.cell_count(); ++c) {
        begin_[c] = static_cast<std::uint32_t>(touchable_.size());
        for (std::uint32_t i = cell[c]; i < cell[c + 1]; ++i) {
            const std::uint32_t id = boundary.state.id[i];
            if (part_of(id) == ContactParts::inside) continue;
            const Flow& flow = lags ? boundary.state.flow_previous[i] : boundary.state.flow[i];
            touchable_.push_back({boundary.state.position[i], {flow.vx, flow.vy, flow.vz}, id});
        }
    }
    begin_.back() = static_cast<std::uint32_t>(touchable_.size());
}

double ElasticContacts::push_on(const Touchable& a, std::uint32_t row, std::uint32_t x) {
    const sph::Constants& c = setup_.constants;
    const ContactParts& parts = setup_.contact_parts;
    const double creep = dem::creep_speed(c), reach2 = dem::reach * dem::reach * c.dp * c.dp;
    const CellsInReach cells(space_.rows, x);
    const std::uint32_t part = part_of(a.id);
    dem::Push sum;
    for_each_row(space_.rows, row, [&](std::uint32_t other) {
        const std::uint32_t* const begin = cells_of(space_.rows, begin_.data(), other);
        for (std::uint32_t j = begin[cells.begin]; j < begin[cells.end]; ++j) {
            const Touchable& b = touchable_[j];
            const Vec3d r = a.position - b.position;
            if (dot(r, r) >= reach2 || part_of(b.id) == part) continue;
            const Vec3d v = vec_cast<double>(a.velocity) - vec_cast<double>(b.velocity);
            sum.add(dem::push_of(parts.parts[part], parts.parts[part_of(b.id)], r, v, c.dp, creep));
        }
    });
    force_[a.id - setup_.rigid.begin] = {vec_cast<float>(sum.force), vec_cast<float>(sum.couple),
                                         static_cast<float>(sum.stiffness)};
    return sum.pace;
}

double ElasticContacts::visit_row(std::uint32_t row) {
    double pace = 0;
    const std::uint32_t* const begin = cells_of(space_.rows, begin_.data(), row);
    for (std::uint32_t x = 0; x < static_cast<std::uint32_t>(space_.rows.count_x); ++x)
        for (std::uint32_t i = begin[x]; i < begin[x + 1]; ++i) {
            const Touchable& a = touchable_[i];
            const bool of_body = setup_.rigid.object_of(a.id) >= setup_.motions.object_count();
            if (of_body && !space_.is_image(a.position)) pace = std::max(pace, push_on(a, row, x));
        }
    return pace;
}

double ElasticContacts::find(const SortedGroup& boundary) {
    gather(boundary);
    const auto end = static_cast<std::uint32_t>(space_.rows.count_y * space_.rows.count_z);
    double pace = 0;
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads_.now()) reduction(max : pace)
    for (std::uint32_t row = 0; row < end; ++row)
        if (space_.rows.owns(row)) pace = std::max(pace, visit_row(row));
    return pace;
}

} // namespace sluice::cpu
