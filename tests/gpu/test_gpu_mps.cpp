// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "cuda/mps/mps_operators.h"
#include "gpu/require_gpu.h"
#include "methods/mps/normalisation.h"
#include "unit/methods/mps/clouds.h"
#include <gtest/gtest.h>

namespace sluice::mps {

using cuda::DeviceEvaluation;
using cuda::MpsKernels;
using cuda::MpsOperators;

namespace {

constexpr DifferentialOperator device_operators[] = {DifferentialOperator::gradient, DifferentialOperator::laplacian,
                                                     DifferentialOperator::lsmps};

std::vector<DeviceEvaluation> device_ways(DifferentialOperator which, DomainShape shape) {
    std::vector<DeviceEvaluation> all;
    for (const Visit visit : {Visit::linked_list, Visit::forward_star, Visit::runs, Visit::reached_runs}) {
        all.push_back({which, shape, visit, MpsKernels::paper});
        if (visit == Visit::runs || visit == Visit::reached_runs)
            all.push_back({which, shape, visit, MpsKernels::ours});
    }
    return all;
}

class GpuMps : public GpuTest {};

Derivatives on_device(const Points& points, const Reach& reach, const OperatorScale& scale,
                      const DeviceEvaluation& evaluation) {
    MpsOperators operators(points.cloud(), reach);
    operators.run(evaluation, scale, 1);
    return operators.results();
}

} // namespace

// The CPU agrees with all-with-all (test_operators.cpp), and the device must with the CPU.
TEST_F(GpuMps, EveryKernelAgreesWithTheCpu) {
    const Points points = random_cloud(3000, {1.1, 0.8, 1.4}, 11);
    const double radius = 0.2;
    for (const DomainShape shape : shapes) {
        const OperatorScale scale = operator_scale(shape, radius, 0.08, 3);
        for (const DifferentialOperator which : device_operators)
            for (const int divisions : {1, 2, 3}) {
                const Reach reach{radius, divisions, 1.1};
                Derivatives expected;
                evaluate(ParticleSearch(points.cloud(), reach), scale, {which, shape, Visit::runs, Lanes::one, 2},
                         expected);
                double size = 0;
                for (const double x : expected.x) size = std::max(size, std::abs(x));
                for (const DeviceEvaluation& way : device_ways(which, shape)) {
                    const Derivatives found = on_device(points, reach, scale, way);
                    EXPECT_EQ(found.singular, expected.singular);
                    for (std::uint32_t i = 0; i < points.size(); ++i) {
                        ASSERT_NEAR(found.x[i], expected.x[i], 1e-12 * size) << i;
                        if (which == DifferentialOperator::laplacian) continue;
                        ASSERT_NEAR(found.y[i], expected.y[i], 1e-12 * size) << i;
                        ASSERT_NEAR(found.z[i], expected.z[i], 1e-12 * size) << i;
                    }
                }
            }
    }
}

TEST_F(GpuMps, SeveralParticlesOfABucketKeepTheirOrder) {
    const Points points = random_cloud(5000, {1, 1, 1}, 2);
    const OperatorScale scale = operator_scale(DomainShape::cube, 0.4, 0.06, 3);
    MpsOperators operators(points.cloud(), {0.4, 1, 1});
    const DeviceEvaluation evaluation{DifferentialOperator::lsmps, DomainShape::cube, Visit::runs, MpsKernels::ours};
    operators.run(evaluation, scale, 1);
    const Derivatives first = operators.results();
    for (int repeat = 0; repeat < 5; ++repeat) {
        operators.run(evaluation, scale, 2);
        const Derivatives again = operators.results();
        EXPECT_EQ(again.x, first.x); // sums are made in one order, whatever order particles arrive in
        EXPECT_EQ(again.z, first.z);
    }
}

TEST_F(GpuMps, LsmpsIsExactForLinearValuesAndReportsSingularMoments) {
    const Vec3d a{-4, 0.3, 11};
    Points points = random_cloud(3000, {1, 1, 1}, 21);
    points.add({50, 50, 50}); // alone
    points.with([&](Vec3d p) { return 5 + dot(a, p); });
    for (const DomainShape shape : shapes) {
        const Derivatives found =
            on_device(points, {0.25, 3, 1}, operator_scale(shape, 0.25, 0.07, 3),
                      {DifferentialOperator::lsmps, shape, Visit::reached_runs, MpsKernels::ours});
        EXPECT_EQ(found.singular, std::vector<std::uint32_t>{3000});
        EXPECT_EQ(found.x[3000], 0);
        for (std::uint32_t i = 0; i < 3000; ++i)
            ASSERT_LT(norm(Vec3d{found.x[i], found.y[i], found.z[i]} - a), 1e-10 * norm(a)) << i;
    }
}

TEST_F(GpuMps, ParticlesAtOnePlaceAddNothingToEachOther) {
    Points points;
    for (int copy = 0; copy < 2; ++copy) points.add({0.2, 0.2, 0.2});
    points.phi = {1, 1e6};
    for (const DomainShape shape : shapes) {
        const Derivatives found = on_device(points, {0.31, 1, 1}, {1, 1, 1, false},
                                            {DifferentialOperator::gradient, shape, Visit::runs, MpsKernels::ours});
        EXPECT_EQ((Vec3d{found.x[0], found.y[0], found.z[0]}), (Vec3d{0, 0, 0}));
    }
}

TEST_F(GpuMps, OurKernelsRefuseWhatIsNoRun) {
    const Points points = lattice(4);
    MpsOperators operators(points.cloud(), {1.1, 1, 1});
    EXPECT_THROW(
        operators.run({DifferentialOperator::lsmps, DomainShape::cube, Visit::linked_list, MpsKernels::ours}, {}, 1),
        InputError);
}

} // namespace sluice::mps
