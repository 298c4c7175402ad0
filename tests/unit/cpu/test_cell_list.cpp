// SPDX-License-Identifier: Apache-2.0
#include "cpu/particles/cell_list.h"
#include "cpu/particles/lattice.h"
#include "cpu/schedules/work_units.h"
#include "model/derive.h"
#include "physics/sph/pair_rates.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace sluice;
using namespace sluice::cpu;

namespace {

std::vector<std::uint32_t> random_keys(std::uint32_t count, std::uint32_t cells, bool nearly_sorted) {
    std::mt19937 random(3);
    std::vector<std::uint32_t> keys(count);
    for (auto& key : keys) key = std::uint32_t(random() % (cells + 1)); // the last: outside
    if (!nearly_sorted) return keys;
    std::sort(keys.begin(), keys.end());
    for (std::size_t n = 0; n < keys.size() / 20; ++n) keys[random() % count] = std::uint32_t(random() % (cells + 1));
    return keys;
}

} // namespace

TEST(CellList, SortsStablyWithAnyNumberOfThreads) {
    constexpr std::uint32_t count = 5000, cells = 700, first = 40;
    for (const bool nearly_sorted : {false, true}) {
        const auto keys = random_keys(count, cells, nearly_sorted);
        std::vector<std::uint32_t> expected(count);
        std::iota(expected.begin(), expected.end(), 0u);
        std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
        for (const int threads : {1, 2, 3, 8, 64}) {
            CellList list(cells);
            list.sort(keys.data(), {{0, count}}, first, threads);
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(), list.order())) << threads << " threads";
            EXPECT_EQ(list.inside_count(), count - std::uint32_t(std::count(keys.begin(), keys.end(), cells)));
            for (std::uint32_t c = 0; c <= cells; ++c) {
                const auto before = std::count_if(keys.begin(), keys.end(), [&](auto key) { return key < c; });
                ASSERT_EQ(list.begin()[c], first + before) << "cell " << c << ", " << threads << " threads";
            }
        }
    }
}

TEST(CellList, TakesFewerParticlesThanThreadsAndNone) {
    const std::uint32_t keys[] = {2, 0};
    CellList list(3);
    list.sort(keys, {{0, 2}}, 0, 8);
    EXPECT_EQ(list.order()[0], 1u);
    EXPECT_EQ(list.order()[1], 0u);
    list.sort(keys, {{0, 0}}, 5, 8);
    EXPECT_EQ(list.inside_count(), 0u);
    for (int c = 0; c <= 3; ++c) EXPECT_EQ(list.begin()[c], 5u);
}

TEST(WorkUnits, CoverEveryParticleOnceInWholeCells) {
    const Rows rows{9, 3, 2, 2, {0, 0, 0}, {9, 3, 2}};
    std::mt19937 random(5);
    std::vector<std::uint32_t> begin{100};
    for (int cell = 0; cell < 9 * 3 * 2; ++cell)
        begin.push_back(begin.back() + random() % 7 * (cell / 9 != 2)); // one row empty
    for (const std::uint32_t particles : {1u, 10u, 1000u}) {
        std::uint32_t next = 100;
        for (const WorkUnit& unit : make_work_units(rows, begin.data(), particles)) {
            EXPECT_EQ(begin[unit.row * 9 + unit.x_begin], next);
            EXPECT_GT(particle_count(rows, begin.data(), unit), 0u);
            next = begin[unit.row * 9 + unit.x_end];
        }
        EXPECT_EQ(next, begin.back());
    }
    Rows own = rows; // of three ranks the second
    const std::uint8_t mask[] = {0, 1, 1, 1, 0, 0};
    own.own = mask;
    for (const std::uint32_t particles : {1u, 1000u}) {
        std::uint32_t next = begin[9];
        for (const WorkUnit& unit : make_work_units(own, begin.data(), particles)) {
            EXPECT_EQ(begin[unit.row * 9 + unit.x_begin], next);
            next = begin[unit.row * 9 + unit.x_end];
        }
        EXPECT_EQ(next, begin[4 * 9]);
    }
}

TEST(Lattice, SeparationsAreAsExactFarAwayAsNear) {
    const double h = 0.0147, units_per_metre = lattice_units_per_support / (2 * h), unit = 1 / units_per_metre;
    std::mt19937 random(7);
    std::uniform_real_distribution<double> reach(-4 * h, 4 * h);
    for (const double origin : {0.01, 1.0, 1e3, 3e4}) {
        for (int n = 0; n < 1000; ++n) {
            const double a = origin + 0.1, b = a + 0.999 * reach(random);
            const auto d = static_cast<std::int32_t>(to_lattice(a, units_per_metre) - to_lattice(b, units_per_metre));
            EXPECT_NEAR(d * unit, a - b, 1.01 * unit + 1e-15 * origin);
        }
    }
}

TEST(Lattice, ConstantsInLatticeUnitsKeepAccelerationsInMetres) {
    sph::Constants c;
    c.h = 0.0147;
    c.dp = 0.0085;
    c.c0 = 30;
    c.gravity = {0, 0, -9.81};
    sph::derive(c);
    using F = sph::Formulation<sph::CubicSpline, sph::DensityDiffusion::fourtakas>;
    const sph::PairConstants<double> metres(c, sph::PairKind::fluid_fluid, sph::metre),
        lattice(c, sph::PairKind::fluid_fluid, lattice_unit(c));
    const double unit = 2 * c.h / lattice_units_per_support;
    const Vec3d r{0.006, -0.004, 0.007};
    const sph::Side<double> a{0.1, 0.2, -0.3, 1003, 2e-3}, b{-0.2, 0.1, 0.1, 998, -1e-3};
    const auto expected = sph::pair_rates<F>(metres, r.x, r.y, r.z, dot(r, r), a, b);
    const auto found = sph::pair_rates<F>(lattice, r.x / unit, r.y / unit, r.z / unit, dot(r, r) / (unit * unit), a, b);
    const auto near = [](double x, double y) { EXPECT_NEAR(x, y, 1e-9 * std::abs(y)); };
    near(found.acceleration * (r.x / unit), expected.acceleration * r.x);
    near(found.density_a, expected.density_a);
    near(found.diffusion_a, expected.diffusion_a);
    near(found.diffusion_b, expected.diffusion_b);
    near(found.viscous, expected.viscous);
}
