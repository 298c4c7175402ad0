// SPDX-License-Identifier: Apache-2.0
#include "methods/fvpm/jet.h"

#include <cmath>
#include <gtest/gtest.h>

namespace sluice::fvpm {
namespace {

TEST(FvpmJet, ThePlaneJetHasTheExactPressure) {
    EXPECT_NEAR(plane_jet_pressure(0), 1, 1e-12);
    EXPECT_NEAR(plane_jet_pressure(0.6448664), 0.75, 1e-6); // u = 0.5
    EXPECT_NEAR(plane_jet_pressure(0.953), 0.50, 1e-3);
    EXPECT_NEAR(plane_jet_pressure(1.641), 0.10, 1e-3);
    double force = 0; // ∫ C_p dx = 2 b: the force is ρ U² b
    for (int n = 0; n < 6000; ++n) force += 2 * 0.001 * plane_jet_pressure(0.001 * (n + 0.5));
    EXPECT_NEAR(force, 2, 1e-4);
}

TEST(FvpmJet, MeansAreOverPlaces) {
    JetResult r;
    r.pressures = {{0, 1.1}, {0.1, 0.9}, {3, 0.2}};
    EXPECT_NEAR(mean_pressure(r, 0, 0.5), 1, 1e-15);
    EXPECT_TRUE(std::isnan(mean_pressure(r, 1, 2)));
    const double second = 0.9 - plane_jet_pressure(0.1);
    EXPECT_NEAR(plane_jet_error(r, 1), std::sqrt((0.01 + second * second) / 2), 1e-12);
}

} // namespace
} // namespace sluice::fvpm
