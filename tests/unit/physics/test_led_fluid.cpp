// SPDX-License-Identifier: Apache-2.0
#include "physics/led_fluid.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace sluice;

namespace {

constexpr double unit = 1e-9;

/// A damping zone of 2 1/s and a relaxation zone of 3 1/s to 5 m/s along x, both everywhere, and an input of 4 m/s²
/// along x on particle 7.
struct Leaders {
    DampingZone damping;
    RelaxationZone relaxation;
    SpeedSample speed{0, 5};
    ForcedFrame frame;

    Leaders() {
        damping.outer_min = {1, 0, 0};
        damping.over_limit = 1e9;
        damping.rate = 2;
        relaxation.kind = RelaxationZone::Kind::uniform;
        relaxation.half = {1e9, 1e9, 1e9};
        relaxation.end = std::numeric_limits<double>::infinity();
        relaxation.rate = 3;
        relaxation.weight = 1;
        relaxation.speed_count = 1;
        frame.first_id = 7;
        frame.last_id = 8;
        frame.linear = {4, 0, 0};
    }
    LeadView view() const { return {&damping, 1, {&relaxation, nullptr, &speed, 1}, &frame, 1, 1 / unit}; }
};

} // namespace

// What zones give a particle is its change of kinetic energy, the damping first; where levels leap over two steps half
// of it, since every second level only goes back to it.
TEST(LedFluid, IsGivenTheWorkOfWhatLeadsIt) {
    const Leaders leaders;
    for (const int steps : {1, 2}) {
        const LevelStep step{1, 0.125, steps};
        const LedParticle now = led(leaders.view(), 7, {10, 0, 0}, {2, 0, 1}, step, false);
        const double left = std::exp(-2 * 0.125 * steps), kept = std::exp(-3 * 0.125 * steps);
        const double vx = 5 + (2 * left - 5) * kept, vz = left * kept;
        EXPECT_NEAR(now.velocity.x, vx, 1e-6);
        EXPECT_NEAR(now.velocity.z, vz, 1e-6);
        EXPECT_NEAR(unit * static_cast<double>(now.damping), (left * left - 1) * 2.5 / steps, 1e-6);
        EXPECT_NEAR(unit * static_cast<double>(now.relaxation), 0.5 * (vx * vx + vz * vz - 5 * left * left) / steps,
                    1e-5);
        EXPECT_NEAR(unit * static_cast<double>(now.acceleration), 0.125 * 4 * vx, 1e-6);
    }
    const LevelStep step{1, 0.125, 1};
    EXPECT_EQ(led(leaders.view(), 8, {10, 0, 0}, {2, 0, 1}, step, false).acceleration, 0);
    EXPECT_EQ(led(leaders.view(), 7, {10, 0, 0}, {2, 0, 1}, step, true).acceleration, 0) << "held by a zone";
}

TEST(LedFluid, IsLeftAloneWhereNothingLeadsIt) {
    const LedParticle now = led({}, 7, {10, 0, 0}, {2, 0, 1}, {1, 0.125, 2}, false);
    EXPECT_EQ(now.velocity, (Vec3f{2, 0, 1}));
    EXPECT_EQ(now.damping | now.relaxation | now.acceleration, 0);
}

// Of a million particles each may gain 8 c0² before the sum has no room, and so with any number of them.
TEST(WorkCounts, HaveRoomForAllParticles) {
    sph::Constants c;
    c.c0 = 20;
    for (const std::uint32_t n : {1u, 1000000u, 3000000u, 4000000000u}) {
        const double each = 8 * 400.0 / work_unit(c, n);
        EXPECT_LT(each * n, 9.3e18) << n;
        EXPECT_GT(1e-10 * 400 / work_unit(c, n), n > 4000000 ? 0.01 : 10) << "v = 1e-5 c0 is seen";
    }
    EXPECT_DOUBLE_EQ(work_unit(c, 1000000), 400 / 1099511627776.0);
    EXPECT_DOUBLE_EQ(work_unit(c, 2000000), 400 / 549755813888.0);
    EXPECT_EQ(work_count(-2.6, 1), -3);
    EXPECT_EQ(work_count(std::nan(""), 1), 0);
    EXPECT_EQ(work_count(1e30, 1), 0);
}
