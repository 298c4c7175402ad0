// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include <cmath>
#include <optional>

// What of a run's constants follows from the others.

namespace sluice::sph {

/// Derived numbers that a case gives outright; what is empty is derived.
struct GivenConstants {
    std::optional<double> mass_fluid, mass_bound; ///< kg (kg/m in 2-D)
    std::optional<double> b;                      ///< Pa
    std::optional<double> dt_min;                 ///< s
    double coef_dt_min = 0.05;                    ///< dt_min over h/c0
};

inline namespace SLUICE_ISA {

/// h = coef·sqrt(dim)·dp, m: coef times the diagonal of a cell of the lattice.
inline double smoothing_length(double coef, double dp, bool two_d) { return coef * std::sqrt(two_d ? 2.0 : 3.0) * dp; }

/// rho0·dp^dim, kg (kg/m in 2-D): what a particle of the lattice stands for.
inline double lattice_mass(const Constants& c) { return c.rho0 * std::pow(c.dp, c.two_d ? 2 : 3); }

/// η² = 0.01 h² (Monaghan 1992), m².
inline double eta2_of(double h) { return 0.01 * h * h; }

/// Fills in the second half of a run's constants, and c0 where B is given instead of it.
inline void derive(Constants& c, const GivenConstants& given = {}) {
    if (given.b && c.c0 == 0) c.c0 = std::sqrt(*given.b * c.gamma / c.rho0);
    c.b = given.b.value_or(c.c0 * c.c0 * c.rho0 / c.gamma);
    c.mass_fluid = given.mass_fluid.value_or(lattice_mass(c));
    c.mass_bound = given.mass_bound.value_or(lattice_mass(c));
    c.eta2 = eta2_of(c.h);
    c.dt_min = given.dt_min.value_or(given.coef_dt_min * c.h / c.c0);
}

} // namespace SLUICE_ISA
} // namespace sluice::sph
