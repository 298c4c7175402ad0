// SPDX-License-Identifier: Apache-2.0
#include "still_water.h"

using namespace sluice;
using namespace sluice::validation;

TEST(StillWater, StaysStillWithHydrostaticPressure) {
    CaseOverrides overrides;
    overrides.time_max = 0.75;
    CaseRun run("hydrostatic-tank.xml", overrides);
    expect_still_water(run, 0.5);
}

TEST(StillWater, IsHydrostaticUpToTheWallsOverAWedge) {
    const WedgeFigures figures = over_a_wedge(coarse_wedge, 2, 1);
    EXPECT_LT(figures.l2, 0.01);
    EXPECT_LT(figures.speed, 1e-2);
    EXPECT_GT(over_a_wedge(coarse_wedge, 1, 1).l2, 0.02); // dynamic walls keep off water
}
