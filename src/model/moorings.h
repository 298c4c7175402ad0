// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"
#include "core/vec.h"
#include <vector>

// Mooring lines as plain data: chains of point masses (nodes) that segments without mass join (scheme/moorings/).
// Places are relative to the domain's lower corner, z points up.

namespace sluice {

/// What holds an end of a line.
enum class LineHold {
    anchor,  ///< space
    body,    ///< a floating body: the end is a fairlead
    connect, ///< a free node that several lines may share
};

/// An end of a line.
struct LineEnd {
    LineHold hold = LineHold::anchor;
    int index = -1; ///< of RunSetup::bodies or Moorings::connects
    Vec3d place;    ///< at time 0, m
};

/// One line. It is divided into segments of the same length; half of each belongs to the nodes at its ends.
struct MooringLine {
    LineEnd end[2];
    double length = 0;            ///< not stretched, m
    double stiffness = 0;         ///< EA, N
    double damping = 0;           ///< of stretching: tension over the rate of strain, N s
    double diameter = 0;          ///< of the volume, m
    double mass = 0;              ///< kg/m
    double normal_added_mass = 1; ///< coefficients, of the displaced volume
    double tangential_added_mass = 0;
    double normal_drag = 1.6;      ///< of the frontal area
    double tangential_drag = 0.05; ///< of the surface
    double most_tension = 0;       ///< it breaks beyond, N; 0: never
    double bed = 0;                ///< z of the bottom below it, m
    int segments = 1;
    int first_node = 0; ///< of the nodes of all lines; it has one more than segments
};

/// A free node between lines.
struct MooringConnect {
    double mass = 0;   ///< beside the halves of segments that end at it, kg
    double volume = 0; ///< m³
    Vec3d place;       ///< at time 0, m
};

/// What surrounds lines: still water, air above it, a bottom that yields.
struct MooringWater {
    Vec3d gravity;               ///< m/s²
    double surface = 0;          ///< z, m
    double density = 1000;       ///< kg/m³
    double bed_stiffness = 3e6;  ///< Pa/m
    double bed_damping = 3e5;    ///< Pa s/m
    double friction = 0;         ///< coefficient, on the bottom
    double friction_damping = 0; ///< force over μ and speed of a node that does not slide yet, N s/m
    double static_friction = 1;  ///< over that of sliding
};

/// Where a node is and how it moves, m and m/s.
struct MooringNode {
    Vec3d place, velocity;

    bool operator==(const MooringNode&) const = default;
};

/// What a line has come to, beside its nodes.
struct LineState {
    double broken_at = -1; ///< s; < 0: it holds
    Vec3d impulse[2];      ///< that it has given to what holds its ends since time 0, N s

    bool operator==(const LineState& other) const {
        return broken_at == other.broken_at && impulse[0] == other.impulse[0] && impulse[1] == other.impulse[1];
    }
    SLUICE_HD bool holds() const { return broken_at < 0; }
};

/// All that changes of the lines of a run.
struct MooringState {
    std::vector<MooringNode> nodes; ///< those of the lines, then one for each connect
    std::vector<LineState> lines;

    bool operator==(const MooringState&) const = default;
};

/// The lines of a run by pointers, on the host or on a device.
struct MooringView {
    const MooringLine* lines = nullptr;
    const MooringConnect* connects = nullptr;
    int line_count = 0, connect_count = 0;
    int first_connect = 0; ///< node of the first connect: the nodes of lines come before
    MooringWater water;
    double step = 0;            ///< the longest sub-step, s
    double start = 0, ramp = 0; ///< from `start` on lines pull at bodies, with all their force after `ramp`, s

    SLUICE_HD int node_count() const { return first_connect + connect_count; }
};

/// The lines of a run.
struct Moorings {
    std::vector<MooringLine> lines;
    std::vector<MooringConnect> connects;
    MooringWater water;
    double step = 0, start = 0, ramp = 0; ///< as in MooringView
    MooringState at_start;                ///< at time 0

    bool any() const { return !lines.empty(); }
    int first_connect() const { return lines.empty() ? 0 : lines.back().first_node + lines.back().segments + 1; }
    MooringView view() const {
        return {lines.data(),
                connects.data(),
                static_cast<int>(lines.size()),
                static_cast<int>(connects.size()),
                first_connect(),
                water,
                step,
                start,
                ramp};
    }
};

} // namespace sluice
