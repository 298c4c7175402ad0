// SPDX-License-Identifier: Apache-2.0
#include "backends/flow_gradients.h"
#include "backends/way_test.h"

using namespace sluice;
using clouds::Choice;
using clouds::Cloud;
using cpu_ways::Way;

namespace {

class CpuFlowGradients : public testing::TestWithParam<Way> {};

bool same_bits(const Frame& a, const Frame& b) {
    const std::size_t first = a.size() / 2; // fluid, whose values are numbers
    const auto equal = [&](const auto& x, const auto& y) {
        return x.size() == y.size() &&
               std::equal(x.begin() + std::ptrdiff_t(first), x.end(), y.begin() + std::ptrdiff_t(first));
    };
    return equal(a.vorticity, b.vorticity) && equal(a.velocity_divergence, b.velocity_divergence) &&
           equal(a.position_divergence, b.position_divergence);
}

} // namespace

TEST_P(CpuFlowGradients, AreTheOracles) {
    for (const Choice& choice : flow_gradient_choices()) {
        Cloud cloud = clouds::make_cloud(choice, {12, 9, 10});
        cloud.setup.constants.mass_bound *= 1.3;
        expect_oracle_flow_gradients(*GetParam().make(cloud, 2), cloud, choice.name());
    }
}

TEST_P(CpuFlowGradients, SeeAcrossPeriodicSides) {
    for (const Choice& choice : flow_gradient_choices()) {
        const Cloud cloud = clouds::make_periodic_cloud(choice, {9, 8, 9}, choice.two_d ? "x" : "xy", {0, 0, 0.02});
        expect_oracle_flow_gradients(*GetParam().make(cloud, 2), cloud, choice.name());
    }
}

TEST_P(CpuFlowGradients, OfManyParticlesAtOnePlace) {
    Cloud cloud = clouds::make_cloud({sph::KernelType::wendland}, {12, 11, 11});
    const Vec3d centre = cloud.state.position.back();
    std::mt19937 random(11);
    std::uniform_real_distribution<double> offset(-0.02, 0.02);
    for (std::uint32_t n = 0; n < 1300; ++n) // more than a list of hits holds
        cloud.state.position[cloud.setup.groups.boundary_count() + n] =
            centre + Vec3d{offset(random), offset(random), offset(random)};
    expect_oracle_flow_gradients(*GetParam().make(cloud, 2), cloud, "crowd");
}

TEST_P(CpuFlowGradients, TakingThemChangesNothing) {
    const Cloud cloud =
        clouds::make_periodic_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas}, {9, 8, 8}, "xyz");
    const auto looked_at = GetParam().make(cloud, 1), other = GetParam().make(cloud, 1);
    for (const auto& backend : {looked_at.get(), other.get()}) {
        backend->set_state(cloud.state);
        take_steps(*backend, 5);
        if (backend == looked_at.get()) backend->snapshot(derived_fields)->get();
        take_steps(*backend, 5);
    }
    EXPECT_TRUE(bitwise_equal(looked_at->state(), other->state()));
}

TEST_P(CpuFlowGradients, AreBitwiseTheSameForAnyNumberOfThreads) {
    const Cloud cloud = clouds::make_cloud({}, {20, 9, 10});
    const auto taken = [&](int threads) {
        const auto backend = GetParam().make(cloud, threads);
        backend->set_state(cloud.state);
        return backend->snapshot(derived_fields)->get();
    };
    EXPECT_TRUE(same_bits(taken(1), taken(3)));
}

TEST_P(CpuFlowGradients, OnlyThoseAskedForAreThere) {
    const Cloud cloud = clouds::make_cloud({}, {5, 4, 4});
    const auto backend = GetParam().make(cloud, 1);
    backend->set_state(cloud.state);
    const Frame one = backend->snapshot({Field::velocity_divergence})->get(), none = backend->snapshot({})->get();
    EXPECT_TRUE(one.vorticity.empty() && one.position_divergence.empty());
    EXPECT_EQ(one.velocity_divergence.size(), one.size());
    EXPECT_TRUE(none.velocity_divergence.empty());
    EXPECT_EQ(none.pressure.size(), none.size());
}

INSTANTIATE_TEST_SUITE_P(Cpu, CpuFlowGradients, testing::ValuesIn(cpu_ways::paired_ways()), cpu_ways::way_test_name);
