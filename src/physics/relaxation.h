// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/relaxation.h"
#include "physics/level_step.h"
#include "physics/math.h"
#include "physics/velocity_table.h"
#include "physics/waves.h"

// Velocities of fluid particles in relaxation zones.

namespace sluice {
inline namespace SLUICE_ISA {

/// What the zones of a run are led by.
struct RelaxationView {
    const RelaxationZone* zones = nullptr;
    const RelaxationWave* lines = nullptr;
    const SpeedSample* speeds = nullptr;
    int zone_count = 0;
    VelocityTablesView tables{};
};

namespace relaxation {

/// The velocity of linear theory, and of Stokes' second harmonic where it is among the waves, m/s. `x` from the zone's
/// centre, `t` from its start.
SLUICE_HD inline Vec3d wave_velocity(const RelaxationZone& zone, const RelaxationWave* lines, double x, double z,
                                     double t) {
    const double height = z - zone.still, above = height < zone.highest ? height : zone.highest;
    Vec3d sum;
    for (int k = 0; k < zone.wave_count; ++k) {
        const RelaxationWave& wave = lines[zone.first_wave + k];
        const double angle = wave.frequency * t - wave.number * x + wave.phase;
        const waves::DepthProfile profile = waves::depth_profile(wave.number, zone.depth, above);
        sum.x += wave.speed * profile.horizontal * cos(angle);
        sum.z -= wave.speed * profile.vertical * sin(angle);
    }
    sum.x += zone.current;
    return sum;
}

SLUICE_HD inline double speed_at(const RelaxationZone& zone, const SpeedSample* speeds, double time) {
    const SpeedSample* s = speeds + zone.first_speed;
    const int last = zone.speed_count - 1;
    if (time <= s[0].time) return s[0].speed;
    int i = 0;
    while (i < last && s[i + 1].time <= time) ++i;
    if (i == last) return s[last].speed;
    return s[i].speed + (time - s[i].time) / (s[i + 1].time - s[i].time) * (s[i + 1].speed - s[i].speed);
}

SLUICE_HD inline Vec3d table_velocity(const RelaxationZone& zone, const VelocityTablesView& tables, const Vec3d& p,
                                      double time) {
    Vec3d v = velocity_in(tables, tables.tables[zone.table_index], p.x, p.z, time);
    v.x += zone.current;
    return v;
}

/// The velocity that a zone leads to, m/s.
SLUICE_HD inline Vec3d target(const RelaxationZone& zone, const RelaxationView& view, const Vec3d& place, double time) {
    switch (zone.kind) {
    case RelaxationZone::Kind::waves:
        return wave_velocity(zone, view.lines, place.x - zone.centre.x, place.z, time - zone.start);
    case RelaxationZone::Kind::table: return table_velocity(zone, view.tables, place, time);
    case RelaxationZone::Kind::uniform: break;
    }
    return speed_at(zone, view.speeds, time) * zone.direction;
}

/// How far from the zone's centre a place is, along what it relaxes: 0 there, 1 at its edge; above 1 outside.
SLUICE_HD inline double distance(const RelaxationZone& zone, const Vec3d& p) {
    const Vec3d r = p - zone.centre;
    if (zone.kind != RelaxationZone::Kind::uniform) return fabs(r.x) / zone.half.x;
    for (int axis = 0; axis < 3; ++axis)
        if (fabs(r[axis]) > zone.half[axis]) return 2;
    double extent = 0;
    for (int axis = 0; axis < 3; ++axis) extent += zone.half[axis] * fabs(zone.direction[axis]);
    return fabs(dot(r, zone.direction)) / extent;
}

/// ψ (1 − (exp s^(7β/2) − 1)/(e − 1)): ψ at the centre, 0 at the edge (Jacobsen et al. 2012).
SLUICE_HD inline double weight(const RelaxationZone& zone, double s) {
    return zone.weight * (1 - (exp(pow(s, 3.5 * zone.shape)) - 1) / (exp(1.0) - 1));
}

} // namespace relaxation

namespace relaxation {

/// The part of the difference that is left at weight C after the time τ of a step: exp(−C r τ), the solution of
/// dv/dt = C r (v_t − v), with the zone's rate r; without a rate the whole difference goes by C in each step.
SLUICE_HD inline double part_left(const RelaxationZone& zone, double weight, const LevelStep& step) {
    if (zone.rate > 0) return exp(-weight * zone.rate * step.span());
    double left = 1;
    for (int k = 0; k < step.steps; ++k) left *= 1 - weight;
    return left;
}

} // namespace relaxation

/// The velocity that a zone makes of `v` at the end of a step, m/s:
///
///   v_t + (v − v_t) exp(−C r τ)
///
/// component by component, C with its factor; C is the weight at the place, r the zone's rate, v_t the velocity that it
/// leads to (Altomare et al. 2018, whose v + C min(1, r Δt) (v_t − v) is the same for r Δt « 1), τ the time that the
/// velocity has been brought forward over. Outside of the zone `v`.
SLUICE_HD inline Vec3d relaxed(const RelaxationZone& zone, const RelaxationView& view, const Vec3d& place,
                               const Vec3d& v, const LevelStep& step) {
    if (!(step.time >= zone.start && step.time < zone.end)) return v;
    const double s = relaxation::distance(zone, place);
    if (s > 1) return v;
    const double since = step.time - zone.start, grown = zone.ramp > 0 ? waves::ramp_up(since / zone.ramp) : 1;
    const Vec3d target = grown * relaxation::target(zone, view, place, step.time);
    const double weight = relaxation::weight(zone, s);
    Vec3d to = v;
    for (int axis = 0; axis < 3; ++axis)
        to[axis] += (1 - relaxation::part_left(zone, weight * zone.factor[axis], step)) * (target[axis] - v[axis]);
    return to;
}

/// After all zones of a run, in their order.
SLUICE_HD inline Vec3d relaxed(const RelaxationView& view, const Vec3d& place, Vec3d v, const LevelStep& step) {
    for (int i = 0; i < view.zone_count; ++i) v = relaxed(view.zones[i], view, place, v, step);
    return v;
}

} // namespace SLUICE_ISA
} // namespace sluice
