// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/flow/flow.h"

#include "methods/mps/normalisation.h"
#include <algorithm>
#include <cmath>
#include <omp.h>

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

void FlowArrays::resize(std::size_t particles) {
    for (auto* array : {&vx, &vy, &vz, &rho, &p, &fluid, &rho_rate, &fullness, &ax, &ay, &az, &wall_p})
        array->assign(particles + ParticleSearch::padding, 0.0);
}

Flow::Flow(const sph::Constants& constants, std::uint32_t walls, FlowOptions options)
    : eos_(constants), rho0_(constants.rho0), scale_(flow_scale(constants)), radius_(2 * constants.h), wall_ids_(walls),
      options_(options), loops_(flow_loops(options.lanes)) {}

void Flow::set_particles(FlowParticles particles) {
    particles_ = std::move(particles);
    walls_ = static_cast<std::size_t>(std::ranges::lower_bound(particles_.id, wall_ids_) - particles_.id.begin());
    find_neighbours();
    find_pressures();
}

/// Sorts what the particles have by the buckets of a new search.
void Flow::find_neighbours() {
    const int before = omp_get_max_threads();
    omp_set_num_threads(options_.threads); // of the search
    search_.emplace(Cloud{particles_.x, particles_.y, particles_.z, particles_.rho}, Reach{radius_, 1, 1});
    omp_set_num_threads(before);
    arrays_.resize(particles_.size());
    const std::vector<std::uint32_t>& order = search_->order();
#pragma omp parallel for schedule(static) num_threads(options_.threads)
    for (std::int64_t k = 0; k < std::int64_t(order.size()); ++k) {
        const std::uint32_t i = order[k];
        arrays_.vx[k] = particles_.vx[i];
        arrays_.vy[k] = particles_.vy[i];
        arrays_.vz[k] = particles_.vz[i];
        arrays_.fluid[k] = i < walls_ ? 0 : 1;
        arrays_.rho[k] = i < walls_ ? 0 : particles_.rho[i];
    }
}

/// Of the fluid from its densities, then of walls.
void Flow::find_pressures() {
    const std::int64_t size = search_->size();
#pragma omp parallel for schedule(static) num_threads(options_.threads)
    for (std::int64_t k = 0; k < size; ++k)
        arrays_.p[k] = arrays_.fluid[k] != 0 ? sph::positive_part(eos_.pressure(arrays_.rho[k])) : 0;
    loops_.walls(sweep());
#pragma omp parallel for schedule(static) num_threads(options_.threads)
    for (std::int64_t k = 0; k < size; ++k)
        if (arrays_.fluid[k] == 0) arrays_.p[k] = arrays_.wall_p[k];
}

std::vector<double> Flow::pressures() const {
    std::vector<double> pressures(particles_.size());
    for (std::size_t k = 0; k < pressures.size(); ++k) pressures[search_->order()[k]] = arrays_.p[k];
    return pressures;
}

FlowLimits Flow::accelerate() {
    loops_.motion(sweep());
    double acceleration2 = 0, speed2 = 0;
    bool finite = true;
#pragma omp parallel for schedule(static) num_threads(options_.threads)                                                \
    reduction(max : acceleration2, speed2) reduction(&& : finite)
    for (std::int64_t k = 0; k < std::int64_t(search_->size()); ++k) {
        if (arrays_.fluid[k] == 0) continue;
        const Vec3d a{arrays_.ax[k], arrays_.ay[k], arrays_.az[k]}, v{arrays_.vx[k], arrays_.vy[k], arrays_.vz[k]};
        acceleration2 = std::max(acceleration2, dot(a, a));
        speed2 = std::max(speed2, dot(v, v));
        finite = finite && std::isfinite(dot(a, a) + dot(v, v));
    }
    return {acceleration2, std::sqrt(speed2), finite};
}

void Flow::move(double dt) {
    const std::vector<std::uint32_t>& order = search_->order();
#pragma omp parallel for schedule(static) num_threads(options_.threads)
    for (std::int64_t k = 0; k < std::int64_t(order.size()); ++k) {
        if (arrays_.fluid[k] == 0) continue;
        const std::uint32_t i = order[k];
        particles_.x[i] += dt * (particles_.vx[i] += dt * arrays_.ax[k]);
        particles_.y[i] += dt * (particles_.vy[i] += dt * arrays_.ay[k]);
        particles_.z[i] += dt * (particles_.vz[i] += dt * arrays_.az[k]);
    }
}

void Flow::compress(double dt) {
    find_neighbours();
    loops_.continuity(sweep());
    const std::vector<std::uint32_t>& order = search_->order();
#pragma omp parallel for schedule(static) num_threads(options_.threads)
    for (std::int64_t k = 0; k < std::int64_t(order.size()); ++k) {
        if (arrays_.fluid[k] == 0) continue;
        double rho = arrays_.rho[k] + dt * arrays_.rho_rate[k];
        if (arrays_.fullness[k] < surface_fullness && rho < rho0_) rho = rho0_; // a surface bears no tension
        particles_.rho[order[k]] = arrays_.rho[k] = rho;
    }
    find_pressures();
}

void Flow::remove(const std::vector<std::size_t>& gone) {
    std::size_t next = 0, kept = 0;
    for (std::size_t i = 0; i < particles_.size(); ++i) {
        if (next < gone.size() && gone[next] == i) {
            ++next;
            continue;
        }
        particles_.id[kept] = particles_.id[i];
        for_each_flow_array([&](std::vector<double>& array) { array[kept] = array[i]; }, particles_);
        ++kept;
    }
    particles_.id.resize(kept);
    for_each_flow_array([&](std::vector<double>& array) { array.resize(kept); }, particles_);
}

void Flow::rates(std::vector<Vec3d>& acceleration, std::vector<double>& density_rate) {
    loops_.continuity(sweep());
    acceleration.assign(particles_.size(), {});
    density_rate.assign(particles_.size(), 0);
    for (std::size_t k = 0; k < particles_.size(); ++k) {
        const std::uint32_t i = search_->order()[k];
        acceleration[i] = {arrays_.ax[k], arrays_.ay[k], arrays_.az[k]};
        density_rate[i] = arrays_.rho_rate[k];
    }
}

std::size_t Flow::bytes() const {
    return particles_.size() * bytes_per_particle + (search_ ? search_->forward_star_bytes() : 0);
}

} // namespace sluice::mps
