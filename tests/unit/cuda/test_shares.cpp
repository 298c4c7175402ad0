// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "cuda/backend/cuda_backend.h"
#include "cuda/data/list_state.h"
#include "cuda/shares/scatter.h"
#include "cuda/shares/shares.h"
#include <gtest/gtest.h>
#include <numeric>
#include <random>

// How several GPUs share a run, without one.

using namespace sluice;
using namespace sluice::cuda;

namespace {

bool same(const Range& range, std::uint32_t begin, std::uint32_t end) {
    return range.begin == begin && range.end == end;
}

/// Random rows, some of them empty.
std::vector<std::uint32_t> random_counts(std::mt19937& random, std::size_t rows, std::uint32_t most) {
    std::vector<std::uint32_t> counts(rows);
    for (std::uint32_t& n : counts) n = random() % 3 == 0 ? 0 : random() % (most + 1);
    return counts;
}

} // namespace

TEST(Shares, ARowSeesThoseOfTheLayersInReach) {
    // 10 rows along y: one layer up and one row further is 11 rows on
    EXPECT_EQ(rows_in_reach(10, {1, 1}, false), 11u);
    EXPECT_EQ(rows_in_reach(10, {2, 2}, false), 22u);
    EXPECT_EQ(rows_in_reach(10, {1, 1}, true), 21u); // and the other end of the layer
    EXPECT_EQ(rows_in_reach(1, {2, 2}, false), 4u);
    EXPECT_EQ(rows_in_reach(10, {1, 5}, false), 51u);
}

TEST(Shares, AreCutAtWholeTilesAndSeeTheRowsAround) {
    // ten rows of 40 particles: half of 400 is 200, the tile before it ends at 192, in row 4
    const std::vector<std::uint32_t> first = firsts_of(std::vector<std::uint32_t>(10, 40));
    const std::vector<Share> shares = cut_shares(first, 2, {0.5, 0.5});
    ASSERT_EQ(shares.size(), 2u);
    EXPECT_TRUE(same(shares[0].own, 0, 192));
    EXPECT_TRUE(same(shares[1].own, 192, 400));
    EXPECT_TRUE(same(shares[0].rows, 0, 4));
    EXPECT_TRUE(same(shares[1].rows, 4, 10));
    EXPECT_TRUE(same(shares[0].seen, 0, 7)); // row 4, which both have part of, and two rows on
    EXPECT_TRUE(same(shares[1].seen, 2, 10));
    EXPECT_TRUE(same(shares[0].held, 0, 280));
    EXPECT_TRUE(same(shares[1].held, 80, 400));
    const SharePlaces places = places_of(shares[1], 101);
    EXPECT_EQ(places.fluid_first, 101u); // 80 is a multiple of 8
    EXPECT_EQ(places.own_first, 101u + 112);
    EXPECT_EQ(places.own_end, 101u + 320);
    EXPECT_EQ(places.count, 101u + 320);
    EXPECT_EQ(places_of({{0, 0}, {0, 0}, {0, 0}, {83, 90}}, 100).fluid_first, 103u);
}

TEST(Shares, HoldAllThatTheirParticlesSee) {
    std::mt19937 random(7);
    int rows_inside = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const std::uint32_t reach = 1 + random() % 6;
        const std::vector<std::uint32_t> counts = random_counts(random, 1 + random() % 60, 1 + random() % 90);
        const std::vector<std::uint32_t> first = firsts_of(counts);
        std::vector<double> parts(1 + random() % 8);
        for (double& part : parts) part = 1 + random() % 10;
        const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
        for (double& part : parts) part /= sum;
        const std::vector<Share> shares = cut_shares(first, reach, parts);
        std::uint32_t next = 0, next_row = 0;
        for (const Share& share : shares) {
            EXPECT_EQ(share.own.begin, next);
            EXPECT_EQ(share.rows.begin, next_row);
            if (share.own.begin < first.back()) {
                EXPECT_EQ(share.own.begin % share_grain, 0u);
            }
            next = share.own.end;
            next_row = share.rows.end;
            const auto require_seen = [&](std::int64_t row) {
                for (std::int64_t r = row - reach; r <= row + reach; ++r) {
                    if (r < 0 || r >= std::int64_t(counts.size())) continue;
                    EXPECT_TRUE(r >= share.seen.begin && r < share.seen.end) << "row " << r << " around " << row;
                }
            };
            for (std::uint32_t row = 0; row < counts.size(); ++row)
                if (first[row] < share.own.end && first[row + 1] > share.own.begin) require_seen(row);
            for (std::uint32_t row = share.rows.begin; row < share.rows.end; ++row) require_seen(row); // its walls
            const Range inside = share.interior;
            EXPECT_TRUE(inside.begin >= share.own.begin && inside.end <= share.own.end && inside.begin <= inside.end);
            EXPECT_EQ((inside.begin - share.own.begin) % share_grain, 0u);
            if (inside.end < share.own.end) {
                EXPECT_EQ((inside.end - share.own.begin) % share_grain, 0u);
            }
            for (std::uint32_t row = 0; row < counts.size(); ++row) {
                if (size_of(common_part({first[row], first[row + 1]}, inside)) == 0) continue;
                ++rows_inside;
                for (std::int64_t r = std::int64_t(row) - reach; r <= std::int64_t(row) + reach; ++r) {
                    if (r < 0 || r >= std::int64_t(counts.size())) continue;
                    EXPECT_TRUE(share.rows.contains(std::uint32_t(r))) << "walls of row " << r << " around " << row;
                    EXPECT_TRUE(first[r] >= share.own.begin && first[r + 1] <= share.own.end)
                        << "fluid of row " << r << " around " << row;
                }
            }
            EXPECT_LE(share.held.begin, share.own.begin);
            EXPECT_GE(share.held.end, share.own.end);
        }
        EXPECT_EQ(next, first.back());
        EXPECT_EQ(next_row, counts.size());
    }
    EXPECT_GT(rows_inside, 1000);
}

TEST(Shares, InsideIsWhatSeesNothingOfOthers) {
    // twelve rows of 40 particles, cut at 224, which is in row 5: the next to it begins the walls of the other
    const std::vector<std::uint32_t> first = firsts_of(std::vector<std::uint32_t>(12, 40));
    const std::vector<Share> shares = cut_shares(first, 2, {0.48, 0.52});
    EXPECT_TRUE(same(shares[0].own, 0, 224));
    EXPECT_TRUE(same(shares[0].interior, 0, 96));    // rows 0 to 2, in whole tiles
    EXPECT_TRUE(same(shares[1].interior, 320, 480)); // rows 8 to 11
    for (const Share& share : cut_shares(first, 12, {0.48, 0.52})) EXPECT_EQ(size_of(share.interior), 0u);
    EXPECT_TRUE(same(cut_shares(first, 12, {1})[0].interior, 0, 480)); // no_particle else
    for (const Share& share : cut_rows(first, {0.5, 0.5})) EXPECT_EQ(size_of(share.interior), 0u);
}

TEST(Shares, AsManyGpusAreTakenAsPay) {
    EXPECT_EQ(gpus_that_pay(0, 4), 1);
    EXPECT_EQ(gpus_that_pay(171496, 4), 1);
    EXPECT_EQ(gpus_that_pay(2 * least_particles_a_gpu - 1, 4), 1);
    EXPECT_EQ(gpus_that_pay(2 * least_particles_a_gpu, 4), 2);
    EXPECT_EQ(gpus_that_pay(3 * least_particles_a_gpu, 4), 3);
    EXPECT_EQ(gpus_that_pay(1013148, 4), 4);
    EXPECT_EQ(gpus_that_pay(1013148, 2), 2);
    EXPECT_EQ(gpus_that_pay(4000000000u, 8), 8);
    EXPECT_EQ(gpus_that_pay(4000000000u, 0), 1);
}

TEST(Shares, NewcomersAreCountedAndNotSent) {
    // all devices have 32 new particles in row 0 already
    const ExchangePlan plan = plan_exchange({{32, 32, 0, 0}, {0, 0, 32, 32}}, {32, 0, 0, 0}, 1, {0.5, 0.5});
    EXPECT_TRUE(same(plan.shares[0].own, 0, 64));
    EXPECT_TRUE(same(plan.shares[0].rows, 0, 1));
    EXPECT_TRUE(same(plan.shares[1].own, 64, 160));
    EXPECT_TRUE(same(plan.shares[1].held, 0, 160));
    EXPECT_EQ(plan.sent[0][1], 64u);
    EXPECT_EQ(plan.fullest_row, 64u);
}

TEST(Shares, AnExchangeSendsWhatOthersSee) {
    // device 0 has 64 particles in rows 0 and 1, device 1 has 64 in rows 2 and 3, and two that have gone down to row 0
    const ExchangePlan plan = plan_exchange({{32, 32, 0, 0}, {2, 0, 32, 30}}, {}, 1, {0.5, 0.5});
    EXPECT_EQ(plan.fullest_row, 34u);
    EXPECT_TRUE(same(plan.shares[0].own, 0, 64));
    EXPECT_TRUE(same(plan.shares[1].own, 64, 128));
    EXPECT_TRUE(same(plan.shares[0].seen, 0, 3)); // the 64th is in row 1
    EXPECT_TRUE(same(plan.shares[1].seen, 0, 4));
    EXPECT_EQ(plan.sent[0][1], 64u);
    EXPECT_EQ(plan.sent[1][0], 34u);
    EXPECT_EQ(plan.received_before(0), 0u);
    EXPECT_EQ(plan.received_behind(0), 34u);
    EXPECT_EQ(plan.received_before(1), 64u);
    EXPECT_EQ(plan.received_behind(1), 0u);
}

TEST(Shares, WhatAnExchangeSendsFillsWhatIsHeld) {
    std::mt19937 random(11);
    for (int trial = 0; trial < 200; ++trial) {
        const std::size_t devices = 1 + random() % 6, rows = 1 + random() % 40;
        std::vector<std::vector<std::uint32_t>> counts;
        for (std::size_t d = 0; d < devices; ++d) counts.push_back(random_counts(random, rows, 50));
        const ExchangePlan plan =
            plan_exchange(counts, {}, 1 + random() % 5, std::vector<double>(devices, 1.0 / double(devices)));
        for (std::size_t d = 0; d < devices; ++d) {
            std::uint32_t held = plan.received_before(d) + plan.received_behind(d);
            for (std::uint32_t r = plan.shares[d].seen.begin; r < plan.shares[d].seen.end; ++r) held += counts[d][r];
            EXPECT_EQ(held, size_of(plan.shares[d].held));
        }
    }
}

TEST(Shares, BalanceTakesFromWhoTakesLonger) {
    const std::vector<double> parts = balanced({0.5, 0.5}, {1.1, 0.9});
    EXPECT_NEAR(parts[0] + parts[1], 1, 1e-12);
    EXPECT_NEAR(parts[0] / parts[1], 0.9 / 1.1, 1e-12);
    EXPECT_EQ(balanced({0.3, 0.7}, {2, 2}), (std::vector<double>{0.3, 0.7}));
}

namespace {

/// 8 × 1 × 6 cells of 1 m, a wall particle and fluid from the top down.
struct Tank {
    ScatterRules rules;
    ParticleGroups groups = ParticleGroups::of(1, 96);
    ParticleState state;

    Tank() {
        rules.grid = make_fixed_grid({{0, 0, 0}, {7.5, 0.5, 5.5}}, 1, 1);
        rules.reach_rows = rows_in_reach(std::uint32_t(rules.grid.ny), {1, 1}, false);
        rules.has_lists = true;
        rules.widest_skin = 0.1f;
        state.id.push_back(0);
        state.position.push_back({0.1, 0.1, 0.1});
        for (std::uint32_t k = 0; k < 96; ++k) {
            state.id.push_back(1 + k);
            state.position.push_back({0.5, 0.1, 5.2 - k / 16});
        }
        state.velocity.resize(97);
        state.velocity_previous.resize(97);
        state.density.resize(97);
        state.density_previous.resize(97);
    }
};

} // namespace

TEST(SharedState, IsDealtOutInRowsBeforeTheFirstSort) {
    const Tank tank;
    const ScatteredState scattered = scatter(tank.state, tank.groups, tank.rules, {0.5, 0.5});
    EXPECT_FALSE(scattered.lists_go_on);
    EXPECT_EQ(scattered.boundary, std::vector<std::uint32_t>{0});
    // half of 96 is 48, the tile before it ends at 32: the two lowest rows of 16, which the state has last
    std::vector<std::uint32_t> lower(32);
    std::iota(lower.begin(), lower.end(), 65u);
    EXPECT_EQ(scattered.fluid[0], lower);
    EXPECT_EQ(scattered.fluid[1].front(), 1u);
    EXPECT_EQ(scattered.fluid[1].size(), 64u);
    const ParticleState part = part_of(tank.state, scattered, 1);
    EXPECT_EQ(part.size(), 65u);
    EXPECT_EQ(part.id[1], 1u);
    EXPECT_EQ(part.position[0], tank.state.position[0]);
}

TEST(SharedState, GoesOnWithItsListsWhereItIsSorted) {
    Tank tank;
    std::reverse(tank.state.position.begin() + 1, tank.state.position.end());
    ListState lists;
    lists.expired = false;
    lists.skin = 0.05f;
    lists.origin = tank.state.position;
    tank.state.section = list_section(lists);
    const ScatteredState scattered = scatter(tank.state, tank.groups, tank.rules, {0.5, 0.5});
    ASSERT_TRUE(scattered.lists_go_on);
    // 48 of 96, cut at 32, which begins row 2; rows hold 16 each
    EXPECT_TRUE(same(scattered.shares[0].own, 0, 32));
    EXPECT_TRUE(same(scattered.shares[1].own, 32, 96));
    EXPECT_EQ(scattered.fluid[1].size(), size_of(scattered.shares[1].held));
    const ListState part = lists_of(part_of(tank.state, scattered, 1).section);
    EXPECT_FALSE(part.expired);
    EXPECT_EQ(part.skin, lists.skin);
    EXPECT_EQ(part.origin.size(), 1 + scattered.fluid[1].size());
    std::swap(tank.state.position[1], tank.state.position[96]); // lists hold places at their build, not these
    EXPECT_TRUE(scatter(tank.state, tank.groups, tank.rules, {0.5, 0.5}).lists_go_on);
    std::swap(lists.origin[1], lists.origin[96]);
    tank.state.section = list_section(lists);
    EXPECT_FALSE(scatter(tank.state, tank.groups, tank.rules, {0.5, 0.5}).lists_go_on);
}

TEST(SharedState, EveryShareHasAllBodiesPistonsAndMooringLines) {
    Tank tank;
    tank.state.bodies.resize(2);
    tank.state.bodies[1].centre = {1, 2, 3};
    tank.state.absorbers.resize(1);
    tank.state.moorings.nodes = {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {}}};
    tank.state.moorings.lines.resize(1);
    tank.state.moorings.lines[0].broken_at = 0.5;
    const ScatteredState scattered = scatter(tank.state, tank.groups, tank.rules, {0.5, 0.5});
    for (const std::size_t share : {0, 1}) {
        const ParticleState part = part_of(tank.state, scattered, share);
        EXPECT_EQ(part.bodies, tank.state.bodies);
        EXPECT_EQ(part.absorbers.size(), 1u);
        EXPECT_EQ(part.moorings, tank.state.moorings);
    }
}

TEST(SharedState, DealsOutVacatedPlaces) {
    Tank tank;
    std::reverse(tank.state.position.begin() + 1, tank.state.position.end());
    ListState lists;
    lists.expired = false;
    lists.skin = 0.05f;
    lists.origin = tank.state.position;
    // one in the lowest row, which has 17 places then, and two in the third
    lists.vacated = {{3, lists.origin[1]}, {40, lists.origin[34]}, {41, lists.origin[34]}};
    tank.state.section = list_section(lists);
    const ScatteredState scattered = scatter(tank.state, tank.groups, tank.rules, {0.5, 0.5});
    ASSERT_TRUE(scattered.lists_go_on);
    // 49 of 99, cut at 32, which is in the second row
    EXPECT_TRUE(same(scattered.shares[0].own, 0, 32));
    EXPECT_TRUE(same(scattered.shares[1].own, 32, 99));
    ASSERT_TRUE(same(scattered.shares[0].held, 0, 67));
    EXPECT_EQ(scattered.fluid[0].size(), 67u);
    EXPECT_EQ(scattered.fluid[0][3], Control::no_particle);
    EXPECT_EQ(scattered.fluid[0][4], 4u);
    for (const std::size_t share : {0, 1}) {
        const Range held = scattered.shares[share].held;
        const ParticleState part = part_of(tank.state, scattered, share);
        const ListState of_part = lists_of(part.section);
        std::vector<VacatedPlace> expected;
        for (const VacatedPlace& place : lists.vacated)
            if (held.contains(std::uint32_t(place.before)))
                expected.push_back({place.before - held.begin, place.origin});
        EXPECT_EQ(of_part.vacated, expected);
        EXPECT_EQ(of_part.origin.size(), part.size());
        EXPECT_EQ(1 + size_of(held), part.size() + expected.size());
    }
    lists.skin = 0.2f; // wider than lists may be: they end, and with them the places
    tank.state.section = list_section(lists);
    const ScatteredState anew = scatter(tank.state, tank.groups, tank.rules, {0.5, 0.5});
    EXPECT_FALSE(anew.lists_go_on);
    EXPECT_TRUE(lists_of(part_of(tank.state, anew, 0).section).vacated.empty());
    EXPECT_EQ(part_of(tank.state, anew, 0).size() + part_of(tank.state, anew, 1).size(), 98u);
}
