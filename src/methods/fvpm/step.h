// SPDX-License-Identifier: Apache-2.0
#pragma once

// The order of a step of the finite volume particle method (Algorithm I of Alimirzazadeh et al. 2018). A backend is a
// class with one function a pass, `Passes`.
//
//   pass               reads                          writes
//   choose_time_step   C, a, h                        the time step (Eq. 22)
//   drift              x, ẋ                           x in the middle of the step
//   find_neighbours    x, h                           the order of the particles, neighbours
//   find_vectors       x, h, neighbours               A_ij, and from them B_i and the share of the free surface
//   find_sides         m, V, mC                       C, ρ, p, a and ẋ
//   find_gradients     C, p, V, A_ij                  ∇C, ∇p
//   find_fluxes        C, ρ, p, a, ẋ, gradients, A_ij dm/dt, d(mC)/dt, dV/dt (Eqs 9 and 10)
//   predict            m, V, mC, rates                those in the middle of the step
//   correct            m, V, mC, rates, ẋ             those at its end, x
//
// Vectors are found once a step, as in the paper, and in the middle of it: with the rates there, which the second stage
// takes, the step is of second order in all that it integrates.

namespace sluice::fvpm {

/// Advances all particles by one time step, which ends at `end` at the latest.
template <class Passes>
void take_step(Passes& passes, double end) {
    passes.choose_time_step(end);
    passes.drift();
    passes.find_neighbours();
    passes.find_vectors();
    passes.find_sides();
    passes.find_gradients();
    passes.find_fluxes();
    passes.predict();
    passes.find_sides();
    passes.find_gradients();
    passes.find_fluxes();
    passes.correct();
}

} // namespace sluice::fvpm
