// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/motion.h"
#include "model/wave_absorption.h"
#include "physics/sph/free_surface.h"

// Active absorption at a piston: what comes back to it is taken up by its own motion, on top of what makes its waves.

namespace sluice {

namespace absorption {

/// The part of its way back that a piston has done at the fraction s of its time, τ^p/(τ^p + (1−τ)^p), and the
/// derivative by s.
SLUICE_HD inline double return_rate(double s, double power) {
    if (!(s > 0 && s < 1)) return 0;
    const double a = pow(s, power), b = pow(1 - s, power), sum = a + b;
    return power * a * b / (s * (1 - s) * sum * sum);
}

/// The same of the form for long waves: of 1 − (1−s)^p, which begins at once.
SLUICE_HD inline double sudden_return_rate(double s, double power) { return s < 1 ? power * pow(1 - s, power - 1) : 0; }

/// Lets the way back begin and end; returns its velocity, m/s. A tuned piston goes back by what it is off its waves;
/// the form for long waves looks at its whole displacement, `place` (m), and goes back by the drift that is allowed.
SLUICE_HD inline double return_velocity(const WaveAbsorber& absorber, AbsorberState& now, double place) {
    const bool tuned = absorber.tuned();
    const double drift = tuned ? now.offset : place;
    if (now.return_way != 0 && now.time >= now.return_start + absorber.return_time) now.return_way = 0;
    if (now.return_way == 0 && absorber.most_drift > 0 && fabs(drift) > absorber.most_drift) {
        now.return_start = now.time;
        now.return_way = tuned ? drift : drift < 0 ? -absorber.most_drift : absorber.most_drift;
    }
    if (now.return_way == 0) return 0;
    const double s = (now.time - now.return_start) / absorber.return_time, power = absorber.return_power;
    return -now.return_way * (tuned ? return_rate(s, power) : sudden_return_rate(s, power)) / absorber.return_time;
}

SLUICE_HD inline double limited(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

} // namespace absorption

/// Displacement and velocity of a piston for its waves alone at a time (s), m and m/s. `samples`: Motions::samples.
SLUICE_HD inline motion::LawValue wave_motion(const WaveAbsorber& absorber, const MotionSample* samples, double time) {
    return motion::smooth_series(samples + absorber.first_motion, absorber.motion_count, time - absorber.paddle_start);
}

/// Where the lowest check point of the gauge is at a time (s), from the domain's lower corner, m: it moves with the
/// piston.
SLUICE_HD inline Vec3d gauge_foot(const WaveAbsorber& absorber, const MotionSample* samples, const AbsorberState& state,
                                  double time) {
    const double displacement = wave_motion(absorber, samples, time).value.x + state.offset_at(time);
    return {absorber.front + displacement + absorber.gauge_x, absorber.gauge_y, absorber.low};
}

/// The elevation that belongs to a piston's waves at its gauge, m, which has moved by `displacement` (m) with it.
SLUICE_HD inline double expected_elevation(const WaveAbsorber& absorber, const MotionSample* samples,
                                           double displacement, double time) {
    const Vec3d at_first = motion::smooth_series(samples + absorber.first_elevation, absorber.elevation_count,
                                                 time - absorber.paddle_start)
                               .value;
    return at_first.x + displacement * (at_first.y + displacement / 2 * at_first.z);
}

/// The state from a look at the gauge on, at `time` (s). `surface`: how far above its lowest point the surface is, m;
/// < 0: it is nowhere, and the piston moves for its waves alone. With η the elevation that belongs to the waves that it
/// makes and η_m the one at the gauge, the piston's velocity is
///
///   u = u_waves + u_c,   u_c + τ du_c/dt = r (η − η_m)
///
/// with `response` r and `lag` τ: √(g/d) and 0 for waves that are long compared to the depth, which is the form of
/// Altomare et al. (2017), after Didier & Neves (2012); or tuned to a period (setup/absorbing_paddle). Its change over
/// a step is limited. On the way back after a drift a tuned piston knows that the water which it moves belongs to η,
/// and its velocity comes on top; with the form for long waves the way back is but added to u_c, before the limit.
SLUICE_HD inline AbsorberState absorbed(const WaveAbsorber& absorber, const MotionSample* samples,
                                        const AbsorberState& before, double surface, double time) {
    AbsorberState now = before;
    now.offset = before.offset_at(time);
    now.time = time;
    now.velocity = 0;
    now.surface = surface < 0 ? -1 : absorber.low + surface;
    const motion::LawValue own = wave_motion(absorber, samples, time);
    const double waves = own.rate.x;
    now.expected = expected_elevation(absorber, samples, own.value.x + now.offset, time);
    now.speed = waves;
    if (time < absorber.start || time >= absorber.end) return now;
    const double back = absorption::return_velocity(absorber, now, own.value.x + now.offset), step = time - before.time;
    double taking = absorber.tuned() && surface < 0 ? 0 : back;
    if (surface >= 0) taking += absorber.response * (now.expected - (now.surface - absorber.still));
    if (absorber.tuned()) {
        const double so_far =
            before.time <= absorber.start ? 0 : before.speed - wave_motion(absorber, samples, before.time).rate.x;
        taking = so_far + (taking - so_far) * step / (step + absorber.lag);
    }
    now.speed += taking;
    if (absorber.most_acceleration > 0) {
        const double most = absorber.most_acceleration * step;
        now.speed = absorption::limited(now.speed, before.speed - most, before.speed + most);
    }
    now.velocity = now.speed - waves + (absorber.tuned() ? back : 0);
    return now;
}

} // namespace sluice
