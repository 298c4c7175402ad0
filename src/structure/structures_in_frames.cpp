// SPDX-License-Identifier: Apache-2.0
#include "structure/structures_in_frames.h"

#include "structure/flexible_bodies.h"
#include <algorithm>

namespace sluice {

StructuresInFrames::StructuresInFrames(const RunSetup& setup)
    : bodies_(setup.flexible), corner_(setup.domain.min), gravity_(setup.constants.gravity),
      boundary_count_(setup.groups.boundary_count()) {
    for (const FlexibleBody& body : bodies_.all)
        solvers_.emplace_back(bodies_.structure_of(body), lagrangian_constants(setup.constants));
}

void StructuresInFrames::take(const Frame& frame) {
    const auto row_of = [&](std::uint32_t id) {
        return static_cast<std::size_t>(std::ranges::lower_bound(frame.id, id) - frame.id.begin());
    };
    for (std::size_t b = 0; b < solvers_.size(); ++b) {
        const FlexibleBody& body = bodies_.all[b];
        StructureState state;
        for (std::uint32_t i = 0; i < body.particles; ++i) {
            const std::size_t row = row_of(body.first_id + i);
            state.position.push_back(frame.position[row] - corner_);
            state.velocity.push_back(vec_cast<double>(frame.velocity[row]));
        }
        solvers_[b].set_state(
            state, [&](std::uint32_t i) { return frame.position[row_of(bodies_.id_of(body, i))] - corner_; });
    }
}

StructureEnergy StructuresInFrames::energy() const {
    StructureEnergy sum;
    for (const StructureSolver& solver : solvers_) {
        const StructureEnergy energy = solver.energy();
        sum.kinetic += energy.kinetic;
        sum.strain += energy.strain;
        for (std::uint32_t i = 0; i < solver.positions().size(); ++i)
            sum.potential -= solver.mass(i) * dot(gravity_, corner_ + solver.positions()[i]);
    }
    return sum;
}

/// Calls `use(id, point)` for all particles of flexible bodies.
template <class Use>
void StructuresInFrames::for_each_point(const Use& use) const {
    for (std::size_t b = 0; b < solvers_.size(); ++b)
        for (std::uint32_t i = 0; i < bodies_.all[b].particles; ++i)
            use(bodies_.all[b].first_id + i, solvers_[b].point(i));
}

std::vector<Vec3f> StructuresInFrames::vectors(Field field) const {
    std::vector<Vec3f> values(boundary_count_);
    for_each_point([&](std::uint32_t id, const MaterialPoint& point) {
        values[id] = vec_cast<float>(field == Field::displacement ? point.displacement : point.principal);
    });
    return values;
}

std::vector<float> StructuresInFrames::numbers(Field field) const {
    std::vector<float> values(boundary_count_);
    for_each_point([&](std::uint32_t id, const MaterialPoint& point) {
        values[id] = static_cast<float>(field == Field::von_mises ? point.von_mises : point.strain_energy);
    });
    return values;
}

} // namespace sluice
