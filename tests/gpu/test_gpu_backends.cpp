// SPDX-License-Identifier: Apache-2.0
#include "backends/compare.h"
#include "core/error.h"
#include "gpu/require_gpu.h"

using namespace sluice;
using clouds::Choice;
using clouds::Cloud;

namespace {

class GpuModes : public GpuTest, public testing::WithParamInterface<ModeInfo<GpuMode>> {
protected:
    std::unique_ptr<Backend> make(const Cloud& cloud, std::optional<double> skin = {}) const {
        CudaOptions options;
        options.mode = GetParam().mode;
        options.skin = skin;
        return make_cuda_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
    }
    ParticleState run(const Cloud& cloud, std::vector<int> steps) const {
        const auto backend = make(cloud);
        backend->set_state(cloud.state);
        for (const int n : steps) take_steps(*backend, n);
        return backend->state();
    }
};

Cloud small_cloud(const Choice& choice, unsigned seed = 1) { return clouds::make_cloud(choice, {12, 9, 10}, seed); }

} // namespace

TEST_P(GpuModes, RatesAreTheOraclesForEveryFormulation) {
    for (const Choice& choice : clouds::all_choices()) {
        const Cloud cloud = small_cloud(choice);
        const RateErrors errors = rate_errors(*make(cloud), cloud);
        EXPECT_LT(errors.acceleration, 1e-5) << choice.name();
        EXPECT_LT(errors.density, 1e-5) << choice.name();
    }
}

TEST_P(GpuModes, AnyExponentOfTheEquationOfState) {
    for (const auto kernel : {sph::KernelType::cubic_spline, sph::KernelType::wendland})
        for (const auto diffusion :
             {sph::DensityDiffusion::none, sph::DensityDiffusion::molteni, sph::DensityDiffusion::fourtakas}) {
            const Choice choice{kernel, diffusion, sph::Integrator::verlet, false, 6.1};
            const Cloud cloud = clouds::make_cloud(choice, {8, 7, 6});
            const RateErrors errors = rate_errors(*make(cloud), cloud);
            EXPECT_LT(errors.acceleration, 1e-5) << choice.name();
            EXPECT_LT(errors.density, 1e-5) << choice.name();
            oracle::State expected = oracle::to_double(cloud.state);
            for (int n = 0; n < 45; ++n) oracle::step(cloud.setup, expected);
            const StateErrors drift = state_errors(expected, run(cloud, {45}), cloud.setup.constants.dp);
            EXPECT_LT(drift.position, 2e-5) << choice.name();
            EXPECT_LT(drift.velocity, 2e-4) << choice.name();
        }
}

TEST_P(GpuModes, TimeStepIsTheOracles) {
    Cloud cloud = small_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas});
    cloud.state.density[3] = 1250; // a boundary particle in which sound is the fastest
    for (const bool all_particles : {false, true}) {
        cloud.setup.constants.dt_all_particles = all_particles;
        const auto backend = make(cloud);
        backend->set_state(cloud.state);
        const double expected =
            sph::time_step(cloud.setup.constants, oracle::rates(cloud.setup, oracle::to_double(cloud.state)).limits);
        EXPECT_NEAR(backend->next_time_step(), expected, 1e-5 * expected);
        EXPECT_EQ(backend->state().step, 0);
    }
}

TEST_P(GpuModes, StepsFollowTheOracle) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic})
        for (const auto kernel : {sph::KernelType::cubic_spline, sph::KernelType::wendland})
            for (const auto diffusion :
                 {sph::DensityDiffusion::none, sph::DensityDiffusion::molteni, sph::DensityDiffusion::fourtakas}) {
                const Choice choice{kernel, diffusion, integrator};
                const Cloud cloud = clouds::make_cloud(choice, {8, 7, 6});
                oracle::State expected = oracle::to_double(cloud.state);
                for (int n = 0; n < 45; ++n) oracle::step(cloud.setup, expected); // past Verlet's second Euler step
                const ParticleState state = run(cloud, {45});
                EXPECT_EQ(state.step, 45);
                const StateErrors errors = state_errors(expected, state, cloud.setup.constants.dp);
                EXPECT_LT(errors.position, 2e-5) << choice.name();
                EXPECT_LT(errors.velocity, 2e-4) << choice.name();
                EXPECT_LT(errors.density, 2e-2) << choice.name();
                EXPECT_NEAR(state.time, expected.time, 1e-5 * expected.time) << choice.name();
            }
}

TEST_P(GpuModes, TwoRunsAreBitwiseEqual) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const Cloud cloud = clouds::make_cloud(
            {sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas, integrator}, {30, 20, 25});
        EXPECT_TRUE(bitwise_equal(run(cloud, {120}), run(cloud, {120})));
    }
}

TEST_P(GpuModes, WhereAdvanceStopsDoesNotChangeTheNumbers) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const Cloud cloud = small_cloud({sph::KernelType::wendland, sph::DensityDiffusion::molteni, integrator});
        EXPECT_TRUE(bitwise_equal(run(cloud, {50}), run(cloud, {1, 16, 7, 26})));
    }
}

TEST_P(GpuModes, StateRestoresTheRunBitwise) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const Cloud cloud = small_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator});
        const ParticleState whole = run(cloud, {13, 17});
        Cloud later = cloud;
        later.state = run(cloud, {13});
        EXPECT_TRUE(bitwise_equal(whole, run(later, {17})));
    }
}

TEST_P(GpuModes, StateComesBackAsItWentIn) {
    Cloud cloud = small_cloud({});
    const ParticleState first = run(cloud, {5});
    cloud.state = first;
    EXPECT_TRUE(bitwise_equal(first, run(cloud, {})));
}

TEST_P(GpuModes, PrecisionIsTheSameFarFromTheCornerOfTheDomain) {
    const Choice choice{sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas};
    const Cloud near = clouds::make_cloud(choice, {8, 6, 8}, 3);
    const Cloud far = clouds::make_cloud(choice, {8, 6, 8}, 3, {64, 2, 1}); // past 2³² units
    const RateErrors a = rate_errors(*make(near), near), b = rate_errors(*make(far), far);
    EXPECT_LT(b.acceleration, 2 * a.acceleration + 2e-6);
    EXPECT_LT(b.density, 2 * a.density + 2e-6);
}

TEST_P(GpuModes, IsolatedBlobKeepsItsMomentum) {
    const Cloud cloud = clouds::make_blob({sph::KernelType::cubic_spline, sph::DensityDiffusion::molteni}, 9);
    const auto momentum = [](const ParticleState& s) {
        Vec3d sum;
        double scale = 0;
        for (const Vec3f& v : s.velocity) {
            sum = sum + vec_cast<double>(v);
            scale += std::sqrt(dot(vec_cast<double>(v), vec_cast<double>(v)));
        }
        return std::pair{sum, scale};
    };
    const auto [before, scale] = momentum(cloud.state);
    const Vec3d change = momentum(run(cloud, {50})).first - before;
    EXPECT_LT(std::sqrt(dot(change, change)), 2e-6 * scale);
}

TEST_P(GpuModes, ParticlesThatMayNotStayAreExcludedAtTheHalfStep) {
    expect_exclusions_at_the_half_step(
        small_cloud({sph::KernelType::wendland, sph::DensityDiffusion::none, sph::Integrator::symplectic}),
        [this](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuModes, ExcludedParticlesAreListedWithTheirCause) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic})
        expect_exclusions_with_causes(small_cloud({sph::KernelType::wendland, sph::DensityDiffusion::none, integrator}),
                                      [this](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuModes, ManyExclusionsInOneAdvanceAreAllListed) {
    Cloud cloud = small_cloud({sph::KernelType::wendland, sph::DensityDiffusion::none});
    for (std::size_t i = cloud.setup.groups.boundary_count(); i < cloud.state.size(); i += 7)
        cloud.state.density[i] = 1500;
    const auto backend = make(cloud);
    backend->set_state(cloud.state);
    take_steps(*backend, 20);
    const std::size_t listed = backend->take_excluded().size();
    EXPECT_GT(listed, 100u);
    EXPECT_EQ(backend->state().size() + listed, cloud.state.size());
    take_steps(*backend, 20); // the run goes on without them
    EXPECT_EQ(backend->state().step, 40);
}

TEST_P(GpuModes, StopsAtTheTimeLimit) {
    const Cloud cloud = small_cloud({});
    const auto backend = make(cloud);
    backend->set_state(cloud.state);
    AdvanceLimits limits{0.002, 1000000, 1e9};
    const AdvanceReport report = backend->advance(limits);
    EXPECT_GE(report.time, 0.002);
    EXPECT_LT(report.time - report.dt, 0.002);
}

TEST_P(GpuModes, StopsARunThatBlowsUp) {
    expect_blow_up_is_noticed(small_cloud({}), [this](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuModes, AgreeOverAHundredSteps) {
    const Cloud cloud =
        clouds::make_cloud({sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas}, {16, 8, 12});
    CudaOptions options;
    options.mode = GpuMode::slow_full;
    const auto reference = make_cuda_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
    reference->set_state(cloud.state);
    take_steps(*reference, 100);
    const StateErrors errors =
        state_errors(oracle::to_double(sorted_by_id(reference->state())), run(cloud, {100}), cloud.setup.constants.dp);
    EXPECT_LT(errors.position, 1e-3);
    EXPECT_LT(errors.velocity, 1e-2);
}

TEST_P(GpuModes, FastShearFollowsTheOracle) {
    // neighbours slide past one another and along the wall: lists last a few steps only
    Cloud cloud = clouds::make_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas}, {12, 8, 9}, 11);
    for (std::size_t i = cloud.setup.groups.boundary_count(); i < cloud.state.size(); ++i)
        cloud.state.velocity[i] =
            cloud.state.velocity_previous[i] = {2 + 60 * float(cloud.state.position[i].z - 0.2), 0, 0};
    oracle::State expected = oracle::to_double(cloud.state);
    for (int n = 0; n < 60; ++n) oracle::step(cloud.setup, expected);
    const StateErrors errors = state_errors(expected, run(cloud, {60}), cloud.setup.constants.dp);
    EXPECT_LT(errors.position, 1e-4);
    EXPECT_LT(errors.velocity, 2e-3);
}

TEST_P(GpuModes, CrowdedParticlesHaveAllTheirNeighbours) {
    // three times the neighbours that the lattice promises: lists have no room for them, and rows of cells are long
    Cloud cloud = clouds::make_cloud({sph::KernelType::cubic_spline, sph::DensityDiffusion::molteni}, {14, 12, 12}, 5);
    cloud.setup.constants.dp *= 1.5;
    const RateErrors errors = rate_errors(*make(cloud), cloud);
    EXPECT_LT(errors.acceleration, 1e-5);
    EXPECT_LT(errors.density, 1e-5);
    oracle::State expected = oracle::to_double(cloud.state);
    for (int n = 0; n < 12; ++n) oracle::step(cloud.setup, expected);
    const StateErrors drift = state_errors(expected, run(cloud, {12}), cloud.setup.constants.dp);
    EXPECT_LT(drift.position, 1e-4);
    EXPECT_LT(drift.velocity, 2e-3);
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuModes, testing::ValuesIn(gpu_modes), mode_test_name);
