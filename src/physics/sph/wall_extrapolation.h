// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "physics/sph/boundary_density.h"
#include "physics/sph/equation_of_state.h"
#include "physics/sph/pair_rates.h"
#include <cmath>

// What the fluid says of a wall: the modified dynamic boundary condition (English et al. 2022, Comput. Part. Mech. 9).
// Every boundary particle b has a ghost node g, its mirror image in the surface of the wall. At the ghost node the
// fluid's density is found with its gradient, so that a linear field comes out exactly (Liu & Liu 2006), and is carried
// on to the boundary particle:
//
//   Σ_j V_j W      Σ_j V_j x_l W           f_g          Σ_j V_j f_j W
//   Σ_j V_j ∂_kW   Σ_j V_j x_l ∂_kW   ·    ∂_l f   =    Σ_j V_j f_j ∂_kW        f_b = f_g + (x_b − x_g)·∇f
//
// with x = x_j − x_g, W = W(x_g − x_j), ∂_k its derivative with respect to x_g, V_j = m_j/ρ_j, and j the fluid.
//
// The gradient at the ghost node is not that at the wall: where the pressure of a standing wave is p cos kz before a
// wall at z = 0, it is −p k² d at the node, d before the wall, and zero at the wall. Carried on it makes the wall's
// pressure too great by 2p k²d², and what the fluid gets from the wall is more than it gives: sound grows that nothing
// damps (docs/theory.md). WallPressure::balanced takes for a wall at rest what the momentum equation says there, ∂P/∂n
// = ρ g·n (Adami et al. 2012):
//
//   P_b = P(ρ_g) + ρ_g g·(x_b − x_g)

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// What is the same for all pairs of a ghost node with fluid, in the scalar type S.
template <class S>
struct GhostNodeConstants {
    S support2; ///< (2h)²; lengths count the unit of the separations
    S h, inverse_h;
    S value_scale;    ///< turns w into m_j W, kg/m^d
    S gradient_scale; ///< turns the shape of (dw/dq)/q into what times a separation is h m_j ∇W, kg/m^d
    S rho0;

    GhostNodeConstants() = default;
    GhostNodeConstants(const Constants& c, LengthUnit unit)
        : support2(S(4 * c.h * c.h / (unit.metres * unit.metres))), h(S(c.h / unit.metres)),
          inverse_h(S(unit.metres / c.h)), rho0(S(c.rho0)) {
        with_kernel(c.kernel, [&]<class K>(K) {
            const double scale = c.mass_fluid * K::normalisation(c.h, c.two_d);
            value_scale = S(scale);
            gradient_scale = S(scale * K::derivative_scale / c.h * unit.metres);
        });
    }
};

/// Where the parts of the sums of a ghost node begin. A field of the right-hand sides has four: with W, and with h∂_kW.
enum GhostSum {
    ghost_value = 0,              ///< Σ V W
    ghost_position = 1,           ///< Σ V x_l W/h, three
    ghost_gradient = 4,           ///< Σ V h∂_kW, three
    ghost_moment = 7,             ///< Σ V x_l ∂_kW, symmetric: xx, yy, zz, xy, xz, yz
    ghost_density = 13,           ///< of ρ − ρ0, whose digits are worth more than those of ρ
    ghost_velocity = 17,          ///< Σ V W v, three; only where the velocity is wanted
    ghost_velocity_gradient = 20, ///< Σ V h∂_kW v, three of each component; likewise
    ghost_sum_count = 29          ///< of all there are
};

/// Whether a ghost node is to know the velocity of the fluid, too.
enum class GhostVelocity { none, linear };

/// The operator that sums up what a ghost node needs of its fluid neighbours (see flow_gradients.h for what an operator
/// declares).
template <class KernelT, GhostVelocity Wanted>
struct GhostNode {
    using Kernel = KernelT;
    template <class S>
    using Constants = GhostNodeConstants<S>;
    static constexpr int sum_count = Wanted == GhostVelocity::none ? ghost_velocity : ghost_sum_count;

    /// (dx, dy, dz) = x_g − x_j, r2 its square; `fluid` has vx, vy, vz, rho of particle j.
    template <class Real, class S, class Fluid>
    SLUICE_INLINE static void add(const Constants<S>& c, Real dx, Real dy, Real dz, Real r2, const Fluid& fluid,
                                  Real (&sums)[sum_count]) {
        const Real inverse_r = inverse_sqrt(maximum(r2, Real(S(1e-18))));
        const Real q = r2 * inverse_r * c.inverse_h;
        const Real volume = reciprocal(Real(fluid.rho)); // over the mass, which is in the scales
        const Real value = c.value_scale * Kernel::value(q) * volume;
        const Real factor = c.gradient_scale * Kernel::derivative_shape_over_q(q, inverse_r * c.h) * volume;
        const Real x = -(dx * c.inverse_h), y = -(dy * c.inverse_h), z = -(dz * c.inverse_h);
        const Real gx = factor * dx, gy = factor * dy, gz = factor * dz;
        sums[ghost_value] += value;
        sums[ghost_position] += value * x;
        sums[ghost_position + 1] += value * y;
        sums[ghost_position + 2] += value * z;
        sums[ghost_gradient] += gx;
        sums[ghost_gradient + 1] += gy;
        sums[ghost_gradient + 2] += gz;
        sums[ghost_moment] += x * gx;
        sums[ghost_moment + 1] += y * gy;
        sums[ghost_moment + 2] += z * gz;
        sums[ghost_moment + 3] += x * gy;
        sums[ghost_moment + 4] += x * gz;
        sums[ghost_moment + 5] += y * gz;
        const Real difference = fluid.rho - c.rho0;
        sums[ghost_density] += value * difference;
        sums[ghost_density + 1] += gx * difference;
        sums[ghost_density + 2] += gy * difference;
        sums[ghost_density + 3] += gz * difference;
        if constexpr (Wanted == GhostVelocity::linear) {
            const Real v[3] = {fluid.vx, fluid.vy, fluid.vz};
            for (int k = 0; k < 3; ++k) {
                sums[ghost_velocity + k] += value * v[k];
                sums[ghost_velocity_gradient + 3 * k] += gx * v[k];
                sums[ghost_velocity_gradient + 3 * k + 1] += gy * v[k];
                sums[ghost_velocity_gradient + 3 * k + 2] += gz * v[k];
            }
        }
    }
};

/// How far the neighbours of a ghost node let the extrapolation go.
enum class Extrapolation {
    none,  ///< no fluid in reach
    mean,  ///< the weighted mean of the neighbours: they do not determine gradients
    linear ///< value and gradient
};

/// Below this determinant of the equations' matrix, which is 1 in the midst of fluid, there are too few neighbours, or
/// they lie too much on a line or a plane, for gradients.
inline constexpr double least_ghost_determinant = 1e-3;

/// The solution of the equations above for any of the fields: the value is eliminated, and the gradient found with the
/// inverse of what is left, N = Σ V x ∂W − (Σ V ∂W)(Σ V x W)/Σ V W. In double precision whatever the sums are.
class GhostFit {
public:
    /// `least_determinant`: below it, only the value.
    template <class S>
    SLUICE_HD GhostFit(const S* sums, bool two_d, double least_determinant = least_ghost_determinant)
        : value_(double(sums[ghost_value])),
          inverse_value_(value_ > 0 ? 1 / value_ : 0), place_{double(sums[ghost_position]),
                                                              double(sums[ghost_position + 1]),
                                                              double(sums[ghost_position + 2])},
          gradient_{double(sums[ghost_gradient]), double(sums[ghost_gradient + 1]), double(sums[ghost_gradient + 2])} {
        const S* const m = sums + ghost_moment;
        const Vec3d g = inverse_value_ * gradient_;
        // nothing depends on y in 2-D, and all of N with y is zero
        const Vec3d rows[3] = {Vec3d{double(m[0]), double(m[3]), double(m[4])} - g.x * place_,
                               Vec3d{double(m[3]), two_d ? 1.0 : double(m[1]), double(m[5])} - g.y * place_,
                               Vec3d{double(m[4]), double(m[5]), double(m[2])} - g.z * place_};
        columns_[0] = cross(rows[1], rows[2]);
        columns_[1] = cross(rows[2], rows[0]);
        columns_[2] = cross(rows[0], rows[1]);
        const double determinant = dot(rows[0], columns_[0]);
        if (!(value_ > 0)) return;
        kind_ = fabs(value_ * determinant) >= least_determinant ? Extrapolation::linear : Extrapolation::mean;
        for (Vec3d& column : columns_) column = (1 / determinant) * column;
    }

    SLUICE_HD Extrapolation kind() const { return kind_; }
    /// Σ V W: how much of what the kernel reaches is fluid.
    SLUICE_HD double filled() const { return value_; }

    /// The weighted mean of the neighbours; `value_sum`: Σ V f W. 0 where there is no fluid.
    template <class S>
    SLUICE_HD double mean(const S* value_sum) const {
        return double(*value_sum) * inverse_value_;
    }
    /// f at `offset` (over h) from the ghost node; `field`: its four sums. 0 where there is no fluid.
    template <class S>
    SLUICE_HD double at(const Vec3d& offset, const S* field) const {
        return at(offset, field, field + 1);
    }
    /// The same for a field whose sums with h∂_kW stand elsewhere.
    template <class S>
    SLUICE_HD double at(const Vec3d& offset, const S* value_sum, const S* gradient_sums) const {
        const double value = mean(value_sum);
        if (kind_ != Extrapolation::linear) return value;
        const Vec3d left =
            Vec3d{double(gradient_sums[0]), double(gradient_sums[1]), double(gradient_sums[2])} - value * gradient_;
        const Vec3d slope = left.x * columns_[0] + left.y * columns_[1] + left.z * columns_[2];
        return value + dot(offset - inverse_value_ * place_, slope);
    }

private:
    double value_, inverse_value_;
    Vec3d place_, gradient_;
    Vec3d columns_[3]; ///< of the inverse of N
    Extrapolation kind_ = Extrapolation::none;
};

/// Velocity and density of a boundary particle in the interaction.
struct WallFlow {
    Vec3d velocity; ///< m/s
    double density; ///< kg/m³
};

/// With less fluid around its ghost node, Σ V W, a particle of a wall that mirrors velocities is dry: in the midst of
/// fluid it is 1, at a surface ½, before a wall under one layer of particles ¼.
inline constexpr double dry_ghost_node = 0.1;

/// The density of a boundary particle in balance with the fluid at its ghost node, `density`, from which it is `way`
/// (m) off; `gravity`: that water at rest feels, m/s².
SLUICE_HD inline double balanced_density(const Constants& c, double density, const Vec3d& way, const Vec3d& gravity) {
    const EquationOfState<double> eos(c);
    const double pressure = eos.pressure(density) + density * dot(gravity, way);
    return pressure > 0 ? eos.density(pressure) : c.rho0; // walls do not pull
}

/// From the sums of the ghost node of a boundary particle, which is its mirror image in the wall's surface: `normal`
/// (m) goes from the particle to that surface. `wall_velocity`: of the wall where the particle is. `gravity`: that the
/// wall's pressure is in balance with; null: the density is extrapolated linearly. Without fluid in reach the density
/// is the reference density.
///
/// SlipMode::wall: the particle moves with the wall. no_slip: its velocity and the fluid's have the wall's as their
/// mean, v_b = 2 v_w − v_f. free_slip: so have their components along the normal, and along the wall they are equal.
/// v_f is the velocity of the fluid at the ghost node: exact for linear fields, or else a wall without slip would stand
/// about a tenth of a spacing off its place, since the fluid around a ghost node lies mostly beyond it. Along a wall of
/// free slip it is the mean of the fluid around the ghost node: a fit that goes on towards the wall can be faster than
/// all of that, and friction with it would drive the fluid. Fluid that leaves a dry particle takes it along, as far as
/// velocities go: water that runs past an edge is not drawn apart there.
template <class S>
SLUICE_HD WallFlow wall_flow(const Constants& c, const S* sums, const Vec3d& normal, const Vec3d& wall_velocity,
                             const Vec3d* gravity) {
    const GhostFit fit(sums, c.two_d);
    WallFlow flow{wall_velocity, c.rho0};
    if (!gravity)
        flow.density = boundary_density(c.rho0 + fit.at((-2 / c.h) * normal, sums + ghost_density), c.rho0);
    else if (fit.kind() != Extrapolation::none)
        flow.density = balanced_density(c, c.rho0 + fit.at({}, sums + ghost_density), -2.0 * normal, *gravity);
    if (c.slip == SlipMode::wall || fit.kind() == Extrapolation::none) return flow;
    Vec3d fluid, mean;
    for (int axis = 0; axis < 3; ++axis) {
        fluid[axis] = fit.at({}, sums + ghost_velocity + axis, sums + ghost_velocity_gradient + 3 * axis);
        mean[axis] = fit.mean(sums + ghost_velocity + axis);
    }
    if (fit.filled() < dry_ghost_node && dot(mean - wall_velocity, normal) > 0) {
        flow.velocity = mean;
    } else if (c.slip == SlipMode::no_slip) {
        flow.velocity = fluid + 2.0 * (wall_velocity - fluid);
    } else {
        const Vec3d across = 2.0 * wall_velocity - fluid - mean; // with the mean: what is left is along the wall
        flow.velocity = mean + (dot(across, normal) / dot(normal, normal)) * normal;
    }
    return flow;
}

/// Calls `use(GhostNode<…>{})` with the operator of a run, with or without velocity.
template <class Use>
decltype(auto) with_ghost_node(KernelType kernel, bool with_velocity, Use&& use) {
    return with_kernel(kernel, [&]<class K>(K) -> decltype(auto) {
        return with_velocity ? use(GhostNode<K, GhostVelocity::linear>{}) : use(GhostNode<K, GhostVelocity::none>{});
    });
}

/// The same with the operator of its walls.
template <class Use>
decltype(auto) with_ghost_node(const Constants& c, Use&& use) {
    return with_ghost_node(c.kernel, c.mirrors_velocities(), use);
}

} // namespace SLUICE_ISA
} // namespace sluice::sph
