// SPDX-License-Identifier: Apache-2.0
#include "backends/elastic_contacts.h"
#include "gpu/require_gpu.h"

// Walls that move, on the GPU in every version.

using namespace sluice;
using clouds::Choice;
using clouds::Cloud;

namespace {

class GpuMoving : public GpuTest, public testing::WithParamInterface<ModeInfo<GpuMode>> {
protected:
    static std::unique_ptr<Backend> make(const Cloud& cloud) {
        CudaOptions options;
        options.mode = GetParam().mode;
        auto backend = make_cuda_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
        backend->set_state(cloud.state);
        return backend;
    }
    static ParticleState run(const Cloud& cloud, const std::vector<int>& steps) {
        const auto backend = make(cloud);
        for (const int n : steps) take_steps(*backend, n);
        return backend->state();
    }
};

} // namespace

TEST_P(GpuMoving, StepsFollowTheOracle) {
    moving::expect_oracle_steps([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, RatesStayTheOraclesWhereverTheWallsGo) {
    moving::expect_oracle_rates_on_the_way([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, ABodyAndTheFluidKeepTheirMomentum) {
    moving::expect_kept_momentum([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, AWallThatLeavesTheDomainEndsTheRun) {
    moving::expect_leaving_walls_are_noticed([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, FollowTheirMotionForAHundredThousandSteps) {
    moving::expect_walls_on_their_way([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, RunsAreBitwiseTheSameAgainAndWhenStoppedOrResumed) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic})
        for (const auto make_cloud : {moving::periodic_cloud, moving::moving_cloud, moving::floating_cloud,
                                      moving::periodic_floating_cloud, moving::driven_cloud, moving::touching_cloud,
                                      moving::open_absorbing_cloud, moving::periodic_absorbing_cloud}) {
            const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator};
            const Cloud cloud = make_cloud(choice, {20, 9, 8});
            const ParticleState whole = run(cloud, {89});
            EXPECT_TRUE(bitwise_equal(whole, run(cloud, {89})));
            EXPECT_TRUE(bitwise_equal(whole, run(cloud, {1, 16, 30, 42})));
            Cloud later = cloud;
            later.state = run(cloud, {37});
            EXPECT_TRUE(bitwise_equal(whole, run(later, {52})));
        }
}

TEST_P(GpuMoving, ABodyBouncesAsItsRestitutionSays) {
    elastic::expect_bounce([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, BodiesInContactKeepTheirMomentum) {
    elastic::expect_kept_momentum([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, HundredsOfBodiesBounce) {
    elastic::expect_many_bounces([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, ABlockSlidesOrRestsByCoulomb) {
    elastic::expect_friction([](const Cloud& cloud) { return make(cloud); });
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuMoving, testing::ValuesIn(gpu_modes), mode_test_name);
