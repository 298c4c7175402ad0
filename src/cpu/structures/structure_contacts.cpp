// SPDX-License-Identifier: Apache-2.0
#include "cpu/structures/structure_contacts.h"

#include "cpu/pairs/neighbour_rows.h"
#include "cpu/pairs/scalar_pairs.h"
#include "physics/solid/contact.h"
#include "structure/flexible_bodies.h"
#include <algorithm>

namespace sluice::cpu {

StructureContacts::Particle StructureContacts::particle(const SortedGroup& boundary, std::uint32_t i) const {
    const std::uint32_t id = boundary.state.id[i];
    return {id, boundary.state.position[i], flexible_body_of(setup_.flexible, id)};
}

/// Walls at rest were where they are.
Vec3d StructureContacts::start_of(const Particle& p) const {
    if (p.body >= 0) {
        const FlexibleBody& body = setup_.flexible.all[static_cast<std::size_t>(p.body)];
        return setup_.flexible.start[body.first_start + p.id - body.first_id];
    }
    return setup_.rigid.object_of(p.id) == RigidParticles::at_rest ? p.place
                                                                   : setup_.rigid.start[p.id - setup_.rigid.begin];
}

bool StructureContacts::is_clamp_of(std::int32_t body, std::uint32_t id) const {
    const FlexibleBody& of = setup_.flexible.all[static_cast<std::size_t>(body)];
    const auto begin = setup_.flexible.clamp_id.begin() + of.first_clamp;
    return std::find(begin, begin + of.clamps, id) != begin + of.clamps;
}

/// The distance at which flexible particle `a` and another begin to touch, m. 0: they never do.
double StructureContacts::touch_of(const Particle& a, const Particle& b) const {
    if (setup_.rigid.object_of(b.id) >= setup_.motions.object_count()) return 0; // these touch otherwise (BodyContacts)
    const double dp = setup_.constants.dp, before = norm(start_of(a) - start_of(b));
    const bool is_held = b.body < 0 && before < 2 * dp && is_clamp_of(a.body, b.id);
    return is_held ? 0 : std::min(dp, before);
}

Vec3d StructureContacts::force_on(const Particle& a, std::uint32_t row, std::uint32_t x, const SortedGroup& boundary,
                                  const std::function<double(std::uint32_t)>& mass_of) const {
    const sph::Constants& c = setup_.constants;
    const CellsInReach cells(space_.rows, x);
    Vec3d force{};
    for_each_row(space_.rows, row, [&](std::uint32_t other) {
        const std::uint32_t* const begin = cells_of(space_.rows, boundary.cells.begin(), other);
        for (std::uint32_t j = begin[cells.begin]; j < begin[cells.end]; ++j) {
            const Vec3d apart = a.place - boundary.state.position[j];
            if (dot(apart, apart) >= c.dp * c.dp) continue;
            const Particle b = particle(boundary, j);
            if (b.body == a.body) continue;
            const double mass = b.body < 0 ? mass_of(a.id) : std::min(mass_of(a.id), mass_of(b.id));
            const double stiffness = solid::contact_stiffness(mass, c.c0, c.dp);
            force = force + solid::contact_force(stiffness, touch_of(a, b), apart);
        }
    });
    return force;
}

void StructureContacts::find(const SortedGroup& boundary, int threads,
                             const std::function<double(std::uint32_t)>& mass_of,
                             const std::function<void(std::uint32_t, const Vec3d&)>& use) const {
    const auto rows = static_cast<std::uint32_t>(space_.rows.count_y * space_.rows.count_z);
    const auto columns = static_cast<std::uint32_t>(space_.rows.count_x);
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
    for (std::uint32_t row = 0; row < rows; ++row) {
        if (!space_.rows.owns(row)) continue;
        const std::uint32_t* const cell = cells_of(space_.rows, boundary.cells.begin(), row);
        for (std::uint32_t x = 0; x < columns; ++x)
            for (std::uint32_t i = cell[x]; i < cell[x + 1]; ++i) {
                const Particle a = particle(boundary, i);
                if (a.body < 0) continue;
                const Vec3d force = force_on(a, row, x, boundary, mass_of);
                if (force != Vec3d{}) use(a.id, force);
            }
    }
}

} // namespace sluice::cpu
