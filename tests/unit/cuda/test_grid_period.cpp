// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "cuda/data/placed_particles.h"
#include <gtest/gtest.h>
#include <set>
#include <tuple>

using namespace sluice;
using namespace sluice::cuda;

namespace {

/// A domain of 0.9 × 0.5 × 0.7 m that is periodic along x, with a step along z, and along y.
struct Sides {
    Domain domain{{1, 2, 3}, {1.9, 2.5, 3.7}};
    Period period;
    FixedGrid grid = make_fixed_grid(domain, 0.1, 2);

    Sides() {
        period.periodic[0] = period.periodic[1] = true;
        period.shift[0] = {0.9, 0, 0.03};
        period.shift[1] = {0, 0.5, 0};
    }
    GridPeriod units() const { return make_grid_period(period, grid, 0.1); }
    Units64 at(const Vec3d& r) const {
        return {std::llround(r.x / grid.unit), std::llround(r.y / grid.unit), std::llround(r.z / grid.unit)};
    }
};

void expect_near(const Units64& a, const Units64& b) {
    EXPECT_NEAR(double(a.x), double(b.x), 2);
    EXPECT_NEAR(double(a.y), double(b.y), 2);
    EXPECT_NEAR(double(a.z), double(b.z), 2);
}

} // namespace

TEST(GridPeriod, WrapsAsThePeriodOfTheModelDoes) {
    const Sides sides;
    const GridPeriod period = sides.units();
    const Vec3d size = sides.domain.max - sides.domain.min;
    for (const double x : {-0.2, 0.3, 1.1})
        for (const double y : {-0.1, 0.2, 0.6})
            expect_near(period.wrapped(sides.at({x, y, 0.4})), sides.at(sides.period.wrapped({x, y, 0.4}, size)));
    EXPECT_EQ(period.wrapped({sides.grid.extent_x, 0, 0}).x, 0);
    EXPECT_EQ(period.wrapped({sides.grid.extent_x - 1, 0, 0}).x, sides.grid.extent_x - 1);
    EXPECT_EQ(period.wrapped({-1, 0, 0}).x, sides.grid.extent_x - 1);
    EXPECT_FALSE(GridPeriod{}.any());
    EXPECT_TRUE(period.any());
}

TEST(GridPeriod, HasAllImagesNextToAParticleOnce) {
    const Sides sides;
    std::set<std::tuple<long long, long long, long long>> shifts;
    int count = 0;
    sides.units().for_each_shift([&](const Units64& s) {
        shifts.insert({s.x, s.y, s.z});
        ++count;
    });
    EXPECT_EQ(count, 8);
    EXPECT_EQ(shifts.size(), 8u);
    const Units64 x = sides.at({0.9, 0, 0.03}), y = sides.at({0, 0.5, 0});
    EXPECT_EQ(shifts.count({x.x - y.x, x.y - y.y, x.z - y.z}), 1u);
    GridPeriod{}.for_each_shift([](const Units64&) { FAIL(); });
    sides.units().for_each_copy([&](const Units64& s) { shifts.insert({s.x, s.y, s.z}); });
    EXPECT_EQ(shifts.size(), 9u);
    EXPECT_EQ(shifts.count({0, 0, 0}), 1u);
    count = 0;
    GridPeriod{}.for_each_copy([&](const Units64&) { ++count; });
    EXPECT_EQ(count, 1);
}

TEST(GridPeriod, NamesImagesByThePeriodsBetween) {
    const Sides sides;
    const GridPeriod period = sides.units();
    int last = -1;
    period.for_each_image([&](int image, const Units64& shift) {
        const Units64 named = period.shift_to(image);
        EXPECT_TRUE(named.x == shift.x && named.y == shift.y && named.z == shift.z);
        EXPECT_NE(image, GridPeriod::itself);
        EXPECT_LT(last, image);
        EXPECT_LT(image, 27);
        last = image;
    });
    const Units64 x = sides.at({0.9, 0, 0.03}), y = sides.at({0, 0.5, 0});
    expect_near(period.shift_to(GridPeriod::itself - 1 + 3), {y.x - x.x, y.y - x.y, y.z - x.z});
    expect_near(period.shift_to(GridPeriod::itself), {0, 0, 0});
}

TEST(GridPeriod, KnowsWhatIsNearTheDomain) {
    const Sides sides;
    EXPECT_TRUE(near_domain(sides.grid, sides.at({-0.05, 0.2, 0.2}), search_reach));
    EXPECT_FALSE(near_domain(sides.grid, sides.at({-0.11, 0.2, 0.2}), search_reach));
    EXPECT_TRUE(near_domain(sides.grid, sides.at({0.99, 0.2, 0.2}), search_reach));
    EXPECT_FALSE(near_domain(sides.grid, sides.at({0.5, 0.2, 0.81}), search_reach));
    EXPECT_EQ(cell_around(sides.grid, sides.at({-0.01, 0.2, 0.2})).x, -1);
}

TEST(GridPeriod, OfLessThanTwoSupportRadiiIsRefused) {
    Sides sides;
    EXPECT_NO_THROW(make_grid_period(sides.period, sides.grid, 0.25));
    EXPECT_THROW(make_grid_period(sides.period, sides.grid, 0.26), InputError);
}

TEST(PlacedParticles, LieInTheDomainOrNextToWhereTheyWere) {
    const Sides sides;
    const GridPeriod period = sides.units();
    const std::vector<Vec3d> before{{0.89, 0.01, 0.3}, {0.4, 0.2, 0.5}}, after{{0.91, -0.01, 0.3}, {0.41, 0.2, 0.5}};
    const PlacedParticles then(sides.grid, period, before, {1, 0});
    PlacedParticles now(sides.grid, period, after, {1, 0});
    for (std::size_t k = 0; k < 2; ++k) EXPECT_LT(now.cell[k], sides.grid.cells());
    EXPECT_NEAR(metres(sides.grid, period, now.position[1], now.cell[1]).x, 0.01, 1e-7);
    EXPECT_NEAR(metres(sides.grid, period, now.position[1], now.cell[1]).y, 0.49, 1e-7);
    EXPECT_NEAR(metres(sides.grid, period, now.position[1], now.cell[1]).z, 0.27, 1e-7);
    now.move_next_to(then, sides.grid, period);
    for (std::size_t k = 0; k < 2; ++k) { // as seen from the cells that they were in
        const Units64 here = unwrap(sides.grid, now.position[k], then.cell[k]);
        expect_near(here, sides.at(after[1 - k]));
    }
}
