// SPDX-License-Identifier: Apache-2.0
#include "backends/extrapolated_walls.h"
#include "backends/fluid_passes.h"
#include "backends/moving_walls.h"
#include "backends/open_channels.h"
#include "backends/rank_looks.h"
#include "cpu/particles/particles.h"
#include <random>

// Runs of several ranks that share the rows of cells in odd ways: whichever, all that comes out is what one rank has,
// bit by bit.

using namespace sluice;
using namespace sluice::rank_looks;
using cpu::RankNumber;
using cpu::Split;

namespace {

/// The cells of a run of ranks, as the backend makes them.
cpu::Space space_of(const RunSetup& setup) { return {setup, 2, longest_axis(setup.domain.max - setup.domain.min)}; }

/// The rank of each row, by the row's place in its layer and the layer's, from 0 to 1 each, and by their numbers.
template <class RankOf>
Split drawn(const RunSetup& setup, const RankOf& rank_of) {
    const cpu::Space space = space_of(setup);
    const int rows = space.inner[space.axes[1]], layers = space.inner[space.axes[2]];
    Split split;
    split.kind = Split::Kind::table;
    split.text = "file:drawn";
    split.table.axes = {space.axes[1], space.axes[2]};
    split.table.columns = static_cast<std::uint32_t>(rows);
    for (int z = 0; z < layers; ++z)
        for (int y = 0; y < rows; ++y)
            split.table.ranks.push_back(static_cast<RankNumber>(rank_of((y + 0.5) / rows, (z + 0.5) / layers, y, z)));
    return split;
}

struct NamedSplit {
    std::string name;
    int ranks;
    Split split;
};

std::vector<NamedSplit> odd_splits(const RunSetup& setup) {
    const cpu::Space space = space_of(setup);
    std::mt19937 random(3);
    std::vector<NamedSplit> all{
        {"oblique", 4, drawn(setup, [](double y, double z, int, int) { return static_cast<int>(2 * (y + z)); })},
        {"checkerboard", 2, drawn(setup, [](double, double, int y, int z) { return (y + z) % 2; })},
        {"random", 5, drawn(setup, [&](double, double, int, int) { return random() % 5; })},
        {"rank 0 and the last one empty", 5, drawn(setup, [](double, double z, int, int) { return z < 0.4 ? 3 : 1; })},
        {"in the middle of another", 2, drawn(setup, [](double y, double z, int, int) {
             return std::abs(y - 0.5) < 0.3 && std::abs(z - 0.5) < 0.2 ? 0 : 1;
         })}};
    for (const char* text : {"grid:2x2", "grid:1x3", "bisection"}) {
        const Split split = cpu::parse_split(text);
        const int parts = split.parts[0] * split.parts[1];
        all.push_back({text, parts > 1 ? parts : 6, split});
    }
    for (const int axis : {space.axes[1], space.axes[2]})
        all.push_back({"slabs", 3, cpu::parse_split(std::string(1, "xyz"[axis]))});
    return all;
}

void expect_same_for_odd_splits(const std::string& name, const Cloud& cloud, int steps, std::size_t every = 1) {
    const Look one = run(cloud, 1, steps, options_for(1));
    const std::vector<NamedSplit> splits = odd_splits(cloud.setup);
    for (std::size_t k = 0; k < splits.size(); k += every) {
        CpuOptions options = options_for(splits[k].ranks);
        options.split = splits[k].split;
        expect_same(one, run(cloud, splits[k].ranks, steps, options), name + ", " + splits[k].name);
    }
}

constexpr auto verlet = sph::Integrator::verlet, symplectic = sph::Integrator::symplectic;

} // namespace

TEST(CpuSplits, OfPlainClouds) {
    for (const auto integrator : {verlet, symplectic}) {
        clouds::Choice choice = choice_of(integrator);
        expect_same_for_odd_splits(choice.name(), clouds::make_cloud(choice, {24, 5, 5}), 110, 2);
        choice.two_d = true;
        expect_same_for_odd_splits(choice.name(), clouds::make_cloud(choice, {36, 1, 8}), 30);
    }
}

TEST(CpuSplits, WithMoreRanksThanRowsAcross) {
    const Cloud cloud = clouds::make_periodic_cloud(choice_of(verlet), {9, 8, 6}, "xy");
    const Look one = run(cloud, 1, 10, options_for(1));
    for (const char* text : {"grid:23x1", "grid:1x23", "bisection", "auto"}) {
        CpuOptions options = options_for(23);
        options.split = cpu::parse_split(text);
        expect_same(one, run(cloud, 23, 10, options), text);
    }
}

TEST(CpuSplits, WithPeriodicSides) {
    for (const clouds::Sides& sides : clouds::periodic_sides) {
        clouds::Choice choice = choice_of(verlet);
        choice.two_d = sides.two_d;
        expect_same_for_odd_splits(std::string(sides.axes) + choice.name(),
                                   clouds::make_periodic_cloud(choice, {16, 8, 9}, sides.axes, sides.step), 8);
    }
}

TEST(CpuSplits, WithWallsAndBodiesThatMove) {
    for (const auto integrator : {verlet, symplectic})
        for (const auto make_cloud : {moving::periodic_cloud, moving::moving_cloud, moving::floating_cloud,
                                      moving::periodic_floating_cloud, moving::driven_cloud, moving::touching_cloud,
                                      moving::open_absorbing_cloud, moving::periodic_absorbing_cloud})
            expect_same_for_odd_splits("moving", make_cloud(choice_of(integrator), {16, 4, 4}), 15, 3);
}

TEST(CpuSplits, WithWallsFromGhostNodes) {
    for (const Cloud& cloud : extrapolated::clouds_to_resume({24, 4, 4}))
        expect_same_for_odd_splits("ghost nodes", cloud, 12, 2);
}

TEST(CpuSplits, WithTurbulenceAndShifting) {
    for (const auto& [name, cloud] : passes::all_clouds({16, 4, 4})) expect_same_for_odd_splits(name, cloud, 10, 4);
}

TEST(CpuSplits, WithOpenBoundaries) {
    using namespace open_channels;
    for (const int algorithm : {1, 2})
        for (const Cloud& cloud :
             {turning(algorithm, true), rising(algorithm, found_surface), jet(algorithm, true), gridded(algorithm, 2),
              tall(algorithm), duct(algorithm), following(turning(algorithm, true))})
            expect_same_for_odd_splits("open" + std::to_string(algorithm), cloud, 60, 3);
}

TEST(CpuSplits, OfEveryInstructionSetAndSeveralThreads) {
    const Cloud cloud = clouds::make_periodic_cloud(choice_of(symplectic), {16, 8, 9}, "xy");
    for (const auto& cells : cell_sizes)
        for (const SimdLevel& level : simd_levels()) {
            if (!level.available) continue;
            CpuOptions options = options_for(1, level.name);
            options.cells = cells.mode;
            const Look one = run(cloud, 1, 30, options);
            options.threads = 3;
            options.split = cpu::parse_split("bisection");
            expect_same(one, run(cloud, 5, 30, options), level.name);
        }
}

TEST(CpuSplits, AreTheSameForProcesses) {
    const Cloud cloud = moving::floating_cloud(choice_of(symplectic), {18, 5, 5});
    const Look one = run(cloud, 1, 20, options_for(1));
    for (const NamedSplit& odd : odd_splits(cloud.setup))
        expect_same(one, run_by_processes(cloud, odd.ranks, 20, odd.split), odd.name);
}

TEST(CpuSplits, GoOnWhereAnotherStopped) {
    for (Cloud cloud : {open_channels::turning(2, true), open_channels::duct(1),
                        moving::floating_cloud(choice_of(verlet), {18, 5, 5}),
                        clouds::make_periodic_cloud(choice_of(symplectic), {16, 8, 9}, "xy")}) {
        const auto whole = backend_of(cloud, 1, options_for(1));
        const std::vector<NamedSplit> splits = odd_splits(cloud.setup);
        take_steps(*whole, 10 * static_cast<int>(splits.size()));
        for (const NamedSplit& odd : splits) {
            CpuOptions options = options_for(odd.ranks);
            options.split = odd.split;
            const auto backend = backend_of(cloud, odd.ranks, options);
            take_steps(*backend, 10);
            cloud.state = backend->state();
        }
        EXPECT_TRUE(bitwise_equal(whole->state(), cloud.state));
    }
}

TEST(CpuSplits, WhatLeavesAndPassesIsListedInTheSameOrder) {
    const Cloud cloud = open_channels::duct(2);
    CpuOptions options = options_for(5);
    options.split = odd_splits(cloud.setup)[2].split; // random
    const auto one = backend_of(cloud, 1, options_for(1)), many = backend_of(cloud, 5, options);
    std::size_t passed = 0;
    for (int n = 0; n < 30; ++n) {
        take_steps(*one, 7);
        take_steps(*many, 7);
        const auto expected = one->take_passed();
        passed += expected.size();
        EXPECT_TRUE(same(expected, many->take_passed())) << "after " << 7 * (n + 1) << " steps";
        EXPECT_TRUE(same(one->take_excluded(), many->take_excluded())) << "after " << 7 * (n + 1) << " steps";
    }
    EXPECT_GT(passed, 40u);
}

TEST(CpuSplits, SeeWhatTheOthersHaveOnTheWayAndLoseNothing) {
    for (const Cloud& cloud : {clouds::make_periodic_cloud(choice_of(symplectic), {16, 8, 9}, "xy"),
                               moving::floating_cloud(choice_of(verlet), {18, 5, 5}), open_channels::duct(1)})
        for (const NamedSplit& odd : odd_splits(cloud.setup))
            if (odd.ranks < 4) expect_true_ghosts(cloud, odd.ranks, odd.split);
}

TEST(CpuSplits, ThatCannotBeAreRefused) {
    const Cloud cloud = clouds::make_cloud({}, {24, 6, 6});
    const auto refusal = [&](const Split& split, bool processes) {
        try {
            if (processes) {
                run_by_processes(cloud, 3, 1, split);
            } else {
                CpuOptions options = options_for(3);
                options.split = split;
                backend_of(cloud, 3, options);
            }
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    for (const bool processes : {false, true}) {
        EXPECT_NE(refusal(cpu::parse_split("grid:2x2"), processes).find("4 parts, and the run has 3 ranks"),
                  std::string::npos);
        const int along_rows = space_of(cloud.setup).axes[0];
        EXPECT_NE(refusal(cpu::parse_split(std::string(1, "xyz"[along_rows])), processes).find("rows of cells"),
                  std::string::npos);
    }
}

TEST(CpuSplits, AreTold) {
    const Cloud cloud = clouds::make_cloud({}, {24, 6, 6});
    CpuOptions options = options_for(4);
    options.split = cpu::parse_split("grid:2x2");
    EXPECT_EQ(backend_of(cloud, 4, options)->info().split.substr(0, 19), "2 x 2 parts across ");
    EXPECT_EQ(backend_of(cloud, 2, options_for(2))->info().split.substr(0, 13), "slabs across ");
    EXPECT_EQ(backend_of(cloud, 1, options_for(1))->info().split, "");
}
