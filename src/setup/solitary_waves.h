// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/waves.h"
#include "setup/wave_lines.h"

namespace sluice::waves {

/// A solitary wave η = H sech²(κ(ct − x)), and the piston that pushes it.
struct Soliton {
    double height = 0, depth = 0, kappa = 0, celerity = 0; ///< m, m, 1/m, m/s
    double start = 0, duration = 0;                        ///< of the piston's motion, s since the paddle's start

    /// Where the piston is, m from where it began, and its velocity: as fast as the water at it, averaged over the
    /// depth, dX/dt = c η/(d + η) at x = X (Goring 1978). With t from the middle of the motion, X = H/(κd) tanh θ and
    /// ct = θ/κ + X.
    ValueAndRate displacement(double t) const;
    /// Elevation at x from the piston at rest, m.
    double elevation(double x, double t) const;
};

/// The waves of a piston_solitary. Rayleigh: κ² = 3H/(4d²(d + H)), c² = g(d + H) (Guizien & Barthélemy 2002);
/// Boussinesq: κ² = 3H/(4d³), c² = g(d + H) (Goring 1978); KdV: κ² = 3H/(4d³), c = √(gd)·(1 + H/(2d)). The motion takes
/// 2(3.8 + H/d)/(κc), tanh 3.8 being 0.999 (Goring 1978), times `durationcoef`.
std::vector<Soliton> solitons(const WavePaddle& paddle, double g);

} // namespace sluice::waves
