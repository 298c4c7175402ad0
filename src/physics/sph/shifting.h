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
//
// Advanced shifting drifts with a velocity of its own, whatever the flow's is, and near a free surface along it only
// (Lind et al. 2012; Khayyer et al. 2017), so that the surface stays where it is:
//
//   δr_a = A h c0 Δt [∇C_a − (1 − s) n (n·∇C_a)]      A = ShiftAdvCoef < 0
//   n = L∇C/|L∇C|,  L = M⁻¹,  M_a = Σ_b V_b (r_b − r_a)⊗∇_aW (Randles & Libersky 1996),  ∇·r = tr M
//
// n is the normal of the surface with the sums' lack of neighbours corrected, as ∇C itself is not. s grows from 0,
// where ∇·r is 0.9 d or less, to 1, where it is d. Where it is below 0.5 d, δr fades away, and spray, below 0.4 d,
// stays.
//
// Particles keep their mass, so that their density may follow what shifts do to the room that they have, as it follows
// what velocities do (ShiftAdvALE 1):
//
//   dρ_a/dt += (ρ_a/Δt) Σ_b V_b (δr_a − δr_b)·∇_aW      δr_b = 0 for boundary particles
//
// This is the volume equation of arbitrary Lagrangian-Eulerian SPH (Antuono et al. 2021, eq. 8) without the exchange of
// mass. What has drifted apart is drawn together again by its pressure; without this term shifting lets fluid
// with a surface swell. Where there is no surface it can do without: there the flow undoes what shifts mend, as no mass
// goes from one particle to another (docs/validation.md, "What shifting does to the volume").

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// Longest component of a shift, over dp.
inline constexpr double longest_shift = 0.1;

/// Boundary particles that make up less of ∇·r are out of reach: those at the edge of the support.
inline constexpr double least_hold = 1e-4;

/// ∇·r over the number of dimensions, for advanced shifting: up to the first a particle is spray and stays, from the
/// second to the third it shifts along the surface only.
inline constexpr double spray_share = 0.4, jet_share = 0.5, surface_share = 0.9;

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

/// The operator of advanced shifting: ∇C (three), and of the symmetric matrix M its elements xx, yy, zz, xy, xz, yz.
template <class KernelT>
struct CrowdingMoments : Crowding<KernelT> {
    template <class S>
    using Constants = CrowdingConstants<S>;
    template <class Real>
    using Side = typename Crowding<KernelT>::template Side<Real>;
    static constexpr int sum_count = 9;

    template <class Real, class S>
    SLUICE_INLINE static void add(const Constants<S>& c, Real dx, Real dy, Real dz, Real r2, const Side<Real>&,
                                  const Side<Real>& b, Real (&sums)[sum_count]) {
        const Real weight = gradient_factor<KernelT>(c, r2) * reciprocal(b.rho); // V_b F
        const Real gx = weight * dx, gy = weight * dy, gz = weight * dz;
        const Real x = -(dx * c.metres), y = -(dy * c.metres), z = -(dz * c.metres);
        sums[0] += gx;
        sums[1] += gy;
        sums[2] += gz;
        sums[3] += x * gx;
        sums[4] += y * gy;
        sums[5] += z * gz;
        sums[6] += x * gy;
        sums[7] += x * gz;
        sums[8] += y * gz;
    }
};

/// The operator that sums up −∇·δr, of fluid that is shifted. It reads shifts in place of velocities; of boundary
/// particles none.
template <class KernelT>
struct ShiftConvergence : FlowOperator<KernelT> {
    static constexpr int sum_count = 1;

    template <class Real, class S>
    SLUICE_INLINE static void add(const FlowGradientConstants<S>& c, Real dx, Real dy, Real dz, Real r2,
                                  const FlowSide<Real>& a, const FlowSide<Real>& b, Real (&sums)[sum_count]) {
        const Real weight = gradient_factor<KernelT>(c, r2) * reciprocal(b.rho); // V_b F
        sums[0] += weight * ((a.vx - b.vx) * dx + (a.vy - b.vy) * dy + (a.vz - b.vz) * dz);
    }
};

/// What shifts in a step of `dt` seconds do to a density, kg/(m³ s), from the sum of ShiftConvergence.
template <class S>
SLUICE_INLINE S shift_density_rate(S convergence, S rho, S dt) {
    return rho * convergence / dt;
}

/// Calls `use(Op{})` with the operator that the shifting of a run asks for.
template <class KernelT, class Use>
decltype(auto) with_crowding(Shifting shifting, Use&& use) {
    if (shifting == Shifting::along_surfaces) return use(CrowdingMoments<KernelT>{});
    return use(Crowding<KernelT>{});
}

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

/// A shift none of whose components is longer than it may be.
template <class S>
SLUICE_INLINE Vec3<S> cut_shift(const Constants& c, const Vec3<S>& shift) {
    const S longest = S(longest_shift * c.dp);
    const auto cut = [&](S component) { return maximum(minimum(component, longest), -longest); };
    return {cut(shift.x), cut(shift.y), cut(shift.z)};
}

/// δr of advanced shifting, m, in a step of `dt` seconds, from the sums of CrowdingMoments.
template <class S>
SLUICE_INLINE Vec3<S> shift_along_surfaces(const Constants& c, const S* sums, S dt) {
    const S inside = S(c.two_d ? 2 : 3);
    const Vec3<S> gradient{sums[0], sums[1], sums[2]};
    const S* const m = sums + 3;
    const S divergence = (m[0] + m[1] + m[2]) / inside;
    const auto ramp = [&](double low, double high) {
        return minimum(maximum((divergence - S(low)) * S(1 / (high - low)), S(0)), S(1));
    };
    // n by the adjoint of M, whose determinant only scales it; nothing depends on y in 2-D
    const Vec3<S> rows[3] = {{m[0], m[3], m[4]}, {m[3], c.two_d ? S(1) : m[1], m[5]}, {m[4], m[5], m[2]}};
    const Vec3<S> normal = gradient.x * cross(rows[1], rows[2]) + gradient.y * cross(rows[2], rows[0]) +
                           gradient.z * cross(rows[0], rows[1]);
    const S normal2 = dot(normal, normal);
    if (!(normal2 > S(0))) return {};
    const S across = (S(1) - ramp(surface_share, 1)) * dot(gradient, normal) / normal2; // what is left out
    const S size = S(c.shift_coefficient * c.h * c.c0) * dt * ramp(spray_share, jet_share);
    return cut_shift<S>(c, size * (gradient - across * normal));
}

/// δr of a fluid particle (m) in a step of `dt` seconds, from the sums of the operator that the run asks for.
template <class S>
SLUICE_INLINE Vec3<S> shift_of(const Constants& c, const S* sums, const Vec3<S>& velocity, S dt) {
    if (c.shifting == Shifting::along_surfaces) return shift_along_surfaces<S>(c, sums, dt);
    const S threshold = S(c.shift_threshold), inside = S(c.two_d ? 2 : 3);
    if (sums[4] > S(least_hold)) return {};
    S size = S(c.shift_coefficient * c.h) * square_root(dot(velocity, velocity)) * dt;
    if (threshold > S(0)) {
        if (sums[3] < threshold) return {};
        size = size * minimum((sums[3] - threshold) / (inside - threshold), S(1));
    }
    return cut_shift<S>(c, size * Vec3<S>{sums[0], sums[1], sums[2]});
}

} // namespace SLUICE_ISA
} // namespace sluice::sph
