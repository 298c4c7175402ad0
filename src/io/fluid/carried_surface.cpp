// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/carried_surface.h"

#include "io/fluid/particle_cells.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace sluice {

namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

/// The unit eigenvector of the greatest eigenvalue of a symmetric matrix, by Jacobi's rotations (Golub and Van Loan,
/// Matrix Computations, 2013, 8.5).
std::array<double, 4> greatest_eigenvector(Matrix4 a) {
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
    std::size_t greatest = 0;
    for (std::size_t i = 1; i < 4; ++i)
        if (a[i][i] > a[greatest][greatest]) greatest = i;
    return {vectors[0][greatest], vectors[1][greatest], vectors[2][greatest], vectors[3][greatest]};
}

Vec3d mean_of(std::span<const Vec3d> points) {
    Vec3d sum;
    for (const Vec3d& p : points) sum = sum + p;
    return (1 / static_cast<double>(std::max<std::size_t>(points.size(), 1))) * sum;
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

void turn_in_space(RigidMotion& motion, const Products& products) {
    const auto& s = products.s;
    // Turns that the points leave open get a little less than no turn; fields in single precision have more noise than
    // what that changes of the others.
    const double still = 1e-9 * products.size;
    const double turning[4][4] = {
        {s[0][0] + s[1][1] + s[2][2] + still, s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
        {0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
        {0, 0, s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
        {0, 0, 0, s[2][2] - s[0][0] - s[1][1]}};
    Matrix4 horn;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) horn[i][j] = turning[std::min(i, j)][std::max(i, j)];
    rows_of_turning(greatest_eigenvector(horn).data(), motion.rotation);
}

void turn_in_plane(RigidMotion& motion, const Products& products) {
    const auto& s = products.s;
    const double angle = std::atan2(s[2][0] - s[0][2], s[0][0] + s[2][2]);
    motion.rotation[0] = {std::cos(angle), 0, std::sin(angle)};
    motion.rotation[2] = {-std::sin(angle), 0, std::cos(angle)};
}

/// Halves edges that are too long. Neighbours share the points in the middle.
class Halving {
public:
    Halving(std::vector<Vec3d>& points, double longest) : points_(points), longest_(longest) {}

    bool is_long(int a, int b) const { return norm(at(a) - at(b)) > longest_; }
    int middle(int a, int b) {
        const auto [found, is_new] = middles_.try_emplace(std::minmax(a, b), static_cast<int>(points_.size()));
        if (is_new) points_.push_back(0.5 * (at(a) + at(b)));
        return found->second;
    }

private:
    const Vec3d& at(int k) const { return points_[static_cast<std::size_t>(k)]; }

    std::vector<Vec3d>& points_;
    double longest_;
    std::map<std::pair<int, int>, int> middles_;
};

/// The triangle cut where its edges are halved; all of them are, one after the other, so that two or three make three
/// or four triangles.
void cut_triangle(const Vec3i& t, Halving& halving, std::vector<Vec3i>& out) {
    for (int k = 0; k < 3; ++k) {
        const int a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
        if (!halving.is_long(a, b)) continue;
        const int ab = halving.middle(a, b);
        const bool bc = halving.is_long(b, c), ca = halving.is_long(c, a);
        if (bc && ca) {
            const int m = halving.middle(b, c), n = halving.middle(c, a);
            for (const Vec3i& part : {Vec3i{a, ab, n}, Vec3i{ab, b, m}, Vec3i{n, m, c}, Vec3i{ab, m, n}})
                out.push_back(part);
        } else if (bc) {
            const int m = halving.middle(b, c);
            for (const Vec3i& part : {Vec3i{ab, b, m}, Vec3i{a, ab, m}, Vec3i{a, m, c}}) out.push_back(part);
        } else if (ca) {
            const int n = halving.middle(c, a);
            for (const Vec3i& part : {Vec3i{a, ab, n}, Vec3i{ab, b, c}, Vec3i{ab, c, n}}) out.push_back(part);
        } else {
            out.push_back({a, ab, c});
            out.push_back({ab, b, c});
        }
        return;
    }
    out.push_back(t);
}

} // namespace

RigidMotion fitted_motion(std::span<const Vec3d> before, std::span<const Vec3d> after, bool two_d) {
    RigidMotion motion;
    if (before.empty()) return motion;
    const Vec3d from = mean_of(before), to = mean_of(after);
    const Products products(before, after, from, to);
    if (products.size > 0) (two_d ? turn_in_plane : turn_in_space)(motion, products);
    motion.translation = to - motion.turned(from);
    return motion;
}

TriangleMesh refined(TriangleMesh mesh, double longest) {
    for (bool again = true; again;) {
        Halving halving(mesh.points, longest);
        std::vector<Vec3i> triangles;
        for (const Vec3i& t : mesh.triangles) cut_triangle(t, halving, triangles);
        again = triangles.size() > mesh.triangles.size();
        mesh.triangles = std::move(triangles);
    }
    return mesh;
}

LineMesh refined(LineMesh mesh, double longest) {
    for (bool again = true; again;) {
        Halving halving(mesh.points, longest);
        std::vector<std::array<int, 2>> lines;
        for (const auto& [a, b] : mesh.lines) {
            const bool halved = halving.is_long(a, b);
            const int middle = halved ? halving.middle(a, b) : b;
            lines.push_back({a, middle});
            if (halved) lines.push_back({middle, b});
        }
        again = lines.size() > mesh.lines.size();
        mesh.lines = std::move(lines);
    }
    return mesh;
}

CarriedSurface::CarriedSurface(std::variant<TriangleMesh, LineMesh> mesh, std::vector<Vec3d> particles, double dp,
                               bool two_d)
    : mesh_(std::move(mesh)), particles_(std::move(particles)), dp_(dp), two_d_(two_d) {}

std::variant<TriangleMesh, LineMesh> CarriedSurface::at(std::span<const Vec3d> places) const {
    constexpr double rigid = 0.1, reach = 3.01, longest = 2; // in dp
    const RigidMotion whole = fitted_motion(particles_, places, two_d_);
    double off = 0;
    for (std::size_t k = 0; k < particles_.size(); ++k)
        off = std::max(off, norm(whole.position_of(particles_[k]) - places[k]));
    auto mesh = mesh_;
    if (off <= rigid * dp_) {
        std::visit(
            [&](auto& m) {
                for (Vec3d& p : m.points) p = whole.position_of(p);
            },
            mesh);
        return mesh;
    }
    const ParticleCells near(particles_, 0, particles_.size(), reach * dp_, two_d_);
    const auto bent = [&](const Vec3d& point) {
        std::vector<Vec3d> before, after;
        near.for_each_near(point, [&](std::uint32_t k, double, const Vec3d&) {
            before.push_back(particles_[k]);
            after.push_back(places[k]);
        });
        return (before.empty() ? whole : fitted_motion(before, after, two_d_)).position_of(point);
    };
    std::visit(
        [&](auto& m) {
            m = refined(std::move(m), longest * dp_);
            for (Vec3d& p : m.points) p = bent(p);
        },
        mesh);
    return mesh;
}

} // namespace sluice
