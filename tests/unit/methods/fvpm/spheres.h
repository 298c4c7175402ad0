// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/fvpm/neighbours.h"
#include "methods/fvpm/particles.h"
#include "methods/fvpm/vectors.h"
#include <random>

// Arrangements of particles and what the tests ask about them.

namespace sluice::fvpm::test {

inline constexpr double pi = 3.14159265358979323846;

/// n³ particles of a cubic lattice of spacing 1 (n² in the plane x–z for 2-D), each moved by up to `noise` radii per
/// axis.
inline Particles lattice(int n, double radius, double noise, int dimensions = 3) {
    Particles p;
    std::mt19937 random(20180301);
    std::uniform_real_distribution<double> shift(-noise * radius, noise * radius);
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < (dimensions == 3 ? n : 1); ++y)
            for (int x = 0; x < n; ++x) {
                const Vec3d off{shift(random), dimensions == 3 ? shift(random) : 0, shift(random)};
                p.position.push_back(Vec3d{double(x), double(y), double(z)} + off);
            }
    const std::size_t count = p.size();
    p.radius.assign(count, radius);
    p.velocity.resize(count);
    p.mass.assign(count, 1);
    p.volume.assign(count, 1);
    p.id.resize(count);
    for (std::size_t i = 0; i < count; ++i) p.id[i] = static_cast<std::uint32_t>(i);
    p.kind.assign(count, Kind::fluid);
    return p;
}

/// Rows of all pairs, and A_ij for each entry.
struct Vectors {
    NeighbourRows rows;
    std::vector<Vec3d> a;

    Vectors(const Particles& p, int dimensions = 3, FindVectors find = find_vectors_here())
        : rows(all_pairs(p)), a(rows.neighbour.size()) {
        for (std::size_t i = 0; i < p.size(); ++i)
            find(i, {p.position, p.radius, rows.of(i)}, dimensions, a.data() + rows.first[i]);
    }
    Vec3d delta(std::size_t entry) const { return a[entry] - a[rows.mate[entry]]; }
    /// Δ_ij, 0 where the two are no neighbours.
    Vec3d between(std::size_t i, std::size_t j) const {
        for (std::size_t e = rows.first[i]; e < rows.first[i + 1]; ++e)
            if (rows.neighbour[e] == j) return delta(e);
        return {};
    }
    Vec3d sum(std::size_t i) const {
        Vec3d total;
        for (std::size_t e = rows.first[i]; e < rows.first[i + 1]; ++e) total = total + delta(e);
        return total;
    }
};

/// The places of a lattice of n³ (n²) particles that are at least `margin` from its sides.
inline std::vector<std::size_t> inner_places(int n, int margin, int dimensions = 3) {
    std::vector<std::size_t> places;
    const int ny = dimensions == 3 ? n : 1;
    for (int z = margin; z < n - margin; ++z)
        for (int y = dimensions == 3 ? margin : 0; y < (dimensions == 3 ? n - margin : 1); ++y)
            for (int x = margin; x < n - margin; ++x) places.push_back(static_cast<std::size_t>((z * ny + y) * n + x));
    return places;
}

} // namespace sluice::fvpm::test
