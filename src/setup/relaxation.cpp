// SPDX-License-Identifier: Apache-2.0
#include "setup/relaxation.h"

#include "setup/velocity_tables.h"
#include "setup/wave_paddle.h"
#include "setup/wave_theory.h"
#include <fmt/format.h>
#include <limits>

namespace sluice {

namespace {

/// The mean velocity that carries what waves of these amplitudes carry, m/s: ρ times it times the depth is E/c, with
/// the energy E = ½ρga² of each component (Dean & Dalrymple 1991, ch. 10).
double drift_of(const std::vector<waves::Line>& lines, double depth, double g) {
    double drift = 0;
    for (const waves::Line& line : lines)
        drift += 0.5 * g * line.amplitude * line.amplitude * line.wave_number / (line.frequency * depth);
    return drift;
}

void add_waves(const RelaxationDef& def, double g, RelaxationZone& zone, Forcing& out) {
    if (!(g > 0)) throw InputError(def.where, fmt::format("<{}> makes no waves without gravity", def.waves.name));
    const PaddleWaves made = make_paddle_waves(def.waves, g);
    zone.first_wave = static_cast<int>(out.relaxation_waves.size());
    for (const waves::Line& line : made.elevation[0])
        out.relaxation_waves.push_back({line.frequency, line.wave_number, line.phase, line.amplitude * line.frequency});
    for (const waves::Line& line : made.elevation[1]) // of a regular wave: its second harmonic
        out.relaxation_waves.push_back(
            {line.frequency, line.wave_number, line.phase,
             waves::stokes_second_speed(def.waves.height, 0.5 * line.frequency, 0.5 * line.wave_number, zone.depth)});
    zone.wave_count = static_cast<int>(out.relaxation_waves.size()) - zone.first_wave;
    zone.highest = def.waves.kind == WaveKind::regular ? std::numeric_limits<double>::infinity() : 0;
    zone.current = -def.drift * drift_of(made.elevation[0], zone.depth, g);
}

void check_plane(const RelaxationDef& def) {
    if (def.zone.kind == RelaxationZone::Kind::uniform && def.zone.direction.y != 0)
        throw InputError(def.where, "the uniform velocity leaves the plane of the case, which is 2-D in x–z");
}

} // namespace

void add_relaxation_zones(const Case& definition, const Vec3d& origin, Forcing& out) {
    const bool two_d = definition.definition.two_d;
    for (const RelaxationDef& def : definition.relaxation) {
        RelaxationZone zone = def.zone;
        if (two_d) check_plane(def);
        if (zone.kind == RelaxationZone::Kind::waves) {
            add_waves(def, gravity_of(definition), zone, out);
        } else if (zone.kind == RelaxationZone::Kind::table) {
            add_external_waves(definition, def, zone, out.relaxation_tables);
        } else {
            zone.first_speed = static_cast<int>(out.relaxation_speeds.size());
            zone.speed_count = static_cast<int>(def.speeds.size());
            out.relaxation_speeds.insert(out.relaxation_speeds.end(), def.speeds.begin(), def.speeds.end());
            if (two_d) zone.half.y += definition.definition.dp; // the plane is in it whatever rounding makes of its y
        }
        zone.centre = zone.centre - origin;
        zone.still -= origin.z;
        out.relaxation.push_back(zone);
    }
}

} // namespace sluice
