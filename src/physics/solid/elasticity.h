// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/solid/material.h"
#include "physics/solid/tensor.h"

// Elastic solids whose strains are small and whose rotations may be large (St Venant–Kirchhoff; e.g. Bonet & Wood 2008,
// Nonlinear Continuum Mechanics for Finite Element Analysis, section 6.4):
//
//   F = ∂x/∂X                   deformation gradient
//   E = ½ (FᵀF − 1)             Green–Lagrange strain
//   S = λ tr(E) 1 + 2 μ E       second Piola–Kirchhoff stress; in plane stress with λ' = E ν/(1 − ν²), 2 μ = E/(1 + ν)
//   P = F S                     first Piola–Kirchhoff stress: force now over area at the start
//   w = ½ S : E                 energy over volume at the start
//   σ = F S Fᵀ / det F          Cauchy stress: force now over area now

namespace sluice::solid {
inline namespace SLUICE_ISA {

/// The two constants between strain and stress, Pa.
template <class Real>
struct ElasticConstants {
    Real lambda;       ///< λ, or λ' in plane stress
    Real twice_mu;     ///< 2 μ
    bool plane_stress; ///< no stress along y

    ElasticConstants() = default;
    SLUICE_HD explicit ElasticConstants(const ElasticMaterial& m) {
        plane_stress = m.state == StressState::plane_stress;
        const double rest = plane_stress ? 1 - m.poisson : 1 - 2 * m.poisson;
        lambda = Real(m.young * m.poisson / ((1 + m.poisson) * rest));
        twice_mu = Real(m.young / (1 + m.poisson));
    }
};

/// E of a deformation gradient.
template <class Real>
SLUICE_HD Tensor<Real> strain_of(const Tensor<Real>& f) {
    return Real(0.5) * (transposed(f) * f - Tensor<Real>::identity());
}

/// S of a strain, Pa. In 2-D the strain has no component along y.
template <class Real>
SLUICE_HD Tensor<Real> stress_of(const ElasticConstants<Real>& c, const Tensor<Real>& strain) {
    Tensor<Real> stress = c.lambda * trace(strain) * Tensor<Real>::identity() + c.twice_mu * strain;
    if (c.plane_stress) stress.y.y = Real(0);
    return stress;
}

/// P of a deformation gradient, Pa.
template <class Real>
SLUICE_HD Tensor<Real> nominal_stress(const ElasticConstants<Real>& c, const Tensor<Real>& f) {
    return f * stress_of(c, strain_of(f));
}

/// w of a deformation gradient, J/m³.
template <class Real>
SLUICE_HD Real strain_energy_density(const ElasticConstants<Real>& c, const Tensor<Real>& f) {
    const Tensor<Real> strain = strain_of(f);
    return Real(0.5) * contracted(stress_of(c, strain), strain);
}

/// σ of a deformation gradient, Pa. In plane stress the sheet is as thick as at the start.
template <class Real>
SLUICE_HD Tensor<Real> cauchy_stress(const ElasticConstants<Real>& c, const Tensor<Real>& f) {
    return Real(1) / determinant(f) * (nominal_stress(c, f) * transposed(f));
}

/// The stress (Pa) that, along one axis alone, would bring a material as near to yielding as σ does (von Mises 1913):
/// √(3/2) |σ − tr(σ)/3|.
template <class Real>
SLUICE_HD Real von_mises_stress(const Tensor<Real>& cauchy) {
    const Tensor<Real> deviator = cauchy - trace(cauchy) / 3 * Tensor<Real>::identity();
    return std::sqrt(Real(1.5) * contracted(deviator, deviator));
}

/// The speed of pressure waves in the undeformed solid, m/s: c² = E(1−ν)/(ρ(1+ν)(1−2ν)), in plane stress
/// c² = E/(ρ(1−ν²)).
SLUICE_HD inline double wave_speed(const ElasticMaterial& m) {
    const ElasticConstants<double> c(m);
    return std::sqrt((c.lambda + c.twice_mu) / m.density);
}

/// How much faster waves are, as seen on the undeformed solid, where it is strained: √((3 ℓ² − 1)/2), the slope of P
/// over stretch along one axis, of the greatest stretch ℓ² = 1 + 2 E that the size of the strain admits. At least 1.
template <class Real>
SLUICE_HD Real stretched_wave_factor(const Tensor<Real>& f) {
    const Tensor<Real> strain = strain_of(f);
    return std::sqrt(Real(1) + Real(3) * std::sqrt(contracted(strain, strain)));
}

} // namespace SLUICE_ISA
} // namespace sluice::solid
