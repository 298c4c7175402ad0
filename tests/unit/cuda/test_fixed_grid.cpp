// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/fixed_grid.h"
#include "cuda/data/views.h"

#include <gtest/gtest.h>
#include <random>

using namespace sluice;
using namespace sluice::cuda;

namespace {

const Domain long_domain{{-3, 5, 1}, {97, 6, 2}}; // 100 m of cells of 3.46 cm: past 2³² units

Units64 units(const FixedGrid& g, const Vec3d& r) {
    const double u = g.unit;
    return {std::llround(r.x / u), std::llround(r.y / u), std::llround(r.z / u)};
}

Position low_words(const Units64& u) {
    return {std::int32_t(std::uint32_t(u.x)), std::int32_t(std::uint32_t(u.y)), std::int32_t(std::uint32_t(u.z)), 0};
}

/// How far a particle comes along an axis with `units` a step, in whole units.
long long way(std::uint32_t id, float units, int steps, float Rounding::*axis) {
    long long sum = 0;
    for (int step = 0; step < steps; ++step)
        sum += whole_units(units, 1, Rounding::of(id, 700 + std::uint32_t(step)).*axis);
    return sum;
}

} // namespace

TEST(FixedGrid, CellsCoverTheSearchRadius) {
    for (const double radius : {0.0346, 0.001, 1.7}) {
        for (const int divisions : {1, 2}) {
            const FixedGrid g = make_fixed_grid({{0, 0, 0}, {radius * 9, radius * 3, radius * 5}}, radius, divisions);
            const double side = std::ldexp(double(g.unit), g.cell_bits);
            EXPECT_GE(side * divisions, radius);
            EXPECT_LT(side * divisions, radius * 1.0001);
            EXPECT_EQ(g.reach, divisions);
        }
    }
}

TEST(FixedGrid, PositionsAreExactInDoublePrecision) {
    const FixedGrid g = make_fixed_grid(long_domain, 0.0346, 1);
    std::mt19937_64 random(1);
    for (int n = 0; n < 1000; ++n) {
        const long long k = static_cast<long long>(random() % (1ull << 36));
        EXPECT_EQ(std::llround(double(k) * double(g.unit) / double(g.unit)), k);
    }
}

TEST(FixedGrid, AWholeCoordinateComesBackFromItsLowWordAndANearCell) {
    const FixedGrid g = make_fixed_grid(long_domain, 0.0346, 2);
    std::mt19937 random(2);
    std::uniform_real_distribution<double> x(0, 100), y(0, 1);
    for (int n = 0; n < 1000; ++n) {
        const Units64 u = units(g, {x(random), y(random), y(random)});
        const std::uint32_t cell = cell_of(g, u);
        const Units64 back = unwrap(g, low_words(u), cell);
        EXPECT_EQ(back.x, u.x);
        EXPECT_EQ(back.y, u.y);
        EXPECT_EQ(back.z, u.z);
        EXPECT_EQ(cell_index(g, cell_coordinates(g, cell)), cell);
    }
}

TEST(FixedGrid, SeparationsAreExactToOneRounding) {
    const FixedGrid g = make_fixed_grid(long_domain, 0.0346, 1);
    std::mt19937 random(3);
    std::uniform_int_distribution<int> near(-(1 << 22), 1 << 22);
    for (int n = 0; n < 1000; ++n) {
        const std::int32_t a = static_cast<std::int32_t>(random()), d = near(random);
        const auto b = static_cast<std::int32_t>(std::uint32_t(a) - std::uint32_t(d));
        EXPECT_EQ(separation(prepared(a), b, g.unit, g.magic_offset), static_cast<float>(double(d) * double(g.unit)));
        EXPECT_EQ(unprepared(prepared(a)), a);
    }
}

TEST(FixedGrid, FarCandidatesNeverLookNear) {
    const FixedGrid g = make_fixed_grid(long_domain, 0.0346, 1);
    const float support = static_cast<float>(1 << 22) * g.unit;
    for (const int d : {(1 << 22) + 1, 3 << 21, (1 << 23) - 1}) {
        EXPECT_GE(separation(prepared(d), 0, g.unit, g.magic_offset), support);
        EXPECT_LE(separation(prepared(-d), 0, g.unit, g.magic_offset), -support);
    }
}

TEST(FixedGrid, RowsGoAlongYAndThenZ) {
    const FixedGrid g = make_fixed_grid({{0, 0, 0}, {7.5, 2.5, 4.5}}, 1, 1);
    EXPECT_NE(g.nx, g.ny);
    EXPECT_EQ(g.rows(), unsigned(g.ny * g.nz));
    EXPECT_EQ(g.cells(), unsigned(g.nx * g.ny * g.nz));
    for (const Vec3i& c : {Vec3i{0, 0, 0}, Vec3i{6, 2, 0}, Vec3i{0, 1, 3}, Vec3i{5, 2, 4}})
        EXPECT_EQ(row_of(g, units(g, {c.x + 0.4, c.y + 0.4, c.z + 0.4})), unsigned(c.y + g.ny * c.z));
    EXPECT_EQ(row_of(g, units(g, {-3, 1.4, 99})), unsigned(1 + g.ny * (g.nz - 1))); // outside: the next one inside
}

TEST(Range, HoldsItsBeginAndNotItsEnd) {
    const Range some{3, 5}, none{4, 4};
    for (std::uint32_t n = 0; n < 8; ++n) {
        EXPECT_EQ(some.contains(n), n == 3 || n == 4) << n;
        EXPECT_FALSE(none.contains(n)) << n;
    }
    EXPECT_EQ(size_of(some), 2u);
}

TEST(FixedGrid, KnowsTheDomain) {
    const FixedGrid g = make_fixed_grid(long_domain, 0.0346, 1);
    EXPECT_TRUE(in_domain(g, {0, 0, 0}));
    EXPECT_TRUE(in_domain(g, {g.extent_x, g.extent_y, g.extent_z}));
    EXPECT_FALSE(in_domain(g, {-1, 0, 0}));
    EXPECT_FALSE(in_domain(g, {0, 0, g.extent_z + 1}));
    EXPECT_EQ(cell_of(g, {-1000000000LL, g.extent_y * 5, 0}), cell_of(g, {0, g.extent_y, 0}));
}

TEST(FixedGrid, RefusesMoreCellsThanItCanNumber) {
    EXPECT_THROW(make_fixed_grid({{0, 0, 0}, {1e4, 1e4, 1e4}}, 0.01, 1), InputError);
}

TEST(FixedGrid, WhatIsRoundedOffOfSmallDisplacementsAddsUp) {
    const int steps = 10000;
    for (const float units : {0.42f, -0.42f, 0.003f, -0.07f, 12.37f, 0.5f})
        for (const std::uint32_t id : {0u, 1u, 17u, 65536u, 4000000000u})
            for (const auto axis : {&Rounding::x, &Rounding::y, &Rounding::z})
                EXPECT_NEAR(double(way(id, units, steps, axis)), double(units) * steps, 4) << units << " " << id;
}

/// As many of neighbouring particles go up as down, or a whole body of water would move by what one step rounds.
TEST(FixedGrid, ParticlesRoundIndependentlyOfOneAnother) {
    double sum[3]{};
    const int particles = 10000;
    for (int id = 0; id < particles; ++id) {
        const Rounding r = Rounding::of(std::uint32_t(id), 3);
        sum[0] += whole_units(0.3f, 1, r.x);
        sum[1] += whole_units(-0.3f, 1, r.y);
        sum[2] += whole_units(0.5f, 1, r.z);
    }
    EXPECT_NEAR(sum[0] / particles, 0.3, 0.005);
    EXPECT_NEAR(sum[1] / particles, -0.3, 0.005);
    EXPECT_NEAR(sum[2] / particles, 0.5, 0.005);
}

TEST(FixedGrid, WhatRestsStaysAndWhatIsFarIsCut) {
    for (std::uint32_t step = 0; step < 1000; ++step) {
        const Rounding r = Rounding::of(5, step);
        EXPECT_EQ(whole_units(0, 4e6f, r.x), 0);
        EXPECT_EQ(whole_units(3, 1, r.y), 3);
        EXPECT_EQ(whole_units(-3, 1, r.z), -3);
        EXPECT_LT(r.x, 1);
        EXPECT_GE(r.x, 0);
    }
    EXPECT_EQ(whole_units(1e30f, 1, 0), INT32_MAX);
    EXPECT_EQ(whole_units(-1e30f, 1, 0), INT32_MIN);
}
