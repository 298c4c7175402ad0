// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/contact_parts.h"
#include <cmath>

// Elastic contacts of walls and bodies: each of their particles is a sphere of one particle spacing across, made of the
// material of what it belongs to (distributed-contact discrete elements, Canelas et al. 2016, Comput. Phys. Commun.
// 202, 131). Normal force: Hertz's spring with the dashpot whose coefficient of restitution does not depend on the
// speed (Tsuji et al. 1992; its closed form by Antypov & Elliott 2011). Tangential force: Coulomb's friction.

namespace sluice::dem {
inline namespace SLUICE_ISA {

/// What two particles have in common that touch. F = k δ^(3/2) + γ δ^(1/4) dδ/dt, δ: how far they overlap.
struct Contact {
    double stiffness; ///< k = 4/3 E* √R*, N/m^(3/2)
    double damping;   ///< γ, kg/(s m^(1/4))
    double friction;  ///< the mean of both
    double mass;      ///< of both bodies reduced, kg
};

/// `dp`: particle spacing, m. Two walls do not touch: one mass at least is finite.
SLUICE_INLINE Contact contact_of(const ContactPart& a, const ContactPart& b, double dp) {
    constexpr double pi = 3.14159265358979323846;
    const auto compliance = [](const ContactMaterial& m) { return (1 - m.poisson * m.poisson) / m.young; };
    const double modulus = 1 / (compliance(a.material) + compliance(b.material)), radius = 0.25 * dp;
    const double log_restitution = log(0.5 * (a.material.restitution + b.material.restitution));
    Contact c;
    c.stiffness = 4.0 / 3 * modulus * sqrt(radius);
    c.mass = 1 / (1 / a.mass + 1 / b.mass);
    c.damping = -log_restitution * sqrt(5 * c.mass * c.stiffness / (log_restitution * log_restitution + pi * pi));
    c.friction = 0.5 * (a.material.friction + b.material.friction);
    return c;
}

/// The normal force that drives two particles apart, N. `approach`: dδ/dt, m/s.
SLUICE_INLINE double normal_force(const Contact& c, double overlap, double approach) {
    const double root = sqrt(overlap);
    return c.stiffness * overlap * root + c.damping * sqrt(root) * approach;
}

/// dF/dδ of the spring, N/m.
SLUICE_INLINE double spring_rate(const Contact& c, double overlap) { return 1.5 * c.stiffness * sqrt(overlap); }

/// The friction over the tangential velocity, N s/m: μ F/√(v² + v₀²). Sliding much faster than v₀ it is Coulomb's; what
/// Coulomb's would hold creeps, slower than v₀.
SLUICE_INLINE double friction_rate(const Contact& c, double normal_force, double tangential_speed2, double creep) {
    return normal_force > 0 ? c.friction * normal_force / sqrt(tangential_speed2 + creep * creep) : 0;
}

/// How long a contact lasts that begins with a speed v, s: 3.218 ((M*/k)²/v)^(1/5) (Hertz; without damping). The
/// shortest is that of the greatest `contact_pace`.
SLUICE_INLINE double contact_pace(const Contact& c, double speed) {
    const double ratio = c.stiffness / c.mass;
    return ratio * ratio * speed;
}
SLUICE_INLINE double contact_time(double pace) { return 3.2181 * pow(pace, -0.2); }

/// What one or more pairs do to a particle.
struct Push {
    Vec3d force;          ///< N
    Vec3d couple;         ///< what the force at the points of contact turns beyond one at the particle, N m
    double stiffness = 0; ///< of the springs, N/m
    double pace = 0;      ///< the greatest of the pairs

    SLUICE_HD void add(const Push& other) {
        force = force + other.force;
        couple = couple + other.couple;
        stiffness += other.stiffness;
        pace = pace > other.pace ? pace : other.pace;
    }
};

/// Particles within this many spacings limit the time step by how fast they approach.
inline constexpr double reach = 1.5;

/// What particle b does to particle a, which is `r` from it (m) and within reach; `v`: the velocity of a less that of
/// b. The other way round it is the opposite, exactly. `creep`: see friction_rate, m/s.
SLUICE_INLINE Push push_of(const ContactPart& a, const ContactPart& b, const Vec3d& r, const Vec3d& v, double dp,
                           double creep) {
    const Contact contact = contact_of(a, b, dp);
    const double distance = sqrt(dot(r, r)), overlap = dp - distance;
    const Vec3d normal = (1 / distance) * r;
    const double approach = -dot(v, normal);
    Push push;
    push.pace = contact_pace(contact, fabs(approach));
    if (!(overlap > 0)) return push;
    const Vec3d slip = v + approach * normal;
    const double pressing = normal_force(contact, overlap, approach),
                 rubbing = friction_rate(contact, pressing, dot(slip, slip), creep);
    push.force = pressing * normal - rubbing * slip;
    push.couple = -0.5 * cross(r, push.force);
    push.stiffness = spring_rate(contact, overlap);
    return push;
}

} // namespace SLUICE_ISA
} // namespace sluice::dem
