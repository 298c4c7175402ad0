// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/zone_place.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::cuda;

TEST(ZonePlace, RoundingToTheGridBringsNobodyOutOfAZone) {
    const FixedGrid grid = make_fixed_grid({{0, 0, 0}, {3, 2, 2}}, 0.0346, 2);
    OpenZone zone;
    zone.dp = 0.01;
    zone.origin = {1.2345, 0.777, 0.9};
    int rounded_out = 0;
    for (int n = 0; n < 200; ++n) {
        const double angle = 0.0314 * n;
        zone.direction = {std::cos(angle), 0, std::sin(angle)};
        zone.depth = 0.08 + 1e-5 * n;
        const Vec3d point = zone.origin + 0.013 * Vec3d{-zone.direction.z, 1, zone.direction.x};
        const double depth = zone.depth * (1 - 1e-9); // as depth_of_new() gives it at most
        rounded_out += depth_in(zone, metres_of(grid, units_of(grid, point - depth * zone.direction))) > zone.depth;
        const double found = depth_in(zone, metres_of(grid, zone_place(grid, zone, point, depth)));
        EXPECT_LE(found, zone.depth);
        EXPECT_GT(found, zone.depth - 4 * double(grid.unit));
    }
    EXPECT_GT(rounded_out, 20);
}
