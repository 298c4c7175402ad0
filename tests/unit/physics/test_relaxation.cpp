// SPDX-License-Identifier: Apache-2.0
#include "physics/relaxation.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace sluice;

namespace {

RelaxationZone uniform() {
    RelaxationZone zone;
    zone.kind = RelaxationZone::Kind::uniform;
    zone.centre = {1, 0, 1};
    zone.half = {0.5, 1, 0.25};
    zone.start = 2;
    zone.end = 6;
    zone.speed_count = 1;
    return zone;
}

struct Zone {
    RelaxationZone zone;
    std::vector<RelaxationWave> lines{};
    std::vector<SpeedSample> speeds{{0, 3}};

    Vec3d operator()(const Vec3d& place, const Vec3d& v, double time, double dt = 1e-3) const {
        return relaxed({&zone, lines.data(), speeds.data(), 1}, place, v, {time, dt, 1});
    }
};

void expect_near_vector(const Vec3d& a, const Vec3d& b, double tolerance = 1e-12) {
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], tolerance) << axis;
}

} // namespace

TEST(Relaxation, LeadsToAUniformVelocityByTheWeightOfThePlace) {
    const Zone zone{uniform()};
    const Vec3d v{1, 2, -1};
    expect_near_vector(zone({1, 0.3, 1.1}, v, 3), {1 + 0.9 * 2, 2 * 0.1, -0.1}); // ψ at the middle
    const double half = 0.9 * (1 - (std::exp(std::pow(0.5, 3.5)) - 1) / (std::exp(1.0) - 1));
    expect_near_vector(zone({1.25, 0, 1}, v, 3), {1 + half * 2, 2 * (1 - half), -1 + half});
    expect_near_vector(zone({1.5, 0, 1}, v, 3), v); // nothing at the edge,
    expect_near_vector(zone({1, 0, 1.3}, v, 3), v); // outside,
    expect_near_vector(zone({1, 0, 1}, v, 1.9), v); // and at other times
    expect_near_vector(zone({1, 0, 1}, v, 6), v);
}

TEST(Relaxation, FollowsASeriesOfSpeedsHeldAtItsEnds) {
    Zone zone{uniform()};
    zone.speeds = {{2.5, 1}, {3.5, 2}, {4, 2}, {4.5, 6}};
    zone.zone.speed_count = 4;
    const auto speed = [&](double time) { return zone({1, 0, 1}, {}, time).x / 0.9; }; // ψ at the middle
    EXPECT_NEAR(speed(2.1), 1, 1e-12);
    EXPECT_NEAR(speed(2.5), 1, 1e-12);
    EXPECT_NEAR(speed(2.75), 1.25, 1e-12);
    EXPECT_NEAR(speed(3.5), 2, 1e-12);
    EXPECT_NEAR(speed(3.9), 2, 1e-12);
    EXPECT_NEAR(speed(4.125), 3, 1e-12);
    EXPECT_NEAR(speed(4.5), 6, 1e-12);
    EXPECT_NEAR(speed(5.9), 6, 1e-12);
}

// What is left of the difference after a time t is exp(−C r t): in steps of any length, also much longer than 1/r, and
// in the leaps of Verlet's levels. Without a rate it is 1 − C for each step.
TEST(Relaxation, ActsAtItsRateWhateverTheSteps) {
    Zone zone{uniform()};
    zone.zone.rate = 200;
    zone.zone.factor = {1, 0, 0.5};
    const RelaxationView view{&zone.zone, nullptr, zone.speeds.data(), 1};
    const Vec3d v{1, 2, -1}, middle{1, 0, 1};
    const auto after = [&](double t) {
        return Vec3d{3 - 2 * std::exp(-0.9 * 200 * t), 2, -std::exp(-0.5 * 0.9 * 200 * t)};
    };
    for (const double dt : {1e-4, 1e-3, 0.1}) {
        expect_near_vector(relaxed(view, middle, v, {3, dt, 1}), after(dt));
        expect_near_vector(relaxed(view, middle, v, {3, dt, 2}), after(2 * dt));
        Vec3d levels[2] = {v, relaxed(view, middle, v, {3, dt, 1})}; // n−1 and n
        for (int n = 0; n < 5; ++n) {
            const Vec3d next = relaxed(view, middle, levels[0], {3, dt, 2});
            levels[0] = levels[1];
            levels[1] = next;
        }
        expect_near_vector(levels[1], after(6 * dt));
    }
    zone.zone.rate = 0;
    expect_near_vector(relaxed(view, middle, v, {3, 1e-3, 1}), {3 - 2 * 0.1, 2, -0.55});
    expect_near_vector(relaxed(view, middle, v, {3, 1e-3, 2}), {3 - 2 * 0.01, 2, -0.3025});
}

TEST(Relaxation, FollowsVelocitiesOnAMesh) {
    RelaxationZone zone;
    zone.kind = RelaxationZone::Kind::table;
    zone.centre = {1, 0, 0};
    zone.half = {0.5, 0, 0};
    zone.end = 10;
    zone.weight = 1;
    zone.current = 0.25;
    const double numbers[] = {0, 2, 1};
    const VelocityTable table{0, 2, 2, 1, 0, 1, 1, true, 0};
    const float values[] = {1, 2, 3, 4}; // u = 1 + t, w = 2 + t
    const RelaxationView view{&zone, nullptr, nullptr, 1, {&table, numbers, values}};
    expect_near_vector(relaxed(view, {1, 3, 9}, {7, 5, 7}, {1, 1e-3, 1}), {2.25, 0, 3}, 1e-6);
    expect_near_vector(relaxed(view, {1.5, 3, 9}, {7, 5, 7}, {1, 1e-3, 1}), {7, 5, 7}, 1e-6);
}

TEST(Relaxation, FollowsSpeedsInTime) {
    Zone zone{uniform()};
    zone.zone.weight = 1;
    zone.zone.direction = {0.6, 0, 0.8};
    zone.zone.speed_count = 2;
    zone.speeds = {{3, 1}, {5, 2}};
    expect_near_vector(zone({1, 0, 1}, {}, 2.5), {0.6, 0, 0.8});
    expect_near_vector(zone({1, 0, 1}, {}, 4), {0.9, 0, 1.2});
    expect_near_vector(zone({1, 0, 1}, {}, 5.5), {1.2, 0, 1.6});
}

TEST(Relaxation, LeadsToTheVelocityUnderWaves) {
    Zone zone;
    zone.zone.centre = {2, 0, 0};
    zone.zone.half.x = 0.5;
    zone.zone.end = std::numeric_limits<double>::infinity();
    zone.zone.weight = 1;
    zone.zone.still = 0.7;
    zone.zone.depth = 0.7;
    zone.zone.highest = std::numeric_limits<double>::infinity();
    zone.zone.current = -0.01;
    zone.zone.wave_count = 1;
    const double k = 2, w = 3, speed = 0.4;
    zone.lines = {{w, k, 0.5, speed}};
    const double angle = w * 1.2 + 0.5, kz = k * 0.3; // 0.4 m below the surface
    const Vec3d below{speed * std::cosh(kz) / std::sinh(1.4) * std::cos(angle) - 0.01, 0,
                      -speed * std::sinh(kz) / std::sinh(1.4) * std::sin(angle)};
    expect_near_vector(zone({2, 0, 0.3}, {}, 1.2), below);
    const double above = std::cosh(k * 0.8) / std::sinh(1.4), at = std::cosh(1.4) / std::sinh(1.4);
    EXPECT_NEAR(zone({2, 0, 0.8}, {}, 1.2).x + 0.01, speed * above * std::cos(angle), 1e-12);
    zone.zone.highest = 0; // of a spectrum
    EXPECT_NEAR(zone({2, 0, 0.8}, {}, 1.2).x + 0.01, speed * at * std::cos(angle), 1e-12);
    zone.zone.ramp = 2.4; // half of it is over: 1 − (1/2)³·(5/2)
    expect_near_vector(zone({2, 0, 0.3}, {}, 1.2), 0.6875 * below);
    EXPECT_EQ(zone({2.51, 0, 0.3}, {1, 2, 3}, 1.2), (Vec3d{1, 2, 3}));
}
