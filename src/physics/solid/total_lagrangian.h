// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/solid/elasticity.h"
#include "physics/sph/kernels.h"

// Total Lagrangian SPH: an elastic solid as particles whose neighbours are those of time 0 (O'Connor & Rogers 2021,
// J. Fluids Struct. 104, 103312). X: places at time 0, x: now, V: volume at time 0, ∇W: gradient of the kernel at X_ab
// with respect to X_a.
//
//   K_a = (−Σ_b V X_ab ⊗ ∇W)⁻¹               makes gradients of linear fields exact
//   F_a = (−Σ_b V x_ab ⊗ ∇W) K_a             deformation gradient
//   f_a = V² Σ_b (P_a K_a + P_b K_b) ∇W      force, which is −∂/∂x_a of Σ V w: energy is conserved
//
// Modes that change no F cost no energy. Against them (Ganzenmüller 2015, Comput. Methods Appl. Mech. Eng. 286, 87),
// with the error δ_ab = (x_ab − F_a X_ab)·x_ab/|x_ab| of what F says of the distance, and a factor g:
//
//   f_a −= g V² W(|x_ab|) E/|X_ab|² ½(δ_ab + δ_ba) x_ab/|x_ab|
//
// In 2-D volumes are areas, and forces are per metre of width.

namespace sluice::solid {
inline namespace SLUICE_ISA {

/// Kernel and volume of the particles of a structure.
struct LagrangianConstants {
    sph::KernelType kernel = sph::KernelType::wendland;
    double h = 0;      ///< smoothing length, m
    double volume = 0; ///< V, m³ (m² in 2-D)
    bool two_d = false;
};

/// V W at a distance (m). Zero from 2h on.
template <class Kernel>
SLUICE_HD double weight(const LagrangianConstants& c, double distance) {
    return c.volume * Kernel::normalisation(c.h, c.two_d) * Kernel::value(distance / c.h);
}

/// V ∇W of a pair, 1/m. `apart`: X_ab, not zero.
template <class Kernel>
SLUICE_HD Vec3d weighted_gradient(const LagrangianConstants& c, const Vec3d& apart) {
    const double q = norm(apart) / c.h;
    const double scale = c.volume * Kernel::normalisation(c.h, c.two_d) / (c.h * c.h);
    return scale * Kernel::derivative_over_q(q, 1 / q) * apart;
}

/// What a neighbour adds to −Σ V x_ab ⊗ ∇W; with X_ab for x_ab, to the inverse of K_a. `gradient`: V ∇W.
template <class Real>
SLUICE_HD Tensor<Real> gradient_term(const Vec3<Real>& apart, const Vec3<Real>& gradient) {
    return outer(Real(-1) * apart, gradient);
}

/// The inverse of K_a from the sum over all neighbours: in 2-D nothing moves along y.
template <class Real>
SLUICE_HD Tensor<Real> closed_moment(Tensor<Real> sum, bool two_d) {
    if (two_d) sum.y = {Real(0), Real(1), Real(0)};
    return sum;
}

/// F_a from the sum over all neighbours.
template <class Real>
SLUICE_HD Tensor<Real> deformation_of(const Tensor<Real>& sum, const Tensor<Real>& correction, bool two_d) {
    Tensor<Real> f = sum * correction;
    if (two_d) f.y = {Real(0), Real(1), Real(0)};
    return f;
}

/// How far moments are from those of a full neighbourhood: the greatest over the smallest eigenvalue of the inverse of
/// K_a, infinite where neighbours lie on a line (2-D) or in a plane.
inline double condition_of(const Tensor<double>& moment, bool two_d) {
    Tensor<double> in_plane = moment;
    if (two_d) in_plane.y.y = 0.5 * (moment.x.x + moment.z.z); // between the other two
    const Vec3d values = eigenvalues(in_plane);
    return values.z > 1e-14 * values.x ? values.x / values.z : HUGE_VAL;
}

/// The force that a neighbour exerts by stress, over V, N/m³. `stress_a`, `stress_b`: P K; `gradient`: V ∇W.
template <class Real>
SLUICE_HD Vec3<Real> stress_force(const Tensor<Real>& stress_a, const Tensor<Real>& stress_b,
                                  const Vec3<Real>& gradient) {
    return (stress_a + stress_b) * gradient;
}

/// The force against modes without energy, over V, N/m³. `x`: x_ab; `start`: X_ab; `stiffness`: g E, Pa.
template <class Kernel>
SLUICE_HD Vec3d hourglass_force(const LagrangianConstants& c, double stiffness, const Vec3d& x, const Vec3d& start,
                                const Tensor<double>& f_a, const Tensor<double>& f_b) {
    const double distance = norm(x);
    const Vec3d mean = 0.5 * ((f_a + f_b) * start);
    const double error = dot(x - mean, x) / distance;
    return -stiffness * weight<Kernel>(c, distance) * error / (dot(start, start) * distance) * x;
}

/// The longest stable step of a structure, s: cfl·h/c. `fastest`: the greatest stretched_wave_factor() in it.
SLUICE_HD inline double structure_time_step(const ElasticMaterial& m, double cfl, double h, double fastest) {
    return cfl * h / (wave_speed(m) * fastest);
}

} // namespace SLUICE_ISA
} // namespace sluice::solid
