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
                       const std::vector<Vec3f>& normals) {
    const sph::EquationOfState<double> state(constants);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i)
        if (frame.id[i] >= normals.size() || !is_extrapolated(normals[frame.id[i]]))
            sum += sph::internal_energy(state, double(frame.density[i]));
    return constants.mass_bound * sum;
}

} // namespace

FlowStatistics flow_statistics(const Frame& frame, const sph::Constants& constants, const ParticleGroups& groups,
                               const std::vector<Vec3f>& normals) {
    FlowStatistics s;
    s.time = frame.time;
    s.step = frame.step;
    const std::size_t begin = groups.fluid_begin(frame.id);
    s.wall_energy = energy_of_walls(frame, begin, constants, normals);
    s.fluid_count = static_cast<std::uint32_t>(frame.size() - begin);
    if (s.fluid_count == 0) return s;
    s.front = s.highest = -1e300;
    s.density_min = 1e300;
    double speed2_max = 0, speed2_sum = 0, lowest = 1e300, uppermost = -1e300;
    const double g = std::sqrt(dot(constants.gravity, constants.gravity));
    const Vec3d up = g > 0 ? (-1 / g) * constants.gravity : Vec3d{};
    Vec3d sum, velocity_sum;
    const sph::EquationOfState<double> state(constants);
    for (std::size_t i = begin; i < frame.size(); ++i) {
        const Vec3d v = vec_cast<double>(frame.velocity[i]);
        const double speed2 = dot(v, v), density = frame.density[i];
        sum = sum + frame.position[i];
        velocity_sum = velocity_sum + v;
        s.volume += constants.mass_fluid / density;
        s.internal_energy += constants.mass_fluid * sph::internal_energy(state, density);
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
    s.mass = constants.mass_fluid * s.fluid_count;
    s.momentum = constants.mass_fluid * velocity_sum;
    s.centroid = (1.0 / s.fluid_count) * sum;
    s.kinetic_energy = 0.5 * constants.mass_fluid * speed2_sum;
    s.potential_energy = -constants.mass_fluid * dot(constants.gravity, sum);
    s.speed_max = std::sqrt(speed2_max);
    s.depth = uppermost - lowest;
    return s;
}

} // namespace sluice
