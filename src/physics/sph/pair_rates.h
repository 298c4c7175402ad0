// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include "physics/math.h"
#include "physics/sph/kernels.h"
#include "physics/sph/phase_pairs.h"
#include <optional>
#include <type_traits>
#include <utility>

// What one pair of particles does to both its sides. A function of loaded values, not of arrays: the scalar oracle,
// the lanes of a SIMD pack and a CUDA thread all run these lines.
//
//   symbol   here                 meaning
//   r_ab     dx, dy, dz           r_a − r_b
//   F        gradient             (dW/dr)/r, so that ∇_a W_ab = F·r_ab
//   p_i      pressure_term        P_i/ρ_i²
//   Π_ab     viscosity            artificial viscosity, Monaghan (1992)
//   R f⁴     tensile              tensile correction, Monaghan (2000), cubic spline only
//   η²       eta2                 0.01 h²

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// Choices that are compiled into the pair formula.
/// `General`: the formulation of the runs that few people ask for. It has all terms, and PairConstants say which of
/// them count: the others have coefficients of zero. It alone knows speeds of sound for an exponent of the equation of
/// state other than 7, PressureForm::product and the kernels of which `Kernel::general_only` holds.
/// `Viscosity`: artificial, or laminar in place of it: PairConstants say which (the sub-particle-scale model's stresses
/// are not of the pair). `Gather`: only side a is wanted, r² is never zero, and factors that all pairs of a particle
/// share are left to the caller, which multiplies the sums with `pair_scales`. `Wall`: one side is a boundary particle.
/// `Part`: the rates that are wanted; the others are zero.
template <class KernelT, DensityDiffusion Diffusion, bool General = false,
          ViscosityModel Viscosity = ViscosityModel::artificial, bool Gather = false, bool Wall = false,
          RatesPart Part = RatesPart::both>
struct Formulation {
    using Kernel = KernelT;
    static constexpr bool general = General;
    static constexpr bool gather = Gather;
    static constexpr bool wall = Wall;
    static constexpr bool of_velocity = Part != RatesPart::density, of_density = Part != RatesPart::velocity;
    static constexpr bool diffuses = Diffusion != DensityDiffusion::none;
    static constexpr bool hydrostatic = Diffusion == DensityDiffusion::fourtakas;          ///< its diffusion
    static constexpr bool artificial = General || Viscosity == ViscosityModel::artificial; ///< its viscosity may be
    static constexpr bool laminar = Viscosity == ViscosityModel::laminar;                  ///< likewise
    /// The same for pairs with boundary particles, which take no part in the density diffusion.
    using AtWall = Formulation<KernelT, DensityDiffusion::none, General, Viscosity, Gather, true, Part>;
    /// The same for a loop that gathers.
    using Gathered = Formulation<KernelT, Diffusion, General, Viscosity, true, Wall, Part>;
    static_assert(Diffusion != DensityDiffusion::fourtakas_full, "modes 2 and 3 share their pair term: use 2");
    static_assert(Diffusion != DensityDiffusion::renormalised, "a pass of its own: renormalised_diffusion.h");
};

/// Whether the pair formula of a run is the general one.
inline bool is_general(const Constants& c) {
    return c.gamma != 7 || c.pressure_form == PressureForm::product ||
           with_kernel(c.kernel, []<class K>(K) { return K::general_only; });
}

/// Whom a pair joins: the neighbour's mass and the viscosity factor depend on it.
enum class PairKind { fluid_fluid, fluid_boundary, boundary_fluid, boundary_boundary };

/// K of `wall_repulsion` over (c0/dp)²: the time step of the speed of sound is short enough for it.
inline constexpr double wall_repulsion_strength = 0.4;

/// Where it begins, R, over dp: a little more than how far a particle halfway between boundary particles, dp apart, is
/// from them. Fluid on its side of the wall is further away: one that begins there or at dp makes impacts noisy.
SLUICE_INLINE double wall_repulsion_reach(bool two_d) { return two_d ? 0.6 : 0.75; }

/// Constants of the pair formula in the scalar type S, with every product that is the same for all pairs.
template <class S>
struct PairConstants {
    S support2; ///< (2h)², pairs closer than this interact; lengths count the unit of the separations
    S h, inverse_h;
    S eta2;
    S gradient_scale; ///< m_b·α_D/h² times the kernel's derivative_scale: turns the shape of (dw/dq)/q into m_b·F
    S mass_ratio;     ///< m_a/m_b: other side's share of a sum that holds m_b
    S tensile_sum, tensile_magnitude; ///< R f⁴ = w⁴·(tensile_magnitude·(|p_a|+|p_b|) − tensile_sum·(p_a+p_b))
    S viscosity;                      ///< α h c0/ρ0³, or α h in the general formula; 0 with a laminar one
    S laminar;                        ///< 4 ν, over the unit of length; 0 with central viscosity
    S laminar_central;                ///< 4 (d + 2) ν in d dimensions, over the unit of length; 0 without
    S diffusion;                      ///< 2 δ h c0, 0 without density diffusion
    S hydrostatic[3]; ///< −ρ0² g/(γB): its product with r_ab is Δρ^H at the reference density, kg/m³; or 0
    S twice_rho0;     ///< 2ρ0
    S stiffening[2]; ///< −n/(2ρ0) and n(n+1)/(8ρ0²) with n = γ − 2: Taylor's of (ρ0/ρ̄)^n in ρ_a + ρ_b − 2ρ0
    S repulsion;          ///< K of `wall_repulsion`, 1/s², for separations that count the unit
    S gathered_repulsion; ///< the same over what `pair_scales` multiplies it with
    S inverse_reach2;     ///< 1/R²
    S sound2,
        b; ///< c0² ρ0/B and B: the square of the speed of sound is sound2·(P + B)/ρ; used in the general formula only
    bool by_product; ///< PressureForm::product
    /// Of several fluids; null: there is one. `viscosity`, `laminar` and `laminar_central` are then 1 or 0.
    const PhasePairs<S>* phases;

    PairConstants() = default;
    PairConstants(const Constants& c, PairKind kind, LengthUnit unit, const PhasePairs<S>* of_phases = nullptr);
};

namespace detail {
/// The constants of a run with lengths that count `unit`. Velocities, densities and rates keep their units: an
/// acceleration is a factor (per metre) times a separation, and the masses take what makes that factor fit.
inline Constants in_unit(Constants c, LengthUnit unit) {
    const double mass_scale = pow(unit.metres, c.two_d ? -3 : -4);
    c.h /= unit.metres;
    c.dp /= unit.metres;
    c.eta2 /= unit.metres * unit.metres;
    c.gravity = unit.metres * c.gravity;
    c.mass_fluid *= mass_scale;
    c.mass_bound *= mass_scale;
    return c;
}
} // namespace detail

/// What the sums over gathered pairs (`Formulation::gather`) are to be multiplied with.
template <class S>
struct PairScales {
    S rates;     ///< acceleration, density
    S diffusion; ///< diffusion_a, times ρ_a
    S viscous;
};
template <class Kernel, class S>
SLUICE_INLINE PairScales<S> pair_scales(const PairConstants<S>& c) {
    const S gradient =
        Kernel::divides_by_q ? c.gradient_scale * c.h : c.gradient_scale; // h of 1/q = h/r is left out too
    return {gradient, gradient * c.diffusion, c.h};
}

template <class S>
PairConstants<S>::PairConstants(const Constants& metric, PairKind kind, LengthUnit unit,
                                const PhasePairs<S>* of_phases) {
    const Constants c = detail::in_unit(metric, unit);
    const double wall_factor = kind == PairKind::fluid_fluid ? 1 : c.boundary_viscosity_factor;
    const bool both_bound = kind == PairKind::boundary_boundary;
    const double m_a = both_bound || kind == PairKind::boundary_fluid ? c.mass_bound : c.mass_fluid;
    const double m_b = both_bound || kind == PairKind::fluid_boundary ? c.mass_bound : c.mass_fluid;
    const bool is_artificial = c.viscosity == ViscosityModel::artificial;
    const double alpha = is_artificial ? c.alpha * wall_factor : 0;
    const double alpha_d = with_kernel(c.kernel, [&]<class K>(K) { return K::normalisation(c.h, c.two_d); });
    const double spacing = c.tensile_spacing > 0 ? c.tensile_spacing : c.dp / c.h;
    const double w_dp = with_kernel(c.kernel, [&]<class K>(K) { return K::value(spacing); });
    support2 = S(4 * c.h * c.h);
    h = S(c.h);
    inverse_h = S(1 / c.h);
    eta2 = S(c.eta2);
    const double derivative_scale = with_kernel(c.kernel, [&]<class K>(K) { return K::derivative_scale; });
    gradient_scale = S(m_b * alpha_d * derivative_scale / (c.h * c.h));
    mass_ratio = S(m_a / m_b);
    // f = w/w(dp); R = 0.01 p for p > 0, −0.2 p otherwise. dp ≥ 2h leaves neighbours outside the support: no correction
    const double f4_over_w4 = w_dp > 0 ? 1 / (w_dp * w_dp * w_dp * w_dp) : 0;
    tensile_sum = S(0.095 * f4_over_w4);
    tensile_magnitude = S(0.105 * f4_over_w4);
    // a coefficient of velocities, not of separations: `gradient_scale` has one unit of length too many for it
    const bool of_pairs = !is_artificial && c.viscosity != ViscosityModel::apparent; // which has sums of its own
    const double nu = of_pairs ? c.nu : 0;
    const double four_nu = 4 * nu * wall_factor / unit.metres;
    const bool central = c.viscosity == ViscosityModel::laminar_central;
    laminar = S(central ? 0 : four_nu);
    laminar_central = S(central ? (c.two_d ? 4 : 5) * four_nu : 0);
    viscosity = S(is_general(c) ? alpha * c.h : alpha * c.h * c.c0 / (c.rho0 * c.rho0 * c.rho0));
    const bool diffuses = c.diffusion != DensityDiffusion::none && c.diffusion != DensityDiffusion::renormalised;
    diffusion = S(diffuses ? 2 * c.delta * c.h * c.c0 : 0);
    for (int axis = 0; axis < 3; ++axis)
        hydrostatic[axis] = S(is_hydrostatic(c.diffusion) ? -c.rho0 * c.rho0 * c.gravity[axis] / (c.gamma * c.b) : 0);
    const double exponent = c.gamma - 2;
    twice_rho0 = S(2 * c.rho0);
    stiffening[0] = S(-exponent / (2 * c.rho0));
    stiffening[1] = S(exponent * (exponent + 1) / (8 * c.rho0 * c.rho0));
    const bool repels = c.boundary == BoundaryCondition::modified_dynamic &&
                        (kind == PairKind::fluid_boundary || kind == PairKind::boundary_fluid);
    const double strength = repels ? wall_repulsion_strength * metric.c0 * metric.c0 / (metric.dp * metric.dp) : 0;
    const double reach = wall_repulsion_reach(c.two_d) * c.dp;
    inverse_reach2 = S(1 / (reach * reach));
    repulsion = S(strength * unit.metres * c.mass_fluid / m_a); // it is the acceleration of the fluid
    sound2 = S(c.c0 * c.c0 * c.rho0 / c.b);                     // γ, unless the case gives both a speed of sound and B
    b = S(c.b);
    by_product = c.pressure_form == PressureForm::product;
    phases = of_phases;
    if (phases) {
        viscosity = S(is_artificial);
        laminar = S(!is_artificial && !central);
        laminar_central = S(central);
    }
    with_kernel(c.kernel, [&]<class K>(K) { gathered_repulsion = repulsion / pair_scales<K>(*this).rates; });
}

/// Those of the kinds of pairs that an interaction visits, for one or several fluids.
template <class S>
struct PairsOfRun {
    std::optional<PhasePairs<S>> phases;
    PairConstants<S> fluid, wall, boundary; ///< of fluid with fluid, of fluid with walls, of walls with fluid

    PairsOfRun(const Constants& c, const Fluids& fluids, LengthUnit unit)
        : phases(fluids.empty() ? std::nullopt : std::optional<PhasePairs<S>>(std::in_place, c, fluids, unit)),
          fluid(c, PairKind::fluid_fluid, unit, table()), wall(c, PairKind::fluid_boundary, unit, table()),
          boundary(c, PairKind::boundary_fluid, unit, table()) {}
    PairsOfRun(const PairsOfRun&) = delete; // the constants point to the phases
    PairsOfRun& operator=(const PairsOfRun&) = delete;

private:
    const PhasePairs<S>* table() const { return phases ? &*phases : nullptr; }
};

/// What is loaded of one side of a pair.
template <class Real>
struct Side {
    Real vx, vy, vz;    ///< velocity, m/s
    Real rho;           ///< density, kg/m³
    Real pressure_term; ///< P/ρ², Pa·m⁶/kg²
};

/// The same of a particle of one of several fluids, for the general formulation. The lowest bits of `phase` are its
/// phase (model/fluids.h).
template <class Real, class Phase = std::uint32_t>
struct PhasedSide : Side<Real> {
    Phase phase;
};
template <class AnySide>
inline constexpr bool has_phase = requires(const AnySide& side) {
    side.phase;
};

/// Both sides' shares of a pair. With r_ab = (dx, dy, dz):
///   dv_a/dt += acceleration·r_ab + friction·v_ab        dv_b/dt −= mass_ratio·(acceleration·r_ab + friction·v_ab)
///   dρ_a/dt += density_a + diffusion_a    dρ_b/dt += mass_ratio·(density_b + diffusion_b)
/// The neighbour's mass m_b is inside.
template <class Real>
struct PairRates {
    Real acceleration;
    Real friction;                 ///< zero unless the viscosity is laminar
    Real density_a, density_b;     ///< the same unless `PressureForm` is product
    Real diffusion_a, diffusion_b; ///< zero unless the formulation has density diffusion
    Real viscous;                  ///< |h v_ab·r_ab/(r² + η²)|, for the time step (A.8)
};

/// m_b·F of a pair at squared distance r2; zero at and beyond the support radius. `c` has h, inverse_h and
/// gradient_scale.
template <class Kernel, class Real, class AnyConstants>
SLUICE_INLINE Real gradient_factor(const AnyConstants& c, Real r2) {
    const Real inverse_r = inverse_sqrt(maximum(r2, Real(Scalar<Real>(1e-18))));
    const Real q = r2 * inverse_r * c.inverse_h;
    return c.gradient_scale * Kernel::derivative_shape_over_q(q, inverse_r * c.h);
}

/// Mean sound speed over mean density times the constants of Π_ab. For γ = 7, c ∝ ρ³ and
/// (c_a+c_b)/(ρ_a+ρ_b) = c0/ρ0³·((ρ_a−ρ_b)² + ρ_aρ_b) exactly; in general c² = (c0² ρ0/B)(P+B)/ρ.
template <class F, class Real, class S>
SLUICE_INLINE Real viscous_coefficient(const PairConstants<S>& c, const Side<Real>& a, const Side<Real>& b,
                                       Real rho_product) {
    if constexpr (F::general) {
        const Real ca = square_root(c.sound2 * (a.pressure_term * a.rho + c.b * reciprocal(a.rho)));
        const Real cb = square_root(c.sound2 * (b.pressure_term * b.rho + c.b * reciprocal(b.rho)));
        return c.viscosity * (ca + cb) * reciprocal(a.rho + b.rho);
    } else {
        const Real drho = a.rho - b.rho;
        return c.viscosity * (drho * drho + rho_product);
    }
}

/// The same of particles of several fluids, if the constants have some: a speed of sound each.
template <class F, class Real, class S, class AnySide>
SLUICE_INLINE Real artificial_coefficient(const PairConstants<S>& c, const AnySide& a, const AnySide& b,
                                          Real rho_product) {
    if constexpr (has_phase<AnySide>)
        if (c.phases) return c.viscosity * phase_entry(c.phases->viscous, a.phase, b.phase) * reciprocal(a.rho + b.rho);
    return viscous_coefficient<F>(c, a, b, rho_product);
}

/// What multiplies a laminar viscosity.
template <class Real, class S, class AnySide>
SLUICE_INLINE Real laminar_coefficient(const PairConstants<S>& c, const AnySide& a, const AnySide& b) {
    if constexpr (has_phase<AnySide>)
        if (c.phases) return phase_entry(c.phases->viscous, a.phase, b.phase);
    return Real(S(1));
}

/// (R_a + R_b) f⁴/w⁴
template <class Real, class S>
SLUICE_INLINE Real tensile_shares(const PairConstants<S>& c, const Side<Real>& a, const Side<Real>& b) {
    const Real pa = a.pressure_term, pb = b.pressure_term;
    return c.tensile_magnitude * (absolute(pa) + absolute(pb)) - c.tensile_sum * (pa + pb);
}

/// Tensile correction (R_a + R_b) f⁴ of Monaghan (2000).
template <class Kernel, class Real, class S, class AnySide>
SLUICE_INLINE Real tensile_term(const PairConstants<S>& c, Real q, const AnySide& a, const AnySide& b) {
    const Real w = Kernel::value(q);
    const Real w2 = w * w;
    return tensile_shares(c, a, b) * (w2 * w2);
}

/// K (1 − r²/R²) within r < R, which times r_ab is an acceleration of a: fluid that comes between the particles of a
/// wall from ghost nodes is pushed back. Such a wall takes its pressure from the fluid in front of it, so that nothing
/// else opposes a particle that has come between its own; in splashing water most have, drawn in by pressures below
/// zero. A short-ranged repulsion keeps fluid out as that of Monaghan (1994, J. Comput. Phys. 110) does.
template <bool Gather, class Real, class S>
SLUICE_INLINE Real wall_repulsion(const PairConstants<S>& c, Real r2) {
    return (Gather ? c.gathered_repulsion : c.repulsion) * maximum(Real(S(1)) - r2 * c.inverse_reach2, Real(S(0)));
}

/// Δρ^H_ab, by which the density at b exceeds that at a in still water (after Fourtakas et al. 2019). There
/// ∇ρ = ρ g/c² with c² = (γB/ρ0)(ρ/ρ0)^{γ−1}, which with the mean ρ̄ of both densities is
///   Δρ^H_ab = −(ρ0²/(γB)) (ρ0/ρ̄)^{γ−2} g·r_ab.
/// What one side gains by it the other loses, and at any depth particles of still water exchange nothing. Taken at ρ0
/// instead, it is too great where water is compressed and too small where it is in tension: beside a surface or a
/// wall, where neighbours are on one side only, that is a source of density which lifts still water.
template <class Real, class S>
SLUICE_INLINE Real hydrostatic_difference(const PairConstants<S>& c, Real dx, Real dy, Real dz, Real rho_a,
                                          Real rho_b) {
    const Real more = (rho_a + rho_b) - c.twice_rho0; // so small that two terms of the series suffice
    const Real softness = Real(S(1)) + more * (c.stiffening[0] + more * c.stiffening[1]); // (ρ0/ρ̄)^{γ−2}
    return (c.hydrostatic[0] * dx + c.hydrostatic[1] * dy + c.hydrostatic[2] * dz) * softness;
}

/// What the density diffusion sees between two particles: the difference of their densities, less that in still water
/// where the formulation says so. Nothing between particles of different fluids.
template <class F, class Real, class S, class AnySide>
SLUICE_INLINE Real diffused_difference(const PairConstants<S>& c, Real dx, Real dy, Real dz, const AnySide& a,
                                       const AnySide& b) {
    const Real excess = a.rho - b.rho;
    if constexpr (has_phase<AnySide>)
        if (c.phases) {
            const PhasePairs<S>& of = *c.phases;
            const Real more = (a.rho + b.rho) - c.twice_rho0;
            const Real softness = Real(S(1)) + more * (phase_entry(of.stiffening[0], a.phase) +
                                                       more * phase_entry(of.stiffening[1], a.phase));
            const Real still = (c.hydrostatic[0] * dx + c.hydrostatic[1] * dy + c.hydrostatic[2] * dz) * softness *
                               phase_entry(of.hydrostatic, a.phase);
            return where_same_phase(a.phase, b.phase, Real((excess + still) * phase_entry(of.diffusion, a.phase)));
        }
    if constexpr (F::hydrostatic) return excess + hydrostatic_difference(c, dx, dy, dz, a.rho, b.rho);
    return excess;
}

/// All terms of the pair a–b (A.4, A.5, density diffusion). `r2` = dx²+dy²+dz² < support2. Both sides are Side, or
/// another type derived from it that brings its own viscous_coefficient() and tensile_shares().
template <class F, class Real, class S, class AnySide>
SLUICE_INLINE PairRates<Real> pair_rates(const PairConstants<S>& c, Real dx, Real dy, Real dz, Real r2,
                                         const AnySide& a, const AnySide& b) {
    using Kernel = typename F::Kernel;
    constexpr bool has_diffusion = F::diffuses;

    const Real inverse_r = inverse_sqrt(F::gather ? r2 : maximum(r2, Real(S(1e-18))));
    const Real q = r2 * inverse_r * c.inverse_h;
    const Real gradient = F::gather ? Kernel::derivative_shape_over_q(q, inverse_r)
                                    : c.gradient_scale * Kernel::derivative_shape_over_q(q, inverse_r * c.h);

    const Real v_dot_r = (a.vx - b.vx) * dx + (a.vy - b.vy) * dy + (a.vz - b.vz) * dz;
    const Real rho_product = a.rho * b.rho;
    // one division serves 1/(r²+η²) and, with density diffusion, the volumes too
    const Real denominator = has_diffusion ? (r2 + c.eta2) * rho_product : r2 + c.eta2;
    const Real inverse = reciprocal(denominator);
    const Real inverse_r2 = has_diffusion ? inverse * rho_product : inverse;

    const Real mu = v_dot_r * inverse_r2; // μ/h
    [[maybe_unused]] Real pressure_a = a.pressure_term, pressure_b = b.pressure_term;
    if constexpr (has_phase<AnySide> && F::wall && F::of_velocity)
        if (c.phases) { // one side is a wall, whose own entry is 1
            pressure_a = pressure_a * phase_entry(c.phases->wall_stiffness, b.phase);
            pressure_b = pressure_b * phase_entry(c.phases->wall_stiffness, a.phase);
        }
    [[maybe_unused]] Real pressure = pressure_a + pressure_b;
    [[maybe_unused]] Real a_over_b(S(1)), b_over_a(S(1)); // ratios of densities
    if constexpr (F::general)
        if (c.by_product) { // P_a/ρ_a² · ρ_a/ρ_b is P_a/(ρ_aρ_b)
            const Real inverse_product = reciprocal(rho_product);
            a_over_b = a.rho * a.rho * inverse_product;
            b_over_a = b.rho * b.rho * inverse_product;
            pressure = pressure_a * a_over_b + pressure_b * b_over_a;
        }
    if constexpr (has_phase<AnySide> && F::of_velocity)
        if (c.phases) pressure = pressure - phase_entry(c.phases->cohesion, a.phase, b.phase) * reciprocal(rho_product);
    if constexpr (Kernel::tensile_correction && F::of_velocity) pressure += tensile_term<Kernel>(c, q, a, b);

    PairRates<Real> rates;
    rates.acceleration = rates.friction = Real(S(0));
    if constexpr (F::artificial && F::of_velocity) {
        const Real viscosity = artificial_coefficient<F>(c, a, b, rho_product) * minimum(mu, Real(S(0))); // −Π_ab
        rates.acceleration = (viscosity - pressure) * gradient;
    }
    if constexpr (F::laminar && F::of_velocity) {
        // Morris et al. (1997), eq. 22, as Lo & Shao (2002) have it: Σ_b m_b 4ν r_ab·∇_aW/((ρ_a+ρ_b) r²) v_ab with
        // r_ab·∇_aW = F r², which needs no η² to stay finite; or Monaghan & Gingold (1983) with one ν for pairs that
        // approach and that part: Σ_b m_b 4(d+2)ν (v_ab·r_ab)/((ρ_a+ρ_b) r²) ∇_aW
        Real shared = gradient * reciprocal(a.rho + b.rho);
        if constexpr (F::general) shared = shared * laminar_coefficient<Real>(c, a, b);
        const Real central = c.laminar_central * shared * (v_dot_r * inverse_r * inverse_r);
        rates.acceleration = F::artificial ? rates.acceleration + central : central - pressure * gradient;
        rates.friction = c.laminar * shared;
    }
    if constexpr (F::wall && F::of_velocity) rates.acceleration += wall_repulsion<F::gather>(c, r2);
    rates.density_a = rates.density_b = F::of_density ? v_dot_r * gradient : Real(S(0));
    if constexpr (F::general && F::of_density)
        if (c.by_product) {
            rates.density_a = rates.density_a * a_over_b;
            rates.density_b = rates.density_b * b_over_a;
        }
    rates.viscous = !F::of_velocity ? Real(S(0)) : F::gather ? absolute(mu) : c.h * absolute(mu);
    rates.diffusion_a = rates.diffusion_b = Real(S(0));
    if constexpr (has_diffusion) {
        // Σ_b (ρ_b−ρ_a−Δρ^H_ab) (r_ba·∇_aW)/(r²+η²)·m_b/ρ_b with r_ba·∇_aW = −F r²
        const Real exchange = gradient * r2 * inverse * diffused_difference<F, Real>(c, dx, dy, dz, a, b);
        if constexpr (F::gather) {
            rates.diffusion_a = exchange;
        } else {
            rates.diffusion_a = c.diffusion * exchange * a.rho;
            rates.diffusion_b = -(c.diffusion * exchange) * b.rho;
        }
    }
    return rates;
}

/// The continuity equation alone (A.5), of a boundary particle a and a fluid neighbour b.
template <class Kernel, PressureForm Form>
struct Continuity {
    /// m_b v_ab·∇_aW, times ρ_a/ρ_b with PressureForm::product.
    template <class Real, class S, class AnySide>
    SLUICE_INLINE static Real rate(const PairConstants<S>& c, Real dx, Real dy, Real dz, Real r2, const AnySide& a,
                                   const AnySide& b) {
        const Real gradient = gradient_factor<Kernel>(c, r2),
                   v_dot_r = (a.vx - b.vx) * dx + (a.vy - b.vy) * dy + (a.vz - b.vz) * dz;
        if constexpr (Form == PressureForm::product)
            return gradient * v_dot_r * a.rho * reciprocal(b.rho);
        else
            return gradient * v_dot_r;
    }
};

/// Calls `use(Continuity<Kernel, …>{})` with that of a run.
template <class Kernel, class Use>
decltype(auto) with_continuity(const Constants& c, Use&& use) {
    return c.pressure_form == PressureForm::product ? use(Continuity<Kernel, PressureForm::product>{})
                                                    : use(Continuity<Kernel, PressureForm::squares>{});
}

/// Calls `use(diffusion)` with the pair term of a run's density diffusion, as a type; `use(general)` for the run of
/// the general formulation, which has all terms.
template <class K, class Special, class General>
decltype(auto) with_diffusion(const Constants& c, bool general, Special&& special, General&& use_general) {
    using enum DensityDiffusion;
    if constexpr (!K::general_only)
        if (!general) switch (c.diffusion) {
            case molteni: return special(std::integral_constant<DensityDiffusion, molteni>{});
            case fourtakas:
            case fourtakas_full: return special(std::integral_constant<DensityDiffusion, fourtakas>{});
            case none:
            case renormalised: // a pass of its own
                return special(std::integral_constant<DensityDiffusion, none>{});
            }
    return use_general();
}

/// Calls `use(Formulation<K, …>{})` with the formulation of a run whose smoothing kernel is K.
template <class K, class Use>
decltype(auto) with_formulation_of(const Constants& c, Use&& use) {
    using enum ViscosityModel;
    return with_diffusion<K>(
        c, is_general(c),
        [&]<DensityDiffusion D>(std::integral_constant<DensityDiffusion, D>) -> decltype(auto) {
            return c.viscosity != artificial ? use(Formulation<K, D, false, laminar>{})
                                             : use(Formulation<K, D, false, artificial>{});
        },
        [&]() -> decltype(auto) { return use(Formulation<K, DensityDiffusion::fourtakas, true, laminar>{}); });
}

/// The same of one part of the rates: velocities know nothing of the density diffusion, densities nothing of viscosity.
template <class K, class Use>
decltype(auto) with_formulation_of_part(const Constants& c, RatesPart part, Use&& use) {
    using enum DensityDiffusion;
    using enum ViscosityModel;
    if (part == RatesPart::velocity) {
        if constexpr (!K::general_only)
            if (!is_general(c))
                return c.viscosity != artificial
                           ? use(Formulation<K, none, false, laminar, false, false, RatesPart::velocity>{})
                           : use(Formulation<K, none, false, artificial, false, false, RatesPart::velocity>{});
        return use(Formulation<K, none, true, laminar, false, false, RatesPart::velocity>{});
    }
    return with_diffusion<K>(
        c, c.pressure_form == PressureForm::product,
        [&]<DensityDiffusion D>(std::integral_constant<DensityDiffusion, D>) -> decltype(auto) {
            return use(Formulation<K, D, false, artificial, false, false, RatesPart::density>{});
        },
        [&]() -> decltype(auto) {
            return use(Formulation<K, fourtakas, true, artificial, false, false, RatesPart::density>{});
        });
}

/// The same of the rates together, or of one part of them.
template <class K, class Use>
decltype(auto) with_formulation_of(const Constants& c, RatesPart part, Use&& use) {
    return part == RatesPart::both ? with_formulation_of<K>(c, use) : with_formulation_of_part<K>(c, part, use);
}

/// Calls `use(Formulation<…>{})` with the formulation of a run: the one place where run-time choices turn into types.
template <class Use>
decltype(auto) with_formulation(const Constants& c, Use&& use) {
    return with_kernel(c.kernel, [&]<class K>(K) -> decltype(auto) { return with_formulation_of<K>(c, use); });
}

/// Whether a fluid particle keeps its density diffusion: in modes 1 and 2 not with a boundary neighbour in its support.
SLUICE_INLINE bool keeps_diffusion(DensityDiffusion mode, bool touches_boundary) {
    return mode == DensityDiffusion::fourtakas_full || !touches_boundary;
}

} // namespace SLUICE_ISA
} // namespace sluice::sph
