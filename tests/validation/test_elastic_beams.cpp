// SPDX-License-Identifier: Apache-2.0
#include "elastic_beams.h"

#include <gtest/gtest.h>
#include <numbers>

using namespace sluice;
using namespace sluice::validation;

namespace {

/// Of a thin plate fixed at one end, in plane strain: (k L)² √(E H²/(12 ρ (1 − ν²)))/(2 π L²), k L = 1.8751, Hz.
double thin_plate_frequency(const ElasticMaterial& m, double length, double thickness) {
    const double stiffness = m.young * thickness * thickness / (12 * m.density * (1 - m.poisson * m.poisson));
    return 1.8751040687 * 1.8751040687 * std::sqrt(stiffness) / (2 * std::numbers::pi * length * length);
}

} // namespace

// The plate of Gray, Monaghan & Swift (2001), its outer particles on its surfaces: thin-plate theory leaves out shear,
// which takes about a per cent. Three layers are as good as nine.
TEST(ElasticBeam, SwingsAsThinPlateTheorySays) {
    const ElasticMaterial rubber{1000, 2e6, 0.3975, 0.1, 0, StressState::plane_strain};
    constexpr double length = 0.2, thickness = 0.02;
    const double expected = thin_plate_frequency(rubber, length, thickness);
    EXPECT_NEAR(1 / expected, 0.254032, 1e-6); // that of the paper
    for (const int layers : {3, 5, 9}) {
        const double dp = thickness / (layers - 1);
        const Beam beam = make_beam(rubber, dp, length, layers, 8 * dp, [](const Vec3d& p) { return p.x <= 0; });
        EXPECT_NEAR(swing_frequency(beam, length, expected) / expected, 0.99, 0.015) << layers;
    }
}
