// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <cmath>

// Particles of structures and walls that come nearer to one another than they may are driven apart, without friction.
// The spring is as stiff as the fluid's step bears (a penalty): L: the distance at which they begin to touch, c0: speed
// of sound of the fluid, m: the smaller mass.
//
//   F = k L (L/r − 1) x_ab/r,   k = κ m (c0/dp)²,   with the potential k L (L ln(L/r) − L + r)
//
// A surface particle between two others so swings at c0/dp √(2κ) while it is touched: a Courant number of 0.2 is a
// twentieth of the period.

namespace sluice::solid {
inline namespace SLUICE_ISA {

/// k, N/m. `mass`: m, kg; `sound`: c0, m/s.
SLUICE_HD inline double contact_stiffness(double mass, double sound, double dp) {
    constexpr double kappa = 0.25;
    return kappa * mass * (sound / dp) * (sound / dp);
}

/// F on particle a, N. `apart`: x_ab, m, not zero; `touch`: L, m.
template <class Real>
SLUICE_HD Vec3<Real> contact_force(Real stiffness, Real touch, const Vec3<Real>& apart) {
    const Real distance = norm(apart);
    if (distance >= touch) return {};
    return stiffness * touch * (touch / distance - 1) / distance * apart;
}

/// The energy that the spring holds, J. `distance`: |x_ab|, m, not zero.
template <class Real>
SLUICE_HD Real contact_energy(Real stiffness, Real touch, Real distance) {
    if (distance >= touch) return Real(0);
    return stiffness * touch * (touch * std::log(touch / distance) - touch + distance);
}

} // namespace SLUICE_ISA
} // namespace sluice::solid
