// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/flow/flow.h"

#include "methods/mps/normalisation.h"
#include <algorithm>

namespace sluice::mps {

FlowScale flow_scale(const sph::Constants& c) {
    const double radius = 2 * c.h;
    const int dimensions = c.two_d ? 2 : 3;
    const OperatorScale operators = operator_scale(DomainShape::sphere, radius, c.dp, dimensions);
    FlowScale scale;
    scale.divergence = operators.gradient;
    scale.pressure = -operators.gradient / c.rho0;
    scale.friction = operators.laplacian * c.nu;
    scale.diffusion = operators.laplacian * density_diffusion * c.c0 * c.h;
    scale.radius = radius;
    scale.inverse_n0 = 1 / lattice_sums(DomainShape::sphere, radius / c.dp, dimensions).n0;
    for (int axis = 0; axis < 3; ++axis) {
        scale.gravity[axis] = c.two_d && axis == 1 ? 0 : c.gravity[axis];
        scale.still_density[axis] = radius * c.rho0 * scale.gravity[axis] / (c.c0 * c.c0);
    }
    return scale;
}

void remove_particles(FlowParticles& particles, const std::vector<std::size_t>& gone) {
    std::size_t next = 0, kept = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (next < gone.size() && gone[next] == i) {
            ++next;
            continue;
        }
        particles.id[kept] = particles.id[i];
        for_each_flow_array([&](std::vector<double>& array) { array[kept] = array[i]; }, particles);
        ++kept;
    }
    particles.id.resize(kept);
    for_each_flow_array([&](std::vector<double>& array) { array.resize(kept); }, particles);
}

std::size_t count_below(const FlowParticles& particles, std::uint32_t ids) {
    return static_cast<std::size_t>(std::ranges::lower_bound(particles.id, ids) - particles.id.begin());
}

} // namespace sluice::mps
