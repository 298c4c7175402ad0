// SPDX-License-Identifier: Apache-2.0
#include "bench/mps/operation_counts.h"
#include "bench/mps/operator_variants.h"
#include <gtest/gtest.h>
#include <set>

using namespace sluice::bench;
using sluice::mps::DifferentialOperator;
using sluice::mps::DomainShape;

TEST(MpsBench, CountsTheOperationsOfAFormula) {
    // Laplacian in a cube: φ_ij and three depths are additions, u_x u_y u_z and its square multiplications, w φ_ij is
    // added.
    const OperationCounts cube = operations_per_pair(DifferentialOperator::laplacian, DomainShape::cube);
    EXPECT_EQ(cube.additions, 4);
    EXPECT_EQ(cube.multiplications, 3);
    EXPECT_EQ(cube.fused, 1);
    EXPECT_EQ(cube.roots, 0);
    EXPECT_EQ(cube.total(), 9);
    EXPECT_EQ(operations_per_pair(DifferentialOperator::laplacian, DomainShape::sphere).roots, 1);
    // LSMPS has nine sums, each a multiply-add.
    EXPECT_EQ(operations_per_pair(DifferentialOperator::lsmps, DomainShape::cube).fused, 9);
    const OperationCounts all = operations_of(DifferentialOperator::laplacian, DomainShape::cube, 1000, 10);
    EXPECT_EQ(all.total(), 3 * 1000 + 9 * 10);
}

TEST(MpsBench, LatticesAreCubesOfAboutTheParticlesAskedFor) {
    EXPECT_EQ(lattice_side(226981), paper_side);
    EXPECT_EQ(lattice_side(1000), 10);
    EXPECT_EQ(lattice_side(1), 2);
    const ParticleLattice lattice(4);
    EXPECT_EQ(lattice.size(), 64u);
    EXPECT_EQ(lattice.x.back(), 3);
}

TEST(MpsBench, EveryVersionOfThePaperIsThere) {
    std::set<std::string> names, papers;
    for (const OperatorVariant& variant : operator_variants()) {
        EXPECT_TRUE(names.insert(variant.name).second) << variant.name;
        papers.insert(variant.paper);
        const ParticleLattice lattice(8);
        const auto runner = variant.make(lattice);
        const OperatorSeconds seconds = runner->run(DifferentialOperator::lsmps, 1);
        EXPECT_GT(seconds.search, 0);
        EXPECT_GT(seconds.evaluate, 0);
        EXPECT_GT(runner->memory_bytes(), lattice.size() * sizeof(double));
    }
    for (const char* paper : {"linked list", "forward star", "n_div 3", "n_div 3, cube"})
        EXPECT_TRUE(papers.contains(paper)) << paper;
}
