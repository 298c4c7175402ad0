// SPDX-License-Identifier: Apache-2.0
#include "structure/contact_rules.h"

#include "structure/flexible_bodies.h"
#include <algorithm>

namespace sluice {

ContactRules::ContactRules(const RunSetup& setup)
    : bodies_(setup.flexible), first_floating_(setup.motions.object_count()), dp_(setup.constants.dp) {
    if (bodies_.any()) rigid_ = setup.rigid;
}

TouchingParticle ContactRules::particle(std::uint32_t id, const Vec3d& place) const {
    return {id, place, flexible_body_of(bodies_, id)};
}

/// Walls at rest were where they are.
Vec3d ContactRules::start_of(const TouchingParticle& p) const {
    if (p.body >= 0) {
        const FlexibleBody& body = bodies_.all[static_cast<std::size_t>(p.body)];
        return bodies_.start[body.first_start + p.id - body.first_id];
    }
    return rigid_.object_of(p.id) == RigidParticles::at_rest ? p.place : rigid_.start[p.id - rigid_.begin];
}

bool ContactRules::is_clamp_of(std::int32_t body, std::uint32_t id) const {
    const FlexibleBody& of = bodies_.all[static_cast<std::size_t>(body)];
    const auto begin = bodies_.clamp_id.begin() + of.first_clamp;
    return std::find(begin, begin + of.clamps, id) != begin + of.clamps;
}

double ContactRules::touch_of(const TouchingParticle& a, const TouchingParticle& b) const {
    if (rigid_.object_of(b.id) >= first_floating_) return 0; // these touch otherwise (BodyContacts)
    const double before = norm(start_of(a) - start_of(b));
    const bool is_held = b.body < 0 && before < 2 * dp_ && is_clamp_of(a.body, b.id);
    return is_held ? 0 : std::min(dp_, before);
}

} // namespace sluice
