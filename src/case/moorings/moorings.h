// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "model/moorings.h"
#include <optional>
#include <string>
#include <vector>

// special/moorings as plain data.

namespace sluice {

/// vesselconnection, fixconnection, connect: an end of a line.
struct LineEndDef {
    LineHold hold = LineHold::anchor;
    int mkbound = -1; ///< of the floating body
    int connect = -1; ///< index in MooringsDef::connects
    Vec3d place;      ///< at time 0, m
};

/// line: one line, with what it takes from linedefault.
struct MooringLineDef {
    SourceLocation where;
    LineEndDef end[2];
    MooringLine values;  ///< without ends, bottom and nodes
    double depth = 0;    ///< of the bottom below the surface of the water, m
    std::string columns; ///< outputFlags: p places, v velocities, t tensions and s strains of nodes and segments
    bool has_table = true;
};

/// connect: a free node.
struct MooringConnectDef {
    SourceLocation where;
    int ref = 0;
    MooringConnect values;
};

/// savedata: what the tables hold of the ends, and when.
struct LineTables {
    bool tension = true, force = true, velocity = true, position = true;
    double start = 0, end = 1e300; ///< s
    double interval = -1;          ///< s; 0: every step, negative: at the times of the frames
};

struct MooringsDef {
    std::optional<SourceLocation> where; ///< of <moorings>; none: the case has none
    std::string file;                    ///< with the lines, inside the data folder of the case; empty: in the case
    std::vector<int> bodies;             ///< mkbound of all moored bodies
    std::vector<MooringLineDef> lines;
    std::vector<MooringConnectDef> connects;
    MooringWater water;              ///< without gravity and density; the surface in the case's coordinates
    double step = 1e-4;              ///< dtM, s
    double start = 0, ramp = 0;      ///< s
    double relaxation = 0;           ///< tmaxIC: the most time for which lines with free nodes come to rest, s
    double relaxation_window = 1;    ///< dtIC, s
    double relaxation_change = 1e-3; ///< threshIC: of tensions over a window, where they are at rest
    double relaxation_drag = 5;      ///< cdScaleIC: factor on drag
    LineTables tables;
};

} // namespace sluice
