// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include <algorithm>
#include <cmath>

// How much dissipation an integrator bears. A term that dissipates a mode at the rate λ takes part of D = λΔt of it in
// a step. Verlet leaps from level n−1 to n+1 with the rate of level n between them: y⁺ = y⁻ − 2Dy has the roots −D ±
// √(1+D²), of which the second, parasitic one grows in every leap. The Euler step (A.7b), which sets both levels on one
// line again, leaves about D²/4 of it; what that has become before the next Euler step must stay below 1.

namespace sluice::sph {

/// The greatest D at which Verlet's steps with one Euler step in `verlet_steps` let no mode grow: 0.135 for 40, 0.223
/// for 20, 0.358 for 10. Of the modes that the smoothing kernel damps most; sound does not come into it.
inline double verlet_dissipation_limit(int verlet_steps) {
    if (verlet_steps <= 1) return 2; // Euler steps alone: |1 − D| ≤ 1
    const auto growth = [&](double d) {
        const double root = std::sqrt(1 + d * d), decaying = root - d, parasitic = root + d;
        const double share = (decaying - 1 + d) / (decaying + parasitic); // of the parasitic mode after an Euler step
        const double alternating = verlet_steps % 2 == 0 ? 1 : -1; // the parasitic mode changes its sign in each step
        return std::abs((1 - share) * std::pow(decaying, verlet_steps) +
                        alternating * share * std::pow(parasitic, verlet_steps));
    };
    double stable = 0, unstable = 2;
    for (int halving = 0; halving < 50; ++halving) {
        const double middle = 0.5 * (stable + unstable);
        (growth(middle) > 1 ? unstable : stable) = middle;
    }
    return stable;
}

/// The greatest D of a run's integrator; 2 of the symplectic one, |1 − D + D²/2| ≤ 1.
inline double dissipation_limit(const Constants& c) {
    return c.integrator == Integrator::verlet ? verlet_dissipation_limit(c.verlet_steps) : 2;
}

/// How long the steps of a run are, over h/c0.
inline double courant_number(const Constants& c) { return c.dt_fixed > 0 ? c.dt_fixed * c.c0 / c.h : c.cfl; }

/// D of the density diffusion over δ times the Courant number: the greatest value that 2h² Σ V |F| r²/(r²+η²)
/// (1 − cos k·r) has on a lattice, for h from 0.9 dp on.
inline double diffusion_eigenvalue(KernelType kernel, bool two_d) {
    if (kernel == KernelType::wendland) return two_d ? 6.66 : 6.83;
    return two_d ? 5.68 : 5.97;
}

/// The same of artificial viscosity, over α times the Courant number: h² Σ V |F| (r·e)²/(r²+η²) (1 − cos k·r).
inline double viscous_eigenvalue(KernelType kernel, bool two_d) {
    if (kernel == KernelType::wendland) return two_d ? 2.19 : 1.72;
    return two_d ? 1.97 : 1.48;
}

/// D of a run's density diffusion, and of its artificial viscosity, at walls where that is greater there.
inline double diffusion_number(const Constants& c) {
    if (c.diffusion == DensityDiffusion::none) return 0;
    return diffusion_eigenvalue(c.kernel, c.two_d) * c.delta * courant_number(c);
}
inline double viscous_number(const Constants& c) {
    if (c.viscosity != ViscosityModel::artificial) return 0; // the time step is short enough: viscous_time_step
    return viscous_eigenvalue(c.kernel, c.two_d) * c.alpha * std::max(1.0, c.boundary_viscosity_factor) *
           courant_number(c);
}

} // namespace sluice::sph
