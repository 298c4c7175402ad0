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
