// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/collisions.h"
#include <cmath>

// What rigid bodies do that touch: Newton's law of impact (speed after an impact e times that before it) and Coulomb's
// law of friction, as laws of impulses (Moreau 1988; Brogliato, Nonsmooth Mechanics, 2016).

namespace sluice::collision {

/// The coefficients of two surfaces: the smaller ones, unless one of both imposes its friction; the larger one if both
/// do.
inline CollisionMaterial pair_of(const CollisionMaterial& a, const CollisionMaterial& b) {
    CollisionMaterial pair;
    pair.restitution = a.restitution < b.restitution ? a.restitution : b.restitution;
    const bool one_imposes = a.imposes_friction != b.imposes_friction;
    const auto chosen = [&](double CollisionMaterial::*value) {
        if (one_imposes) return (a.imposes_friction ? a : b).*value;
        const bool of_a = (a.*value < b.*value) != a.imposes_friction;
        return (of_a ? a : b).*value;
    };
    pair.friction = chosen(&CollisionMaterial::friction);
    pair.static_friction = chosen(&CollisionMaterial::static_friction);
    return pair;
}

/// When a gap closes that changes by `rate` (m/s) at first and accelerates by `acceleration` (m/s²), s; 0 for one that
/// is closed; negative for one that stays open for `dt` (s).
inline double closing_time(double gap, double rate, double acceleration, double dt) {
    if (gap <= 0) return 0;
    const double square = rate * rate - 2 * acceleration * gap;
    if (square < 0) return -1;
    const double root = std::sqrt(square), below = root - rate; // the smaller root of gap + rate t + ½ acceleration t²
    if (!(below > 0)) return -1;
    const double time = 2 * gap / below;
    return time <= dt ? time : -1;
}

/// Impacts slower than this rebound by nothing, m/s: as fast as what comes to rest under its load within two steps.
inline double slowest_rebound(double acceleration, double dt) { return 2 * std::fabs(acceleration) * dt; }

/// An impulse across a contact, cut to the bound that Coulomb's law sets it.
struct Tangential {
    double first = 0, second = 0; ///< along two directions at right angles, N s

    double size() const { return std::sqrt(first * first + second * second); }
    Tangential within(double bound) const {
        const double length = size();
        if (length <= bound) return *this;
        return {bound / length * first, bound / length * second};
    }
};

} // namespace sluice::collision
