// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "scheme/body_motion.h"
#include "scheme/moorings/line_forces.h"

// How lines move between bodies over a time step, and what they do to the bodies. Nothing here allocates: the caller
// gives the arrays.

namespace sluice {

/// The nodes and states of all lines, and the numbers of the solver.
struct MooringArrays {
    MooringNode* nodes = nullptr;
    LineState* lines = nullptr;
    mooring::Numbers numbers;
};

/// Which node has lost its course: it has moved by more than its segment's length in a sub-step, or has no number.
struct MooringFault {
    int line = -1; ///< −1: none has
    int node = 0;
    double time = 0; ///< s

    SLUICE_HD bool any() const { return line >= 0; }
};

/// The bodies at the begin of a step, and how they move in it.
struct MooringDrive {
    const Body* bodies = nullptr;      ///< RunSetup::bodies
    const BodyState* from = nullptr;   ///< at the begin of the step
    const BodyState* middle = nullptr; ///< in its middle, where that is known; null: they go on as they do
    double time = 0, dt = 0;           ///< the begin and the length of the step, s
    double drag = 1;                   ///< factor on the drag of lines
};

namespace mooring {

/// The path of a point of a body that is at `start` at time 0.
SLUICE_HD inline Path path_of(const MooringDrive& drive, int b, const Vec3d& start) {
    const Body& body = drive.bodies[b];
    const BodyState& from = drive.from[b];
    Path path;
    path.place = motion_of(body, from).position_of(start);
    path.velocity = sluice::velocity_at(body, from, path.place, drive.time);
    if (!drive.middle || !(drive.dt > 0)) return path;
    const BodyState& middle = drive.middle[b];
    const Vec3d there = motion_of(body, middle).position_of(start);
    path.acceleration = (2 / drive.dt) * (sluice::velocity_at(body, middle, there, drive.time) - path.velocity);
    return path;
}

/// How an end of a line moves; one at a connect does not follow from it.
SLUICE_HD inline EndCourse course_of(const MooringDrive& drive, const LineEnd& end) {
    if (end.hold != LineHold::body) return {{end.place, {}, {}}, {}};
    return {path_of(drive, end.index, end.place), path_of(drive, end.index, drive.bodies[end.index].centre)};
}

SLUICE_HD inline int end_node(const MooringLine& line, int e) { return line.first_node + (e == 0 ? 0 : line.segments); }

/// Puts end e of a line where it is `s` (s) after the begin of the step, with connects in the middle of a sub-step.
SLUICE_HD inline void place_end(const MooringView& view, int l, int e, double s, const Numbers& numbers) {
    const LineEnd& end = view.lines[l].end[e];
    const int node = end_node(view.lines[l], e), source = view.first_connect + end.index;
    const bool free = end.hold == LineHold::connect;
    const Path& path = numbers.ends[2 * l + e].point;
    numbers.place[node] = free ? numbers.place[source] : path.place_at(s);
    numbers.velocity[node] = free ? numbers.velocity[source] : path.velocity_at(s);
}

/// The acceleration of a connect by its weight, its buoyancy and the lines that end at it.
SLUICE_HD inline Vec3d acceleration_of_connect(const MooringView& view, const LineState* lines, int c,
                                               const Numbers& numbers) {
    const MooringConnect& connect = view.connects[c];
    const double displaced =
        view.water.density * connect.volume * wetness(view.water, numbers.place[view.first_connect + c]);
    Vec3d force = (connect.mass - displaced) * view.water.gravity;
    Vec3d mass[3] = {{connect.mass, 0, 0}, {0, connect.mass, 0}, {0, 0, connect.mass}};
    bool any = connect.mass > 0;
    for (int l = 0; l < view.line_count; ++l) {
        const MooringLine& line = view.lines[l];
        if (!lines[l].holds()) continue;
        for (int e = 0; e < 2; ++e) {
            if (line.end[e].hold != LineHold::connect || line.end[e].index != c) continue;
            any = true;
            force = force + numbers.force[end_node(line, e)];
            const NodeMass m =
                node_mass(line, view.water,
                          node_share(line, view.water, numbers.place + line.first_node, e == 0 ? 0 : line.segments));
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    mass[i][j] += (i == j ? m.across : 0) + (m.along - m.across) * m.tangent[i] * m.tangent[j];
        }
    }
    return any ? body::solution(mass, force) : Vec3d{};
}

/// Calls `work(l)` for each line that holds.
template <class Team, class Work>
SLUICE_HD void for_lines_that_hold(const MooringView& view, const LineState* lines, const Team& team, Work&& work) {
    team.for_lines(view.line_count, [&](int l) {
        if (lines[l].holds()) work(l);
    });
}

/// Calls `work(n)` for each node that the solver moves.
template <class Team, class Work>
SLUICE_HD void for_free_nodes(const MooringView& view, const LineState* lines, const Team& team, Work&& work) {
    team.for_connects(view.connect_count, [&](int c) { work(view.first_connect + c); });
    for_lines_that_hold(view, lines, team, [&](int l) {
        const MooringLine& line = view.lines[l];
        team.for_nodes(line.segments, [&](int k) {
            if (k > 0) work(line.first_node + k);
        });
    });
}

/// Forces on the ends of lines and accelerations of all that is free, in the middle of a sub-step, which is `s` (s)
/// after the begin of the step.
template <class Team>
SLUICE_HD void accelerate(const MooringView& view, const LineState* lines, double s, double drag,
                          const Numbers& numbers, const Team& team) {
    const bool free = view.connect_count > 0;
    if (free) team.join_all();
    for_lines_that_hold(view, lines, team, [&](int l) {
        const MooringLine& line = view.lines[l];
        const Vec3d *const place = numbers.place + line.first_node, *const velocity =
                                                                        numbers.velocity + line.first_node;
        Vec3d *const pull = numbers.pull + line.first_node, *const force = numbers.force + line.first_node;
        team.for_nodes(2, [&](int e) { place_end(view, l, e, s, numbers); });
        team.join_line();
        team.for_nodes(line.segments, [&](int k) { pull[k] = pull_of(line, place, velocity, k); });
        team.join_line();
        team.for_nodes(line.segments + 1,
                       [&](int k) { force[k] = response_of(line, view.water, place, velocity, pull, drag, k); });
        team.join_line();
    });
    if (!free) return;
    team.join_all();
    team.for_connects(view.connect_count, [&](int c) {
        numbers.force[view.first_connect + c] = acceleration_of_connect(view, lines, c, numbers);
    });
}

/// What part of its force a line passes on to bodies.
SLUICE_HD inline double ramped(const MooringView& view, double time) {
    if (time < view.start) return 0;
    if (time >= view.start + view.ramp) return 1;
    const double part = (time - view.start) / view.ramp;
    return part * part;
}

/// Adds what end e of a line does in a sub-step of `h` (s) to its impulse, and finds what its body gets.
SLUICE_HD inline void pass_on(const MooringView& view, const MooringArrays& all, const MooringDrive& drive, int l,
                              int e, double s, double h) {
    const LineEnd& end = view.lines[l].end[e];
    const int node = end_node(view.lines[l], e);
    const Vec3d push = h * all.numbers.force[node];
    if (end.hold != LineHold::body) {
        all.lines[l].impulse[e] = all.lines[l].impulse[e] + push;
        return;
    }
    const Vec3d given = ramped(view, drive.time + s) * push, mean = (1 / drive.dt) * given;
    all.lines[l].impulse[e] = all.lines[l].impulse[e] + given;
    const Vec3d arm = all.numbers.place[node] - all.numbers.ends[2 * l + e].centre.place_at(s);
    all.numbers.given[2 * l + e] = {mean, cross(arm, mean)};
}

/// Calls `use(body, l, e)` for each end e of a line l that a body holds, in their order.
template <class Use>
SLUICE_HD void for_ends_at_bodies(const MooringView& view, Use&& use) {
    for (int l = 0; l < view.line_count; ++l)
        for (int e = 0; e < 2; ++e)
            if (const LineEnd& end = view.lines[l].end[e]; end.hold == LineHold::body) use(end.index, l, e);
}

/// Adds what the lines do in a sub-step to the loads of bodies: one thread, for the order of the sums.
SLUICE_HD inline void add_loads(const MooringView& view, const MooringArrays& all, BodyLoads* loads) {
    for_ends_at_bodies(view, [&](int body, int l, int e) {
        if (!all.lines[l].holds()) return;
        const EndLoad& given = all.numbers.given[2 * l + e];
        BodyLoad& load = loads[body].mooring;
        load.force = load.force + given.force;
        load.moment = load.moment + given.moment;
    });
}

/// Copies to the node at end e of a line what holds it, `s` (s) after the begin of the step.
SLUICE_HD inline void follow_end(const MooringView& view, const MooringArrays& all, int l, int e, double s) {
    const LineEnd& end = view.lines[l].end[e];
    MooringNode& node = all.nodes[end_node(view.lines[l], e)];
    if (end.hold == LineHold::connect) {
        node = all.nodes[view.first_connect + end.index];
    } else {
        const Path& path = all.numbers.ends[2 * l + e].point;
        node = {path.place_at(s), path.velocity_at(s)};
    }
}

/// One sub-step of length `h` from `s` (s) after the begin of the step: half the way, the forces there with the
/// velocities of the middle, and the other half. Without drag and damping this is a symplectic method, with an error of
/// second order in all terms.
template <class Team>
SLUICE_HD void take_sub_step(const MooringView& view, const MooringArrays& all, const MooringDrive& drive, double s,
                             double h, BodyLoads* loads, const Team& team) {
    const Numbers& numbers = all.numbers;
    const double middle = s + 0.5 * h;
    for_free_nodes(view, all.lines, team, [&](int n) {
        numbers.place[n] = all.nodes[n].place + (0.5 * h) * all.nodes[n].velocity;
        numbers.velocity[n] = all.nodes[n].velocity;
    });
    accelerate(view, all.lines, middle, drive.drag, numbers, team);
    for_free_nodes(view, all.lines, team,
                   [&](int n) { numbers.velocity[n] = all.nodes[n].velocity + (0.5 * h) * numbers.force[n]; });
    accelerate(view, all.lines, middle, drive.drag, numbers, team);
    for_lines_that_hold(view, all.lines, team,
                        [&](int l) { team.for_nodes(2, [&](int e) { pass_on(view, all, drive, l, e, middle, h); }); });
    for_free_nodes(view, all.lines, team, [&](int n) {
        all.nodes[n].velocity = all.nodes[n].velocity + h * numbers.force[n];
        all.nodes[n].place = numbers.place[n] + (0.5 * h) * all.nodes[n].velocity;
    });
    team.join_all();
    if (team.leads()) add_loads(view, all, loads);
    for_lines_that_hold(view, all.lines, team,
                        [&](int l) { team.for_nodes(2, [&](int e) { follow_end(view, all, l, e, s + h); }); });
    team.join_all(); // before lines break, which has its effect in the next sub-step
}

/// After a sub-step of `h` (s) that ends at `time` (s): which nodes have lost their course, and which lines break.
template <class Team>
SLUICE_HD void judge_lines(const MooringView& view, const MooringArrays& all, double h, double time, const Team& team) {
    for_lines_that_hold(view, all.lines, team, [&](int l) {
        const MooringLine& line = view.lines[l];
        const MooringNode* const nodes = all.nodes + line.first_node;
        const double most = segment_length(line);
        const int none = line.segments + 1;
        int lost = none, broken = none;
        team.join_line();
        team.for_nodes(line.segments + 1, [&](int k) {
            const Vec3d& v = nodes[k].velocity;
            if (!(h * sqrt(dot(v, v)) < most) && k < lost) lost = k; // also what is not a number
            if (k < line.segments && breaks(line, nodes, k)) broken = 0;
        });
        lost = team.least(lost);
        broken = team.least(broken);
        LineFault& fault = all.numbers.faults[l];
        if (team.leads_line() && lost < none && fault.node < 0) fault = {lost, time};
        if (team.leads_line() && broken < none) all.lines[l].broken_at = time;
        team.join_line();
    });
}

} // namespace mooring

/// The most sub-steps of a step.
constexpr int most_line_sub_steps = 1000000;

/// The sub-steps of a step of `dt` (s).
SLUICE_HD inline int line_sub_steps(const MooringView& view, double dt) {
    const double wanted = view.step > 0 ? ceil(dt / view.step) : 1;
    return wanted > most_line_sub_steps ? most_line_sub_steps : wanted > 1 ? static_cast<int>(wanted) : 1;
}

namespace mooring {

/// How the ends of a line move over a step.
template <class Team>
SLUICE_HD void find_ends(const MooringView& view, const MooringArrays& all, const MooringDrive& drive, int l,
                         const Team& team) {
    team.for_nodes(2, [&](int e) { all.numbers.ends[2 * l + e] = course_of(drive, view.lines[l].end[e]); });
}

/// The first fault of all lines, of those at the same time that of the first line.
SLUICE_HD inline MooringFault first_fault(const MooringView& view, const Numbers& numbers) {
    MooringFault first;
    for (int l = 0; l < view.line_count; ++l) {
        const LineFault& fault = numbers.faults[l];
        if (fault.node >= 0 && (!first.any() || fault.time < first.time)) first = {l, fault.node, fault.time};
    }
    return first;
}

} // namespace mooring

/// Puts the ends of lines where what holds them is at the begin of a step.
template <class Team = mooring::Alone>
SLUICE_HD void place_line_ends(const MooringView& view, const MooringArrays& all, const MooringDrive& drive,
                               const Team& team = {}) {
    team.for_lines(view.line_count, [&](int l) {
        mooring::find_ends(view, all, drive, l, team);
        if (all.lines[l].holds()) team.for_nodes(2, [&](int e) { mooring::follow_end(view, all, l, e, 0); });
    });
}

/// Brings all lines to the end of a step, and sets BodyLoads::mooring of all moored bodies to the mean of what the
/// lines do to them: the bodies take exactly the momentum that the lines give. Ends at bodies move as MooringDrive
/// says. `team`: the threads that do so together; the result does not depend on how many there are. What is returned,
/// to the thread that leads, names the first node that has lost its course; the run must then end.
template <class Team = mooring::Alone>
SLUICE_HD MooringFault advance_lines(const MooringView& view, const MooringArrays& all, const MooringDrive& drive,
                                     BodyLoads* loads, const Team& team = {}) {
    using namespace mooring;
    if (team.leads()) for_ends_at_bodies(view, [&](int body, int, int) { loads[body].mooring = {}; });
    if (!(drive.dt > 0)) return {};
    team.for_lines(view.line_count, [&](int l) {
        find_ends(view, all, drive, l, team);
        if (team.leads_line()) all.numbers.faults[l] = {};
        team.join_line();
    });
    const int count = line_sub_steps(view, drive.dt);
    const double h = drive.dt / count;
    SLUICE_ROLLED
    for (int n = 0; n < count; ++n) {
        take_sub_step(view, all, drive, n * h, h, loads, team);
        judge_lines(view, all, h, drive.time + (n + 1) * h, team);
    }
    team.join_all();
    return team.leads() ? first_fault(view, all.numbers) : MooringFault{};
}

} // namespace sluice
