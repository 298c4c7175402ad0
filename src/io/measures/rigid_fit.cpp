// SPDX-License-Identifier: Apache-2.0
#include "io/measures/rigid_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sluice {
namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

Vec3d mean_of(const std::vector<Vec3d>& points) {
    Vec3d sum;
    for (const Vec3d& p : points) sum = sum + p;
    return (1.0 / static_cast<double>(points.size())) * sum;
}

/// Makes a symmetric matrix diagonal by turns in the planes of two axes (Jacobi); `vectors` has the eigenvectors in its
/// columns.
void diagonalise(Matrix4& m, Matrix4& vectors) {
    for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t l = 0; l < 4; ++l) vectors[k][l] = k == l ? 1 : 0;
    constexpr int most_rounds = 60;
    for (int round = 0; round < most_rounds; ++round)
        for (std::size_t p = 0; p < 3; ++p)
            for (std::size_t q = p + 1; q < 4; ++q) {
                if (m[p][q] == 0) continue;
                const double angle = 0.5 * std::atan2(2 * m[p][q], m[q][q] - m[p][p]);
                const double c = std::cos(angle), s = std::sin(angle);
                for (std::size_t k = 0; k < 4; ++k) {
                    const double a = m[k][p], b = m[k][q];
                    m[k][p] = c * a - s * b;
                    m[k][q] = s * a + c * b;
                }
                for (std::size_t k = 0; k < 4; ++k) {
                    const double a = m[p][k], b = m[q][k];
                    m[p][k] = c * a - s * b;
                    m[q][k] = s * a + c * b;
                }
                for (auto& row : vectors) {
                    const double a = row[p], b = row[q];
                    row[p] = c * a - s * b;
                    row[q] = s * a + c * b;
                }
            }
}

/// Sums of the products of coordinates before and after, from the centres.
struct Products {
    double s[3][3] = {};
};

void set_rows(RigidPlacement& fit, double w, double x, double y, double z) {
    fit.rows[0] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)};
    fit.rows[1] = {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)};
    fit.rows[2] = {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z};
}

void turn_in_plane(RigidPlacement& fit, const Products& sums) {
    const auto& s = sums.s;
    const double angle = std::atan2(s[2][0] - s[0][2], s[0][0] + s[2][2]);
    set_rows(fit, std::cos(angle / 2), 0, std::sin(angle / 2), 0);
    fit.is_unique = s[0][0] != 0 || s[2][2] != 0 || s[0][2] != 0 || s[2][0] != 0;
}

void turn_in_space(RigidPlacement& fit, const Products& sums) {
    const auto& s = sums.s;
    Matrix4 n{{{s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
               {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
               {s[2][0] - s[0][2], s[0][1] + s[1][0], -s[0][0] + s[1][1] - s[2][2], s[1][2] + s[2][1]},
               {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], -s[0][0] - s[1][1] + s[2][2]}}};
    Matrix4 vectors;
    diagonalise(n, vectors);
    std::array<std::size_t, 4> order{0, 1, 2, 3};
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return n[a][a] > n[b][b]; });
    const std::size_t top = order[0], next = order[1];
    set_rows(fit, vectors[0][top], vectors[1][top], vectors[2][top], vectors[3][top]);
    constexpr double least_gap = 1e-6;
    fit.is_unique = n[top][top] - n[next][next] > least_gap * std::abs(n[top][top]);
}

} // namespace

RigidPlacement fit_placement(const std::vector<Vec3d>& before, const std::vector<Vec3d>& after, bool two_d) {
    RigidPlacement fit;
    fit.before = mean_of(before);
    fit.after = mean_of(after);
    Products sums;
    for (std::size_t i = 0; i < before.size(); ++i)
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) sums.s[a][b] += (before[i] - fit.before)[a] * (after[i] - fit.after)[b];
    if (two_d)
        turn_in_plane(fit, sums);
    else
        turn_in_space(fit, sums);
    for (std::size_t i = 0; i < before.size(); ++i)
        fit.error = std::max(fit.error, norm(fit.placed(before[i]) - after[i]));
    return fit;
}

} // namespace sluice
