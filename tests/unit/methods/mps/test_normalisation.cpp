// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/normalisation.h"

#include <gtest/gtest.h>

using namespace sluice::mps;

namespace {

struct Known {
    DomainShape shape;
    double ratio;
    int neighbours;
    double n0, lambda0;
};

// Summed over the lattice by hand-written loops in another language, from equations (6), (7), (16), (17).
constexpr Known known[] = {{DomainShape::sphere, 3.1, 122, 11.6593989641, 2.9353533426},
                           {DomainShape::cube, 3.1, 342, 9.2422927337, 2.9757273856},
                           {DomainShape::sphere, 2.1, 32, 3.1851993928, 1.5688030291},
                           {DomainShape::cube, 2.1, 124, 2.7476234351, 1.4933768890}};

} // namespace

TEST(MpsNormalisation, HasTheSumsOfTheLattice) {
    for (const Known& k : known) {
        const LatticeSums sums = lattice_sums(k.shape, k.ratio, 3);
        EXPECT_EQ(sums.neighbours, k.neighbours);
        EXPECT_NEAR(sums.n0, k.n0, 1e-10);
        EXPECT_NEAR(sums.lambda0, k.lambda0, 1e-10);
    }
}

TEST(MpsNormalisation, TwoDimensionsHaveTheNeighboursOfAPlane) {
    // radius 1.5 in a plane: four at distance 1, four at √2, weights (1/3)² and (1 − √2/1.5)²
    const LatticeSums sums = lattice_sums(DomainShape::sphere, 1.5, 2);
    const double near = 1.0 / 9, far = (1 - std::sqrt(2.0) / 1.5) * (1 - std::sqrt(2.0) / 1.5);
    EXPECT_EQ(sums.neighbours, 8);
    EXPECT_NEAR(sums.n0, 4 * near + 4 * far, 1e-14);
    EXPECT_NEAR(sums.lambda0, (4 * near + 8 * far) / (4 * near + 4 * far), 1e-14);
}

TEST(MpsNormalisation, ScalesCarryMetres) {
    const LatticeSums sums = lattice_sums(DomainShape::cube, 3.1, 3);
    const OperatorScale scale = operator_scale(DomainShape::cube, 0.31, 0.1, 3);
    EXPECT_NEAR(scale.gradient, 3 / (sums.n0 * 0.31), 1e-12);
    EXPECT_NEAR(scale.laplacian, 6 / (sums.lambda0 * 0.01 * sums.n0), 1e-10);
    EXPECT_NEAR(scale.lsmps, 1 / 0.31, 1e-14);
    EXPECT_FALSE(scale.flat);
    EXPECT_TRUE(operator_scale(DomainShape::cube, 0.31, 0.1, 2).flat);
}
