// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/solid/elasticity.h"
#include "physics/sph/kernels.h"

// Total Lagrangian SPH: an elastic solid as particles whose neighbours are those of time 0 (O'Connor & Rogers 2021,
// J. Fluids Struct. 104, 103312), with gradients that are exact for fields of second degree (quadratic_fit.h). X:
// places at time 0, x: now, x_ab = x_a − x_b.
//
//   F_a = −Σ_b x_ab ⊗ g_ab                              deformation gradient
//   U = Σ_a V_a w(F_a) + ½ Σ_pairs k_ab |e_ab|²         energy
//   e_ab = x_ab − ½(F_a + F_b) X_ab                     what F does not say of a pair: 0 for fields of second degree
//   k_ab = γ E v_a v_b W(|X_ab|)/|X_ab|²
//
// Particles of the drawn lattice lie on the surface of the solid. v_a is the part of the solid that is a particle's:
// half of dp^d on a surface, a quarter on an edge; so many are its mass and weight. V_a are the weights of a rule that
// integrates the squares of strains that are linear between particles (structure/particle_volumes.h). Modes of
// particles that change no F would cost no energy without k (Ganzenmüller 2015, Comput. Methods Appl. Mech. Eng. 286,
// 87); here these forces have a potential, and bending is free of them.
//
//   T_a = ∂U/∂F_a = V_a P_a − ½ Σ_b k_ab e_ab ⊗ X_ab
//   f_a = −∂U/∂x_a = Σ_b (T_a g_ab − T_b g_ba − k_ab e_ab)
//
// The forces of a pair are opposite, so momentum is conserved; U does not change when all turns, so angular momentum
// is; energy is, too. In 2-D volumes are areas, and forces are per metre of width.

namespace sluice::solid {
inline namespace SLUICE_ISA {

/// Kernel and spacing of the particles of a structure.
struct LagrangianConstants {
    sph::KernelType kernel = sph::KernelType::wendland;
    double h = 0;  ///< smoothing length, m
    double dp = 0; ///< spacing of the particles, m
    bool two_d = false;

    /// Of a particle inside, dp^d: m³ (m² in 2-D).
    double volume() const { return two_d ? dp * dp : dp * dp * dp; }
};

/// What a neighbour adds to F_a. `apart`: x_ab; `gradient`: g_ab.
template <class Real>
SLUICE_HD Tensor<Real> gradient_term(const Vec3<Real>& apart, const Vec3<Real>& gradient) {
    return outer(Real(-1) * apart, gradient);
}

/// F_a from the sum over all neighbours: in 2-D nothing moves along y.
template <class Real>
SLUICE_HD Tensor<Real> closed_deformation(Tensor<Real> sum, bool two_d) {
    if (two_d) sum.y = {Real(0), Real(1), Real(0)};
    return sum;
}

/// How far a neighbourhood is from a full one: the greatest over the smallest eigenvalue of Σ w ξ ⊗ ξ, infinite where
/// neighbours lie on a line (2-D) or in a plane.
inline double condition_of(const Tensor<double>& second_moments, bool two_d) {
    Tensor<double> in_plane = second_moments;
    if (two_d) in_plane.y.y = 0.5 * (second_moments.x.x + second_moments.z.z); // between the other two
    const Vec3d values = eigenvalues(in_plane);
    return values.z > 1e-14 * values.x ? values.x / values.z : HUGE_VAL;
}

/// e_ab, m. `x`: x_ab; `start`: X_ab.
template <class Real>
SLUICE_HD Vec3<Real> unseen_way(const Vec3<Real>& x, const Vec3<Real>& start, const Tensor<Real>& f_a,
                                const Tensor<Real>& f_b) {
    return x - Real(0.5) * ((f_a + f_b) * start);
}

/// k_ab over γ E, m^(2d)/m^(d+2): of particles with the parts `v_a`, `v_b` of the solid, `start` X_ab apart.
template <class Kernel>
SLUICE_HD double bond_of(const LagrangianConstants& c, double v_a, double v_b, const Vec3d& start) {
    const double distance2 = dot(start, start);
    return v_a * v_b * Kernel::normalisation(c.h, c.two_d) * Kernel::value(std::sqrt(distance2) / c.h) / distance2;
}

/// What a neighbour adds to T_a, N m. `pull`: k_ab e_ab, N.
template <class Real>
SLUICE_HD Tensor<Real> bond_stress(const Vec3<Real>& pull, const Vec3<Real>& start) {
    return outer(Real(-0.5) * pull, start);
}

/// The force that a neighbour exerts by T, N.
template <class Real>
SLUICE_HD Vec3<Real> stress_force(const Tensor<Real>& t_a, const Vec3<Real>& g_ab, const Tensor<Real>& t_b,
                                  const Vec3<Real>& g_ba) {
    return t_a * g_ab - t_b * g_ba;
}

/// The longest stable step of a structure, s: `cfl`·h/c, but no longer than ⅘ of what velocity Verlet bears, 2/ω, of
/// the fastest mode of the undeformed structure (`frequency`: ω, 1/s). `fastest`: the greatest stretched_wave_factor()
/// in it.
SLUICE_HD inline double structure_time_step(const ElasticMaterial& m, double cfl, double h, double frequency,
                                            double fastest) {
    const double by_waves = cfl * h / wave_speed(m), by_modes = 0.8 * 2 / frequency;
    return (by_waves < by_modes ? by_waves : by_modes) / fastest;
}

} // namespace SLUICE_ISA
} // namespace sluice::solid
