// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/isosurface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace sluice {
namespace {

/// Corners of a cube, by bits: 1 is +x, 2 is +y, 4 is +z.
using Corners = std::array<int, 4>;

/// From corner 0 to corner 7 along one edge in each direction, in each of the six orders.
constexpr std::array<Corners, 6> tetrahedra{
    {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}}};

/// No vertex comes closer to a node than this part of an edge: triangles never shrink to nothing.
constexpr double least_part = 1e-3;

Vec3i offset_of(int corner) { return {corner & 1, corner >> 1 & 1, corner >> 2 & 1}; }

class Tracer {
public:
    Tracer(const LatticeField& field, double level) : field_(field), level_(level) {}

    TriangleMesh trace() {
        for (int z = 0; z + 1 < field_.nodes.z; ++z)
            for (int y = 0; y + 1 < field_.nodes.y; ++y)
                for (int x = 0; x + 1 < field_.nodes.x; ++x) visit_cube({x, y, z});
        for (Vec3d& p : mesh_.points) p = field_.origin + field_.spacing * p;
        return std::move(mesh_);
    }

private:
    void visit_cube(const Vec3i& cube) {
        cube_ = cube;
        int inside = 0;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3i node = cube + offset_of(corner);
            value_[corner] = field_.value[field_.index(node.x, node.y, node.z)];
            if (std::isnan(value_[corner])) return;
            inside += is_inside(corner);
        }
        if (inside == 0 || inside == 8) return;
        for (const Corners& tetrahedron : tetrahedra) visit_tetrahedron(tetrahedron);
    }
    bool is_inside(int corner) const { return value_[corner] >= level_; }

    /// One triangle cuts a single corner off, two part a pair of corners from the other pair.
    void visit_tetrahedron(Corners t) {
        const auto outside = std::partition(t.begin(), t.end(), [&](int corner) { return is_inside(corner); });
        const auto count = outside - t.begin();
        if (count == 0 || count == 4) return;
        const Vec3d outward = vec_cast<double>(offset_of(t[3]) - offset_of(t[0]));
        if (count == 1) add(outward, edge(t[0], t[1]), edge(t[0], t[2]), edge(t[0], t[3]));
        if (count == 3) add(outward, edge(t[0], t[3]), edge(t[1], t[3]), edge(t[2], t[3]));
        if (count != 2) return;
        const int a = edge(t[0], t[2]), b = edge(t[0], t[3]), c = edge(t[1], t[3]), d = edge(t[1], t[2]);
        add(outward, a, b, c);
        add(outward, a, c, d);
    }

    /// The plane of a triangle parts the inner corners from the outer ones, so that a step from any of those to any of
    /// these gives the outward direction.
    void add(const Vec3d& outward, int a, int b, int c) {
        const Vec3d& p = point(a);
        const bool right = dot(cross(point(b) - p, point(c) - p), outward) > 0;
        mesh_.triangles.push_back(right ? Vec3i{a, b, c} : Vec3i{a, c, b});
    }
    const Vec3d& point(int index) const { return mesh_.points[static_cast<std::size_t>(index)]; }

    /// The vertex on the edge between two corners; cubes and tetrahedra that share the edge share it.
    int edge(int a, int b) {
        const int low = a & b, high = a | b;
        const Vec3i node = cube_ + offset_of(low);
        const std::uint64_t key = std::uint64_t{field_.index(node.x, node.y, node.z)} * 8 + std::uint64_t(low ^ high);
        const auto [found, is_new] = vertices_.try_emplace(key, static_cast<int>(mesh_.points.size()));
        if (is_new) {
            const double part = (level_ - value_[low]) / (value_[high] - value_[low]);
            mesh_.points.push_back(vec_cast<double>(node) + std::clamp(part, least_part, 1 - least_part) *
                                                                vec_cast<double>(offset_of(low ^ high)));
        }
        return found->second;
    }

    const LatticeField& field_;
    double level_;
    Vec3i cube_;
    double value_[8] = {};
    TriangleMesh mesh_; ///< points in spacings from the first node, until the end
    std::unordered_map<std::uint64_t, int> vertices_;
};

/// What Tracer is in space, in the plane x–z.
class ContourTracer {
public:
    ContourTracer(const LatticeField& field, double level) : field_(field), level_(level) {}

    LineMesh trace() {
        for (int z = 0; z + 1 < field_.nodes.z; ++z)
            for (int x = 0; x + 1 < field_.nodes.x; ++x)
                for (const int corner : {1, 2}) visit_triangle(x, z, {0, corner, 3});
        for (Vec3d& p : mesh_.points) p = field_.origin + field_.spacing * p;
        return std::move(mesh_);
    }

private:
    /// Corners of a square, by bits: 1 is +x, 2 is +z.
    static Vec3i offset(int corner) { return {corner & 1, 0, corner >> 1}; }
    float value(const Vec3i& node) const { return field_.value[field_.index(node.x, 0, node.z)]; }

    void visit_triangle(int x, int z, std::array<int, 3> t) {
        const Vec3i square{x, 0, z};
        if (std::any_of(t.begin(), t.end(), [&](int corner) { return std::isnan(value(square + offset(corner))); }))
            return;
        const auto outside =
            std::partition(t.begin(), t.end(), [&](int corner) { return value(square + offset(corner)) >= level_; });
        const auto count = outside - t.begin();
        if (count == 0 || count == 3) return;
        const int lone = count == 1 ? t[0] : t[2];
        const int other1 = count == 1 ? t[1] : t[0], other2 = count == 1 ? t[2] : t[1];
        const int a = edge(square, lone, other1), b = edge(square, lone, other2);
        const Vec3d along = point(b) - point(a);
        const Vec3d inward = vec_cast<double>(square + offset(t[0])) - point(a);
        const bool right = along.x * inward.z - along.z * inward.x > 0;
        mesh_.lines.push_back(right ? std::array{a, b} : std::array{b, a});
    }
    const Vec3d& point(int index) const { return mesh_.points[static_cast<std::size_t>(index)]; }

    int edge(const Vec3i& square, int a, int b) {
        const int low = a & b, high = a | b;
        const Vec3i from = square + offset(low), to = square + offset(high);
        const std::uint64_t key = std::uint64_t{field_.index(from.x, 0, from.z)} * 4 + std::uint64_t(low ^ high);
        const auto [found, is_new] = vertices_.try_emplace(key, static_cast<int>(mesh_.points.size()));
        if (is_new) {
            const double part = (level_ - value(from)) / (value(to) - value(from));
            mesh_.points.push_back(vec_cast<double>(from) +
                                   std::clamp(part, least_part, 1 - least_part) * vec_cast<double>(to - from));
        }
        return found->second;
    }

    const LatticeField& field_;
    double level_;
    LineMesh mesh_; ///< points in spacings from the first node, until the end
    std::unordered_map<std::uint64_t, int> vertices_;
};

/// Of length 1; zero where there is no direction.
std::vector<Vec3f> unit_vectors(const std::vector<Vec3d>& vectors) {
    std::vector<Vec3f> units;
    units.reserve(vectors.size());
    for (const Vec3d& v : vectors) units.push_back(vec_cast<float>(norm(v) > 0 ? (1 / norm(v)) * v : Vec3d{}));
    return units;
}

} // namespace

double LineMesh::area() const {
    double sum = 0;
    for (const auto& [a, b] : lines) {
        const Vec3d p = points[static_cast<std::size_t>(a)] - points[0],
                    q = points[static_cast<std::size_t>(b)] - points[0];
        sum += p.x * q.z - p.z * q.x;
    }
    return sum / 2;
}

std::vector<Vec3f> normals_of(const TriangleMesh& mesh) {
    std::vector<Vec3d> sums(mesh.points.size());
    const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(k)]; };
    for (const Vec3i& t : mesh.triangles) {
        const Vec3d twice_the_area = cross(at(t.y) - at(t.x), at(t.z) - at(t.x));
        for (int k = 0; k < 3; ++k) {
            Vec3d& sum = sums[static_cast<std::size_t>(t[k])];
            sum = sum + twice_the_area;
        }
    }
    return unit_vectors(sums);
}

std::vector<Vec3f> normals_of(const LineMesh& mesh) {
    std::vector<Vec3d> sums(mesh.points.size());
    for (const auto& line : mesh.lines) {
        const Vec3d along =
            mesh.points[static_cast<std::size_t>(line[1])] - mesh.points[static_cast<std::size_t>(line[0])];
        for (const int end : line) {
            Vec3d& sum = sums[static_cast<std::size_t>(end)];
            sum = sum + Vec3d{along.z, 0, -along.x};
        }
    }
    return unit_vectors(sums);
}

LineMesh isoline(const LatticeField& field, double level) { return ContourTracer(field, level).trace(); }

double TriangleMesh::volume() const {
    if (points.empty()) return 0;
    const auto at = [&](int k) { return points[static_cast<std::size_t>(k)] - points[0]; };
    double sum = 0;
    for (const Vec3i& t : triangles) sum += dot(at(t.x), cross(at(t.y), at(t.z)));
    return sum / 6;
}

TriangleMesh isosurface(const LatticeField& field, double level) { return Tracer(field, level).trace(); }

} // namespace sluice
