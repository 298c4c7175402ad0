// SPDX-License-Identifier: Apache-2.0
#include "scheme/moorings/line_arrays.h"

#include <gtest/gtest.h>

// Threads that share the nodes of lines come to what one alone does.

using namespace sluice;

namespace {

/// Visits everything the other way round: what does not depend on the order may be shared among threads.
struct Backwards : mooring::Alone {
    template <class Work>
    static void for_all(int count, Work&& work) {
        for (int i = count; i-- > 0;) work(i);
    }
    template <class Work>
    void for_lines(int count, Work&& work) const {
        for_all(count, work);
    }
    template <class Work>
    void for_nodes(int count, Work&& work) const {
        for_all(count, work);
    }
    template <class Work>
    void for_connects(int count, Work&& work) const {
        for_all(count, work);
    }
};

struct Moored {
    std::vector<Body> bodies{2};
    std::vector<BodyState> states;
    std::vector<BodyLoads> loads{2};
    Moorings all;
    MooringState now;

    /// Two bodies, each on an anchored line, with a third line between them that breaks, and a fourth from one to a
    /// weight that an anchored line holds, too.
    Moored() {
        for (Body& body : bodies) body.mass = 5;
        bodies[0].centre = {-1, 0, 0};
        bodies[1].centre = {1, 0, 0.5};
        bodies[0].velocity = {-0.4, 0.2, 0.1};
        bodies[1].angular_velocity = {0.3, -1, 0.5};
        const auto on_body = [&](int b, const Vec3d& arm) {
            return LineEnd{LineHold::body, b, bodies[std::size_t(b)].centre + arm};
        };
        const LineEnd weight{LineHold::connect, 0, {2, 0, -1.5}};
        all.connects.push_back({0.5, 1e-4, weight.place});
        add({LineHold::anchor, -1, {-4, 0.5, -3}}, on_body(0, {-0.1, 0, 0}), 7);
        add({LineHold::anchor, -1, {4, -1, -3}}, on_body(1, {0.1, 0, 0}), 40); // more nodes than lanes of a warp
        add(on_body(0, {0.1, 0, 0.1}), on_body(1, {-0.1, 0, 0}), 5);
        all.lines.back().most_tension = 14;
        add(on_body(1, {0, 0.1, -0.1}), weight, 4);
        add(weight, {LineHold::anchor, -1, {3, 2, -3}}, 6);
        all.water.gravity = {0, 0, -9.81};
        all.at_start.nodes.push_back({weight.place, {}});
        all.at_start.lines.resize(all.lines.size());
        all.step = line_step_limit(all).step;
        now = all.at_start;
        for (const Body& body : bodies) states.push_back(initial_state(body));
    }
    void add(const LineEnd& first, const LineEnd& last, int segments) {
        MooringLine line;
        line.end[0] = first;
        line.end[1] = last;
        line.length = 0.98 * norm(last.place - first.place);
        line.stiffness = 600;
        line.damping = 2;
        line.diameter = 3.7e-3;
        line.mass = 0.06;
        line.segments = segments;
        line.bed = -1e3;
        line.first_node = all.first_connect();
        all.lines.push_back(line);
        for (int k = 0; k <= segments; ++k)
            all.at_start.nodes.push_back({first.place + (double(k) / segments) * (last.place - first.place), {}});
    }
    template <class Team>
    MooringFault run(double dt, int steps) {
        LineArrays work(all);
        MooringFault fault;
        for (int n = 0; n < steps; ++n) {
            const MooringDrive drive{bodies.data(), states.data(), nullptr, n * dt, dt};
            fault = advance_lines(all.view(), work.arrays(now), drive, loads.data(), Team());
            for (std::size_t b = 0; b < 2; ++b)
                states[b] =
                    after_stage(BodyStage::symplectic, bodies[b], states[b], loads[b], {all.water.gravity}, n * dt, dt);
            const MooringDrive at_end{bodies.data(), states.data(), nullptr, (n + 1) * dt, 0};
            place_line_ends(all.view(), work.arrays(now), at_end, Team());
        }
        return fault;
    }
};

} // namespace

TEST(MooringTeams, TheOrderInWhichNodesAreVisitedChangesNoBit) {
    Moored alone, backwards;
    EXPECT_FALSE(alone.run<mooring::Alone>(2e-3, 60).any());
    EXPECT_FALSE(backwards.run<Backwards>(2e-3, 60).any());
    EXPECT_GT(alone.now.lines[2].broken_at, 0);
    EXPECT_EQ(alone.now, backwards.now);
    EXPECT_EQ(alone.states, backwards.states);
    for (std::size_t b = 0; b < 2; ++b) {
        EXPECT_EQ(alone.loads[b].mooring.force, backwards.loads[b].mooring.force);
        EXPECT_EQ(alone.loads[b].mooring.moment, backwards.loads[b].mooring.moment);
    }
}

TEST(MooringTeams, BothNameTheFirstNodeThatIsLost) {
    Moored alone, backwards;
    for (Moored* lines : {&alone, &backwards}) {
        lines->now.nodes[10].velocity = {0, 1e6, 0}; // of the second line, which has nodes from 8 on
        lines->now.nodes[3].velocity = {1e7, 0, 0};
    }
    const MooringFault fault = alone.run<mooring::Alone>(1e-4, 1), other = backwards.run<Backwards>(1e-4, 1);
    EXPECT_EQ(fault.line, 0);
    EXPECT_EQ(other.line, fault.line);
    EXPECT_EQ(other.node, fault.node);
    EXPECT_EQ(other.time, fault.time);
}
