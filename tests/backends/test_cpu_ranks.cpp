// SPDX-License-Identifier: Apache-2.0
#include "backends/elastic_contacts.h"
#include "backends/extrapolated_walls.h"
#include "backends/fluid_passes.h"
#include "backends/forced_fluid.h"
#include "backends/moving_walls.h"
#include "backends/open_channels.h"
#include "backends/way_test.h"
#include "cpu/engine.h"
#include "ranks/thread_transport.h"
#include <atomic>
#include <cstring>
#include <numeric>
#include <thread>

// Runs of several ranks on the CPU: whatever their number, all that comes out is what one rank has, bit by bit.

using namespace sluice;
using clouds::Choice;
using clouds::Cloud;

namespace {

struct NamedCloud {
    std::string name;
    Cloud cloud;
};

CpuOptions options_for(int ranks, const std::string& simd = "off", int threads = 1) {
    CpuOptions options;
    options.mode = CpuMode::asymmetric;
    options.simd = simd;
    options.threads = threads;
    options.ranks = ranks;
    return options;
}

std::unique_ptr<Backend> backend_of(const Cloud& cloud, int ranks, const CpuOptions& options) {
    CpuOptions mine = options;
    mine.ranks = ranks;
    auto backend = make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), mine);
    backend->set_state(cloud.state);
    return backend;
}
std::unique_ptr<Backend> backend_of(const Cloud& cloud, int ranks) {
    return backend_of(cloud, ranks, options_for(ranks));
}

bool same(const std::vector<ExcludedParticle>& a, const std::vector<ExcludedParticle>& b) {
    return std::ranges::equal(a, b, [](const ExcludedParticle& p, const ExcludedParticle& q) {
        return p.id == q.id && p.cause == q.cause && p.step == q.step && p.time == q.time && p.position == q.position &&
               p.velocity == q.velocity && p.density == q.density;
    });
}

bool same(const std::vector<ZonePassage>& a, const std::vector<ZonePassage>& b) {
    return std::ranges::equal(a, b, [](const ZonePassage& p, const ZonePassage& q) {
        return p.id == q.id && p.entered == q.entered && p.step == q.step && p.time == q.time &&
               p.position == q.position && p.velocity == q.velocity && p.density == q.density;
    });
}

bool same(const std::vector<float>& a, const std::vector<float>& b) { // NaN is NaN
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// Everything that can be asked of a backend after some steps.
struct Look {
    ParticleState state;
    std::vector<ExcludedParticle> excluded;
    std::vector<ZonePassage> passed;
    std::vector<Vec3f> acceleration;
    std::vector<float> density_rate;
    double next_time_step = 0;
    std::uint32_t particles = 0;
    Frame frame;
};

Look look(Backend& backend) {
    Look all;
    all.excluded = backend.take_excluded();
    all.passed = backend.take_passed();
    AdvanceLimits nowhere;
    nowhere.steps = 0;
    all.particles = backend.advance(nowhere).particles;
    FieldSelection wanted;
    for (const FieldInfo& info : particle_fields)
        if (info.field != Field::wall_pressure) wanted.add(info.field);
    all.frame = backend.snapshot(wanted)->get();
    backend.rates(all.acceleration, all.density_rate);
    all.next_time_step = backend.next_time_step();
    all.state = backend.state();
    return all;
}

void expect_same(const Look& one, const Look& many, const std::string& what) {
    EXPECT_TRUE(bitwise_equal(one.state, many.state)) << what;
    EXPECT_TRUE(same(one.excluded, many.excluded)) << what;
    EXPECT_TRUE(same(one.passed, many.passed)) << what;
    EXPECT_TRUE(one.acceleration == many.acceleration) << what;
    EXPECT_TRUE(same(one.density_rate, many.density_rate)) << what;
    EXPECT_EQ(one.next_time_step, many.next_time_step) << what;
    EXPECT_EQ(one.particles, many.particles) << what;
    EXPECT_TRUE(one.frame.id == many.frame.id) << what;
    EXPECT_TRUE(one.frame.position == many.frame.position) << what;
    EXPECT_TRUE(same(one.frame.pressure, many.frame.pressure)) << what;
    EXPECT_TRUE(same(one.frame.velocity_divergence, many.frame.velocity_divergence)) << what;
    EXPECT_EQ(one.frame.bodies.size(), many.frame.bodies.size()) << what;
}

Look run(const Cloud& cloud, int ranks, int steps, const CpuOptions& options) {
    const auto backend = backend_of(cloud, ranks, options);
    take_steps(*backend, steps);
    return look(*backend);
}

/// Ranks that know of a run only what rank 0 sends them, as those of other processes do.
class Processes {
public:
    explicit Processes(int ranks) : ends_(make_thread_transports(ranks)) {
        for (std::size_t r = 1; r < ends_.size(); ++r)
            others_.emplace_back([end = ends_[r].get(), this] { serve_runs(*end, stop); });
    }
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;
    ~Processes() {
        send_home(*ends_[0]);
        for (std::thread& other : others_) other.join();
    }
    Transport& first() { return *ends_[0]; }

    std::atomic<int> stop{0}; ///< a signal to one of the others

private:
    std::vector<std::unique_ptr<Transport>> ends_;
    std::vector<std::thread> others_;
};

Look run_by_processes(const Cloud& cloud, int ranks, int steps) {
    Processes processes(ranks);
    CpuOptions options = options_for(ranks);
    options.processes = &processes.first();
    const auto backend = backend_of(cloud, ranks, options);
    take_steps(*backend, steps);
    return look(*backend);
}

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

Choice choice_of(sph::Integrator integrator) {
    return {sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator};
}

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
        for (const auto make_cloud : {moving::periodic_cloud, moving::moving_cloud, moving::floating_cloud,
                                      moving::periodic_floating_cloud, moving::driven_cloud, moving::touching_cloud,
                                      moving::open_absorbing_cloud, moving::periodic_absorbing_cloud})
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
}

TEST(CpuRanks, WithForcing) {
    for (const auto integrator : integrators)
        expect_same_for_any_ranks(
            {"forced", forced::forced_cloud(clouds::make_cloud(choice_of(integrator), {24, 4, 4}))}, 20, {3});
}

TEST(CpuRanks, WithOpenBoundaries) {
    using namespace open_channels;
    for (const int algorithm : {1, 2})
        for (const auto& [name, cloud] :
             {NamedCloud{"plug", plug(algorithm)}, NamedCloud{"turning", turning(algorithm, true)},
              NamedCloud{"disturbed", disturbed(algorithm)}, NamedCloud{"rising", rising(algorithm, found_surface)},
              NamedCloud{"jet", jet(algorithm)}, NamedCloud{"turned jet", jet(algorithm, true)},
              NamedCloud{"gridded", gridded(algorithm, 2)}, NamedCloud{"tall", tall(algorithm)},
              NamedCloud{"duct", duct(algorithm)}}) {
            const Look one = expect_same_for_any_ranks({name + std::to_string(algorithm), cloud}, 100, {2, 7});
            EXPECT_GT(one.state.created, cloud.state.created + 5) << name;
            EXPECT_EQ(one.particles, one.state.size()) << name;
        }
}

TEST(CpuRanks, WithOpenBoundariesBetweenWallsFromGhostNodesAndTurbulence) {
    for (const int algorithm : {1, 2})
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
    EXPECT_TRUE(shared->info().rank_shares.empty()); // no step was taken
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

TEST(CpuRanks, MoreRanksThanThereAreRowsOfParticles) {
    const Cloud cloud = clouds::make_cloud({}, {3, 2, 2});
    expect_same_for_any_ranks({"few", cloud}, 20, {12});
    EXPECT_EQ(backend_of(cloud, 12)->info().ranks, 12);
}

TEST(CpuRanks, GoOnWhereAnotherNumberOfThemStopped) {
    std::vector<Cloud> clouds{open_channels::turning(1, true), open_channels::turning(2, true),
                              open_channels::rising(2, open_channels::found_surface), open_channels::tall(1),
                              open_channels::duct(2)};
    for (const auto integrator : integrators)
        clouds.push_back(moving::floating_cloud(choice_of(integrator), {18, 5, 5}));
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
        constexpr int ranks = 5;
        const auto one = backend_of(cloud, 1);
        take_steps(*one, 80);
        auto ends = make_thread_transports(ranks);
        std::vector<std::thread> threads;
        std::vector<std::size_t> own(ranks);
        std::vector<std::string> failures(ranks);
        const auto work = [&](int rank) {
            const auto r = static_cast<std::size_t>(rank);
            try {
                cpu::Choice choice;
                choice.ranks = ranks;
                const auto engine = cpu::make_engine(cloud.setup, choice, nullptr, ends[r].get());
                ParticleState start = cloud.state;
                if (rank > 0) {
                    start = {};
                    start.bodies = cloud.state.bodies;
                    start.created = cloud.state.created;
                }
                engine->set_state(start);
                for (int n = 0; n < 8; ++n) {
                    AdvanceLimits limits;
                    limits.time = limits.wall_seconds = 1e9;
                    limits.steps = 10;
                    engine->advance(limits);
                    own[r] = engine->state().size();
                    engine->check_ghosts();
                }
            } catch (const std::exception& error) {
                failures[r] = error.what();
                ends[r]->abandon(std::current_exception());
            }
        };
        for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(work, rank);
        for (std::thread& thread : threads) thread.join();
        for (const std::string& failure : failures) EXPECT_EQ(failure, "");
        EXPECT_EQ(std::accumulate(own.begin(), own.end(), std::size_t(0)), one->state().size());
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
