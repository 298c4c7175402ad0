// SPDX-License-Identifier: Apache-2.0
#include "backends/compare.h"
#include "backends/flow_gradients.h"
#include "gpu/require_gpu.h"

// The derived fields of the GPU's frames, in every version: against the oracle, and as something that only looks.

using namespace sluice;
using clouds::Choice;
using clouds::Cloud;

namespace {

class GpuFlowGradients : public GpuTest, public testing::WithParamInterface<ModeInfo<GpuMode>> {
protected:
    std::unique_ptr<Backend> make(const Cloud& cloud) const {
        CudaOptions options;
        options.mode = GetParam().mode;
        return make_cuda_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
    }
};

/// A stream across the faces of x, which leaves the cells of the last build of neighbour lists behind.
Cloud stream(sph::Integrator integrator) {
    Cloud cloud = clouds::make_periodic_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator},
                                              {20, 10, 6}, "x");
    for (std::size_t i = cloud.setup.groups.boundary_count(); i < cloud.state.size(); ++i)
        cloud.state.velocity_previous[i].x = cloud.state.velocity[i].x += 3;
    return cloud;
}

} // namespace

TEST_P(GpuFlowGradients, AreTheOracles) {
    for (const Choice& choice : flow_gradient_choices()) {
        Cloud cloud = clouds::make_cloud(choice, {12, 9, 10});
        cloud.setup.constants.mass_bound *= 1.3;
        expect_oracle_flow_gradients(*make(cloud), cloud, choice.name());
    }
}

TEST_P(GpuFlowGradients, SeeAcrossPeriodicSides) {
    for (const clouds::Sides& sides : clouds::periodic_sides) {
        const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::none, sph::Integrator::verlet,
                            sides.two_d};
        const Cloud cloud = clouds::make_periodic_cloud(choice, {14, 9, 12}, sides.axes, sides.step);
        expect_oracle_flow_gradients(*make(cloud), cloud, std::string(sides.axes) + " " + choice.name());
    }
}

TEST_P(GpuFlowGradients, AreTheOraclesAfterAnyStep) {
    for (const auto integrator : integrators) {
        const Cloud cloud = stream(integrator);
        const auto backend = make(cloud);
        backend->set_state(cloud.state);
        for (const int steps : {1, 2, 7, 20, 40}) {
            take_steps(*backend, steps);
            expect_oracle_flow_gradients_now(*backend, cloud.setup, "after " + std::to_string(steps) + " more steps");
        }
    }
}

TEST_P(GpuFlowGradients, LeaveOutWhoHasLeft) {
    Cloud cloud = clouds::make_cloud({sph::KernelType::wendland}, {12, 9, 10});
    cloud.state.velocity.back().x = 300;
    const auto backend = make(cloud);
    backend->set_state(cloud.state);
    std::size_t left = 0;
    while (left == 0 && backend->state().step < 200) {
        take_steps(*backend, 1);
        left = backend->take_excluded().size();
    }
    ASSERT_GT(left, 0u);
    expect_oracle_flow_gradients_now(*backend, cloud.setup, "one has left");
}

TEST_P(GpuFlowGradients, TakingThemChangesNothing) {
    for (const auto integrator : integrators) {
        const Cloud cloud = stream(integrator);
        const auto run = [&](bool looks) {
            const auto backend = make(cloud);
            backend->set_state(cloud.state);
            if (looks) backend->snapshot(derived_fields)->get();
            for (const int steps : {1, 2, 5, 13, 1, 20, 38}) {
                take_steps(*backend, steps);
                if (!looks) continue;
                backend->snapshot(derived_fields)->get();
                backend->snapshot(derived_fields)->get();
            }
            take_steps(*backend, 1); // a look may check the lists, as the next step would
            return backend->state();
        };
        EXPECT_TRUE(bitwise_equal(run(true), run(false)));
    }
}

TEST_P(GpuFlowGradients, ArriveWithTheFrameThatWasAskedFor) {
    const Cloud cloud = stream(sph::Integrator::verlet);
    const auto backend = make(cloud);
    backend->set_state(cloud.state);
    const Frame expected = backend->snapshot({Field::velocity_divergence})->get();
    EXPECT_TRUE(expected.vorticity.empty() && expected.position_divergence.empty());
    EXPECT_EQ(expected.velocity_divergence.size(), expected.size());
    const auto pending = backend->snapshot({Field::velocity_divergence});
    const auto plain = backend->snapshot({});
    take_steps(*backend, 20);
    const Frame got = pending->get();
    const std::size_t fluid = cloud.setup.groups.boundary_count();
    EXPECT_EQ(got.position, expected.position);
    EXPECT_TRUE(std::equal(got.velocity_divergence.begin() + std::ptrdiff_t(fluid), got.velocity_divergence.end(),
                           expected.velocity_divergence.begin() + std::ptrdiff_t(fluid)));
    EXPECT_TRUE(plain->get().velocity_divergence.empty());
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuFlowGradients, testing::ValuesIn(gpu_modes), mode_test_name);
