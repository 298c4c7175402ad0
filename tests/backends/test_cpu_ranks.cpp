// SPDX-License-Identifier: Apache-2.0
#include "backends/colliding_bodies.h"
#include "backends/elastic_contacts.h"
#include "backends/extrapolated_walls.h"
#include "backends/fluid_passes.h"
#include "backends/forced_fluid.h"
#include "backends/moving_walls.h"
#include "backends/open_channels.h"
#include "backends/rank_looks.h"
#include "backends/staggered_steps.h"

// Runs of several ranks on the CPU: whatever their number, all that comes out is what one rank has, bit by bit.

using namespace sluice;
using namespace sluice::rank_looks;
using clouds::Choice;

namespace {

struct NamedCloud {
    std::string name;
    Cloud cloud;
};

/// Returns what they all have.
Look expect_same_for_any_ranks(const NamedCloud& named, int steps, const std::vector<int>& numbers) {
    Look one = run(named.cloud, 1, steps, options_for(1));
    for (const int ranks : numbers)
        expect_same(one, run(named.cloud, ranks, steps, options_for(ranks)),
                    named.name + ", " + std::to_string(ranks) + " ranks");
    expect_same(one, run_by_processes(named.cloud, numbers[0], steps), named.name + ", as processes");
    return one;
}

const std::vector<sph::Integrator> integrators{sph::Integrator::verlet, sph::Integrator::symplectic};

/// Fluid some of which leaves the domain, some at once, some after a few steps.
Cloud leaving_cloud(const Choice& choice) {
    Cloud cloud = clouds::make_cloud(choice, {30, 4, 5});
    const std::uint32_t walls = cloud.setup.groups.boundary_count();
    cloud.state.position[walls + 3].x = -0.01;
    for (std::uint32_t k = 0; k < 12; ++k) {
        const std::uint32_t i = walls + 7 + 40 * k;
        cloud.state.position[i] = {0.001 + 0.06 * k, 0.01 * (k % 3), 0.4};
        cloud.state.velocity[i] = {0, -40, 0};
    }
    cloud.state.velocity_previous = cloud.state.velocity;
    return cloud;
}

} // namespace

TEST(CpuRanks, OfPlainClouds) {
    for (const auto integrator : integrators)
        for (const bool two_d : {false, true}) {
            Choice choice = choice_of(integrator);
            choice.two_d = two_d;
            expect_same_for_any_ranks({choice.name(), clouds::make_cloud(choice, {36, 4, 5})}, 55, {2, 3, 4, 7});
        }
}

TEST(CpuRanks, OfEveryCellSizeInstructionSetAndNumberOfThreads) {
    const Cloud cloud = clouds::make_cloud(choice_of(sph::Integrator::verlet), {30, 4, 4});
    for (const auto& cells : cell_sizes)
        for (const SimdLevel& level : simd_levels()) {
            if (!level.available) continue;
            CpuOptions options = options_for(1, level.name);
            options.cells = cells.mode;
            const Look one = run(cloud, 1, 30, options);
            options.threads = 2;
            expect_same(one, run(cloud, 3, 30, options), level.name);
        }
}

TEST(CpuRanks, WithPeriodicSides) {
    for (const auto integrator : integrators)
        for (const clouds::Sides& sides : clouds::periodic_sides) {
            Choice choice = choice_of(integrator);
            choice.two_d = sides.two_d;
            expect_same_for_any_ranks({std::string(sides.axes) + choice.name(),
                                       clouds::make_periodic_cloud(choice, {16, 8, 9}, sides.axes, sides.step)},
                                      15, {2, 5});
        }
}

TEST(CpuRanks, WithWallsAndBodiesThatMove) {
    for (const auto integrator : integrators)
        for (const auto make_cloud :
             {moving::periodic_cloud, moving::moving_cloud, moving::floating_cloud, moving::periodic_floating_cloud,
              moving::driven_cloud, moving::joined_cloud, moving::moored_cloud, moving::touching_cloud,
              moving::open_absorbing_cloud, moving::periodic_absorbing_cloud, colliding::colliding_cloud})
            expect_same_for_any_ranks({"moving", make_cloud(choice_of(integrator), {16, 4, 4})}, 20, {2, 7});
}

TEST(CpuRanks, WithWallsFromGhostNodes) {
    for (const Cloud& cloud : extrapolated::clouds_to_resume({24, 4, 4}))
        expect_same_for_any_ranks({"ghost nodes", cloud}, 20, {3, 7});
    for (const auto integrator : integrators) { // some nodes are at the other end of the domain
        Cloud along = clouds::make_periodic_cloud(choice_of(integrator), {24, 5, 5}, "x");
        extrapolated::add_normals(along, sph::SlipMode::free_slip, 4);
        const auto far = static_cast<float>(4 * along.setup.constants.dp);
        for (std::size_t id = 0; id < along.setup.normals.size(); ++id)
            if (along.setup.normals[id] != Vec3f{}) along.setup.normals[id].x = id % 2 == 0 ? far : -far;
        expect_same_for_any_ranks({"ghost nodes along the period", along}, 20, {2, 5});
    }
}

TEST(CpuRanks, WithTurbulenceAndShifting) {
    for (const auto& [name, cloud] : passes::all_clouds({16, 4, 4})) expect_same_for_any_ranks({name, cloud}, 15, {4});
    for (const auto& [name, cloud] : passes::thick_clouds({16, 4, 4}))
        expect_same_for_any_ranks({name, cloud}, 15, {4});
    for (const auto& [name, cloud] : passes::tense_clouds({16, 4, 4}))
        expect_same_for_any_ranks({name, cloud}, 15, {4});
}

TEST(CpuRanks, WithStaggeredSteps) {
    for (const auto& [name, cloud] : staggered::all_clouds({16, 4, 4}))
        expect_same_for_any_ranks({name, cloud}, 15, {2, 5});
}

TEST(CpuRanks, WithForcing) {
    for (const auto integrator : integrators)
        expect_same_for_any_ranks(
            {"forced", forced::forced_cloud(clouds::make_cloud(choice_of(integrator), {24, 4, 4}))}, 20, {3});
}

TEST(CpuRanks, WithOpenBoundaries) {
    using namespace open_channels;
    for (const int algorithm : {1, 2, 3})
        for (const auto& [name, cloud] :
             {NamedCloud{"plug", plug(algorithm)}, NamedCloud{"turning", turning(algorithm, true)},
              NamedCloud{"disturbed", disturbed(algorithm)}, NamedCloud{"rising", rising(algorithm, found_surface)},
              NamedCloud{"jet", jet(algorithm)}, NamedCloud{"turned jet", jet(algorithm, true)},
              NamedCloud{"gridded", gridded(algorithm, 2)}, NamedCloud{"tall", tall(algorithm)},
              NamedCloud{"duct", duct(algorithm)}, NamedCloud{"following", following(turning(algorithm, true))}}) {
            const Look one = expect_same_for_any_ranks({name + std::to_string(algorithm), cloud}, 100, {2, 7});
            EXPECT_GT(one.state.created, cloud.state.created + 5) << name;
            EXPECT_EQ(one.particles, one.state.size()) << name;
        }
}

TEST(CpuRanks, WithOpenBoundariesBetweenWallsFromGhostNodesAndTurbulence) {
    for (const int algorithm : {1, 2, 3})
        for (Cloud cloud : {open_channels::duct(algorithm), open_channels::turning(algorithm, true)}) {
            cloud = passes::turbulent(cloud);
            extrapolated::add_normals(cloud, sph::SlipMode::no_slip, 4);
            const Look one = expect_same_for_any_ranks({"all at once", cloud}, 60, {2, 5});
            EXPECT_GT(one.state.created, cloud.state.created + 5);
        }
}

TEST(CpuRanks, WithOpenBoundariesOfEveryInstructionSet) {
    for (const Cloud& cloud : {open_channels::turning(1, true), open_channels::duct(2)})
        for (const SimdLevel& level : simd_levels()) {
            if (!level.available) continue;
            const Look one = run(cloud, 1, 60, options_for(1, level.name, 2));
            expect_same(one, run(cloud, 3, 60, options_for(3, level.name, 2)), level.name);
        }
}

TEST(CpuRanks, WhatPassesIsListedInTheSameOrder) {
    const Cloud cloud = open_channels::duct(2);
    const auto one = backend_of(cloud, 1), many = backend_of(cloud, 4);
    std::size_t in = 0, out = 0;
    for (int n = 0; n < 30; ++n) {
        take_steps(*one, 7);
        take_steps(*many, 7);
        const auto expected = one->take_passed();
        for (const ZonePassage& p : expected) (p.entered ? in : out) += 1;
        EXPECT_TRUE(same(expected, many->take_passed())) << "after " << 7 * (n + 1) << " steps";
    }
    EXPECT_GT(in, 20u);
    EXPECT_GT(out, 20u);
    EXPECT_TRUE(many->take_passed().empty());
}

TEST(CpuRanks, WhatLeavesIsListedInTheSameOrder) {
    for (const auto integrator : integrators) {
        const Cloud cloud = leaving_cloud(choice_of(integrator));
        const auto one = backend_of(cloud, 1), many = backend_of(cloud, 4);
        std::size_t left = 0;
        for (int n = 0; n < 10; ++n) {
            take_steps(*one, 5);
            take_steps(*many, 5);
            const auto expected = one->take_excluded();
            left += expected.size();
            EXPECT_TRUE(same(expected, many->take_excluded())) << "after " << 5 * (n + 1) << " steps";
        }
        EXPECT_GE(left, 13u);
        expect_same(look(*one), look(*many), "afterwards");
    }
}

TEST(CpuRanks, HaveTheSameRatesWhereTheRowsAreCutAnewForThem) {
    Cloud cloud = clouds::make_cloud(choice_of(sph::Integrator::verlet), {30, 4, 5});
    const std::uint32_t walls = cloud.setup.groups.boundary_count();
    for (std::size_t i = walls; i < cloud.state.size(); ++i) cloud.state.velocity[i] = {0, 40, 0}; // out of the domain
    for (std::size_t i = walls; i < cloud.state.size(); i += 2) cloud.state.velocity[i].x = -40;
    cloud.state.velocity_previous = cloud.state.velocity;
    const auto one = backend_of(cloud, 1), many = backend_of(cloud, 4);
    std::vector<Vec3f> acceleration[2];
    std::vector<float> density_rate[2];
    for (int n = 0; n < 120; ++n) { // sorts that cut anew come after each order in turn
        take_steps(*one, 1);
        take_steps(*many, 1);
        one->rates(acceleration[0], density_rate[0]);
        many->rates(acceleration[1], density_rate[1]);
        ASSERT_TRUE(acceleration[0] == acceleration[1]) << "after " << n + 1 << " steps";
        ASSERT_TRUE(same(density_rate[0], density_rate[1])) << "after " << n + 1 << " steps";
    }
}

TEST(CpuRanks, TellWhatEachOfThemSteps) {
    const Cloud cloud = clouds::make_cloud(choice_of(sph::Integrator::verlet), {36, 4, 5});
    const std::unique_ptr<Backend> alone = backend_of(cloud, 1), shared = backend_of(cloud, 3);
    EXPECT_TRUE(alone->info().rank_shares.empty());
    const std::vector<RankShare> before = shared->info().rank_shares; // no step was taken
    ASSERT_EQ(before.size(), 3u);
    for (const RankShare& share : before) EXPECT_EQ(share.interaction, 0);
    for (Backend* backend : {alone.get(), shared.get()}) backend->advance({1e9, 5, 1e9});
    EXPECT_TRUE(alone->info().rank_shares.empty());
    const std::vector<RankShare> shares = shared->info().rank_shares;
    ASSERT_EQ(shares.size(), 3u);
    std::uint32_t particles = 0;
    for (const RankShare& share : shares) {
        particles += share.particles;
        EXPECT_GT(share.particles, 0u);
        EXPECT_GT(share.interaction, 0);
        EXPECT_GT(share.exchange, 0);
    }
    EXPECT_EQ(particles, shared->advance({1e9, 0, 1e9}).particles);
    EXPECT_DOUBLE_EQ(shares[0].interaction, shared->phase_seconds().interaction);
}

TEST(CpuRanks, HoldWhatWasPlanned) {
    Cloud periodic = clouds::make_cloud({}, {60, 30, 30});
    periodic.setup.period.periodic[1] = true;
    periodic.setup.period.shift[1] = {0, periodic.setup.domain.max.y - periodic.setup.domain.min.y, 0};
    for (const Cloud& cloud : {clouds::make_cloud({}, {60, 30, 30}), periodic})
        for (const CellSize cells : {CellSize::h, CellSize::two_h}) {
            CpuOptions options = options_for(3);
            options.cells = cells;
            const std::vector<RankMemory> planned = rank_memory(cloud.setup, cloud.state, options);
            const std::unique_ptr<Backend> backend = backend_of(cloud, 3, options);
            const std::vector<RankShare> begun = backend->info().rank_shares;
            take_steps(*backend, 2);
            const std::vector<RankShare> held = backend->info().rank_shares;
            ASSERT_EQ(planned.size(), 3u);
            std::size_t all = 0;
            for (std::size_t r = 0; r < 3; ++r) {
                EXPECT_EQ(planned[r].particles, begun[r].particles) << r;
                EXPECT_NEAR(double(held[r].memory), planned[r].bytes, 0.1 * planned[r].bytes) << r;
                all += held[r].memory;
            }
            EXPECT_EQ(all, backend->memory_bytes());
        }
    EXPECT_TRUE(rank_memory(periodic.setup, periodic.state, options_for(1)).empty());
}

TEST(CpuRanks, MoreRanksThanThereAreRowsOfParticles) {
    const Cloud cloud = clouds::make_cloud({}, {3, 2, 2});
    expect_same_for_any_ranks({"few", cloud}, 20, {12});
    EXPECT_EQ(backend_of(cloud, 12)->info().ranks, 12);
}

TEST(CpuRanks, GoOnWhereAnotherNumberOfThemStopped) {
    std::vector<Cloud> clouds{open_channels::turning(1, true),
                              open_channels::turning(2, true),
                              open_channels::turning(3, true),
                              open_channels::rising(2, open_channels::found_surface),
                              open_channels::rising(3, open_channels::found_surface),
                              open_channels::tall(1),
                              open_channels::duct(2),
                              open_channels::duct(3)};
    for (const auto integrator : integrators)
        clouds.push_back(moving::floating_cloud(choice_of(integrator), {18, 5, 5}));
    clouds.push_back(moving::floating_cloud(choice_of(sph::Integrator::staggered), {18, 5, 5}));
    for (Cloud& cloud : clouds) {
        const auto whole = backend_of(cloud, 1);
        take_steps(*whole, 100);
        int step = 0;
        for (const int ranks : {4, 1, 3, 7, 2}) {
            const auto backend = backend_of(cloud, ranks);
            take_steps(*backend, 20);
            step += 20;
            cloud.state = backend->state();
            EXPECT_EQ(cloud.state.step, step);
        }
        EXPECT_TRUE(bitwise_equal(whole->state(), cloud.state));
    }
}

TEST(CpuRanks, SeeWhatTheOthersHaveOnTheWayAndLoseNothing) {
    for (const Cloud& cloud :
         {clouds::make_cloud(choice_of(sph::Integrator::verlet), {30, 5, 6}),
          clouds::make_periodic_cloud(choice_of(sph::Integrator::symplectic), {16, 8, 9}, "xy"),
          clouds::make_periodic_cloud(choice_of(sph::Integrator::verlet), {16, 8, 9}, "x", {0, 0, 0.013}),
          moving::floating_cloud(choice_of(sph::Integrator::verlet), {18, 5, 5}), open_channels::tall(2),
          open_channels::duct(1)}) {
        expect_true_ghosts(cloud, 5);
    }
}

TEST(CpuRanks, OneThatFailsEndsTheRunWithItsMessage) {
    Cloud cloud = moving::moving_cloud(choice_of(sph::Integrator::verlet), {18, 5, 5});
    cloud.state.position[0].x = -1; // a boundary particle outside: only rank 0 sees it
    EXPECT_THROW(backend_of(cloud, 3), InputError);
}

TEST(CpuRanks, OfProcessesTakePartInOneRunAfterAnotherAndTellOfTheirSignals) {
    Processes processes(3);
    std::atomic<int> stop{0};
    CpuOptions options = options_for(3);
    options.processes = &processes.first();
    options.stop = &stop;
    for (const int signal : {0, 15}) {
        const auto backend = backend_of(clouds::make_cloud({}, {18, 5, 5}), 3, options);
        EXPECT_EQ(backend->info().ranks, 3);
        processes.stop = signal;
        take_steps(*backend, 3);
        EXPECT_EQ(stop, signal);
    }
}

TEST(CpuRanks, ARunThatBlowsUpEndsWithTheSameMessage) {
    const auto message = [](int ranks) {
        Cloud cloud = clouds::make_cloud({}, {18, 5, 5});
        cloud.state.velocity.back() = {1e30f, 0, 0};
        cloud.state.velocity_previous = cloud.state.velocity;
        const auto backend = backend_of(cloud, ranks);
        std::string what;
        try {
            take_steps(*backend, 3);
        } catch (const RunError& error) {
            what = error.what();
        }
        backend->state(); // it still answers
        return what;
    };
    EXPECT_NE(message(1), "");
    EXPECT_EQ(message(1), message(3));
}

TEST(CpuRanks, RefuseWhatTheyCannotDo) {
    const Cloud cloud = clouds::make_cloud({}, {9, 5, 5});
    CpuOptions options = options_for(2);
    options.mode = CpuMode::symmetric;
    EXPECT_THROW(backend_of(cloud, 2, options), InputError);
}
