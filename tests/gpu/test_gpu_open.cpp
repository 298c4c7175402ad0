// SPDX-License-Identifier: Apache-2.0
#include "backend/gpu_memory_plan.h"
#include "backend/state_frame.h"
#include "backends/cpu_ways.h"
#include "backends/flow_gradients.h"
#include "backends/open_channels.h"
#include "cuda/data/list_state.h"
#include "gpu/gpu_mode_test.h"

// Open boundaries, on the GPU in every version.

using namespace sluice;
using namespace sluice::open_channels;

namespace {

class GpuOpen : public GpuModeTest {
protected:
    static CudaOptions options() {
        CudaOptions options;
        options.mode = GetParam().mode;
        return options;
    }
    /// Rates and the time step are those that new lists give, but for rounding.
    static void expect_near_rates(Backend& backend, Cloud cloud);
    /// A backend made for `particles` that has taken over a state.
    static std::unique_ptr<Backend> make_for(const Cloud& cloud, std::size_t particles, const CudaOptions& how,
                                             const ParticleState& state) {
        auto backend = make_cuda_backend(cloud.setup, static_cast<std::uint32_t>(particles), how);
        backend->set_state(state);
        return backend;
    }
};

std::unique_ptr<Backend> on_cpu(const Cloud& cloud) {
    auto backend = cpu_ways::Way{CpuMode::asymmetric, CellSize::two_h, "off"}.make(cloud, 1);
    backend->set_state(cloud.state);
    return backend;
}

/// Flows that turn, and one with a surface that is found; with further passes, too.
std::vector<Cloud> flows() {
    return {turning(1, true),
            turning(2, true),
            turning(3, true),
            rising(1, found_surface),
            rising(2, found_surface),
            rising(3, found_surface),
            draining(1),
            draining_in_passes(2),
            draining_in_passes(3),
            following(draining(1)),
            following(draining(2)),
            following(draining(3))};
}

/// Which particle has entered or left in which step, to be compared.
std::vector<std::string> in_words(const std::vector<ZonePassage>& passages) {
    std::vector<std::string> words;
    for (const ZonePassage& p : passages)
        words.push_back(std::to_string(p.id) + (p.entered ? " enters" : " leaves") + " in step " +
                        std::to_string(p.step));
    return words;
}

/// Accelerations by id, and the largest.
std::pair<std::map<std::uint32_t, Vec3f>, float> accelerations(Backend& backend) {
    std::vector<Vec3f> acceleration;
    std::vector<float> density_rate;
    backend.rates(acceleration, density_rate);
    const ParticleState state = backend.state();
    std::pair<std::map<std::uint32_t, Vec3f>, float> found;
    for (std::size_t i = 0; i < state.size(); ++i) {
        found.first[state.id[i]] = acceleration[i];
        found.second = std::max(found.second, std::sqrt(dot(acceleration[i], acceleration[i])));
    }
    return found;
}

/// Whether two states are of the same run, bit for bit, whatever the order of the particles.
bool same_open_run(const ParticleState& a, const ParticleState& b) {
    return a.created == b.created && bitwise_equal(sorted_by_id(a), sorted_by_id(b));
}

} // namespace

void GpuOpen::expect_near_rates(Backend& backend, Cloud cloud) {
    cloud.state.section = {};
    const auto anew = make(cloud);
    const double dt = anew->next_time_step();
    EXPECT_NEAR(backend.next_time_step(), dt, 1e-5 * dt);
    const auto [found, largest] = accelerations(backend);
    const auto expected = accelerations(*anew).first;
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [id, acceleration] : expected) {
        const Vec3f d = found.at(id) - acceleration;
        EXPECT_LT(std::sqrt(dot(d, d)), 1e-3f * (largest + 1)) << "particle " << id;
    }
}

TEST_P(GpuOpen, APlugFlowsThroughUnchanged) {
    for (const int algorithm : {1, 2, 3}) {
        const Cloud cloud = plug(algorithm);
        const auto backend = make(cloud);
        advance_to(*backend, 1);
        const ParticleState state = backend->state();
        EXPECT_EQ(state.size(), cloud.state.size());
        EXPECT_EQ(state.created, cloud.state.created + 10 * 10); // ten columns of ten
        for (std::size_t i = 0; i < state.size(); ++i) {
            EXPECT_NEAR(state.velocity[i].x, 1, 1e-4);
            EXPECT_NEAR(state.velocity[i].z, 0, 1e-4);
            EXPECT_NEAR(state.density[i], 1000, 1e-2);
        }
    }
}

TEST_P(GpuOpen, ZonesImposeWhatTheOracleFinds) {
    expect_oracle_flow([](const Cloud& cloud) { return make(cloud); });
}

// Over many steps the last digits may decide on a particle at a limit; from the same state nothing differs.
TEST_P(GpuOpen, AStepFromAnyStateOfTheCpuIsTheCpuStep) {
    std::vector<Cloud> clouds = flows();
    for (const int algorithm : {1, 2, 3}) clouds.push_back(following(turning(algorithm, true)));
    for (const Cloud& cloud : clouds) {
        // m/s: a staggered step adds four times as much of the accelerations as others
        const float rounding = cloud.setup.constants.integrator == sph::Integrator::staggered ? 8e-5f : 2e-5f;
        const auto cpu = on_cpu(cloud);
        for (int look = 0; look < 50; ++look) {
            take_steps(*cpu, 2);
            ParticleState before = cpu->state();
            before.section = {};
            const auto gpu = make_for(cloud, before.size(), options(), before);
            take_steps(*cpu, 1);
            take_steps(*gpu, 1);
            const ParticleState expected = sorted_by_id(cpu->state()), found = sorted_by_id(gpu->state());
            ASSERT_EQ(found.id, expected.id) << "step " << before.step;
            EXPECT_NEAR(found.time, expected.time, 1e-8);
            for (std::size_t i = 0; i < found.size(); ++i) {
                const Vec3d moved = found.position[i] - expected.position[i];
                const Vec3f faster = found.velocity[i] - expected.velocity[i];
                EXPECT_LT(std::sqrt(dot(moved, moved)), 1e-6) << found.id[i] << " in step " << before.step;
                EXPECT_LT(std::sqrt(dot(faster, faster)), rounding) << found.id[i] << " in step " << before.step;
                EXPECT_NEAR(found.density[i], expected.density[i], 0.01) << found.id[i] << " in step " << before.step;
            }
        }
    }
}

TEST_P(GpuOpen, ZonesFollowAGridAndStayLevel) {
    expect_grid_flow([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuOpen, StepsFollowTheCpu) {
    for (const Cloud& cloud :
         {turning(1, false), turning(2, true), turning(3, true), rising(1, found_surface), rising(2, found_surface),
          rising(3, found_surface), following(rising(2, found_surface))}) {
        SCOPED_TRACE(cloud.setup.constants.gravity.z == 0 ? "turning" : "rising");
        SCOPED_TRACE(testing::Message() << "integrator " << int(cloud.setup.constants.integrator));
        const int steps = cloud.setup.constants.integrator == sph::Integrator::staggered ? 38 : 150; // as long
        const auto here = make(cloud), there = on_cpu(cloud);
        take_steps(*here, steps);
        take_steps(*there, steps);
        const ParticleState expected = there->state(), state = here->state();
        EXPECT_EQ(state.created, expected.created);
        EXPECT_GT(state.created, cloud.state.created);
        EXPECT_EQ(here->advance({}).particles, state.size());
        const StateErrors errors =
            state_errors(oracle::to_double(sorted_by_id(expected)), state, cloud.setup.constants.dp);
        EXPECT_LT(errors.position, 2e-3);
        EXPECT_LT(errors.velocity, 5e-3);
        EXPECT_LT(errors.density, 0.2);
        const std::vector<ZonePassage> passed = here->take_passed(), booked = there->take_passed();
        ASSERT_EQ(in_words(passed), in_words(booked));
        EXPECT_GT(passed.size(), 5u);
        for (std::size_t k = 0; k < passed.size(); ++k) {
            EXPECT_NEAR(passed[k].time, booked[k].time, 1e-5);
            const Vec3d apart = passed[k].position - booked[k].position;
            EXPECT_LT(std::sqrt(dot(apart, apart)), 2e-3 * cloud.setup.constants.dp);
        }
        EXPECT_TRUE(here->take_passed().empty());
    }
}

TEST_P(GpuOpen, RunsAreTheSameBitForBitAgainAndWhenStoppedOrResumed) {
    for (const Cloud& cloud : flows()) {
        const ParticleState whole = run(cloud, {200});
        EXPECT_NE(whole.size(), cloud.state.size());
        EXPECT_TRUE(same_open_run(whole, run(cloud, {200})));
        EXPECT_TRUE(same_open_run(whole, run(cloud, {1, 16, 70, 113})));
        for (const int stop : {67, 120}) {
            Cloud later = cloud;
            later.state = run(cloud, {stop});
            EXPECT_TRUE(same_open_run(whole, run(later, {200 - stop}))) << stop;
        }
    }
}

TEST_P(GpuOpen, GraphsAndLooksAtTheRunChangeNothing) {
    for (const Cloud& cloud : flows()) {
        const ParticleState whole = run(cloud, {120});
        CudaOptions without = options();
        without.graphs = false;
        const auto plain = make_for(cloud, cloud.state.size(), without, cloud.state);
        take_steps(*plain, 120);
        EXPECT_TRUE(same_open_run(whole, plain->state()));
        const auto looked_at = make(cloud);
        for (const int steps : {1, 50, 69}) {
            looked_at->state();
            looked_at->next_time_step();
            looked_at->snapshot(derived_fields)->get();
            take_steps(*looked_at, steps);
        }
        EXPECT_TRUE(same_open_run(whole, looked_at->state()));
    }
}

TEST_P(GpuOpen, ArraysGrowWithoutAChangeOfTheNumbers) {
    for (const int algorithm : {1, 2, 3}) {
        const Cloud cloud = jet(algorithm);
        const auto roomy = make_for(cloud, 1000, options(), cloud.state),
                   tight = make_for(cloud, cloud.setup.groups.boundary_count(), options(), cloud.state),
                   there = on_cpu(cloud);
        const std::size_t bytes = tight->memory_bytes();
        for (Backend* backend : {roomy.get(), tight.get(), there.get()}) advance_to(*backend, 1.2);
        const ParticleState state = tight->state();
        EXPECT_GT(state.size(), cloud.state.size() + 60);
        EXPECT_GT(tight->memory_bytes(), bytes);
        EXPECT_TRUE(same_open_run(state, roomy->state()));
        EXPECT_EQ(sorted_by_id(state).id, sorted_by_id(there->state()).id);
        EXPECT_EQ(tight->take_passed().size(), roomy->take_passed().size());
    }
}

TEST_P(GpuOpen, AFullDeviceEndsTheRunAndKeepsItsState) {
    const Cloud cloud = jet(2);
    constexpr double end = 1.8; // s: by then the jet has more than twice the particles that it began with
    CudaOptions scarce = options();
    for (const GpuModePlan& plan : plan_gpu_memory({cloud.setup, cloud.state.size(), 1e15, {}, {}}).modes)
        if (plan.mode == GetParam().mode) scarce.memory_limit = static_cast<std::size_t>(plan.bytes + 1);
    const auto backend = make_for(cloud, cloud.state.size(), scarce, cloud.state);
    for (int n = 0; n < 2; ++n) // it stays so
        try {
            advance_to(*backend, end);
            FAIL() << "the arrays have grown beyond the limit";
        } catch (const RunError& error) {
            EXPECT_EQ(error.outcome(), Outcome::out_of_memory) << error.what();
        }
    const ParticleState kept = backend->state();
    EXPECT_GT(kept.created, cloud.state.created);
    const auto whole = make(cloud), resumed = make_for(cloud, kept.size(), options(), kept);
    advance_to(*whole, end);
    advance_to(*resumed, end);
    EXPECT_TRUE(same_open_run(whole->state(), resumed->state()));
}

TEST_P(GpuOpen, ListsAreKeptWhileParticlesLeave) {
    for (const int algorithm : {1, 2, 3})
        for (const Cloud& cloud : {draining(algorithm), draining_in_passes(algorithm)}) {
            const ParticleState whole = run(cloud, {120});
            const auto backend = make(cloud);
            int kept = 0;
            for (int step = 4; step < 120; step += 4) {
                take_steps(*backend, 4);
                Cloud later = cloud;
                later.state = backend->state();
                const cuda::ListState lists = cuda::lists_of(later.state.section);
                EXPECT_TRUE(lists.vacated.empty() || !lists.expired);
                if (lists.vacated.empty() || lists.steps_since_build < 2) continue;
                ++kept;
                EXPECT_EQ(backend->advance({}).particles, later.state.size());
                const auto resumed = make(later);
                EXPECT_TRUE(bitwise_equal(later.state, resumed->state()));
                EXPECT_TRUE(same_open_run(whole, run(later, {120 - step}))) << step;
                std::vector<Vec3f> here, there;
                std::vector<float> density_here, density_there;
                resumed->rates(here, density_here);
                backend->rates(there, density_there);
                EXPECT_EQ(here, there);
                EXPECT_EQ(density_here.size(), later.state.size());
                expect_near_rates(*resumed, later);
            }
            EXPECT_EQ(kept > 5, has_neighbour_lists(GetParam().mode)) << kept;
            EXPECT_TRUE(same_open_run(whole, run(cloud, {120})));
        }
}

TEST_P(GpuOpen, FramesAreThoseOfTheState) {
    const Cloud cloud = turning(1, true);
    const auto backend = make(cloud);
    take_steps(*backend, 100);
    const ParticleState state = backend->state();
    const Frame frame = backend->snapshot(derived_fields)->get(), expected = make_frame(state, cloud.setup);
    EXPECT_EQ(frame.id, expected.id);
    EXPECT_EQ(frame.position, expected.position);
    EXPECT_EQ(frame.velocity, expected.velocity);
    EXPECT_EQ(frame.density, expected.density);
    const oracle::State of = oracle::to_double(sorted_by_id(state));
    for (std::size_t k = cloud.setup.groups.boundary_count(); k < frame.size(); ++k) {
        const oracle::FlowGradient sums = oracle::flow_gradient(cloud.setup, of, k);
        EXPECT_LT(sums.error(frame.vorticity[k], frame.velocity_divergence[k], frame.position_divergence[k]), 1e-4);
    }
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuOpen, testing::ValuesIn(gpu_modes), mode_test_name);
