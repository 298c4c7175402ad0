// SPDX-License-Identifier: Apache-2.0
#include "structure/structures_in_frames.h"

#include "core/extent.h"
#include "physics/solid/contact.h"
#include "structure/flexible_bodies.h"
#include "structure/near_points.h"
#include <algorithm>

namespace sluice {

StructuresInFrames::StructuresInFrames(const RunSetup& setup)
    : bodies_(setup.flexible), constants_(setup.constants), corner_(setup.domain.min),
      boundary_count_(setup.groups.boundary_count()), contacts_(setup) {
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
    in_contacts_ = any() ? contact_energy(frame) : 0;
}

double StructuresInFrames::mass_of(std::uint32_t id) const {
    const auto b = static_cast<std::size_t>(flexible_body_of(bodies_, id));
    return solvers_[b].mass(id - bodies_.all[b].first_id);
}

/// Of two flexible particles that touch each finds the other, and counts half.
double StructuresInFrames::contact_energy(const Frame& frame) const {
    const double dp = constants_.dp;
    Extent extent; // of all bodies, as far as they touch
    for (const StructureSolver& solver : solvers_)
        for (const Vec3d& place : solver.positions()) extent.add(place);
    std::vector<Vec3d> places;
    std::vector<TouchingParticle> particles;
    for (std::size_t row = 0; row < frame.id.size() && frame.id[row] < boundary_count_; ++row) {
        const Vec3d place = frame.position[row] - corner_;
        bool is_near = true;
        for (int axis = 0; axis < 3; ++axis)
            is_near = is_near && place[axis] > extent.min[axis] - dp && place[axis] < extent.max[axis] + dp;
        if (!is_near) continue;
        places.push_back(place);
        particles.push_back(contacts_.particle(frame.id[row], place));
    }
    NearPoints near(places, dp);
    double energy = 0;
    for (const TouchingParticle& a : particles) {
        if (a.body < 0) continue;
        near.for_each(a.place, [&](std::uint32_t i) {
            const TouchingParticle& b = particles[i];
            if (b.body == a.body) return;
            const double mass = contacts_.mass_of_pair(a, b, [&](std::uint32_t id) { return mass_of(id); });
            const double of_pair = solid::contact_energy(solid::contact_stiffness(mass, constants_.c0, dp),
                                                         contacts_.touch_of(a, b), norm(a.place - b.place));
            energy += (b.body < 0 ? 1 : 0.5) * of_pair;
        });
    }
    return energy;
}

StructureEnergy StructuresInFrames::energy() const {
    StructureEnergy sum;
    for (const StructureSolver& solver : solvers_) {
        const StructureEnergy energy = solver.energy();
        sum.kinetic += energy.kinetic;
        sum.strain += energy.strain;
        for (std::uint32_t i = 0; i < solver.positions().size(); ++i)
            sum.potential -= solver.mass(i) * dot(constants_.gravity, corner_ + solver.positions()[i]);
    }
    sum.strain += in_contacts_;
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
