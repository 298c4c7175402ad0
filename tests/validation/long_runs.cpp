// SPDX-License-Identifier: Apache-2.0
#include "still_water.h"

// Validations that take minutes on a few cores: scripts/validate.sh runs them, scripts/test.sh leaves them out.

using namespace sluice;
using namespace sluice::validation;

TEST(Long, DamBreak2DFollowsTheReferenceSolver) {
    CaseOverrides overrides;
    overrides.time_max = 0.605;
    overrides.dp = 0.01;
    CaseRun run("../tests/data/dam-break-2d.xml", overrides);
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

TEST(Long, StillWaterOverAWedgeIsHydrostaticUpToTheWalls) {
    const WedgeFigures early = over_a_wedge(coarse_wedge, 2, 2), coarse = over_a_wedge(coarse_wedge, 2, 4),
                       fine_early = over_a_wedge(fine_wedge, 2, 2), fine = over_a_wedge(fine_wedge, 2, 4);
    // the reference solver (DualSPHysics 5.4.355) from 1.9 to 2 s
    EXPECT_NEAR(early.centroid, 0.26057, 1e-4);
    EXPECT_LT(early.energy, 2 * 9.0e-7);
    EXPECT_LT(coarse.l2, 0.01);
    EXPECT_LT(fine.l2, 0.8 * coarse.l2);
    EXPECT_LT(fine_early.speed, 0.5 * early.speed);
    EXPECT_LT(fine_early.speed, 1.5e-3); // rises until 4 s: docs/validation.md
    over_a_wedge(coarse_wedge, 1, 4);    // beside it, dynamic walls
}
