// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/solid/tensor.h"

// Gradients from scattered values by moving least squares (Lancaster & Salkauskas 1981, Math. Comput. 37, 141): through
// the value at a particle a runs the polynomial of second degree
//
//   u(X_a + ξ) = u_a + Σ_t c_t p_t(ξ),   p = ξ_x, ξ_y, ξ_z, ξ_x ξ_y, ξ_x ξ_z, ξ_y ξ_z, ξ_x², ξ_y², ξ_z²
//
// for which Σ_b w_b (u_b − u(X_b))² is least. Its slope at a is Σ_b (u_b − u_a) g_b with
//
//   g_b,k = w_b Σ_t (M⁻¹)_kt p_t(ξ_b),   M_st = Σ_b w_b p_s p_t
//
// and is exact where u is of second degree, at surfaces and corners, too. A term that the neighbours do not tell from
// those before it is left out (the square across two layers of particles). In 2-D ξ_y and its products are left out.

namespace sluice::solid {
inline namespace SLUICE_ISA {

/// The fit around one particle: add() all neighbours, solve(), and ask for the gradient of each.
template <class Real>
class QuadraticFit {
public:
    SLUICE_HD explicit QuadraticFit(bool two_d) : two_d_(two_d) {}

    /// A neighbour at ξ, in units of which neighbours are a few away, of weight w.
    SLUICE_HD void add(const Vec3<Real>& xi, Real weight) {
        Real p[terms];
        values(xi, p);
        for (int s = 0; s < terms; ++s)
            for (int t = 0; t <= s; ++t) moment_[s][t] += weight * p[s] * p[t];
    }

    /// Σ w ξ ⊗ ξ, of all that was added.
    SLUICE_HD Tensor<Real> second_moments() const {
        const auto m = moment_;
        return {{m[0][0], m[1][0], m[2][0]}, {m[1][0], m[1][1], m[2][1]}, {m[2][0], m[2][1], m[2][2]}};
    }

    /// Factorises M = L D Lᵀ. After it nothing may be added.
    SLUICE_HD void solve() {
        constexpr Real least = Real(1e-3); // of a term, how much the terms before it must leave unexplained
        for (int s = 0; s < terms; ++s) {
            for (int t = 0; t < s; ++t) {
                Real rest = moment_[s][t];
                for (int r = 0; r < t; ++r) rest -= moment_[s][r] * pivot_[r] * moment_[t][r];
                moment_[s][t] = pivot_[t] > 0 ? rest / pivot_[t] : Real(0);
            }
            Real rest = moment_[s][s];
            for (int r = 0; r < s; ++r) rest -= moment_[s][r] * moment_[s][r] * pivot_[r];
            pivot_[s] = rest > least * moment_[s][s] ? rest : Real(0);
        }
        for (int axis = 0; axis < 3; ++axis) {
            Real(&y)[terms] = rows_[axis];
            for (int s = 0; s < terms; ++s) { // L z = e
                y[s] = s == axis ? Real(1) : Real(0);
                for (int t = 0; t < s; ++t) y[s] -= moment_[s][t] * y[t];
            }
            for (int s = terms - 1; s >= 0; --s) { // D Lᵀ y = z
                y[s] = pivot_[s] > 0 ? y[s] / pivot_[s] : Real(0);
                if (pivot_[s] > 0)
                    for (int t = s + 1; t < terms; ++t) y[s] -= moment_[t][s] * y[t];
            }
        }
    }

    /// g_b of the neighbour at ξ, in the inverse of the unit of ξ.
    SLUICE_HD Vec3<Real> gradient(const Vec3<Real>& xi, Real weight) const {
        Real p[terms];
        values(xi, p);
        Vec3<Real> sum{};
        for (int t = 0; t < terms; ++t) sum = sum + weight * p[t] * Vec3<Real>{rows_[0][t], rows_[1][t], rows_[2][t]};
        return sum;
    }

private:
    static constexpr int terms = 9;

    SLUICE_HD void values(const Vec3<Real>& xi, Real (&p)[terms]) const {
        const Real y = two_d_ ? Real(0) : xi.y;
        const Real all[terms] = {xi.x, y, xi.z, xi.x * y, xi.x * xi.z, y * xi.z, xi.x * xi.x, y * y, xi.z * xi.z};
        for (int t = 0; t < terms; ++t) p[t] = all[t];
    }

    bool two_d_;
    Real moment_[terms][terms]{}; ///< M, then L below the diagonal
    Real pivot_[terms]{};         ///< D; 0: the term is left out
    Real rows_[3][terms]{};       ///< of M⁻¹, those of the slopes
};

} // namespace SLUICE_ISA
} // namespace sluice::solid
