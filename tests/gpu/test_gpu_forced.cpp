// SPDX-License-Identifier: Apache-2.0
#include "backends/forced_fluid.h"
#include "gpu/gpu_mode_test.h"

// Damping zones and acceleration inputs, on the GPU in every version.

using namespace sluice;
using clouds::Cloud;

namespace {

class GpuForced : public GpuModeTest {};

} // namespace

TEST_P(GpuForced, StepsFollowTheOracle) {
    forced::expect_oracle_steps([](const Cloud& cloud) { return make(cloud); });
}

/// Particles that see none of each other, with nothing that acts on them: 1e-6 c0 are 0.4 of the units in which
/// positions count, a step.
TEST_P(GpuForced, SlowDriftsGoAsFarAsTheyShould) {
    for (const auto integrator : all_integrators) {
        Cloud cloud;
        sph::Constants& c = cloud.setup.constants =
            clouds::make_constants({sph::KernelType::wendland, sph::DensityDiffusion::none, integrator}, 0.01);
        c.gravity = {0, 0, 0};
        const std::uint32_t count = 64;
        const float v = float(1e-6 * c.c0);
        for (std::uint32_t i = 0; i < count; ++i) {
            cloud.state.id.push_back(i);
            cloud.state.position.push_back({0.2 + 0.1 * (i % 4), 0.2 + 0.1 * (i / 4 % 4), 0.2 + 0.1 * (i / 16)});
            cloud.state.velocity.push_back({v, -v, 2 * v});
            cloud.state.density.push_back(float(c.rho0));
        }
        cloud.state.velocity_previous = cloud.state.velocity;
        cloud.state.density_previous = cloud.state.density;
        cloud.setup.groups = ParticleGroups::of(0, count);
        cloud.setup.domain.max = {0.9, 0.9, 0.9};
        const ParticleState end = run(cloud, {10000});
        ASSERT_EQ(end.size(), cloud.state.size());
        for (std::size_t k = 0; k < end.size(); ++k) {
            const Vec3d way = (1 / (double(v) * end.time)) * (end.position[k] - cloud.state.position[end.id[k]]);
            EXPECT_NEAR(way.x, 1, 0.01) << end.id[k];
            EXPECT_NEAR(way.y, -1, 0.01) << end.id[k];
            EXPECT_NEAR(way.z, 2, 0.02) << end.id[k];
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuForced, testing::ValuesIn(gpu_modes), mode_test_name);
