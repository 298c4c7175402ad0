// SPDX-License-Identifier: Apache-2.0
#include "backends/compare.h"
#include "backends/way_test.h"
#include "core/error.h"

using namespace sluice;
using clouds::Choice;
using clouds::Cloud;
using cpu_ways::all_ways;
using cpu_ways::Way;

namespace {

class CpuWays : public testing::TestWithParam<Way> {};
class AsymmetricWays : public testing::TestWithParam<Way> {};
class SliceWays : public cpu_ways::WayTest {};

Cloud small_cloud(const Choice& choice, unsigned seed = 1) { return clouds::make_cloud(choice, {12, 9, 10}, seed); }

} // namespace

TEST_P(CpuWays, RatesAreTheOraclesForEveryFormulation) {
    for (const Choice& choice : clouds::all_choices()) {
        const Cloud cloud = small_cloud(choice);
        const RateErrors errors = rate_errors(*GetParam().make(cloud, 2), cloud);
        EXPECT_LT(errors.acceleration, 1e-5) << choice.name();
        EXPECT_LT(errors.density, 1e-5) << choice.name();
    }
}

TEST_P(CpuWays, TimeStepIsTheOracles) {
    Cloud cloud = small_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas});
    cloud.state.density[3] = 1250; // a boundary particle in which sound is the fastest
    for (const bool all_particles : {false, true}) {
        cloud.setup.constants.dt_all_particles = all_particles;
        const auto backend = GetParam().make(cloud, 2);
        backend->set_state(cloud.state);
        const double expected =
            sph::time_step(cloud.setup.constants, oracle::rates(cloud.setup, oracle::to_double(cloud.state)).limits);
        EXPECT_NEAR(backend->next_time_step(), expected, 1e-5 * expected);
    }
}

TEST_P(CpuWays, StepsFollowTheOracle) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const Choice choice{sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas, integrator};
        const Cloud cloud = clouds::make_cloud(choice, {8, 7, 6});
        oracle::State expected = oracle::to_double(cloud.state);
        for (int n = 0; n < 45; ++n) oracle::step(cloud.setup, expected); // past Verlet's second Euler step
        const auto backend = GetParam().make(cloud, 2);
        backend->set_state(cloud.state);
        take_steps(*backend, 45);
        const StateErrors errors = state_errors(expected, backend->state(), cloud.setup.constants.dp);
        EXPECT_LT(errors.position, 2e-5) << choice.name();
        EXPECT_LT(errors.velocity, 2e-4) << choice.name();
        EXPECT_LT(errors.density, 2e-2) << choice.name();
        EXPECT_NEAR(backend->state().time, expected.time, 1e-5 * expected.time) << choice.name();
    }
}

TEST_P(CpuWays, AnyNumberOfThreadsGivesTheSameRates) {
    const Cloud cloud = clouds::make_cloud({sph::KernelType::wendland, sph::DensityDiffusion::molteni}, {30, 6, 14});
    for (const int threads : {1, 2, 3, 7}) {
        const RateErrors errors = rate_errors(*GetParam().make(cloud, threads), cloud);
        EXPECT_LT(errors.acceleration, 1e-5) << threads << " threads";
        EXPECT_LT(errors.density, 1e-5) << threads << " threads";
    }
}

TEST_P(AsymmetricWays, AreBitwiseTheSameForAnyNumberOfThreads) {
    const Cloud cloud = small_cloud({sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas});
    const auto run = [&](int threads) {
        const auto backend = GetParam().make(cloud, threads);
        backend->set_state(cloud.state);
        take_steps(*backend, 60);
        return backend->state();
    };
    const ParticleState one = run(1);
    for (const int threads : {2, 3, 5}) EXPECT_TRUE(bitwise_equal(one, run(threads))) << threads << " threads";
}

TEST_P(AsymmetricWays, StateRestoresTheRunBitwise) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const Cloud cloud = small_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator});
        const auto whole = GetParam().make(cloud, 2);
        whole->set_state(cloud.state);
        take_steps(*whole, 30);
        const auto first = GetParam().make(cloud, 2);
        first->set_state(cloud.state);
        take_steps(*first, 13);
        const auto second = GetParam().make(cloud, 1);
        second->set_state(first->state());
        take_steps(*second, 17);
        EXPECT_TRUE(bitwise_equal(whole->state(), second->state()));
    }
}

/// What slices add up depends on where they are cut, and that on the number of threads alone.
TEST_P(SliceWays, AreBitwiseTheSameAgainAndWhenResumedWithTheSameNumberOfThreads) {
    const Cloud cloud = small_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas});
    const ParticleState once = run(cloud, 40, 3, 0);
    EXPECT_TRUE(bitwise_equal(once, run(cloud, 40, 3, 0)));
    EXPECT_TRUE(bitwise_equal(once, run(cloud, 40, 3, 23)));
}

TEST_P(CpuWays, IsolatedBlobKeepsItsMomentum) {
    const Cloud cloud = clouds::make_blob({sph::KernelType::cubic_spline, sph::DensityDiffusion::molteni}, 9);
    const auto backend = GetParam().make(cloud, 2);
    backend->set_state(cloud.state);
    const auto momentum = [](const ParticleState& s) {
        Vec3d sum;
        double scale = 0;
        for (const Vec3f& v : s.velocity) {
            sum = sum + vec_cast<double>(v);
            scale += std::sqrt(dot(vec_cast<double>(v), vec_cast<double>(v)));
        }
        return std::pair{sum, scale};
    };
    const auto [before, scale] = momentum(backend->state());
    take_steps(*backend, 50);
    const Vec3d change = momentum(backend->state()).first - before;
    EXPECT_LT(std::sqrt(dot(change, change)), 2e-6 * scale);
}

TEST_P(CpuWays, PrecisionIsTheSameFarFromTheCornerOfTheDomain) {
    const Choice choice{sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas};
    const Cloud near = clouds::make_cloud(choice, {8, 6, 8}, 3);
    const Cloud far = clouds::make_cloud(choice, {8, 6, 8}, 3, {64, 0.2, 0.1});
    const RateErrors a = rate_errors(*GetParam().make(near, 1), near), b = rate_errors(*GetParam().make(far, 1), far);
    EXPECT_LT(b.acceleration, 2 * a.acceleration + 2e-6);
    EXPECT_LT(b.density, 2 * a.density + 2e-6);
}

TEST_P(CpuWays, ExcludedParticlesAreListedWithTheirCause) {
    expect_exclusions_with_causes(small_cloud({sph::KernelType::wendland, sph::DensityDiffusion::none}),
                                  [](const Cloud& cloud) { return GetParam().make(cloud, 2); });
}

TEST_P(CpuWays, ParticlesThatMayNotStayAreExcludedAtTheHalfStep) {
    expect_exclusions_at_the_half_step(
        small_cloud({sph::KernelType::wendland, sph::DensityDiffusion::none, sph::Integrator::symplectic}),
        [](const Cloud& cloud) { return GetParam().make(cloud, 2); });
}

TEST_P(CpuWays, PeriodicRatesAreTheOraclesWithImages) {
    int tested = 0;
    for (const clouds::Sides& sides : clouds::periodic_sides) {
        const auto viscosity = ++tested % 2 ? sph::ViscosityModel::artificial : sph::ViscosityModel::laminar;
        const Choice choice{sph::KernelType::wendland,
                            sph::DensityDiffusion::fourtakas,
                            sph::Integrator::verlet,
                            sides.two_d,
                            7,
                            viscosity};
        const Cloud cloud = clouds::make_periodic_cloud(choice, {8, 7, 9}, sides.axes, sides.step);
        const RateErrors errors = rate_errors(*GetParam().make(cloud, 2), cloud);
        EXPECT_LT(errors.acceleration, 1e-5) << sides.axes << " " << choice.name();
        EXPECT_LT(errors.density, 1e-5) << sides.axes << " " << choice.name();
    }
}

TEST_P(CpuWays, PeriodicStepsFollowTheOracle) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::molteni, integrator, true};
        Cloud cloud = clouds::make_periodic_cloud(choice, {12, 1, 8}, "x", {0, 0, 0.013});
        for (std::size_t i = cloud.setup.groups.boundary_count(); i < cloud.state.size(); ++i)
            cloud.state.velocity_previous[i].x = cloud.state.velocity[i].x += 3; // across the faces
        oracle::State expected = oracle::to_double(cloud.state);
        for (int n = 0; n < 45; ++n) oracle::step(cloud.setup, expected);
        const auto backend = GetParam().make(cloud, 2);
        backend->set_state(cloud.state);
        take_steps(*backend, 45);
        const StateErrors errors =
            state_errors(expected, backend->state(), cloud.setup.constants.dp, cloud.setup.period);
        EXPECT_LT(errors.position, 5e-5) << choice.name();
        EXPECT_LT(errors.velocity, 5e-4) << choice.name();
        EXPECT_LT(errors.density, 5e-2) << choice.name();
    }
}

TEST_P(CpuWays, APeriodicBoxKeepsItsMomentumAndItsParticles) {
    Cloud cloud = clouds::make_periodic_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas_full},
                                              {9, 8, 7}, "xyz");
    cloud.setup.constants.gravity = {};
    const auto backend = GetParam().make(cloud, 2);
    backend->set_state(cloud.state);
    const auto momentum = [](const ParticleState& s) {
        Vec3d sum;
        for (const Vec3f& v : s.velocity) sum = sum + vec_cast<double>(v);
        return sum;
    };
    const Vec3d before = momentum(cloud.state);
    take_steps(*backend, 60);
    const ParticleState after = backend->state();
    EXPECT_EQ(after.size(), cloud.state.size());
    EXPECT_EQ(backend->advance({1, 0, 1e9}).particles, cloud.state.size());
    const Vec3d change = momentum(after) - before;
    EXPECT_LT(std::sqrt(dot(change, change)), 2e-6 * 0.5 * double(after.size()));
}

TEST_P(CpuWays, AUniformStreamThroughAPeriodicBoxStaysUniform) {
    Cloud cloud = clouds::make_periodic_cloud(
        {sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, sph::Integrator::symplectic, true}, {12, 1, 10},
        "xz");
    cloud.setup.constants.gravity = {};
    for (std::size_t i = 0; i < cloud.state.size(); ++i) {
        cloud.state.position[i] = {(i % 12 + 0.5) * 0.01, cloud.state.position[i].y, (i / 12 + 0.5) * 0.01};
        cloud.state.velocity[i] = cloud.state.velocity_previous[i] = {2, 0, 1};
        cloud.state.density[i] = cloud.state.density_previous[i] = 1000;
    }
    const auto backend = GetParam().make(cloud, 1);
    backend->set_state(cloud.state);
    take_steps(*backend, 1000);
    for (const Vec3f& v : backend->state().velocity) {
        EXPECT_NEAR(v.x, 2, 2e-6);
        EXPECT_NEAR(v.z, 1, 2e-6);
    }
}

TEST_P(CpuWays, WhereAPeriodicRunBeginsChangesNothing) {
    const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, sph::Integrator::verlet, true};
    const Cloud cloud = clouds::make_periodic_cloud(choice, {14, 1, 8}, "x");
    Cloud shifted = cloud;
    const Vec3d size = cloud.setup.domain.max - cloud.setup.domain.min;
    for (Vec3d& p : shifted.state.position) p = cloud.setup.period.wrapped(p + Vec3d{0.0637, 0, 0}, size);
    const auto run = [&](const Cloud& c) {
        const auto backend = GetParam().make(c, 2);
        backend->set_state(c.state);
        take_steps(*backend, 40);
        return sorted_by_id(backend->state());
    };
    const ParticleState a = run(cloud), b = run(shifted);
    ASSERT_EQ(a.size(), b.size());
    EXPECT_NEAR(a.time, b.time, 1e-6 * a.time);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec3f d = a.velocity[i] - b.velocity[i];
        EXPECT_LT(std::sqrt(dot(d, d)), 2e-4);
        EXPECT_NEAR(a.density[i], b.density[i], 1e-2);
    }
}

TEST_P(CpuWays, APeriodShorterThanTwoSupportRadiiIsRefused) {
    const Cloud cloud = clouds::make_periodic_cloud({}, {10, 6, 8}, "y"); // 6 dp of 6.9
    EXPECT_THROW(GetParam().make(cloud, 1), InputError);
}

TEST_P(AsymmetricWays, PeriodicRunsAreBitwiseTheSameForAnyNumberOfThreadsAndWhenResumed) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator};
        const Cloud cloud = clouds::make_periodic_cloud(choice, {10, 9, 8}, "xy");
        const auto run = [&](int threads, int stop) {
            const auto first = GetParam().make(cloud, threads);
            first->set_state(cloud.state);
            take_steps(*first, stop);
            const auto second = GetParam().make(cloud, threads);
            second->set_state(first->state());
            take_steps(*second, 40 - stop);
            return second->state();
        };
        const ParticleState one = run(1, 0);
        EXPECT_TRUE(bitwise_equal(one, run(3, 0)));
        EXPECT_TRUE(bitwise_equal(one, run(2, 17)));
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, CpuWays, testing::ValuesIn(all_ways()), cpu_ways::way_test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, AsymmetricWays, testing::ValuesIn(all_ways({CpuMode::asymmetric})),
                         cpu_ways::way_test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, SliceWays, testing::ValuesIn(all_ways({CpuMode::slices})), cpu_ways::way_test_name);

TEST(CpuModes, AgreeOverAHundredSteps) {
    const Cloud cloud =
        clouds::make_cloud({sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas}, {16, 8, 12});
    const auto run = [&](const Way& way) {
        const auto backend = way.make(cloud, 2);
        backend->set_state(cloud.state);
        take_steps(*backend, 100);
        return backend->state();
    };
    const oracle::State reference = oracle::to_double(sorted_by_id(run({CpuMode::asymmetric, CellSize::two_h, "off"})));
    for (const Way& way : all_ways()) {
        const StateErrors errors = state_errors(reference, run(way), cloud.setup.constants.dp);
        EXPECT_LT(errors.position, 1e-3) << way.name();
        EXPECT_LT(errors.velocity, 1e-2) << way.name();
    }
}

TEST(CpuScalar, TakesAnyGamma) {
    for (const auto kernel : {sph::KernelType::cubic_spline, sph::KernelType::wendland}) {
        const Cloud cloud =
            small_cloud({kernel, sph::DensityDiffusion::fourtakas, sph::Integrator::verlet, false, 6.1});
        const auto backend = make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), {});
        const RateErrors errors = rate_errors(*backend, cloud);
        EXPECT_LT(errors.acceleration, 1e-5);
        EXPECT_LT(errors.density, 1e-5);
    }
}

std::unique_ptr<Backend> make_default(const Cloud& cloud) {
    return make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), {});
}

TEST(CpuBackend, StopsARunThatBlowsUp) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic})
        expect_blow_up_is_noticed(
            small_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator}), make_default);
}

TEST(CpuBackend, LimitsTheFirstTimeStepOnly) {
    Cloud cloud = small_cloud({});
    const auto free = make_default(cloud);
    free->set_state(cloud.state);
    const double usual = free->next_time_step();
    cloud.setup.constants.dt_initial = 0.1 * usual;
    const auto backend = make_default(cloud);
    backend->set_state(cloud.state);
    take_steps(*backend, 1);
    EXPECT_EQ(backend->state().dt, 0.1 * usual);
    take_steps(*backend, 1);
    EXPECT_GT(backend->state().dt, 0.5 * usual);
}

TEST(CpuBackend, CountsTheStepsThatItsSmallestTimeStepRaised) {
    Cloud cloud = small_cloud({});
    cloud.setup.constants.dt_min = 1e-3; // A.8 gives 0.1 ms
    const auto backend = make_default(cloud);
    backend->set_state(cloud.state);
    EXPECT_EQ(backend->advance({1, 3, 1e9}).dt_min_hits, 3);
    EXPECT_EQ(backend->state().dt, 1e-3);
}
