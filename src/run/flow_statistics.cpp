// SPDX-License-Identifier: Apache-2.0
#include "run/flow_statistics.h"
#include "model/run_setup.h"
#include "physics/sph/internal_energy.h"

#include <algorithm>
#include <cmath>

namespace sluice {

namespace {

/// What compression stores in the dynamic boundary particles, J.
double energy_of_walls(const Frame& frame, std::size_t count, const sph::Constants& constants,
                       const ParticleGroups& groups, const std::vector<Vec3f>& normals) {
    const sph::EquationOfState<double> state(constants);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i)
        if (frame.id[i] >= normals.size() || !is_extrapolated(normals[frame.id[i]]))
            sum += groups.mass_of(frame.id[i]) * sph::internal_energy(state, double(frame.density[i]));
    return sum;
}

} // namespace

FlowStatistics flow_statistics(const Frame& frame, const sph::Constants& constants, const ParticleGroups& groups,
                               const std::vector<Vec3f>& normals, const Fluids& fluids) {
    FlowStatistics s;
    s.time = frame.time;
    s.step = frame.step;
    const std::size_t begin = groups.fluid_begin(frame.id);
    if (fluids.empty()) s.wall_energy = energy_of_walls(frame, begin, constants, groups, normals);
    s.fluid_count = static_cast<std::uint32_t>(frame.size() - begin);
    if (s.fluid_count == 0) return s;
    s.front = s.highest = -1e300;
    s.density_min = 1e300;
    double speed2_max = 0, lowest = 1e300, uppermost = -1e300;
    const double g = std::sqrt(dot(constants.gravity, constants.gravity));
    const Vec3d up = g > 0 ? (-1 / g) * constants.gravity : Vec3d{};
    Vec3d sum;
    for (std::size_t i = begin; i < frame.size();) { // fluid by fluid
        const double mass = groups.mass_of(frame.id[i]);
        std::size_t end = groups.end_of_group(frame.id, i);
        while (fluids.empty() && end < frame.size() && groups.mass_of(frame.id[end]) == mass)
            end = groups.end_of_group(frame.id, end);
        const auto count = static_cast<double>(end - i);
        const sph::EquationOfState<double> state(
            fluids.empty() ? constants : constants_of(constants, fluids[groups.fluid_of(frame.id[i])]));
        double speed2_sum = 0;
        Vec3d places, velocities;
        for (; i < end; ++i) {
            const Vec3d v = vec_cast<double>(frame.velocity[i]);
            const double speed2 = dot(v, v), density = frame.density[i];
            places = places + frame.position[i];
            velocities = velocities + v;
            s.volume += mass / density;
            s.internal_energy += mass * sph::internal_energy(state, density);
            speed2_sum += speed2;
            speed2_max = std::max(speed2_max, speed2);
            s.front = std::max(s.front, frame.position[i].x);
            s.highest = std::max(s.highest, frame.position[i].z);
            const double height = dot(up, frame.position[i]);
            lowest = std::min(lowest, height);
            uppermost = std::max(uppermost, height);
            s.density_min = std::min(s.density_min, density);
            s.density_max = std::max(s.density_max, density);
        }
        s.mass += mass * count;
        sum = sum + mass * places;
        s.momentum = s.momentum + mass * velocities;
        s.kinetic_energy += 0.5 * mass * speed2_sum;
    }
    s.centroid = (1 / s.mass) * sum;
    s.potential_energy = -dot(constants.gravity, sum);
    s.speed_max = std::sqrt(speed2_max);
    s.depth = uppermost - lowest;
    return s;
}

} // namespace sluice
