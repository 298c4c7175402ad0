// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/math.h"

// The differential operators of the moving particle semi-implicit method (MPS) and of its least squares form (LSMPS),
// with the weights of Murotani, Masaie, Matsunaga, Koshizuka, Shioya, Ogino & Fujisawa (2015), "Performance
// improvements of differential operators code for MPS method on GPU". Equations are numbered as there.
//
//   (3)  ⟨∇φ⟩_i  = d/n0 Σ_j w φ_ij r_ij/|r_ij|²            φ_ij = φ_j − φ_i,  r_ij = r_j − r_i
//   (4)  ⟨∇²φ⟩_i = 2d/(λ0 n0) Σ_j w φ_ij                   n0 = Σ_j w (6),  λ0 n0 = Σ_j w |r_ij|² (7), of a full
//   lattice (18) ⟨∇φ⟩_i  = [Σ_j w r_ij ⊗ r_ij]⁻¹ Σ_j w φ_ij r_ij   LSMPS of the first order; the paper prints no Σ on
//   the right
//
// Separations count the radius of the interaction domain; `OperatorScale` turns sums into derivatives per metre. The
// sums need no test of distances, since weights vanish outside, and none of identity, since a pair at one place adds
// nothing.

namespace sluice::mps {
inline namespace SLUICE_ISA {

using sph::absolute;
using sph::inverse_sqrt;
using sph::positive_part;
using sph::reciprocal;
using sph::square_root;

/// The place of a neighbour as seen from a particle, in radii of the interaction domain.
template <class Real>
struct Separation {
    Real x, y, z;
};

/// The squared length, plus a number that changes no other than that of a pair at one place, which it makes invertible.
template <class Real>
SLUICE_INLINE Real squared_length(const Separation<Real>& d) {
    return d.x * d.x + Real(1e-200) + d.y * d.y + d.z * d.z;
}

/// 1 − `length`, or 0 beyond the radius.
template <class Real>
SLUICE_INLINE Real depth(Real length) {
    return positive_part(Real(1.0) - length);
}

/// The spherical interaction domain with the weight (|r|/r_e − 1)² of equation (16).
struct Sphere {
    template <class Real>
    SLUICE_INLINE static Real weight(const Separation<Real>& d) {
        const Real u = depth(square_root(squared_length(d)));
        return u * u;
    }
    /// The weight over the squared distance.
    template <class Real>
    SLUICE_INLINE static Real weight_over_square(const Separation<Real>& d) {
        const Real r2 = squared_length(d), inverse = inverse_sqrt(r2), u = depth(r2 * inverse);
        const Real ratio = u * inverse;
        return ratio * ratio;
    }
    template <class Real>
    SLUICE_INLINE static bool contains(const Separation<Real>& d) {
        return squared_length(d) < 1;
    }
};

/// The cubic interaction domain with the weight Π (|x|/r_e − 1)² of equation (17), which needs no square root.
struct Cube {
    template <class Real>
    SLUICE_INLINE static Real weight(const Separation<Real>& d) {
        const Real u = depth(absolute(d.x)) * depth(absolute(d.y)) * depth(absolute(d.z));
        return u * u;
    }
    /// The weight over the squared distance.
    template <class Real>
    SLUICE_INLINE static Real weight_over_square(const Separation<Real>& d) {
        return weight(d) * reciprocal(squared_length(d));
    }
    template <class Real>
    SLUICE_INLINE static bool contains(const Separation<Real>& d) {
        return absolute(d.x) < 1 && absolute(d.y) < 1 && absolute(d.z) < 1;
    }
};

/// What turns the sums of an operator into derivatives.
struct OperatorScale {
    double gradient = 0;  ///< d/(n0 r_e), 1/m
    double laplacian = 0; ///< 2d/(λ0 n0), 1/m²
    double lsmps = 0;     ///< 1/r_e, 1/m
    bool flat = false;    ///< 2-D: the particles lie in a plane y = constant, and derivatives along y are 0
    /// Of LSMPS: determinants below this part of the cubed mean eigenvalue say that the neighbours lie in a plane, or
    /// in 2-D on a line. The default is rounding of exact places.
    double least_determinant = 1e-13;
};

/// Equation (3).
template <class Shape>
struct Gradient {
    static constexpr int sum_count = 3, result_count = 3;

    /// Adds a neighbour at `d` whose value exceeds the particle's by `phi`.
    template <class Real>
    SLUICE_INLINE static void add(const Separation<Real>& d, Real phi, Real (&sums)[sum_count]) {
        const Real f = Shape::weight_over_square(d) * phi;
        sums[0] += f * d.x;
        sums[1] += f * d.y;
        sums[2] += f * d.z;
    }
    /// The derivatives of a particle. Returns whether they exist.
    SLUICE_INLINE static bool finish(const OperatorScale& scale, const double (&sums)[sum_count],
                                     double (&result)[result_count]) {
        for (int axis = 0; axis < 3; ++axis) result[axis] = scale.gradient * sums[axis];
        return true;
    }
};

/// Equation (4).
template <class Shape>
struct Laplacian {
    static constexpr int sum_count = 1, result_count = 1;

    /// See Gradient::add.
    template <class Real>
    SLUICE_INLINE static void add(const Separation<Real>& d, Real phi, Real (&sums)[sum_count]) {
        sums[0] += Shape::weight(d) * phi;
    }
    /// See Gradient::finish.
    SLUICE_INLINE static bool finish(const OperatorScale& scale, const double (&sums)[sum_count],
                                     double (&result)[result_count]) {
        result[0] = scale.laplacian * sums[0];
        return true;
    }
};

/// Equation (18).
template <class Shape>
struct Lsmps {
    static constexpr int sum_count = 9, result_count = 3;

    /// See Gradient::add. Sums: the moments xx, xy, xz, yy, yz, zz, then the right side.
    template <class Real>
    SLUICE_INLINE static void add(const Separation<Real>& d, Real phi, Real (&sums)[sum_count]) {
        const Real w = Shape::weight(d), wx = w * d.x, wy = w * d.y, wz = w * d.z;
        sums[0] += wx * d.x;
        sums[1] += wx * d.y;
        sums[2] += wx * d.z;
        sums[3] += wy * d.y;
        sums[4] += wy * d.z;
        sums[5] += wz * d.z;
        sums[6] += wx * phi;
        sums[7] += wy * phi;
        sums[8] += wz * phi;
    }
    /// See Gradient::finish: without neighbours that span space the moments have no inverse, and the result is 0.
    SLUICE_INLINE static bool finish(const OperatorScale& scale, const double (&s)[sum_count],
                                     double (&result)[result_count]) {
        const double trace = s[0] + s[3] + s[5];
        const double xx = s[0], xy = s[1], xz = s[2], yy = scale.flat ? 0.5 * trace : s[3], yz = s[4], zz = s[5];
        const double ixx = yy * zz - yz * yz, ixy = xz * yz - xy * zz, ixz = xy * yz - xz * yy;
        const double iyy = xx * zz - xz * xz, iyz = xy * xz - xx * yz, izz = xx * yy - xy * xy;
        const double determinant = xx * ixx + xy * ixy + xz * ixz, mean = (xx + yy + zz) / 3;
        if (!(determinant > scale.least_determinant * (mean * mean * mean))) {
            for (double& component : result) component = 0;
            return false;
        }
        const double factor = scale.lsmps / determinant;
        result[0] = factor * (ixx * s[6] + ixy * s[7] + ixz * s[8]);
        result[1] = factor * (ixy * s[6] + iyy * s[7] + iyz * s[8]);
        result[2] = factor * (ixz * s[6] + iyz * s[7] + izz * s[8]);
        return true;
    }
};

} // namespace SLUICE_ISA
} // namespace sluice::mps
