// SPDX-License-Identifier: Apache-2.0
#include "app/contact_sampler.h"

#include "run/frame_bodies.h"

namespace sluice {

ContactSampler::ContactSampler(const std::filesystem::path& folder, const RunSetup& setup, const MechanismsDef& given,
                               const SampleClock& frames, bool append)
    : Sampler(given.save_interval < 0 ? frames : SampleClock(given.save_interval)), setup_(setup),
      dt_(1e-3 * setup.constants.h / setup.constants.c0) {
    if (!setup.collisions.any()) return;
    colliding_.emplace(setup.collisions, setup.mechanisms, setup.bodies.size());
    for (const Collider& collider : setup.collisions.colliders)
        for (const JointBody& body : given.bodies)
            if (body.mkbound == collider.mk_bound) names_.push_back(body.id);
    table_.emplace(folder / "contacts.csv",
                   std::vector<std::string>{"time [s]", "step", "first", "second", "x [m]", "y [m]", "z [m]", "nx",
                                            "ny", "nz", "gap [m]", "fx [N]", "fy [N]", "fz [N]"},
                   std::vector<std::string>{"Where bodies of chrono touch each other or walls: the middle of the gap, "
                                            "the normal from the second to the first,",
                                            "and the force on the first that holds them at that time; impacts are over "
                                            "between two rows. Per metre of width in 2-D."},
                   append);
}

void ContactSampler::sample(const Frame& frame) {
    if (!table_) return;
    const FrameBodies bodies(frame, setup_.domain.min);
    std::vector<BodyState> next = bodies.states;
    colliding_->advance(BodyStage::symplectic, bodies.states.data(), bodies.loads.data(), next.data(),
                        mechanism_drive(setup_, frame.absorbers.data()), frame.time, dt_);
    for (const ContactReport& r : colliding_->reports()) {
        if (r.force == Vec3d{}) continue;
        const Vec3d point = r.point + setup_.domain.min;
        std::vector<CsvValue> row{frame.time, frame.step, names_[std::size_t(r.first)], names_[std::size_t(r.second)]};
        for (const Vec3d& v : {point, r.normal})
            for (int axis = 0; axis < 3; ++axis) row.emplace_back(v[axis]);
        row.emplace_back(r.gap);
        for (int axis = 0; axis < 3; ++axis) row.emplace_back(r.force[axis]);
        table_->write_row(row);
    }
}

} // namespace sluice
