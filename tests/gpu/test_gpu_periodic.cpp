// SPDX-License-Identifier: Apache-2.0
#include "backend/state_frame.h"
#include "backends/compare.h"
#include "core/error.h"
#include "gpu/require_gpu.h"

// Periodic sides on the GPU, in every version: against the oracle with images, and against the run itself.

using namespace sluice;
using clouds::Choice;
using clouds::Cloud;

namespace {

std::unique_ptr<Backend> make_backend(const Cloud& cloud, const ParticleState& state, GpuMode mode) {
    CudaOptions options;
    options.mode = mode;
    auto backend = make_cuda_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
    backend->set_state(state);
    return backend;
}

class GpuPeriodic : public GpuTest, public testing::WithParamInterface<ModeInfo<GpuMode>> {
protected:
    std::unique_ptr<Backend> make(const Cloud& cloud, const ParticleState& state) const {
        return make_backend(cloud, state, GetParam().mode);
    }
    std::unique_ptr<Backend> make(const Cloud& cloud) const { return make(cloud, cloud.state); }
};

/// A stream across the faces of x and y, wide enough for tiles that have lists.
Cloud diagonal_stream(sph::Integrator integrator) {
    Cloud cloud = clouds::make_periodic_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator},
                                              {20, 16, 6}, "xy");
    for (std::size_t i = cloud.setup.groups.boundary_count(); i < cloud.state.size(); ++i)
        for (auto* v : {&cloud.state.velocity[i], &cloud.state.velocity_previous[i]}) {
            v->x += 3;
            v->y -= 2;
        }
    return cloud;
}

} // namespace

TEST_P(GpuPeriodic, RatesAreTheOraclesWithImages) {
    for (const clouds::Sides& sides : clouds::periodic_sides)
        for (const auto kernel : {sph::KernelType::wendland, sph::KernelType::cubic_spline}) {
            const Choice choice{kernel, sph::DensityDiffusion::fourtakas, sph::Integrator::verlet, sides.two_d};
            const Cloud cloud = clouds::make_periodic_cloud(choice, {14, 9, 12}, sides.axes, sides.step);
            const RateErrors errors = rate_errors(*make(cloud), cloud);
            EXPECT_LT(errors.acceleration, 1e-5) << sides.axes << " " << choice.name();
            EXPECT_LT(errors.density, 1e-5) << sides.axes << " " << choice.name();
        }
}

TEST_P(GpuPeriodic, RatesAreTheOraclesForEveryFormulation) {
    for (const Choice& choice : clouds::all_choices()) {
        const Cloud cloud = clouds::make_periodic_cloud(choice, {10, 9, 8}, "x");
        const RateErrors errors = rate_errors(*make(cloud), cloud);
        EXPECT_LT(errors.acceleration, 1e-5) << choice.name();
        EXPECT_LT(errors.density, 1e-5) << choice.name();
    }
}

/// 170 and 337 support radii long: what fills lists up is there as far from the images as a period is long.
TEST_P(GpuPeriodic, RatesAreTheOraclesInLongPeriods) {
    for (const int length : {530, 1050})
        for (const char* axes : {"x", "z"}) {
            const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, sph::Integrator::verlet,
                                true};
            const Vec3i count = *axes == 'x' ? Vec3i{length, 1, 4} : Vec3i{4, 1, length};
            const Cloud cloud = clouds::make_periodic_cloud(choice, count, axes);
            const RateErrors errors = rate_errors(*make(cloud), cloud);
            EXPECT_LT(errors.acceleration, 1e-5) << axes << " " << length;
            EXPECT_LT(errors.density, 1e-5) << axes << " " << length;
        }
}

TEST_P(GpuPeriodic, StepsFollowTheOracle) {
    for (const auto integrator : all_integrators) {
        const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::molteni, integrator, true};
        Cloud cloud = clouds::make_periodic_cloud(choice, {12, 1, 8}, "x", {0, 0, 0.013});
        for (std::size_t i = cloud.setup.groups.boundary_count(); i < cloud.state.size(); ++i)
            cloud.state.velocity_previous[i].x = cloud.state.velocity[i].x += 3; // across the faces
        oracle::State expected = oracle::to_double(cloud.state);
        for (int n = 0; n < 45; ++n) oracle::step(cloud.setup, expected);
        const auto backend = make(cloud);
        take_steps(*backend, 45);
        const StateErrors errors =
            state_errors(expected, backend->state(), cloud.setup.constants.dp, cloud.setup.period);
        EXPECT_LT(errors.position, 5e-5) << choice.name();
        EXPECT_LT(errors.velocity, 5e-4) << choice.name();
        EXPECT_LT(errors.density, 5e-2) << choice.name();
    }
}

TEST_P(GpuPeriodic, RatesStayTheOraclesWhileParticlesCrossTheFaces) {
    for (const auto integrator : integrators) { // in the midst of the life of lists, too
        Cloud cloud = diagonal_stream(integrator);
        const auto backend = make(cloud);
        for (int n = 0; n < 6; ++n) {
            take_steps(*backend, 17);
            Cloud now = cloud;
            now.state = backend->state();
            ASSERT_EQ(now.state.size(), cloud.state.size());
            const Vec3d size = cloud.setup.domain.max - cloud.setup.domain.min;
            for (const Vec3d& p : now.state.position) ASSERT_FALSE(cloud.setup.period.is_image(p, size));
            const RateErrors errors = rate_errors(*backend, now);
            EXPECT_LT(errors.acceleration, 1e-5) << "after " << now.state.step << " steps";
            EXPECT_LT(errors.density, 1e-5) << "after " << now.state.step << " steps";
        }
    }
}

TEST_P(GpuPeriodic, ABoxKeepsItsMomentumAndItsParticles) {
    Cloud cloud = clouds::make_periodic_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas_full},
                                              {14, 12, 13}, "xyz");
    cloud.setup.constants.gravity = {};
    const auto backend = make(cloud);
    const auto momentum = [](const ParticleState& s) {
        Vec3d sum;
        for (const Vec3f& v : s.velocity) sum = sum + vec_cast<double>(v);
        return sum;
    };
    const Vec3d before = momentum(cloud.state);
    take_steps(*backend, 60);
    const ParticleState after = backend->state();
    EXPECT_EQ(after.size(), cloud.state.size());
    const Vec3d change = momentum(after) - before;
    EXPECT_LT(std::sqrt(dot(change, change)), 2e-6 * 0.5 * double(after.size()));
}

TEST_P(GpuPeriodic, AUniformStreamStaysUniform) {
    Cloud cloud = clouds::make_periodic_cloud(
        {sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, sph::Integrator::symplectic, true}, {12, 1, 10},
        "xz");
    cloud.setup.constants.gravity = {};
    for (std::size_t i = 0; i < cloud.state.size(); ++i) {
        cloud.state.position[i] = {(double(i % 12) + 0.5) * 0.01, cloud.state.position[i].y,
                                   (double(i / 12) + 0.5) * 0.01};
        cloud.state.velocity[i] = cloud.state.velocity_previous[i] = {2, 0, 1};
        cloud.state.density[i] = cloud.state.density_previous[i] = 1000;
    }
    const auto backend = make(cloud);
    take_steps(*backend, 1000);
    for (const Vec3f& v : backend->state().velocity) {
        EXPECT_NEAR(v.x, 2, 2e-6);
        EXPECT_NEAR(v.z, 1, 2e-6);
    }
}

TEST_P(GpuPeriodic, GoesOnBitwiseFromAnyStep) {
    for (const auto integrator : all_integrators) {
        const Cloud cloud = diagonal_stream(integrator);
        const auto whole = make(cloud);
        take_steps(*whole, 60);
        const ParticleState expected = sorted_by_id(whole->state());
        const auto backend = make(cloud);
        for (const int steps : {1, 2, 8, 11, 1, 23}) {
            take_steps(*backend, steps);
            const ParticleState saved = backend->state();
            EXPECT_EQ(backend->snapshot({})->get().position, make_frame(saved, cloud.setup).position);
            const auto resumed = make(cloud, saved);
            EXPECT_TRUE(bitwise_equal(saved, resumed->state())) << "after " << saved.step << " steps";
            take_steps(*resumed, 60 - saved.step);
            EXPECT_TRUE(bitwise_equal(expected, sorted_by_id(resumed->state()))) << "from step " << saved.step;
        }
    }
}

TEST_F(GpuTest, ShortListEntriesAtPeriodicSidesGiveTheSameNumbersBitForBit) {
    for (const auto integrator : all_integrators) {
        const Cloud cloud = diagonal_stream(integrator);
        const auto run = [&](GpuMode mode) {
            const auto backend = make_backend(cloud, cloud.state, mode);
            take_steps(*backend, 60);
            return backend->state();
        };
        EXPECT_TRUE(bitwise_equal(run(GpuMode::neighbour_list), run(GpuMode::short_list)));
    }
}

TEST_P(GpuPeriodic, WhereARunBeginsChangesNothing) {
    const Cloud cloud = diagonal_stream(sph::Integrator::verlet);
    Cloud shifted = cloud;
    const Vec3d size = cloud.setup.domain.max - cloud.setup.domain.min;
    for (Vec3d& p : shifted.state.position) p = cloud.setup.period.wrapped(p + Vec3d{0.0637, 0.0412, 0}, size);
    const auto run = [&](const Cloud& c) {
        const auto backend = make(c);
        take_steps(*backend, 40);
        return sorted_by_id(backend->state());
    };
    const ParticleState a = run(cloud), b = run(shifted);
    ASSERT_EQ(a.size(), b.size());
    EXPECT_NEAR(a.time, b.time, 1e-6 * a.time);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec3f d = a.velocity[i] - b.velocity[i];
        EXPECT_LT(std::sqrt(dot(d, d)), 1e-3);
        EXPECT_NEAR(a.density[i], b.density[i], 5e-2);
    }
}

TEST_P(GpuPeriodic, APeriodShorterThanTwoSupportRadiiIsRefused) {
    const Cloud cloud = clouds::make_periodic_cloud({}, {10, 6, 8}, "y"); // 6 dp of 6.9
    EXPECT_THROW(make(cloud), InputError);
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuPeriodic, testing::ValuesIn(gpu_modes), mode_test_name);
