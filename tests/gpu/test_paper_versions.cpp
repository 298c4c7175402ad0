// SPDX-License-Identifier: Apache-2.0
#include "backends/compare.h"
#include "bench/paper/ladder.h"
#include "core/error.h"
#include "gpu/require_gpu.h"
#include <functional>

// The versions that the benches compare: the paper's ladder, every mixture of its optimisations, and the interaction
// alone on the GPU.

using namespace sluice;
using clouds::Choice;
using clouds::Cloud;

namespace {

struct Version {
    std::string name;
    std::function<std::unique_ptr<Backend>(const Cloud&)> make;
    friend void PrintTo(const Version& version, std::ostream* out) { *out << version.name; }
};

std::uint32_t count(const Cloud& cloud) { return static_cast<std::uint32_t>(cloud.state.size()); }

Version paper_version(const std::string& name, GpuMode mode, const paper::Optimisations& optimisations) {
    return {name,
            [=](const Cloud& cloud) { return paper::make_backend(cloud.setup, count(cloud), mode, optimisations); }};
}

Version partial_version(const std::string& name, CellSize cells) {
    return {name, [=](const Cloud& cloud) { return paper::make_partial_backend(cloud.setup, count(cloud), cells, 2); }};
}

std::vector<Version> versions() {
    std::vector<Version> all{partial_version("partial_2h", CellSize::two_h), partial_version("partial_h", CellSize::h)};
    for (const paper::Rung& rung : paper::ladder)
        all.push_back(paper_version(std::string(rung.name.substr(0, 1)), rung.mode, rung.optimisations));
    for (const GpuMode mode : {GpuMode::slow_half, GpuMode::fast_half})
        for (int without = 0; without < 4; ++without) {
            const paper::Optimisations o{without != 0, without != 1, without != 2, without != 3};
            all.push_back(paper_version(
                std::string(mode == GpuMode::fast_half ? "fast" : "slow") + "_without_" + "BCDE"[without], mode, o));
        }
    return all;
}

class PaperVersions : public GpuTest, public testing::WithParamInterface<Version> {
protected:
    ParticleState run(const Cloud& cloud, int steps) const {
        const auto backend = GetParam().make(cloud);
        backend->set_state(cloud.state);
        take_steps(*backend, steps);
        return backend->state();
    }
};

} // namespace

TEST_P(PaperVersions, RatesAreTheOraclesForEveryFormulation) {
    for (const Choice& choice : clouds::all_choices()) {
        const Cloud cloud = clouds::make_cloud(choice, {12, 9, 10});
        if (choice.viscosity != sph::ViscosityModel::artificial ||
            sph::is_general(cloud.setup.constants)) { // the papers have none
            EXPECT_THROW(GetParam().make(cloud), InputError) << choice.name();
            continue;
        }
        const RateErrors errors = rate_errors(*GetParam().make(cloud), cloud);
        EXPECT_LT(errors.acceleration, 1e-5) << choice.name();
        EXPECT_LT(errors.density, 1e-5) << choice.name();
    }
}

TEST_P(PaperVersions, TimeStepIsTheOracles) {
    Cloud cloud = clouds::make_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas}, {12, 9, 10});
    for (const bool all_particles : {false, true}) {
        cloud.setup.constants.dt_all_particles = all_particles;
        const auto backend = GetParam().make(cloud);
        backend->set_state(cloud.state);
        const double expected =
            sph::time_step(cloud.setup.constants, oracle::rates(cloud.setup, oracle::to_double(cloud.state)).limits);
        EXPECT_NEAR(backend->next_time_step(), expected, 1e-5 * expected);
    }
}

TEST_P(PaperVersions, StepsFollowTheOracle) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic})
        for (const auto kernel : {sph::KernelType::cubic_spline, sph::KernelType::wendland}) {
            const Choice choice{kernel, sph::DensityDiffusion::fourtakas, integrator};
            const Cloud cloud = clouds::make_cloud(choice, {8, 7, 6});
            oracle::State expected = oracle::to_double(cloud.state);
            for (int n = 0; n < 45; ++n) oracle::step(cloud.setup, expected);
            const StateErrors errors = state_errors(expected, run(cloud, 45), cloud.setup.constants.dp);
            EXPECT_LT(errors.position, 2e-5) << choice.name();
            EXPECT_LT(errors.velocity, 2e-4) << choice.name();
            EXPECT_LT(errors.density, 2e-2) << choice.name();
        }
}

TEST_P(PaperVersions, TwoRunsAreBitwiseEqual) {
    const Cloud cloud =
        clouds::make_cloud({sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas}, {30, 20, 25});
    EXPECT_TRUE(bitwise_equal(run(cloud, 60), run(cloud, 60)));
}

TEST_P(PaperVersions, GoOnWithoutExcludedParticles) {
    Cloud cloud = clouds::make_cloud({sph::KernelType::wendland, sph::DensityDiffusion::none}, {12, 9, 10});
    for (std::size_t i = cloud.setup.groups.boundary_count(); i < cloud.state.size(); i += 7)
        cloud.state.density[i] = 1500;
    const auto backend = GetParam().make(cloud);
    backend->set_state(cloud.state);
    take_steps(*backend, 40);
    EXPECT_EQ(backend->state().step, 40);
    EXPECT_EQ(backend->state().size() + backend->take_excluded().size(), cloud.state.size());
}

INSTANTIATE_TEST_SUITE_P(Gpu, PaperVersions, testing::ValuesIn(versions()),
                         [](const auto& entry) { return entry.param.name; });

TEST_F(GpuTest, InteractionAloneCountsItsTransfers) {
    const Cloud cloud = clouds::make_cloud({}, {20, 20, 20});
    const auto backend = partial_version("", CellSize::two_h).make(cloud);
    backend->set_state(cloud.state);
    take_steps(*backend, 10);
    const PhaseSeconds phases = backend->phase_seconds();
    EXPECT_GT(phases.transfer, 0);
    EXPECT_GT(phases.interaction, 0);
}

TEST_F(GpuTest, PaperVersionsRefuseAnotherGammaByName) {
    const Cloud cloud = clouds::make_cloud(
        {sph::KernelType::cubic_spline, sph::DensityDiffusion::none, sph::Integrator::verlet, false, 6.1}, {8, 8, 8});
    EXPECT_THROW(paper_version("", GpuMode::fast_half, paper::ladder.back().optimisations).make(cloud), InputError);
}
