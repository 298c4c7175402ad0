// SPDX-License-Identifier: Apache-2.0
#include "case/transform.h"

#include <cmath>
#include <numbers>

namespace sluice {

Vec3d Transform::operator()(const Vec3d& p) const {
    Vec3d out;
    for (int row = 0; row < 3; ++row) out[row] = m[row][0] * p.x + m[row][1] * p.y + m[row][2] * p.z + m[row][3];
    return out;
}

Vec3d Transform::turned(const Vec3d& v) const {
    Vec3d out;
    for (int row = 0; row < 3; ++row) out[row] = m[row][0] * v.x + m[row][1] * v.y + m[row][2] * v.z;
    return out;
}

bool Transform::is_translation() const {
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            if (m[row][column] != (row == column ? 1 : 0)) return false;
    return true;
}

double Transform::determinant() const {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

double Transform::length_scale() const { return std::cbrt(std::abs(determinant())); }

Transform operator*(const Transform& first, const Transform& second) {
    Transform out;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column) {
            double sum = column == 3 ? first.m[row][3] : 0;
            for (int k = 0; k < 3; ++k) sum += first.m[row][k] * second.m[k][column];
            out.m[row][column] = sum;
        }
    return out;
}

Transform translation(const Vec3d& offset) {
    Transform out;
    for (int row = 0; row < 3; ++row) out.m[row][3] = offset[row];
    return out;
}

Transform scaling(const Vec3d& factors) {
    Transform out;
    for (int row = 0; row < 3; ++row) out.m[row][row] = factors[row];
    return out;
}

// Rodrigues' formula.
Transform rotation(double degrees, const Vec3d& axis, const Vec3d& point) {
    const double length = norm(axis);
    const Vec3d u = (1 / length) * axis;
    const double angle = degrees * std::numbers::pi / 180;
    const double c = std::cos(angle), s = std::sin(angle);
    const double cross[3][3] = {{0, -u.z, u.y}, {u.z, 0, -u.x}, {-u.y, u.x, 0}};
    Transform turn;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            turn.m[row][column] = (row == column ? c : 0) + s * cross[row][column] + (1 - c) * u[row] * u[column];
    return translation(point) * turn * translation(-1.0 * point);
}

} // namespace sluice
