// SPDX-License-Identifier: Apache-2.0
#include "scheme/moorings/line_arrays.h"

#include <barrier>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <thread>

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

constexpr int lines_at_a_time = 2, lanes = 3;

/// What threads that share lines wait for one another at.
struct Meeting {
    std::barrier<> all{lines_at_a_time * lanes};
    std::deque<std::barrier<>> of_line;
    int numbers[lines_at_a_time][lanes] = {};

    Meeting() {
        for (int n = 0; n < lines_at_a_time; ++n) of_line.emplace_back(lanes);
    }
};

/// One thread of several that share the lines as a block of a device does.
struct ThreadOfTeam {
    Meeting* meeting;
    int group, lane; ///< of its line, and in it

    template <class Work>
    void for_lines(int count, Work&& work) const {
        for (int l = group; l < count; l += lines_at_a_time) work(l);
    }
    template <class Work>
    void for_nodes(int count, Work&& work) const {
        for (int k = lane; k < count; k += lanes) work(k);
    }
    template <class Work>
    void for_connects(int count, Work&& work) const {
        for (int c = group * lanes + lane; c < count; c += lines_at_a_time * lanes) work(c);
    }
    void join_line() const { meeting->of_line[std::size_t(group)].arrive_and_wait(); }
    void join_all() const { meeting->all.arrive_and_wait(); }
    int least(int number) const {
        meeting->numbers[group][lane] = number;
        join_line();
        int result = number;
        for (const int other : meeting->numbers[group]) result = std::min(result, other);
        join_line();
        return result;
    }
    bool leads() const { return group == 0 && lane == 0; }
    bool leads_line() const { return lane == 0; }
};

/// Makes such threads, and has each do `work(team)`.
void with_threads(const std::function<void(const ThreadOfTeam&)>& work) {
    Meeting meeting;
    std::vector<std::thread> threads;
    for (int group = 0; group < lines_at_a_time; ++group)
        for (int lane = 0; lane < lanes; ++lane) threads.emplace_back(work, ThreadOfTeam{&meeting, group, lane});
    for (std::thread& thread : threads) thread.join();
}

struct Moored {
    std::vector<Body> bodies{2};
    std::vector<BodyState> states;
    std::vector<BodyLoads> loads{2};
    Moorings all;
    MooringState now;
    std::size_t between = 0; ///< the line that breaks

    /// Two bodies, each on an anchored line, a third line from one to a weight that an anchored line holds, too, and
    /// one between them that breaks; a leader of all does not lead that. `weighted`: else without that weight.
    explicit Moored(bool weighted = true) {
        for (Body& body : bodies) body.mass = 5;
        bodies[0].centre = {-1, 0, 0};
        bodies[1].centre = {1, 0, 0.5};
        bodies[0].velocity = {-0.4, 0.2, 0.1};
        bodies[1].angular_velocity = {0.3, -1, 0.5};
        const auto on_body = [&](int b, const Vec3d& arm) {
            return LineEnd{LineHold::body, b, bodies[std::size_t(b)].centre + arm};
        };
        const LineEnd weight{LineHold::connect, 0, {2, 0, -1.5}};
        if (weighted) all.connects.push_back({0.5, 1e-4, weight.place});
        add({LineHold::anchor, -1, {-4, 0.5, -3}}, on_body(0, {-0.1, 0, 0}), 7);
        add({LineHold::anchor, -1, {4, -1, -3}}, on_body(1, {0.1, 0, 0}), 40); // more nodes than lanes of a warp
        if (weighted) add(on_body(1, {0, 0.1, -0.1}), weight, 4);
        between = all.lines.size();
        add(on_body(0, {0.1, 0, 0.1}), on_body(1, {-0.1, 0, 0}), 5);
        all.lines.back().most_tension = 14;
        if (weighted) add(weight, {LineHold::anchor, -1, {3, 2, -3}}, 6);
        all.water.gravity = {0, 0, -9.81};
        if (weighted) all.at_start.nodes.push_back({weight.place, {}});
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
    /// `together(work)` calls `work(team)` in all threads of a team.
    template <class Together>
    MooringFault run(double dt, int steps, Together&& together) {
        LineArrays work(all);
        MooringFault fault;
        for (int n = 0; n < steps; ++n) {
            const MooringDrive drive{bodies.data(), states.data(), nullptr, n * dt, dt};
            together([&](const auto& team) {
                const MooringFault found = advance_lines(all.view(), work.arrays(now), drive, loads.data(), team);
                if (team.leads()) fault = found;
            });
            for (std::size_t b = 0; b < 2; ++b)
                states[b] =
                    after_stage(BodyStage::symplectic, bodies[b], states[b], loads[b], {all.water.gravity}, n * dt, dt);
            const MooringDrive at_end{bodies.data(), states.data(), nullptr, (n + 1) * dt, 0};
            together([&](const auto& team) { place_line_ends(all.view(), work.arrays(now), at_end, team); });
        }
        return fault;
    }
    MooringFault run_alone(double dt, int steps) {
        return run(dt, steps, [](auto&& work) { work(mooring::Alone()); });
    }
};

void expect_same(const Moored& expected, const Moored& got) {
    EXPECT_GT(expected.now.lines[expected.between].broken_at, 0);
    EXPECT_EQ(expected.now, got.now);
    EXPECT_EQ(expected.states, got.states);
    for (std::size_t b = 0; b < 2; ++b) {
        EXPECT_EQ(expected.loads[b].mooring.force, got.loads[b].mooring.force);
        EXPECT_EQ(expected.loads[b].mooring.moment, got.loads[b].mooring.moment);
    }
}

} // namespace

TEST(MooringTeams, TheOrderInWhichNodesAreVisitedChangesNoBit) {
    Moored alone, backwards;
    EXPECT_FALSE(alone.run_alone(2e-3, 60).any());
    EXPECT_FALSE(backwards.run(2e-3, 60, [](auto&& work) { work(Backwards()); }).any());
    expect_same(alone, backwards);
}

TEST(MooringTeams, ThreadsThatShareLinesAndNodesChangeNoBit) {
    for (const bool weighted : {true, false}) {
        Moored alone(weighted), together(weighted);
        EXPECT_FALSE(alone.run_alone(2e-3, 30).any());
        EXPECT_FALSE(together.run(2e-3, 30, [](auto&& work) { with_threads(work); }).any());
        expect_same(alone, together);
    }
}

TEST(MooringTeams, AllNameTheFirstNodeThatIsLost) {
    Moored alone, backwards, together;
    for (Moored* lines : {&alone, &backwards, &together}) {
        lines->now.nodes[10].velocity = {0, 1e6, 0}; // of the second line, which has nodes from 8 on
        lines->now.nodes[3].velocity = {1e7, 0, 0};
    }
    const MooringFault fault = alone.run_alone(1e-4, 1),
                       others[] = {backwards.run(1e-4, 1, [](auto&&work) { work(Backwards()); }),
                                   together.run(1e-4, 1, [](auto&&work) { with_threads(work); })};
    EXPECT_EQ(fault.line, 0);
    for (const MooringFault& other : others) {
        EXPECT_EQ(other.line, fault.line);
        EXPECT_EQ(other.node, fault.node);
        EXPECT_EQ(other.time, fault.time);
    }
}
