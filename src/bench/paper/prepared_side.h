// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/sph/pair_rates.h"

namespace sluice::paper {

/// A side of a pair of which two more values are at hand, made once a step instead of once a pair: the paper's six
/// arrays hold them. The pair formula finds the functions below for it.
template <class Real>
struct PreparedSide : sph::Side<Real> {
    Real sound_speed; ///< m/s
    Real tensile;     ///< tensile_share() of the pressure term
};

/// The constants of a pair whose sides are prepared. `run`: those that they were made of.
template <class S>
sph::PairConstants<S> for_prepared_sides(sph::PairConstants<S> c, const sph::Constants& run) {
    if (!sph::is_general(run)) c.viscosity *= S(run.rho0 * run.rho0 * run.rho0 / run.c0); // α h alone is left
    return c;
}

/// R f⁴/w⁴ of one side: what tensile correction makes of its pressure term.
template <class Real, class S>
SLUICE_INLINE Real tensile_share(const sph::PairConstants<S>& c, Real p) {
    return c.tensile_magnitude * sph::absolute(p) - c.tensile_sum * p;
}

template <class Real, class S>
SLUICE_INLINE Real tensile_shares(const sph::PairConstants<S>&, const PreparedSide<Real>& a,
                                  const PreparedSide<Real>& b) {
    return a.tensile + b.tensile;
}

template <class F, class Real, class S>
SLUICE_INLINE Real viscous_coefficient(const sph::PairConstants<S>& c, const PreparedSide<Real>& a,
                                       const PreparedSide<Real>& b, Real /*rho_product*/) {
    return c.viscosity * (a.sound_speed + b.sound_speed) * sph::reciprocal(a.rho + b.rho);
}

} // namespace sluice::paper
