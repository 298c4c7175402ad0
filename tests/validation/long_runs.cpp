// SPDX-License-Identifier: Apache-2.0
#include "still_water.h"

// Validations that take minutes on a few cores: scripts/validate.sh runs them, scripts/test.sh leaves them out.

using namespace sluice;
using namespace sluice::validation;

TEST(Long, DamBreak2DFollowsTheReferenceSolver) {
    CaseOverrides overrides;
    overrides.time_max = 0.605;
    overrides.dp = 0.01;
    CaseRun run("dam-break-2d.xml", overrides);
    expect_follows_reference(run.run_statistics(0.005), "dam_break_2d_reference_solver.csv", 0.6, 0.02);
    EXPECT_TRUE(run.excluded.empty());
}

TEST(Long, DamBreak3DFollowsTheReferenceSolver) {
    CaseRun run(read_case(std::string(SLUICE_SOURCE_DIR) + "/tests/validation/data/dam_break_3d_reference.xml"));
    ASSERT_EQ(run.particles.size() - run.particles.boundary_count, 128310u);
    expect_follows_reference(run.run_statistics(0.005), "dam_break_3d_reference_solver.csv", 0.1, 0.02);
    EXPECT_TRUE(run.excluded.empty());
}

TEST(Long, StillWaterStaysStill) {
    CaseRun run("hydrostatic-tank.xml");
    expect_still_water(run, 1);
}
