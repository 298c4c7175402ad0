// SPDX-License-Identifier: Apache-2.0
#include "backend/state_frame.h"
#include "backends/fluid_passes.h"
#include "gpu/gpu_mode_test.h"
#include <algorithm>

// The sub-particle-scale model, particle shifting, generalised Newtonian fluids and fluids of different density, on the
// GPU in every version.

using namespace sluice;
using clouds::Cloud;

namespace {

class GpuPasses : public GpuModeTest {};

} // namespace

TEST_P(GpuPasses, StepsFollowTheOracle) {
    passes::expect_oracle_steps([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuPasses, GeneralisedNewtonianFluidsAndLayersFollowTheOracle) {
    passes::expect_oracle_steps([](const Cloud& cloud) { return make(cloud); }, passes::thick_courses());
}

TEST_P(GpuPasses, ThoseFluidsGiveTheSameBitsAgainAndWhenResumed) {
    for (const auto& [name, cloud] : passes::thick_clouds({20, 9, 8})) {
        SCOPED_TRACE(name);
        expect_same_bits(cloud);
    }
}

TEST_P(GpuPasses, LooksAtLayersChangeNothing) {
    const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas,
                                sph::Integrator::symplectic};
    const Cloud cloud = passes::turbulent(passes::layered(clouds::make_cloud(choice, {12, 9, 8})));
    const auto seen = make(cloud);
    std::vector<Vec3f> acceleration;
    std::vector<float> density;
    for (const int steps : {1, 2, 20, 37}) {
        EXPECT_GT(seen->next_time_step(), 0);
        seen->rates(acceleration, density);
        take_steps(*seen, steps);
    }
    EXPECT_TRUE(bitwise_equal(sorted_by_id(run(cloud, {60})), sorted_by_id(seen->state())));
}

/// Frames and what is told of particles that leave have densities, states have relative ones.
TEST_P(GpuPasses, FramesOfLayersHaveTheirDensities) {
    const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas};
    Cloud cloud = passes::layered(clouds::make_cloud(choice, {12, 9, 8}));
    const auto last = static_cast<std::uint32_t>(cloud.state.size()) - 1; // of the lighter fluid
    cloud.state.density[last] = cloud.state.density_previous[last] = 1400;
    const auto backend = make(cloud);
    take_steps(*backend, 3);
    const auto excluded = backend->take_excluded();
    ASSERT_EQ(excluded.size(), 1u);
    EXPECT_EQ(excluded[0].id, last);
    EXPECT_NEAR(excluded[0].density, 0.2 * 1400, 0.2 * 100);
    const Frame frame = backend->snapshot({})->get(), expected = make_frame(backend->state(), cloud.setup);
    EXPECT_EQ(frame.id, expected.id);
    EXPECT_EQ(frame.density, expected.density);
    EXPECT_EQ(frame.pressure, expected.pressure);
    EXPECT_LT(*std::ranges::min_element(frame.density), 0.3 * cloud.setup.constants.rho0);
}

TEST_P(GpuPasses, RunsAreBitwiseTheSameAgainAndWhenStoppedOrResumed) {
    for (const Cloud& cloud : passes::clouds_to_resume({20, 9, 8})) {
        expect_same_bits(cloud);
    }
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuPasses, testing::ValuesIn(gpu_modes), mode_test_name);
