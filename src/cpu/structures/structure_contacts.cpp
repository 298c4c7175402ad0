// SPDX-License-Identifier: Apache-2.0
#include "cpu/structures/structure_contacts.h"

#include "cpu/pairs/neighbour_rows.h"
#include "cpu/pairs/scalar_pairs.h"
#include "physics/solid/contact.h"

namespace sluice::cpu {

TouchingParticle StructureContacts::particle(const SortedGroup& boundary, std::uint32_t i) const {
    return rules_.particle(boundary.state.id[i], boundary.state.position[i]);
}

/// Nothing of a flexible body, whose springs keep what they get.
Vec3d StructureContacts::wall_velocity(const TouchingParticle& wall, const std::vector<RigidMotion>& motions) const {
    const std::int32_t object = setup_.rigid.object_of(wall.id);
    if (wall.body >= 0 || object == RigidParticles::at_rest) return {};
    return motions[static_cast<std::size_t>(object)].velocity_at(wall.place);
}

ContactSum StructureContacts::sum_on(const TouchingParticle& a, std::uint32_t row, std::uint32_t x,
                                     const SortedGroup& boundary, const std::vector<RigidMotion>& motions,
                                     const std::function<double(std::uint32_t)>& mass_of) const {
    const sph::Constants& c = setup_.constants;
    const CellsInReach cells(space_.rows, x);
    ContactSum sum;
    for_each_row(space_.rows, row, [&](std::uint32_t other) {
        const std::uint32_t* const begin = cells_of(space_.rows, boundary.cells.begin(), other);
        for (std::uint32_t j = begin[cells.begin]; j < begin[cells.end]; ++j) {
            const Vec3d apart = a.place - boundary.state.position[j];
            if (dot(apart, apart) >= c.dp * c.dp) continue;
            const TouchingParticle b = particle(boundary, j);
            if (b.body == a.body) continue;
            const double stiffness = solid::contact_stiffness(rules_.mass_of_pair(a, b, mass_of), c.c0, c.dp);
            const Vec3d force = solid::contact_force(stiffness, rules_.touch_of(a, b), apart);
            sum.force = sum.force + force;
            sum.wall_power += dot(force, wall_velocity(b, motions));
        }
    });
    return sum;
}

void StructureContacts::find(const SortedGroup& boundary, int threads, const std::vector<RigidMotion>& motions,
                             const std::function<double(std::uint32_t)>& mass_of,
                             const std::function<void(std::uint32_t, const ContactSum&)>& use) const {
    const auto rows = static_cast<std::uint32_t>(space_.rows.count_y * space_.rows.count_z);
    const auto columns = static_cast<std::uint32_t>(space_.rows.count_x);
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
    for (std::uint32_t row = 0; row < rows; ++row) {
        if (!space_.rows.owns(row)) continue;
        const std::uint32_t* const cell = cells_of(space_.rows, boundary.cells.begin(), row);
        for (std::uint32_t x = 0; x < columns; ++x)
            for (std::uint32_t i = cell[x]; i < cell[x + 1]; ++i) {
                const TouchingParticle a = particle(boundary, i);
                if (a.body < 0) continue;
                const ContactSum sum = sum_on(a, row, x, boundary, motions, mass_of);
                if (sum.force != Vec3d{}) use(a.id, sum);
            }
    }
}

} // namespace sluice::cpu
