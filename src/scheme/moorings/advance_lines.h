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

/// Puts the ends of all lines where they are `s` (s) after the begin of the step, with connects in the middle of a
/// sub-step.
SLUICE_HD inline void place_ends(const MooringView& view, const LineState* lines, double s, const Numbers& numbers) {
    for (int l = 0; l < view.line_count; ++l) {
        if (!lines[l].holds()) continue;
        for (int e = 0; e < 2; ++e) {
            const LineEnd& end = view.lines[l].end[e];
            const int node = end_node(view.lines[l], e), source = view.first_connect + end.index;
            const bool free = end.hold == LineHold::connect;
            const Path& path = numbers.ends[2 * l + e].point;
            numbers.place[node] = free ? numbers.place[source] : path.place_at(s);
            numbers.velocity[node] = free ? numbers.velocity[source] : path.velocity_at(s);
        }
    }
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

/// Forces on the ends of lines and accelerations of all that is free, in the middle of a sub-step.
SLUICE_HD inline void accelerate(const MooringView& view, const LineState* lines, double drag, const Numbers& numbers) {
    for (int l = 0; l < view.line_count; ++l) {
        const MooringLine& line = view.lines[l];
        if (!lines[l].holds()) continue;
        find_accelerations(line, view.water, numbers.place + line.first_node, numbers.velocity + line.first_node, drag,
                           numbers.force + line.first_node);
    }
    for (int c = 0; c < view.connect_count; ++c)
        numbers.force[view.first_connect + c] = acceleration_of_connect(view, lines, c, numbers);
}

/// Whether the solver moves node `n`, and calls `use(n)` for each that it does.
template <class Use>
SLUICE_HD inline void for_each_free_node(const MooringView& view, const LineState* lines, Use&& use) {
    for (int l = 0; l < view.line_count; ++l)
        if (lines[l].holds())
            for (int k = 1; k < view.lines[l].segments; ++k) use(view.lines[l].first_node + k);
    for (int c = 0; c < view.connect_count; ++c) use(view.first_connect + c);
}

/// What part of its force a line passes on to bodies.
SLUICE_HD inline double ramped(const MooringView& view, double time) {
    if (time < view.start) return 0;
    if (time >= view.start + view.ramp) return 1;
    const double part = (time - view.start) / view.ramp;
    return part * part;
}

/// Adds what the lines do to their ends in a sub-step to their impulses and to the loads of bodies.
SLUICE_HD inline void pass_on(const MooringView& view, const MooringArrays& all, const MooringDrive& drive, double s,
                              double h, BodyLoads* loads) {
    const double part = ramped(view, drive.time + s);
    for (int l = 0; l < view.line_count; ++l) {
        if (!all.lines[l].holds()) continue;
        for (int e = 0; e < 2; ++e) {
            const LineEnd& end = view.lines[l].end[e];
            const int node = end_node(view.lines[l], e);
            const Vec3d push = h * all.numbers.force[node];
            if (end.hold != LineHold::body) {
                all.lines[l].impulse[e] = all.lines[l].impulse[e] + push;
                continue;
            }
            const Vec3d given = part * push, mean = (1 / drive.dt) * given;
            all.lines[l].impulse[e] = all.lines[l].impulse[e] + given;
            const Vec3d arm = all.numbers.place[node] - all.numbers.ends[2 * l + e].centre.place_at(s);
            BodyLoad& load = loads[end.index].mooring;
            load.force = load.force + mean;
            load.moment = load.moment + cross(arm, mean);
        }
    }
}

/// The first node that has lost its course in a sub-step of `h` (s).
SLUICE_HD inline MooringFault find_fault(const MooringView& view, const MooringArrays& all, double h) {
    MooringFault fault;
    for (int l = view.line_count - 1; l >= 0; --l) {
        if (!all.lines[l].holds()) continue;
        const MooringLine& line = view.lines[l];
        const double most = segment_length(line);
        for (int k = line.segments; k >= 0; --k) {
            const Vec3d& v = all.nodes[line.first_node + k].velocity;
            if (h * sqrt(dot(v, v)) < most) continue; // false for what is not a number
            fault.line = l;
            fault.node = k;
        }
    }
    return fault;
}

/// One sub-step of length `h` from `s` (s) after the begin of the step: half the way, the forces there with the
/// velocities of the middle, and the other half. Without drag and damping this is a symplectic method, with an error of
/// second order in all terms.
SLUICE_HD inline void take_sub_step(const MooringView& view, const MooringArrays& all, const MooringDrive& drive,
                                    double s, double h, BodyLoads* loads) {
    const Numbers& numbers = all.numbers;
    for_each_free_node(view, all.lines, [&](int n) {
        numbers.place[n] = all.nodes[n].place + (0.5 * h) * all.nodes[n].velocity;
        numbers.velocity[n] = all.nodes[n].velocity;
    });
    place_ends(view, all.lines, s + 0.5 * h, numbers);
    accelerate(view, all.lines, drive.drag, numbers);
    for_each_free_node(view, all.lines,
                       [&](int n) { numbers.velocity[n] = all.nodes[n].velocity + (0.5 * h) * numbers.force[n]; });
    place_ends(view, all.lines, s + 0.5 * h, numbers);
    accelerate(view, all.lines, drive.drag, numbers);
    pass_on(view, all, drive, s + 0.5 * h, h, loads);
    for_each_free_node(view, all.lines, [&](int n) {
        all.nodes[n].velocity = all.nodes[n].velocity + h * numbers.force[n];
        all.nodes[n].place = numbers.place[n] + (0.5 * h) * all.nodes[n].velocity;
    });
}

/// Copies to the nodes at the ends of a line what holds them, `s` (s) after the begin of the step.
SLUICE_HD inline void follow_ends(const MooringView& view, const MooringArrays& all, double s) {
    for (int l = 0; l < view.line_count; ++l) {
        if (!all.lines[l].holds()) continue;
        for (int e = 0; e < 2; ++e) {
            const LineEnd& end = view.lines[l].end[e];
            MooringNode& node = all.nodes[end_node(view.lines[l], e)];
            if (end.hold == LineHold::connect) {
                node = all.nodes[view.first_connect + end.index];
            } else {
                const Path& path = all.numbers.ends[2 * l + e].point;
                node = {path.place_at(s), path.velocity_at(s)};
            }
        }
    }
}

} // namespace mooring

/// The most sub-steps of a step.
constexpr int most_line_sub_steps = 1000000;

/// The sub-steps of a step of `dt` (s).
SLUICE_HD inline int line_sub_steps(const MooringView& view, double dt) {
    const double wanted = view.step > 0 ? ceil(dt / view.step) : 1;
    return wanted > most_line_sub_steps ? most_line_sub_steps : wanted > 1 ? static_cast<int>(wanted) : 1;
}

/// Puts the ends of lines where what holds them is at the begin of a step.
SLUICE_HD inline void place_line_ends(const MooringView& view, const MooringArrays& all, const MooringDrive& drive) {
    for (int l = 0; l < view.line_count; ++l)
        for (int e = 0; e < 2; ++e) all.numbers.ends[2 * l + e] = mooring::course_of(drive, view.lines[l].end[e]);
    mooring::follow_ends(view, all, 0);
}

/// Brings all lines to the end of a step, and sets BodyLoads::mooring of all moored bodies to the mean of what the
/// lines do to them: the bodies take exactly the momentum that the lines give. Ends at bodies move as MooringDrive
/// says. What is returned names the first node that has lost its course; the run must then end.
SLUICE_HD inline MooringFault advance_lines(const MooringView& view, const MooringArrays& all,
                                            const MooringDrive& drive, BodyLoads* loads) {
    for (int l = 0; l < view.line_count; ++l)
        for (const LineEnd& end : view.lines[l].end)
            if (end.hold == LineHold::body) loads[end.index].mooring = {};
    if (!(drive.dt > 0)) return {};
    for (int l = 0; l < view.line_count; ++l)
        for (int e = 0; e < 2; ++e) all.numbers.ends[2 * l + e] = mooring::course_of(drive, view.lines[l].end[e]);
    const int count = line_sub_steps(view, drive.dt);
    const double h = drive.dt / count;
    MooringFault fault;
    SLUICE_ROLLED
    for (int n = 0; n < count && !fault.any(); ++n) {
        mooring::take_sub_step(view, all, drive, n * h, h, loads);
        mooring::follow_ends(view, all, (n + 1) * h);
        fault = mooring::find_fault(view, all, h);
        fault.time = drive.time + (n + 1) * h;
        for (int l = 0; l < view.line_count; ++l)
            if (all.lines[l].holds() && mooring::breaks(view.lines[l], all.nodes + view.lines[l].first_node))
                all.lines[l].broken_at = fault.time;
    }
    return fault;
}

} // namespace sluice
