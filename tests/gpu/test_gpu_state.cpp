// SPDX-License-Identifier: Apache-2.0
#include "backend/gpu_memory_plan.h"
#include "backend/state_frame.h"
#include "backends/compare.h"
#include "bench/paper/ladder.h"
#include "cuda/data/list_state.h"
#include "gpu/dam_break.h"
#include "gpu/require_gpu.h"
#include <chrono>
#include <future>
#include <thread>

// What is read from a run on the GPU, and what a run makes of what was read: no look at it changes a bit, and a state
// goes on as the run that it was taken from.

using namespace sluice;
using clouds::Choice;
using clouds::Cloud;

namespace {

/// Takes exactly so many steps without looking at the state. Losses stop the backend early: it is sent on.
class GpuState : public GpuTest, public testing::WithParamInterface<ModeInfo<GpuMode>> {
protected:
    bool uses_lists() const { return has_neighbour_lists(GetParam().mode); }
    CudaOptions options() const {
        CudaOptions options;
        options.mode = GetParam().mode;
        return options;
    }
    std::unique_ptr<Backend> make(const Cloud& cloud, const ParticleState& state, const CudaOptions& options) const {
        auto backend = make_cuda_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
        backend->set_state(state);
        return backend;
    }
    std::unique_ptr<Backend> make(const Cloud& cloud) const { return make(cloud, cloud.state, options()); }
    ParticleState undisturbed(const Cloud& cloud, std::int64_t steps) const {
        const auto backend = make(cloud);
        advance(*backend, steps);
        return backend->state();
    }
};

/// The modes without lists.
class GpuCellOrder : public GpuState {};

std::vector<ModeInfo<GpuMode>> modes_without_lists() {
    std::vector<ModeInfo<GpuMode>> modes(std::begin(gpu_modes), std::end(gpu_modes));
    std::erase_if(modes, [](const auto& info) { return has_neighbour_lists(info.mode); });
    return modes;
}

/// A cloud in motion whose lists last several steps; some of its particles leave in the first steps and later.
Cloud moving_cloud(sph::Integrator integrator, bool with_losses) {
    Cloud cloud = clouds::make_cloud({sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas, integrator},
                                     {24, 12, 18}, 3);
    if (!with_losses) return cloud;
    const std::uint32_t first = cloud.setup.groups.boundary_count(),
                        last = static_cast<std::uint32_t>(cloud.state.size()) - 1;
    for (std::uint32_t i = first + 3; i < last; i += 500)
        cloud.state.density[i] = cloud.state.density_previous[i] = 1400;
    for (const std::uint32_t i : {last, last - 100, last - 1000}) // fly out of the domain one after the other
        cloud.state.velocity[i].z = cloud.state.velocity_previous[i].z = 40 + 0.01f * float(last - i);
    return cloud;
}

bool same_frame(const Frame& a, const Frame& b) {
    return a.step == b.step && a.time == b.time && a.id == b.id && a.position == b.position &&
           a.velocity == b.velocity && a.density == b.density && a.pressure == b.pressure;
}

/// Whether two states are of the same run, bit for bit. The order of the particles is left out: modes without lists
/// sort before every step, and whether the order is that of the last step or already that of the next tells nothing.
bool same_run(const ParticleState& a, const ParticleState& b) {
    return bitwise_equal(sorted_by_id(a), sorted_by_id(b));
}

} // namespace

TEST_P(GpuState, LooksAtTheRunChangeNothing) {
    for (const auto integrator : all_integrators)
        for (const bool with_losses : {false, true}) {
            const Cloud cloud = moving_cloud(integrator, with_losses);
            const ParticleState expected = undisturbed(cloud, 80);
            const auto backend = make(cloud);
            std::vector<Vec3f> acceleration;
            std::vector<float> density_rate;
            for (const int steps : {1, 2, 5, 13, 1, 20, 38}) {
                backend->state();
                backend->snapshot({})->get();
                backend->next_time_step(); // sorts the particles, as the next step would
                backend->rates(acceleration, density_rate);
                backend->state();
                advance(*backend, steps);
            }
            EXPECT_TRUE(same_run(expected, backend->state())) << int(integrator) << with_losses;
        }
}

TEST_P(GpuCellOrder, CountedOnTheWayIsThatOfARadixSort) {
    for (const auto integrator : integrators) {
        const Cloud cloud = moving_cloud(integrator, true);
        const auto counting = make(cloud);
        for (const int steps : {0, 1, 7, 40}) {
            advance(*counting, steps);
            const auto sorting = paper::make_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()),
                                                     GetParam().mode, paper::no_optimisations);
            sorting->set_state(counting->state());
            for (Backend* backend : {counting.get(), sorting.get()}) backend->next_time_step();
            EXPECT_EQ(counting->state().id, sorting->state().id) << "after " << steps << " more steps";
            EXPECT_EQ(counting->state().position, sorting->state().position);
        }
        EXPECT_GT(counting->take_excluded().size(), 0u);
    }
}

TEST_F(GpuTest, ShortListEntriesGiveTheSameNumbersBitForBit) {
    const auto after = [](const RunSetup& setup, const ParticleState& state, GpuMode mode, std::int64_t steps) {
        CudaOptions options;
        options.mode = mode;
        const auto backend = make_cuda_backend(setup, static_cast<std::uint32_t>(state.size()), options);
        backend->set_state(state);
        advance(*backend, steps);
        return backend->state();
    };
    for (const auto integrator : all_integrators) { // four warps a tile
        const Cloud cloud = moving_cloud(integrator, true);
        EXPECT_TRUE(bitwise_equal(after(cloud.setup, cloud.state, GpuMode::neighbour_list, 60),
                                  after(cloud.setup, cloud.state, GpuMode::short_list, 60)));
    }
    const DamBreak dam = make_dam_break(0.0045); // one
    EXPECT_TRUE(bitwise_equal(after(dam.setup, dam.state, GpuMode::neighbour_list, 40),
                              after(dam.setup, dam.state, GpuMode::short_list, 40)));
}

TEST_P(GpuState, GoesOnBitwiseFromAnyStep) {
    for (const auto integrator : all_integrators)
        for (const bool with_losses : {false, true}) {
            const Cloud cloud = moving_cloud(integrator, with_losses);
            const ParticleState expected = undisturbed(cloud, 90);
            const auto backend = make(cloud);
            bool in_mid_life = false;
            std::size_t lost = 0;
            for (const int steps : {1, 2, 8, 11, 1, 23, 14}) {
                advance(*backend, steps);
                lost += backend->take_excluded().size();
                const ParticleState saved = backend->state();
                const cuda::ListState lists = cuda::lists_of(saved.section);
                in_mid_life |= !lists.expired && lists.steps_since_build > 1 && (lost > 0) == with_losses;
                const auto resumed = make(cloud, saved, options());
                EXPECT_TRUE(bitwise_equal(saved, resumed->state())) << "after " << saved.step << " steps";
                advance(*resumed, 90 - saved.step);
                EXPECT_TRUE(same_run(expected, resumed->state()))
                    << "from step " << saved.step << ", integrator " << int(integrator);
            }
            EXPECT_EQ(in_mid_life, uses_lists());
            EXPECT_EQ(lost > 0, with_losses);
        }
}

TEST_P(GpuState, GoesOnFromAStateOfAnotherBackend) {
    // a state with lists goes to a mode without, and one without to a mode with lists
    const Cloud cloud = moving_cloud(sph::Integrator::verlet, false);
    for (const auto& other : gpu_modes) {
        CudaOptions there;
        there.mode = other.mode;
        const auto origin = make(cloud, cloud.state, there);
        advance(*origin, 20);
        const ParticleState saved = origin->state();
        const auto resumed = make(cloud, saved, options());
        advance(*resumed, 20);
        advance(*origin, 20);
        const StateErrors errors =
            state_errors(oracle::to_double(sorted_by_id(origin->state())), resumed->state(), cloud.setup.constants.dp);
        EXPECT_LT(errors.position, 1e-4) << other.name;
        EXPECT_LT(errors.velocity, 1e-3) << other.name;
    }
}

TEST_P(GpuState, GraphsDoNotChangeTheNumbers) {
    for (const auto integrator : all_integrators) {
        const Cloud cloud = moving_cloud(integrator, true);
        CudaOptions without = options();
        without.graphs = false;
        const auto backend = make(cloud, cloud.state, without);
        advance(*backend, 80);
        EXPECT_TRUE(same_run(undisturbed(cloud, 80), backend->state()));
    }
}

TEST_P(GpuState, SnapshotsAreTheFramesOfTheState) {
    const Cloud cloud = moving_cloud(sph::Integrator::symplectic, true);
    CudaOptions tight = options();
    for (const GpuModePlan& plan : plan_gpu_memory({cloud.setup, cloud.state.size(), 1e15, {}, {}}).modes)
        if (plan.mode == GetParam().mode)
            tight.memory_limit = static_cast<std::size_t>(plan.bytes + 1); // no room for copies
    for (const CudaOptions& how : {options(), tight}) {
        const auto backend = make(cloud, cloud.state, how);
        EXPECT_TRUE(same_frame(backend->snapshot({})->get(), make_frame(backend->state(), cloud.setup)))
            << "the initial state";
        for (const int steps : {1, 9, 50}) {
            advance(*backend, steps);
            EXPECT_TRUE(same_frame(backend->snapshot({})->get(), make_frame(backend->state(), cloud.setup)));
        }
        // a run made for the particles that are left: the ids reach beyond their number
        Cloud left = cloud;
        left.state = backend->state();
        ASSERT_LT(left.state.size(), cloud.state.size());
        CudaOptions again = how;
        again.memory_limit.reset();
        const auto resumed = make(left, left.state, again);
        EXPECT_TRUE(same_frame(resumed->snapshot({})->get(), make_frame(left.state, cloud.setup)));
    }
}

TEST_P(GpuState, SnapshotsArriveWhileStepsGoOn) {
    const DamBreak dam = make_dam_break(0.01);
    CudaOptions roomy = options();
    const auto backend = make_cuda_backend(dam.setup, static_cast<std::uint32_t>(dam.state.size()), roomy);
    backend->set_state(dam.state);
    advance(*backend, 5);
    const Frame at_5 = make_frame(backend->state(), dam.setup);
    auto first = backend->snapshot({});
    advance(*backend, 40);
    const Frame at_45 = make_frame(backend->state(), dam.setup);
    auto second = backend->snapshot({});
    // two are under way: the third waits until one has been got, by whatever thread
    std::promise<void> done;
    std::future<void> third_has_begun = done.get_future();
    std::unique_ptr<PendingFrame> third;
    std::jthread asks([&] {
        third = backend->snapshot({});
        done.set_value();
    });
    EXPECT_EQ(third_has_begun.wait_for(std::chrono::milliseconds(200)), std::future_status::timeout);
    EXPECT_TRUE(same_frame(first->get(), at_5));
    third_has_begun.wait();
    asks.join();
    advance(*backend, 40);
    Frame got;
    std::jthread([&] { got = second->get(); }).join();
    EXPECT_TRUE(same_frame(got, at_45));
    EXPECT_TRUE(same_frame(third->get(), at_45));
    EXPECT_THROW(third->get(), std::exception);
    backend->snapshot({}); // given up without having been got: its place is free again
    backend->snapshot({});
    EXPECT_TRUE(same_frame(backend->snapshot({})->get(), make_frame(backend->state(), dam.setup)));
}

TEST_P(GpuState, ShortRunOfEverything) {
    // small enough for tools that watch every access (docs/performance-gpu.md)
    for (const auto kernel : {sph::KernelType::cubic_spline, sph::KernelType::wendland})
        for (const auto integrator : all_integrators) {
            const Cloud cloud = [&] {
                Cloud c = clouds::make_cloud({kernel, sph::DensityDiffusion::fourtakas, integrator}, {7, 6, 5});
                c.state.density[c.setup.groups.boundary_count() + 7] = 1400; // leaves
                return c;
            }();
            CudaOptions few = options();
            few.skin = 0.003; // renewed several times
            const auto backend = make(cloud, cloud.state, few);
            backend->next_time_step();
            advance(*backend, 5);
            auto frame = backend->snapshot({});
            advance(*backend, 5);
            EXPECT_EQ(frame->get().step, 5);
            const auto resumed = make(cloud, backend->state(), few);
            advance(*resumed, 1);
            advance(*backend, 1);
            EXPECT_TRUE(same_run(backend->state(), resumed->state()));
        }
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuState, testing::ValuesIn(gpu_modes), mode_test_name);
INSTANTIATE_TEST_SUITE_P(Gpu, GpuCellOrder, testing::ValuesIn(modes_without_lists()), mode_test_name);
