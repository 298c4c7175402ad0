// SPDX-License-Identifier: Apache-2.0
#include "scheme/moorings/line_arrays.h"
#include "scheme/moorings/statics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

using namespace sluice;

namespace {

/// A chain whose upper end is at the surface and heaves as A sin(2π t/10 s) from t = −10 s on. Tensions of the upper
/// end by a code of its own, each second from 0 on, kN: the tests of MoorDyn, tests/quasi_static_chain.cpp (BSD-3).
struct HeavedChain {
    double across, depth, length; ///< of the anchor from the upper end, of the line, m
    int segments;
    double amplitude;                     ///< m
    double fairlead, anchor;              ///< at rest, kN
    std::array<double, 10> tension_given; ///< of the upper end, kN
};

constexpr double period = 10;

// 390 kg/m, 0.252 m, EA 1674 MN, on a bottom with a coefficient of friction of 0.5.
const HeavedChain heaved_chains[] = {
    {400, 50, 410, 41, 2, 991.6, 826.2, {1091, 1068, 990, 975, 929, 900, 926, 986, 987, 1043}},
    {400, 50, 410, 41, 5, 991.6, 826.2, {1531, 1483, 1075, 856, 579, 376, 512, 872, 998, 1219}},
    {700, 200, 760, 76, 2, 2065.4, 1402.2, {2270, 2126, 1934, 1855, 1832, 1858, 1993, 2182, 2275, 2297}},
    {700, 200, 760, 76, 5, 2065.4, 1402.2, {3048, 2781, 1908, 1415, 1278, 1028, 1367, 2044, 2614, 2892}},
    {1500, 600, 1700, 170, 2, 5232.6, 3244.2, {5924, 5487, 5010, 4627, 4474, 4637, 4970, 5416, 5812, 5968}},
    {1500, 600, 1700, 170, 5, 5232.6, 3244.2, {7565, 7101, 5915, 4424, 3090, 2853, 3293, 4529, 5988, 7212}},
};

MooringLine line_of(const HeavedChain& chain) {
    MooringLine line;
    line.end[0] = {LineHold::body, 0, {}};
    line.end[1] = {LineHold::anchor, -1, {chain.across, 0, -chain.depth}};
    line.length = chain.length;
    line.stiffness = 1.674e9;
    line.diameter = 0.252;
    line.mass = 390;
    line.normal_added_mass = 1;
    line.normal_drag = 1.37;
    line.tangential_drag = 0.64;
    line.bed = -chain.depth;
    line.segments = chain.segments;
    line.damping = chain.length / chain.segments * std::sqrt(line.stiffness * line.mass); // critical
    return line;
}

} // namespace

TEST(MooringChain, PullsAtAHeavingEndAsElsewhere) {
    for (const HeavedChain& chain : heaved_chains) {
        SCOPED_TRACE(testing::Message() << chain.depth << " m deep, heave " << chain.amplitude << " m");
        Moorings all;
        all.water.gravity = {0, 0, -9.81};
        all.water.density = 1025;
        all.water.bed_stiffness = 1e5;
        all.water.bed_damping = 1e4;
        all.water.friction = 0.5;
        all.water.friction_damping = 200;
        all.lines.push_back(line_of(chain));
        const MooringLine& line = all.lines.front();
        bool settled = true;
        for (const Vec3d& place :
             mooring::nodes_at_rest(line, all.water, line.end[0].place, line.end[1].place, settled))
            all.at_start.nodes.push_back({place, {}});
        ASSERT_TRUE(settled);
        all.at_start.lines.resize(1);
        all.step = line_step_limit(all).step;
        LineArrays work(all);
        MooringState now = all.at_start;
        const LineReport rest = work.report(all, 0, now.nodes);
        EXPECT_NEAR(rest.tension[0], 1e3 * chain.fairlead, 0.02 * 1e3 * chain.fairlead);
        EXPECT_NEAR(rest.tension[1], 1e3 * chain.anchor, 0.02 * 1e3 * chain.anchor);

        Body body;
        body.moored = true;
        std::vector<Body> bodies{body};
        std::vector<BodyState> states{initial_state(body)};
        std::vector<BodyLoads> loads(1);
        constexpr double dt = 0.01;
        double worst = 0, greatest = 0;
        for (int n = 0; n < 2000; ++n) {
            const double t = n * dt - period;
            if (n % 100 == 0 && t > -dt) {
                const auto second = static_cast<std::size_t>(std::lround(t));
                const double found = work.report(all, 0, now.nodes).tension[0] / 1e3 - rest.tension[0] / 1e3;
                const double given = chain.tension_given[second] - chain.fairlead;
                worst = std::max(worst, std::abs(found - given));
                greatest = std::max(greatest, std::abs(given));
            }
            const auto height = [&](double time) {
                return chain.amplitude * std::sin(2 * std::numbers::pi * time / period);
            };
            states[0].centre = {0, 0, height(t)};
            states[0].velocity = {0, 0, (height(t + dt) - height(t)) / dt};
            const MooringDrive drive{bodies.data(), states.data(), nullptr, n * dt, dt, 1};
            ASSERT_FALSE(advance_lines(all.view(), work.arrays(now), drive, loads.data()).any());
        }
        EXPECT_LT(worst, 0.25 * greatest); // MoorDyn asks 0.30 of itself, and MoorDyn 2.7.2 has 0.23
    }
}
