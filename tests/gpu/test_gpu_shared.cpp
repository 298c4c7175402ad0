// SPDX-License-Identifier: Apache-2.0
#include "backend/gpu_memory_plan.h"
#include "backend/state_frame.h"
#include "backends/colliding_bodies.h"
#include "backends/compare.h"
#include "backends/elastic_contacts.h"
#include "backends/fluid_passes.h"
#include "backends/forced_fluid.h"
#include "backends/open_channels.h"
#include "backends/staggered_steps.h"
#include "cuda/data/list_state.h"
#include "gpu/dam_break.h"
#include "gpu/gpu_mode_test.h"
#include "gpu/gpu_processes.h"

// Runs that several devices share, of one process or of several, give the bits of one. Here they may all be the same
// GPU, so that a machine with one tests it, too; SLUICE_TEST_GPUS=2 spreads them over so many, and processes take them
// in turn wherever there are several. Here processes are threads, which know nothing of one another but by messages.

using namespace sluice;
using clouds::Choice;
using clouds::Cloud;

namespace {

std::vector<int> devices(int count) {
    const char* spread = std::getenv("SLUICE_TEST_GPUS");
    const int gpus = spread ? std::atoi(spread) : 1;
    std::vector<int> all;
    for (int d = 0; d < count; ++d) all.push_back(d % gpus);
    return all;
}

/// So many devices share a run, or so many processes of so many each.
struct Sharing {
    Sharing(int devices) : each(devices) {} // NOLINT(google-explicit-constructor)
    Sharing(int processes_, int each_) : processes(processes_), each(each_) {}
    int processes = 1, each;
};
std::ostream& operator<<(std::ostream& out, const Sharing& s) {
    return out << s.processes << " processes of " << s.each << " devices";
}

/// Takes exactly so many steps without looking at the state.
class GpuShared : public GpuTest, public testing::WithParamInterface<ModeInfo<GpuMode>> {
protected:
    template <class Run>
    static std::unique_ptr<Backend> make(const Run& run, const ParticleState& state, const Sharing& shares,
                                         double slots_to_spare = 0.1) {
        CudaOptions options;
        options.slots_to_spare = slots_to_spare;
        options.mode = GetParam().mode;
        if (shares.each > 1 || shares.processes > 1) options.devices = devices(shares.each);
        const auto particles = static_cast<std::uint32_t>(run.state.size());
        std::unique_ptr<Backend> backend;
        if (shares.processes > 1)
            backend = std::make_unique<BackendOfProcesses>(run.setup, particles, options, shares.processes);
        else
            backend = make_cuda_backend(run.setup, particles, options);
        backend->set_state(state);
        return backend;
    }
    template <class Run>
    static ParticleState after(const Run& run, const ParticleState& state, const Sharing& shares, std::int64_t steps) {
        const auto backend = make(run, state, shares);
        advance(*backend, steps);
        return backend->state();
    }
    /// Whether two states are of the same run, bit for bit, and in the same order; but modes without lists sort before
    /// every step, and whether the order is that of the last step or already that of the next tells nothing.
    static bool same_run(const ParticleState& a, const ParticleState& b) {
        return has_neighbour_lists(GetParam().mode) ? bitwise_equal(a, b)
                                                    : bitwise_equal(sorted_by_id(a), sorted_by_id(b));
    }
    /// `shares` devices against one, and processes with some, all through, and resumed from the middle with other
    /// numbers of them.
    template <class Run>
    static void expect_the_bits_of_one(const Run& run, std::int64_t steps, std::vector<Sharing> shares) {
        const ParticleState expected = after(run, run.state, 1, steps);
        for (const Sharing& processes : {Sharing(2, 1), Sharing(2, 2)}) shares.push_back(processes);
        for (const Sharing& n : shares) EXPECT_TRUE(same_run(expected, after(run, run.state, n, steps))) << n;
        const ParticleState middle = after(run, run.state, 2, steps / 2 + 3);
        for (const Sharing& n : {Sharing(1), Sharing(3), Sharing(3, 1)})
            EXPECT_TRUE(same_run(expected, after(run, middle, n, steps - steps / 2 - 3))) << "resumed with " << n;
    }
};

/// Boundary particles have no vorticity, which is not a number.
void expect_same_frame(const Frame& expected, const Frame& frame) {
    EXPECT_EQ(expected.id, frame.id);
    EXPECT_EQ(expected.position, frame.position);
    EXPECT_EQ(expected.pressure, frame.pressure);
    ASSERT_EQ(expected.vorticity.size(), frame.vorticity.size());
    EXPECT_EQ(0, std::memcmp(expected.vorticity.data(), frame.vorticity.data(),
                             frame.vorticity.size() * sizeof frame.vorticity[0]));
}

Cloud moving_cloud(sph::Integrator integrator) {
    Cloud cloud =
        clouds::make_cloud({sph::KernelType::wendland, sph::DensityDiffusion::molteni, integrator}, {24, 12, 18}, 3);
    const std::uint32_t first = cloud.setup.groups.boundary_count(),
                        last = static_cast<std::uint32_t>(cloud.state.size()) - 1;
    for (std::uint32_t i = first + 3; i < last; i += 500)
        cloud.state.density[i] = cloud.state.density_previous[i] = 1400;
    for (const std::uint32_t i : {last, last - 100, last - 1000}) // fly out of the domain one after the other
        cloud.state.velocity[i].z = cloud.state.velocity_previous[i].z = 40 + 0.01f * float(last - i);
    return cloud;
}

/// Flows through zones along x, y and z that extrapolate, find their surface, turn, and fill an empty space.
std::vector<Cloud> open_flows() {
    using namespace open_channels;
    std::vector<Cloud> all;
    for (const int algorithm : {1, 2, 3})
        for (const Cloud& cloud : {plug(algorithm), turning(algorithm, true), rising(algorithm, found_surface),
                                   tall(algorithm), duct(algorithm), jet(algorithm), jet(algorithm, true),
                                   draining(algorithm), draining_in_passes(algorithm)})
            all.push_back(cloud);
    return all;
}

} // namespace

TEST_P(GpuShared, ACollapsingDamHasTheBitsOfOne) {
    for (const auto integrator : all_integrators)
        expect_the_bits_of_one(make_dam_break(0.02, integrator), 200, {2, 3, 7});
}

TEST_P(GpuShared, MoreRoomIsMadeOnTheWay) {
    for (const auto integrator : integrators) {
        const DamBreak dam = make_dam_break(0.02, integrator);
        for (const Sharing& shares : {Sharing(3), Sharing(2, 2)}) {
            const auto tight = make(dam, dam.state, shares, 0);
            const std::size_t before = tight->memory_bytes();
            advance(*tight, 150);
            EXPECT_GT(tight->memory_bytes(), before);
            EXPECT_TRUE(same_run(after(dam, dam.state, 1, 150), tight->state())) << shares;
        }
    }
}

TEST_P(GpuShared, EachHoldsNoMoreThanWasPlanned) {
    const DamBreak dam = make_dam_break(0.0085);
    const GpuMemoryPlan plan = plan_gpu_memory({dam.setup, dam.state.size(), 1e15, GetParam().mode, {}, 3});
    const auto backend = make(dam, dam.state, 3);
    advance(*backend, 30);
    const auto p = std::ranges::find(plan.modes, GetParam().mode, &GpuModePlan::mode);
    std::size_t all = 0;
    for (const GpuShare& share : backend->info().gpus) {
        EXPECT_LT(double(share.memory), 1.1 * p->bytes);
        EXPECT_GT(double(share.memory), 0.5 * p->bytes);
        all += share.memory;
    }
    EXPECT_EQ(all, backend->memory_bytes());
}

TEST_P(GpuShared, ProcessesTellOfTheirGpusAndStopTogether) {
    const DamBreak dam = make_dam_break(0.03);
    CudaOptions options;
    options.mode = GetParam().mode;
    options.devices.resize(2);
    GpuProcesses processes(2);
    std::atomic<int> stop{0};
    const auto backend =
        make_cuda_backend(dam.setup, static_cast<std::uint32_t>(dam.state.size()), options, processes.first(), &stop);
    backend->set_state(dam.state);
    advance(*backend, 3);
    EXPECT_EQ(stop, 0);
    const BackendInfo info = backend->info();
    EXPECT_EQ(info.ranks, 2);
    ASSERT_EQ(info.gpus.size(), 4u);
    std::uint32_t fluid = 0;
    for (std::size_t d = 0; d < 4; ++d) {
        EXPECT_EQ(info.gpus[d].process, int(d / 2));
        EXPECT_GT(info.gpus[d].memory, 0u);
        fluid += info.gpus[d].fluid_particles;
    }
    EXPECT_EQ(fluid, dam.state.size() - dam.setup.groups.boundary_count());
    processes.stop = 15;
    advance(*backend, 1);
    EXPECT_EQ(stop, 15);
}

TEST_P(GpuShared, ProcessesBlowUpTogetherAndCanStillBeAskedForTheState) {
    DamBreak dam = make_dam_break(0.03);
    const std::uint32_t last = static_cast<std::uint32_t>(dam.state.size()) - 1;
    dam.state.velocity[last].x = dam.state.velocity_previous[last].x = std::numeric_limits<float>::quiet_NaN();
    const auto one = make(dam, dam.state, 1), two = make(dam, dam.state, Sharing(2, 1));
    std::string told[2];
    for (int n = 0; n < 2; ++n) try {
            advance(*(n == 0 ? one : two), 10);
        } catch (const RunError& error) {
            EXPECT_EQ(error.outcome(), Outcome::blown_up);
            told[n] = error.what();
        }
    EXPECT_NE(told[0], "");
    EXPECT_EQ(told[0], told[1]);
    EXPECT_EQ(one->state().size(), two->state().size());
}

TEST_P(GpuShared, CopiesByTheDriverAreTheSame) {
    const DamBreak dam = make_dam_break(0.02, sph::Integrator::symplectic);
    CudaOptions options;
    options.mode = GetParam().mode;
    options.devices = devices(3);
    options.direct_copies = false;
    const auto backend = make_cuda_backend(dam.setup, static_cast<std::uint32_t>(dam.state.size()), options);
    backend->set_state(dam.state);
    advance(*backend, 100);
    EXPECT_TRUE(same_run(after(dam, dam.state, 1, 100), backend->state()));
}

/// Where all lies at the edge of some share, and where some is inside of it; lists are renewed on the way.
TEST_P(GpuShared, InteractionsBeginInsideOrNot) {
    for (const auto integrator : integrators) {
        const DamBreak dam = make_dam_break(0.012, integrator);
        const ParticleState expected = after(dam, dam.state, 1, 150);
        for (const int shares : {2, 6})
            for (const bool inside : {true, false}) {
                CudaOptions options;
                options.mode = GetParam().mode;
                options.devices = devices(shares);
                options.begins_inside = inside;
                const auto backend =
                    make_cuda_backend(dam.setup, static_cast<std::uint32_t>(dam.state.size()), options);
                backend->set_state(dam.state);
                advance(*backend, 150);
                EXPECT_TRUE(same_run(expected, backend->state())) << shares << " shares, inside first: " << inside;
            }
    }
}

TEST_P(GpuShared, ParticlesThatLeaveAreToldOfTheSameWay) {
    for (const Sharing& shares : {Sharing(3), Sharing(2, 1)})
        for (const auto integrator : integrators) {
            const Cloud cloud = moving_cloud(integrator);
            const auto one = make(cloud, cloud.state, 1), three = make(cloud, cloud.state, shares);
            std::size_t lost = 0;
            for (const int steps : {1, 2, 40, 37}) {
                advance(*one, steps);
                advance(*three, steps);
                EXPECT_EQ(three->advance({1e9, 0, 1e9}).particles, three->state().size());
                const auto expected = one->take_excluded(), told = three->take_excluded();
                ASSERT_EQ(expected.size(), told.size());
                for (std::size_t k = 0; k < told.size(); ++k) {
                    EXPECT_EQ(expected[k].id, told[k].id);
                    EXPECT_EQ(expected[k].step, told[k].step);
                    EXPECT_EQ(expected[k].cause, told[k].cause);
                    EXPECT_EQ(expected[k].position, told[k].position);
                    EXPECT_EQ(expected[k].velocity, told[k].velocity);
                }
                lost += told.size();
                EXPECT_TRUE(bitwise_equal(sorted_by_id(one->state()), sorted_by_id(three->state())));
            }
            EXPECT_GT(lost, 3u);
        }
}

TEST_P(GpuShared, LooksAtTheRunChangeNothing) {
    std::vector<Cloud> clouds;
    for (const auto integrator : integrators) {
        const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator};
        clouds.push_back(moving_cloud(integrator));
        clouds.push_back(moving::floating_cloud(choice, {16, 10, 14}));
        extrapolated::add_normals(clouds.back(), sph::SlipMode::no_slip, 5);
        clouds.push_back(passes::turbulent(clouds::make_cloud(choice, {16, 10, 14})));
        clouds.push_back(passes::layered(clouds::make_cloud(choice, {16, 10, 14}), true));
    }
    clouds.push_back(passes::turbulent(passes::layered(clouds::make_cloud(
        {sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, sph::Integrator::symplectic}, {16, 10, 14}))));
    for (const Sharing& shares : {Sharing(2), Sharing(2, 1)})
        for (const Cloud& cloud : clouds) {
            const ParticleState expected = after(cloud, cloud.state, 1, 60);
            const auto one = make(cloud, cloud.state, 1), two = make(cloud, cloud.state, shares);
            std::vector<Vec3f> a, b;
            std::vector<float> c, d;
            FieldSelection all;
            for (const FieldInfo& info : particle_fields) all.add(info.field);
            for (const int steps : {1, 2, 20, 37}) {
                EXPECT_EQ(one->next_time_step(), two->next_time_step());
                one->rates(a, c);
                two->rates(b, d);
                EXPECT_EQ(a, b);
                EXPECT_EQ(c, d);
                const Frame expected_frame = one->snapshot(all)->get(), frame = two->snapshot(all)->get();
                expect_same_frame(expected_frame, frame);
                advance(*one, steps);
                advance(*two, steps);
            }
            EXPECT_TRUE(bitwise_equal(sorted_by_id(expected), sorted_by_id(one->state())));
            EXPECT_TRUE(bitwise_equal(sorted_by_id(expected), sorted_by_id(two->state())));
        }
}

TEST_P(GpuShared, PeriodicSidesHaveTheBitsOfOne) {
    for (const auto integrator : integrators) {
        const clouds::Choice choice{sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas, integrator};
        Cloud cloud = clouds::make_periodic_cloud(choice, {16, 12, 14}, "xy");
        for (std::size_t i = cloud.setup.groups.boundary_count(); i < cloud.state.size(); ++i)
            for (auto* v : {&cloud.state.velocity[i], &cloud.state.velocity_previous[i]}) {
                v->x += 3;
                v->y -= 2;
            }
        expect_the_bits_of_one(cloud, 60, {2, 3});
        expect_the_bits_of_one(clouds::make_periodic_cloud(choice, {16, 12, 14}, "yz"), 60, {2, 3});
        expect_the_bits_of_one(clouds::make_periodic_cloud(choice, {16, 12, 14}, "x", {0, 0, 0.002}), 60, {2});
    }
}

TEST_P(GpuShared, MovingWallsHaveTheBitsOfOne) {
    for (const auto integrator : integrators) {
        const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator};
        expect_the_bits_of_one(moving::moving_cloud(choice, {16, 10, 14}), 80, {2, 3});
        expect_the_bits_of_one(moving::periodic_cloud(choice, {16, 10, 14}), 60, {2});
    }
}

TEST_P(GpuShared, ForcesZonesAndShiftingHaveTheBitsOfOne) {
    for (const auto integrator : integrators) {
        const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::none, integrator};
        const Cloud cloud = clouds::make_cloud(choice, {18, 12, 16}, 3);
        expect_the_bits_of_one(forced::forced_cloud(cloud), 60, {2, 3});
        expect_the_bits_of_one(passes::shifting(cloud, sph::Shifting::everywhere, 2.5), 60, {2, 3});
        expect_the_bits_of_one(passes::shifting_along_surfaces(cloud), 60, {2, 3});
    }
}

TEST_P(GpuShared, TwoDimensionsHaveTheBitsOfOne) {
    for (const auto integrator : integrators) {
        const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator, true};
        expect_the_bits_of_one(clouds::make_cloud(choice, {60, 1, 50}, 3), 80, {2, 5});
    }
}

TEST_P(GpuShared, WallsFromGhostNodesHaveTheBitsOfOne) {
    for (const Cloud& cloud : extrapolated::clouds_to_resume({16, 10, 14})) expect_the_bits_of_one(cloud, 60, {2, 5});
}

TEST_P(GpuShared, SoManyGhostNodesThatEachHasAThreadHaveTheBitsOfOne) {
    DamBreak tank = make_full_tank(0.014, 4, 3); // 88 thousand
    tank.setup.constants.boundary = sph::BoundaryCondition::modified_dynamic;
    tank.setup.constants.slip = sph::SlipMode::no_slip;
    expect_the_bits_of_one(tank, 20, {3});
}

TEST_P(GpuShared, FurtherPassesOverTheFluidHaveTheBitsOfOne) {
    for (const Cloud& cloud : passes::clouds_to_resume({16, 10, 14})) expect_the_bits_of_one(cloud, 40, {2, 3});
}

TEST_P(GpuShared, GeneralisedNewtonianFluidsAndLayersHaveTheBitsOfOne) {
    for (const auto& [name, cloud] : passes::thick_clouds({16, 10, 14})) {
        SCOPED_TRACE(name);
        expect_the_bits_of_one(cloud, 40, {2, 3});
    }
}

TEST_P(GpuShared, StaggeredStepsHaveTheBitsOfOne) {
    for (const staggered::Named& start : staggered::all_clouds({16, 10, 14})) {
        SCOPED_TRACE(start.name);
        expect_the_bits_of_one(start.cloud, 40, {2, 3});
    }
}

TEST_P(GpuShared, BodiesThatJointsLinesAndContactsMoveHaveTheBitsOfOne) {
    for (const auto make_cloud : {moving::joined_cloud, moving::moored_cloud, colliding::colliding_cloud})
        for (const auto integrator : integrators)
            expect_the_bits_of_one(
                make_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator}, {16, 10, 14}), 60,
                {2, 3, 5});
}

TEST_P(GpuShared, EachBeginsWithTheMooringLinesOfTheState) {
    const Cloud cloud = moving::moored_cloud(
        {sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, sph::Integrator::symplectic}, {16, 10, 14});
    const ParticleState middle = after(cloud, cloud.state, 1, 40);
    ASSERT_NE(middle.moorings, cloud.setup.moorings.at_start);
    const auto shares = make(cloud, middle, 3);
    EXPECT_EQ(shares->state().moorings, middle.moorings);
    EXPECT_EQ(shares->snapshot({})->get().moorings, middle.moorings);
}

TEST_P(GpuShared, BodiesHaveTheBitsOfOne) {
    for (const auto integrator : all_integrators)
        for (const auto make_cloud :
             {moving::floating_cloud, moving::periodic_floating_cloud, moving::driven_cloud, moving::touching_cloud}) {
            const Cloud cloud =
                make_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator}, {16, 10, 14});
            expect_the_bits_of_one(cloud, 60, {2, 5});
            for (const Sharing& shares : {Sharing(3), Sharing(2, 1)}) {
                const auto one = make(cloud, cloud.state, 1), three = make(cloud, cloud.state, shares);
                advance(*one, 20);
                advance(*three, 20);
                const auto expected = one->bodies(), told = three->bodies();
                ASSERT_EQ(expected.size(), told.size());
                for (std::size_t b = 0; b < told.size(); ++b) {
                    EXPECT_EQ(expected[b].state.centre, told[b].state.centre);
                    EXPECT_EQ(expected[b].state.angular_velocity, told[b].state.angular_velocity);
                    EXPECT_EQ(expected[b].state.velocity_previous, told[b].state.velocity_previous);
                    EXPECT_EQ(expected[b].loads.fluid.force, told[b].loads.fluid.force);
                    EXPECT_EQ(expected[b].loads.fluid.moment, told[b].loads.fluid.moment);
                    EXPECT_NE(Vec3d{}, told[b].loads.fluid.force);
                    EXPECT_EQ(expected[b].loads.contact.force, told[b].loads.contact.force);
                }
            }
        }
}

TEST_P(GpuShared, BodiesWithoutFluidMeet) {
    elastic::expect_kept_momentum([](const Cloud& cloud) { return make(cloud, cloud.state, 2); });
    elastic::expect_many_bounces([](const Cloud& cloud) { return make(cloud, cloud.state, 3); });
}

TEST_P(GpuShared, PistonsThatAbsorbWavesHaveTheBitsOfOne) {
    for (const auto integrator : integrators)
        for (const auto make_cloud : {moving::open_absorbing_cloud, moving::periodic_absorbing_cloud}) {
            const Cloud cloud =
                make_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator}, {16, 10, 14});
            expect_the_bits_of_one(cloud, 60, {2, 5});
        }
}

TEST_P(GpuShared, OpenBoundariesHaveTheBitsOfOne) {
    int n = 0;
    for (const Cloud& cloud : open_flows()) {
        SCOPED_TRACE("flow " + std::to_string(n++));
        expect_the_bits_of_one(cloud, 150, {2, 3});
    }
}

TEST_P(GpuShared, WhatPassesIsToldOfTheSameWay) {
    FieldSelection all;
    for (const FieldInfo& info : particle_fields) all.add(info.field);
    const std::vector<Cloud> flows = open_flows();
    for (const Sharing& shares : {Sharing(3), Sharing(2, 1)})
        for (const Cloud& cloud : flows) {
            const auto one = make(cloud, cloud.state, 1), three = make(cloud, cloud.state, shares, 0);
            std::size_t passed = 0;
            for (const int steps : {1, 60, 61, 90}) {
                SCOPED_TRACE(testing::Message() << "flow " << &cloud - flows.data() << ", " << steps << " steps more");
                advance(*one, steps);
                advance(*three, steps);
                const auto expected = one->take_passed(), told = three->take_passed();
                ASSERT_EQ(expected.size(), told.size());
                for (std::size_t k = 0; k < told.size(); ++k) {
                    EXPECT_EQ(expected[k].id, told[k].id);
                    EXPECT_EQ(expected[k].entered, told[k].entered);
                    EXPECT_EQ(expected[k].step, told[k].step);
                    EXPECT_EQ(expected[k].position, told[k].position);
                    EXPECT_EQ(expected[k].velocity, told[k].velocity);
                }
                passed += told.size();
                EXPECT_EQ(three->state().size(), three->advance({1e9, 0, 1e9}).particles);
                const Frame expected_frame = one->snapshot(all)->get(), frame = three->snapshot(all)->get();
                expect_same_frame(expected_frame, frame);
                EXPECT_TRUE(bitwise_equal(sorted_by_id(one->state()), sorted_by_id(three->state())));
            }
            EXPECT_GT(passed, 10u);
        }
}

TEST_P(GpuShared, WhatOthersFindIsTheSameByTheDriver) {
    CudaOptions by_driver;
    by_driver.mode = GetParam().mode;
    by_driver.devices = devices(3);
    by_driver.direct_copies = false;
    const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, sph::Integrator::symplectic};
    const Vec3i count{16, 10, 14};
    Cloud walls = moving::touching_cloud(choice, count);
    extrapolated::add_normals(walls, sph::SlipMode::no_slip, 5);
    for (const Cloud& cloud :
         {walls, passes::turbulent(clouds::make_cloud(choice, count)),
          passes::layered(clouds::make_cloud(choice, count), true), moving::open_absorbing_cloud(choice, count),
          open_channels::rising(2, open_channels::found_surface)}) {
        const auto backend = make_cuda_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), by_driver);
        backend->set_state(cloud.state);
        advance(*backend, 50);
        EXPECT_TRUE(same_run(after(cloud, cloud.state, 1, 50), backend->state()));
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, GpuShared, testing::ValuesIn(gpu_modes), mode_test_name);

TEST(GpuSharedRefusals, DevicesThatAreNotThereAreNamed) {
    if (count_gpus() == 0) GTEST_SKIP();
    const DamBreak dam = make_dam_break(0.05);
    CudaOptions options;
    options.devices = {0, 4711};
    EXPECT_THROW(make_cuda_backend(dam.setup, static_cast<std::uint32_t>(dam.state.size()), options), InputError);
}
