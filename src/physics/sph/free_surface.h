// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/sph/kernels.h"

// The free surface on a line of check points: where the fraction of fluid, φ = Σ_b (m/ρ_b) W, first falls below a
// limit. One rule for gauges and for paddles that absorb waves.

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// What a fluid particle at a squared distance adds to φ. `scale`: mass of a particle times the kernel's α_D.
template <class Kernel>
SLUICE_HD double fluid_fraction(double scale, double density, double r2, double h) {
    return scale / density * Kernel::value(sqrt(r2) / h);
}

/// The limit of φ where a case gives none: lower in 2-D.
SLUICE_HD constexpr double usual_limit(bool two_d) { return two_d ? 0.4 : 0.5; }

/// Check points along a line at 0, s, 2s … from its beginning, and one at its end.
struct CheckPoints {
    double length = 0, spacing = 1; ///< m

    /// The slack keeps a length that is a whole number of spacings from losing its last point to rounding.
    SLUICE_HD int count() const {
        const double parts = ceil(length / spacing - 1e-6);
        return parts > 0 ? int(parts) + 1 : 1;
    }
    /// Distance of point k from the beginning, m.
    SLUICE_HD double at(int k) const { return k < count() - 1 ? k * spacing : length; }
};

/// Whether the line leaves the fluid between two neighbouring points.
SLUICE_HD inline bool leaves_fluid(double before, double now, double limit) { return before >= limit && now < limit; }

/// How far along the line the surface is between points k − 1 and k, m: φ is linear between them.
SLUICE_HD inline double surface_between(const CheckPoints& points, int k, double before, double now, double limit) {
    const double part = (before - limit) / (before - now);
    return points.at(k - 1) + part * (points.at(k) - points.at(k - 1));
}

/// How far along the line the surface is, m; its length where all of it from somewhere on is fluid; −1 where nothing
/// is. `fraction(k)`: φ at point k.
template <class Fraction>
SLUICE_HD double find_surface(const CheckPoints& points, double limit, const Fraction& fraction) {
    double before = 0;
    for (int k = 0; k < points.count(); ++k) {
        const double now = fraction(k);
        if (k > 0 && leaves_fluid(before, now, limit)) return surface_between(points, k, before, now, limit);
        before = now;
    }
    return before >= limit ? points.length : -1;
}

} // namespace SLUICE_ISA
} // namespace sluice::sph
