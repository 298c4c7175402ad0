// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/run_setup.h"
#include <algorithm>
#include <cstdint>

namespace sluice {

/// A boundary particle as contacts see it: its id, where it is, its body if it is flexible.
struct TouchingParticle {
    std::uint32_t id = 0;
    Vec3d place;            ///< from the domain's lower corner, m
    std::int32_t body = -1; ///< of FlexibleBodies::all
};

/// Who touches flexible bodies: boundary particles that are not of the same body, nor of a floating one, nor its clamp
/// and next to it at time 0. They touch where they are nearer than one spacing, or than they were at time 0
/// (physics/solid/contact.h).
class ContactRules {
public:
    explicit ContactRules(const RunSetup& setup);

    TouchingParticle particle(std::uint32_t id, const Vec3d& place) const;
    /// The distance at which flexible particle `a` and another, of another body or rigid, begin to touch, m. 0: they
    /// never do.
    double touch_of(const TouchingParticle& a, const TouchingParticle& b) const;
    /// The mass that the stiffness of a contact follows from, kg: the smaller one, where both are flexible.
    /// `mass_of(id)`: of a flexible particle, kg.
    template <class MassOf>
    double mass_of_pair(const TouchingParticle& a, const TouchingParticle& b, const MassOf& mass_of) const {
        return b.body < 0 ? mass_of(a.id) : std::min(mass_of(a.id), mass_of(b.id));
    }

private:
    Vec3d start_of(const TouchingParticle& p) const;
    bool is_clamp_of(std::int32_t body, std::uint32_t id) const;

    FlexibleBodies bodies_;
    RigidParticles rigid_;
    std::int32_t first_floating_; ///< of the objects of `rigid_`
    double dp_;
};

} // namespace sluice
