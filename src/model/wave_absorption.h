// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"

// Active absorption of waves that come back to a piston, as plain data which a backend may copy to a device. The
// formula is in scheme/absorption_step.h.

namespace sluice {

/// What of a piston that absorbs waves does not change during a run. It moves along x; places count from the domain's
/// lower corner.
struct WaveAbsorber {
    int mk_bound = 0;
    int object = -1;              ///< of RunSetup::motions
    double front = 0;             ///< x of the piston's face at time 0, m
    double gauge_x = 0;           ///< of the gauge before the face, m
    double gauge_y = 0;           ///< m
    double low = 0;               ///< the gauge looks for the surface from here upwards, z, m
    double height = 0;            ///< … so far up, m
    double spacing = 0;           ///< between two of its check points, m
    double limit = 0;             ///< fraction of fluid at the surface
    double still = 0;             ///< z of still water, m
    double response = 0;          ///< velocity of the piston over the elevation that it takes up, 1/s
    double lag = 0;               ///< of that velocity behind the elevation, s
    double paddle_start = 0;      ///< time 0 of the two series below, s
    double start = 0, end = 0;    ///< it absorbs from then until then, s
    double most_acceleration = 0; ///< of the piston while it absorbs, m/s²; 0: any
    double most_drift = 0;        ///< beyond it comes back, m; 0: any. Tuned: from where its waves alone would have it
    double return_time = 0;       ///< that it takes to come back, s
    double return_power = 0;      ///< how smoothly it does
    int first_motion = 0, motion_count = 0;       ///< Motions::samples: of the piston for its waves, along x
    int first_elevation = 0, elevation_count = 0; ///< of the elevation that they make at the gauge, m
    int save = 0;                                 ///< 0: no table, 1 and 2: at the times of frames, 3: every step

    bool operator==(const WaveAbsorber&) const = default;

    /// To a period, and not of the form for long waves, which has no lag.
    SLUICE_HD bool tuned() const { return lag > 0; }
};

/// Where the absorption of a piston has come to. Between two steps it corrects the piston's place at a constant speed.
struct AbsorberState {
    double time = 0;                         ///< of the last look at the gauge, s
    double offset = 0;                       ///< of the piston then from where its waves alone would have it, m
    double velocity = 0;                     ///< by which the offset grows since, m/s
    double speed = 0;                        ///< of the piston then, if tuned without its way back, m/s
    double return_start = 0, return_way = 0; ///< the way back in progress began then, over so much; 0: there is none
    double surface = -1;                     ///< z at the gauge, from the domain's lower corner; < 0: none was found, m
    double expected = 0;                     ///< elevation there that belongs to the piston's waves, m

    bool operator==(const AbsorberState&) const = default;

    SLUICE_HD double offset_at(double t) const { return offset + (t - time) * velocity; }
};

/// Calls `visit(number)` with all of a state, in the order in which checkpoints hold it.
template <class State, class Visit>
void for_each_number(State& s, Visit&& visit) {
    visit(s.time);
    visit(s.offset);
    visit(s.velocity);
    visit(s.speed);
    visit(s.return_start);
    visit(s.return_way);
    visit(s.surface);
    visit(s.expected);
}

} // namespace sluice
