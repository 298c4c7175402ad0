// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/shift_zone.h"
#include "physics/sph/flow_gradients.h"

// Particle shifting: particles drift from where they crowd to where they are few, faster in faster flow (Lind et al.
// 2012; Skillen et al. 2013). With the concentration C_a = Σ_b V_b W,
//
//   δr_a = A h |v_a| Δt ∇C_a      ∇C_a = Σ_b V_b ∇_aW      A = ShiftCoef < 0
//
// Near a free surface ∇C is large and means nothing. The surface is known by the divergence of the positions,
// ∇·r = Σ_b V_b (r_b − r_a)·∇_aW, which is the number of dimensions d inside (Lee et al. 2008): below the threshold T
// nothing shifts, and above it δr is weighed with (∇·r − T)/(d − T) (Mokos et al. 2017). No component of δr is longer
// than a tenth of the spacing. A run may have zones outside of which nothing shifts.

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// Longest component of a shift, over dp.
inline constexpr double longest_shift = 0.1;

/// Boundary particles that make up less of ∇·r are out of reach: those at the edge of the support.
inline constexpr double least_hold = 1e-4;

/// What is the same for all pairs with one kind of neighbour.
template <class S>
struct CrowdingConstants : FlowGradientConstants<S> {
    S holds; ///< 1 for boundary neighbours, 0 for fluid

    CrowdingConstants() = default;
    CrowdingConstants(const Constants& c, PairKind kind, LengthUnit unit)
        : FlowGradientConstants<S>(c, kind, unit), holds(S(kind == PairKind::fluid_boundary)) {}
};

/// The operator (see flow_gradients.h) that sums up ∇C (three, 1/m), ∇·r, and of that the part of the neighbours that
/// hold the particle where it is.
template <class KernelT>
struct Crowding {
    using Kernel = KernelT;
    template <class S>
    using Constants = CrowdingConstants<S>;
    static constexpr int sum_count = 5;
    static constexpr bool sees_boundary = true;

    template <class Real>
    struct Side {
        Real rho;   ///< density, kg/m³
        Real holds; ///< of a boundary particle: whether no fluid shifts near it
    };
    /// Of anything that has the members of Side.
    template <class Real, class Loaded>
    SLUICE_INLINE static Side<Real> read(const Loaded& p) {
        return {Real(p.rho), Real(p.holds)};
    }

    template <class Real, class S>
    SLUICE_INLINE static void add(const Constants<S>& c, Real dx, Real dy, Real dz, Real r2, const Side<Real>&,
                                  const Side<Real>& b, Real (&sums)[sum_count]) {
        const Real weight = gradient_factor<Kernel>(c, r2) * reciprocal(b.rho); // V_b F
        sums[0] += weight * dx;
        sums[1] += weight * dy;
        sums[2] += weight * dz;
        const Real divergence = -(weight * (r2 * c.metres));
        sums[3] += divergence;
        sums[4] += divergence * (c.holds * b.holds);
    }
};

/// Whether fluid next to a boundary particle, which rests or not, stays where it is.
SLUICE_INLINE bool holds_fluid(Shifting shifting, bool rests) {
    return shifting == Shifting::off_walls || (shifting == Shifting::off_resting_walls && rests);
}

/// Whether particles at `place` (m, from the domain's lower corner) are shifted: in one of the zones, or anywhere where
/// there are none.
SLUICE_HD inline bool shifts_at(const ShiftZone* zones, int zone_count, const Vec3d& place) {
    for (int k = 0; k < zone_count; ++k) {
        bool inside = true;
        for (const Vec3d& share : zones[k].share) {
            const double s = dot(place - zones[k].corner, share);
            inside = inside && s >= 0 && s <= 1;
        }
        if (inside) return true;
    }
    return zone_count == 0;
}

/// δr of a fluid particle (m) in a step of `dt` seconds, from the sums of Crowding.
template <class S>
SLUICE_INLINE Vec3<S> shift_of(const Constants& c, const S* sums, const Vec3<S>& velocity, S dt) {
    const S threshold = S(c.shift_threshold), inside = S(c.two_d ? 2 : 3);
    if (sums[4] > S(least_hold)) return {};
    S size = S(c.shift_coefficient * c.h) * square_root(dot(velocity, velocity)) * dt;
    if (threshold > S(0)) {
        if (sums[3] < threshold) return {};
        size = size * minimum((sums[3] - threshold) / (inside - threshold), S(1));
    }
    const S longest = S(longest_shift * c.dp);
    const auto cut = [&](S component) { return maximum(minimum(component, longest), -longest); };
    return {cut(size * sums[0]), cut(size * sums[1]), cut(size * sums[2])};
}

} // namespace SLUICE_ISA
} // namespace sluice::sph
