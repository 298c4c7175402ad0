// SPDX-License-Identifier: Apache-2.0
#include "elastic_beams.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>

// The structure of Turek & Hron (2006, LNCSE 53, 371) under gravity alone, their tests CSM1 to CSM3. Takes minutes.

using namespace sluice;
using namespace sluice::validation;

namespace {

constexpr Vec3d gravity{0, 0, -2}; // m/s²

/// Where the tip is once damping has brought the bar to rest, from where it was, m. `time`: s.
Vec3d deflection_at_rest(double young, double damping, double dp, double time) {
    const Beam beam = turek_beam(young, damping, dp);
    StructureSolver solver = beam.solver();
    const std::vector<Vec3d> weight(beam.particles.flexible, gravity);
    for (int n = 0; n < 100; ++n)
        solver.advance(time / 100, static_cast<int>(std::ceil(time / 100 / solver.longest_step(0.4))), weight,
                       beam.held());
    double fastest = 0;
    for (const Vec3d& v : solver.velocities()) fastest = std::max(fastest, norm(v));
    EXPECT_LT(fastest, 2e-3);
    return solver.point(beam.tip).displacement;
}

struct Swing {
    Vec3d lowest;         ///< displacement of the tip where it turns, m
    double frequency = 0; ///< Hz
    double lost = 0;      ///< how far energy went from where it was, over the greatest kinetic energy
};

/// The first swing of the bar that gravity begins to pull at time 0.
Swing first_swing(double dp) {
    const Beam beam = turek_beam(1.4e6, 0, dp);
    StructureSolver solver = beam.solver();
    const std::vector<Vec3d> weight(beam.particles.flexible, gravity);
    Swing swing;
    double kinetic = 0, least = 0, most = 0;
    double before = 0, middle = 0;
    constexpr double interval = 0.005; // s
    for (int n = 1; n < 250; ++n) {
        solver.advance(interval, static_cast<int>(std::ceil(interval / solver.longest_step(0.3))), weight, beam.held());
        const StructureEnergy energy = solver.energy();
        double of_weight = 0;
        for (std::uint32_t i = 0; i < beam.particles.flexible; ++i)
            of_weight -= solver.mass(i) * dot(gravity, solver.point(i).displacement);
        kinetic = std::max(kinetic, energy.kinetic);
        least = std::min(least, energy.kinetic + energy.strain + solver.hourglass_energy() + of_weight);
        most = std::max(most, energy.kinetic + energy.strain + solver.hourglass_energy() + of_weight);
        const Vec3d tip = solver.point(beam.tip).displacement;
        if (tip.z < swing.lowest.z) swing.lowest = tip;
        const double after = tip.z;
        if (n > 100 && middle > before && middle >= after) { // back at the top, which a parabola finds
            const double bend = before - 2 * middle + after;
            swing.frequency = 1 / (interval * (n - 1 + 0.5 * (before - after) / bend));
            break;
        }
        before = middle;
        middle = after;
    }
    swing.lost = (most - least) / kinetic;
    return swing;
}

} // namespace

TEST(TurekHronStructure, Csm1RestsWhereItShould) {
    for (const double dp : {0.01, 0.005, 0.0025}) { // 3, 5 and 9 layers
        const Vec3d u = deflection_at_rest(1.4e6, 12, dp, 1.5);
        std::printf("CSM1, dp %g m: %.3f %.3f mm\n", dp, 1e3 * u.x, 1e3 * u.z);
        EXPECT_NEAR(u.x / -7.187e-3, 1, 0.025); // grows with the square of the other
        EXPECT_NEAR(u.z / -66.10e-3, 1, 0.015);
    }
}

TEST(TurekHronStructure, Csm2RestsWhereItShould) {
    for (const double dp : {0.01, 0.005, 0.0025}) {
        const Vec3d u = deflection_at_rest(5.6e6, 24, dp, 0.75);
        std::printf("CSM2, dp %g m: %.4f %.3f mm\n", dp, 1e3 * u.x, 1e3 * u.z);
        EXPECT_NEAR(u.x / -0.469e-3, 1, 0.025);
        EXPECT_NEAR(u.z / -16.97e-3, 1, 0.015);
    }
}

// -63.607 − 65.160 mm at the lowest, −14.305 − 14.305 mm along the bar, 1.0995 Hz.
TEST(TurekHronStructure, Csm3SwingsAsItShould) {
    for (const double dp : {0.01, 0.005, 0.0025}) {
        const Swing swing = first_swing(dp);
        std::printf("CSM3, dp %g m: %.2f %.2f mm, %.4f Hz, energy off by %.1e\n", dp, 1e3 * swing.lowest.x,
                    1e3 * swing.lowest.z, swing.frequency, swing.lost);
        EXPECT_LT(swing.lost, 1e-6);
        EXPECT_NEAR(swing.lowest.z / -128.767e-3, 1, 0.025);
        EXPECT_NEAR(swing.lowest.x / -28.610e-3, 1, 0.05); // twice as sensitive
        EXPECT_NEAR(swing.frequency / 1.0995, 1, 0.01);
    }
}
