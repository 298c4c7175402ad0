// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/rigid_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sluice {
namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

/// Of a symmetric matrix.
struct Greatest {
    std::array<double, 4> vector; ///< unit eigenvector of the greatest eigenvalue
    bool is_alone;                ///< whether no other eigenvalue is as great
};

/// By Jacobi's rotations (Golub and Van Loan, Matrix Computations, 2013, 8.5).
Greatest greatest_eigenvector(Matrix4 a) {
    Matrix4 vectors{}; // in columns
    for (std::size_t i = 0; i < 4; ++i) vectors[i][i] = 1;
    constexpr int most_sweeps = 30;
    for (int sweep = 0; sweep < most_sweeps; ++sweep)
        for (std::size_t p = 0; p < 4; ++p)
            for (std::size_t q = p + 1; q < 4; ++q) {
                if (a[p][q] == 0) continue;
                const double tau = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
                const double c = 1 / std::sqrt(1 + t * t), s = t * c;
                const auto turn = [&](double& at_p, double& at_q) {
                    const double before = at_p;
                    at_p = c * before - s * at_q;
                    at_q = s * before + c * at_q;
                };
                for (std::size_t k = 0; k < 4; ++k) turn(a[k][p], a[k][q]);
                for (std::size_t k = 0; k < 4; ++k) turn(a[p][k], a[q][k]);
                for (std::size_t k = 0; k < 4; ++k) turn(vectors[k][p], vectors[k][q]);
            }
    std::array<std::size_t, 4> order{0, 1, 2, 3};
    std::ranges::sort(order, [&](std::size_t i, std::size_t j) { return a[i][i] > a[j][j]; });
    const std::size_t top = order[0];
    const double value = a[top][top], next = a[order[1]][order[1]];
    constexpr double least_gap = 1e-6;
    return {{vectors[0][top], vectors[1][top], vectors[2][top], vectors[3][top]},
            value - next > least_gap * std::abs(value)};
}

Vec3d mean_of(std::span<const Vec3d> points) {
    Vec3d sum;
    for (const Vec3d& p : points) sum = sum + p;
    return (1 / static_cast<double>(points.size())) * sum;
}

/// Sums of products of coordinates about the means: s[i][j] = Σ a_i b_j.
struct Products {
    double s[3][3] = {};
    double size = 0; ///< Σ a·a

    Products(std::span<const Vec3d> before, std::span<const Vec3d> after, const Vec3d& from, const Vec3d& to) {
        for (std::size_t k = 0; k < before.size(); ++k) {
            const Vec3d a = before[k] - from, b = after[k] - to;
            size += dot(a, a);
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) s[i][j] += a[i] * b[j];
        }
    }
};

void turn_in_space(RigidFit& fit, const Products& products) {
    const auto& s = products.s;
    const double turning[4][4] = {
        {s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
        {0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
        {0, 0, s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
        {0, 0, 0, s[2][2] - s[0][0] - s[1][1]}};
    Matrix4 horn;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) horn[i][j] = turning[std::min(i, j)][std::max(i, j)];
    Greatest greatest = greatest_eigenvector(horn);
    fit.is_unique = greatest.is_alone;
    if (!fit.is_unique) { // of the turns that the points leave open the least: they get a little less than no turn
        horn[0][0] += 1e-9 * products.size;
        greatest = greatest_eigenvector(horn);
    }
    rows_of_turning(greatest.vector.data(), fit.motion.rotation);
}

void turn_in_plane(RigidFit& fit, const Products& products) {
    const auto& s = products.s;
    const double angle = std::atan2(s[2][0] - s[0][2], s[0][0] + s[2][2]);
    fit.motion.rotation[0] = {std::cos(angle), 0, std::sin(angle)};
    fit.motion.rotation[2] = {-std::sin(angle), 0, std::cos(angle)};
}

} // namespace

RigidFit fit_rigid_motion(std::span<const Vec3d> before, std::span<const Vec3d> after, bool two_d) {
    RigidFit fit;
    if (before.empty()) return fit;
    const Vec3d from = mean_of(before), to = mean_of(after);
    const Products products(before, after, from, to);
    fit.is_unique = products.size > 0;
    if (products.size > 0) (two_d ? turn_in_plane : turn_in_space)(fit, products);
    fit.motion.translation = to - fit.motion.turned(from);
    for (std::size_t i = 0; i < before.size(); ++i)
        fit.error = std::max(fit.error, norm(fit.motion.position_of(before[i]) - after[i]));
    return fit;
}

} // namespace sluice
