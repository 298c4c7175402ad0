// SPDX-License-Identifier: Apache-2.0
#include "core/vec.h"
#include "methods/fvpm/vectors.h"
#include "physics/fvpm/caps.h"
#include "unit/methods/fvpm/spheres.h"
#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace sluice::fvpm {
namespace {

using test::inner_places;
using test::lattice;
using test::pi;
using test::Vectors;

Particles two_spheres(Vec3d at, double first = 1, double second = 1) {
    Particles p = lattice(1, first, 0);
    p.position.push_back(at);
    p.radius.push_back(second);
    return p;
}

TEST(FvpmVectors, TwoEqualSpheresShareALens) {
    const Vec3d at{0.7, -0.4, 0.9};
    const Vectors v(two_spheres(at));
    const double d2 = dot(at, at);
    const double expected = pi * (1 - d2 / 4) / 2; // |Γ| = π(h² − d²/4)/2: half of the vector of a cap
    ASSERT_EQ(v.a.size(), 2u);
    EXPECT_NEAR(norm(v.a[0]), expected, 1e-15);
    EXPECT_NEAR(norm(v.a[0] - (expected / std::sqrt(d2)) * at), 0, 1e-15); // it points to the neighbour
}

TEST(FvpmVectors, TwoSpheresOfAnyRadiiHaveOneCircle) {
    // the cap of each is bounded by the same circle, of radius² = h_i² − offset²
    const Vectors v(two_spheres({0, 0, 1.1}, 1, 0.6));
    const double offset = (1.1 * 1.1 + 1 - 0.36) / 2.2, expected = pi * (1 - offset * offset) / 2;
    EXPECT_NEAR(v.a[0].z, expected, 1e-15);
    EXPECT_NEAR(v.a[1].z, -expected, 1e-15);
}

TEST(FvpmVectors, ASphereWithinAnotherHasNone) {
    const Vectors v(two_spheres({0, 0, 0.3}, 1, 0.6));
    EXPECT_NEAR(norm(v.a[0]), 0, 1e-15);
    EXPECT_NEAR(norm(v.a[1]), 0, 1e-15); // its whole surface is covered: the vectors of its parts cancel
}

struct LatticeCase {
    double radius, face, edge, corner, distance_2;
};

// |Δ| of the particles of a cubic lattice, over dp²: computed once in arbitrary precision by another program.
constexpr std::array<LatticeCase, 3> lattice_cases{{
    {0.9, 0.407851485669, 0.195680081734, 0.016749651575, 0},
    {1.0, 0.305071420162, 0.193962487044, 0.063358340728, 0},
    {1.1, 0.216691779444, 0.157487288375, 0.102143278464, 0.050988552524},
}};

TEST(FvpmVectors, OfACubicLatticeAreThoseOfTheTable) {
    constexpr std::size_t n = 7, middle = (3 * n + 3) * n + 3;
    for (const LatticeCase& c : lattice_cases)
        for (const FindVectorsVariant& variant : find_vectors_variants()) {
            SCOPED_TRACE(testing::Message() << "h/dp " << c.radius << ", " << variant.name);
            const Vectors v(lattice(n, c.radius, 0), 3, variant.find);
            EXPECT_NEAR(norm(v.between(middle, middle + 1)), c.face, 5e-13);
            EXPECT_NEAR(norm(v.between(middle, middle + n - 1)), c.edge, 5e-13);
            EXPECT_NEAR(norm(v.between(middle, middle + n * n + n + 1)), c.corner, 5e-13);
            EXPECT_NEAR(norm(v.between(middle, middle + 2 * n)), c.distance_2, 5e-13);
        }
}

TEST(FvpmVectors, OfACoveredParticleSumToNothing) {
    for (const double radius : {0.9, 1.0, 1.1})
        for (const double noise : {0.0, 0.1}) {
            const Vectors v(lattice(9, radius, noise));
            for (const std::size_t i : inner_places(9, 3)) EXPECT_LT(norm(v.sum(i)), 1e-14) << radius << " " << noise;
        }
    const Vectors planar(lattice(12, 1, 0.1, 2), 2);
    for (const std::size_t i : inner_places(12, 3, 2)) EXPECT_LT(norm(planar.sum(i)), 1e-14);
}

TEST(FvpmVectors, ActionIsReactionToTheBit) {
    const Vectors v(lattice(6, 1, 0.1));
    for (std::size_t e = 0; e < v.a.size(); ++e) {
        const Vec3d forth = v.delta(e), back = v.delta(v.rows.mate[e]);
        ASSERT_EQ(forth, -1.0 * back);
    }
}

TEST(FvpmVectors, MeasureTheVolumeOfALattice) {
    for (const double radius : {0.9, 1.0, 1.1}) { // Σ x_ij ⊗ Δ_ij = 2 V I
        const Particles p = lattice(7, radius, 0);
        const Vectors v(p);
        constexpr std::size_t middle = (3 * 7 + 3) * 7 + 3;
        double tensor[3][3] = {};
        for (std::size_t e = v.rows.first[middle]; e < v.rows.first[middle + 1]; ++e)
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b)
                    tensor[a][b] += (p.position[v.rows.neighbour[e]] - p.position[middle])[a] * v.delta(e)[b];
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) EXPECT_NEAR(tensor[a][b], a == b ? 2 : 0, 1e-13);
    }
}

TEST(FvpmVectors, TheBoundaryIsTheAreaWithoutNeighbours) {
    // B_i = −Σ Δ_ij is the area vector of what no neighbour covers: sampled with points of equal area on the sphere
    const Particles p = lattice(4, 1, 0.1);
    const Vectors v(p);
    constexpr int points = 200000;
    for (const std::size_t i : {std::size_t(0), std::size_t(1), std::size_t(5)}) {
        Vec3d free;
        for (int n = 0; n < points; ++n) { // a Fibonacci lattice
            const double z = 1 - (2 * n + 1.0) / points, r = std::sqrt(1 - z * z), turn = n * pi * (3 - std::sqrt(5.0));
            const Vec3d out{r * std::cos(turn), r * std::sin(turn), z}, at = p.position[i] + out;
            bool covered = false;
            for (const std::uint32_t j : v.rows.of(i)) covered |= norm(at - p.position[j]) < 1;
            if (!covered) free = free + (4 * pi / points) * out;
        }
        EXPECT_NEAR(norm(v.sum(i) + free), 0, 2e-3);
        EXPECT_GT(norm(free), 0.3);
    }
}

TEST(FvpmVectors, PlanarPairsHaveTheVectorOfAnArc) {
    Particles p = two_spheres({0.6, 0, 0.8});
    const Vectors v(p, 2);
    // an arc of half angle acos(d/2) = 60°, weight 1/2: 2 sin 60° / 2
    EXPECT_NEAR(norm(v.a[0]), std::sqrt(3.0) / 2, 1e-15);
    EXPECT_NEAR(norm(v.a[0] - (std::sqrt(3.0) / 2) * p.position[1]), 0, 1e-15);
}

TEST(FvpmVectors, InstructionSetsAgree) {
    const Particles p = lattice(6, 1.1, 0.1);
    const auto variants = find_vectors_variants();
    const Vectors first(p, 3, variants.front().find);
    for (const FindVectorsVariant& variant : variants) {
        const Vectors other(p, 3, variant.find);
        for (std::size_t e = 0; e < first.a.size(); ++e)
            ASSERT_LT(norm(first.a[e] - other.a[e]), 1e-13) << variant.name;
    }
}

} // namespace
} // namespace sluice::fvpm
