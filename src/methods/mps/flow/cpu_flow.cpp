// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/flow/cpu_flow.h"

#include <algorithm>
#include <cmath>
#include <omp.h>
#include <utility>

namespace sluice::mps {

void FlowArrays::resize(std::size_t particles) {
    for (auto* array : {&vx, &vy, &vz, &rho, &p, &fluid, &rho_rate, &fullness, &ax, &ay, &az, &wall_p})
        array->assign(particles + ParticleSearch::padding, 0.0);
}

CpuFlow::CpuFlow(const sph::Constants& constants, std::uint32_t walls, FlowOptions options)
    : eos_(constants), rho0_(constants.rho0), scale_(flow_scale(constants)), radius_(2 * constants.h), wall_ids_(walls),
      options_(options), loops_(flow_loops(options.lanes)) {}

void CpuFlow::set_particles(FlowParticles particles) {
    particles_ = std::move(particles);
    walls_ = count_below(particles_, wall_ids_);
}

/// Sorts what the particles have by the buckets of a new search.
void CpuFlow::find_neighbours() {
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

void CpuFlow::find_pressures() {
    const std::int64_t size = search_->size();
#pragma omp parallel for schedule(static) num_threads(options_.threads)
    for (std::int64_t k = 0; k < size; ++k)
        arrays_.p[k] = arrays_.fluid[k] != 0 ? fluid_pressure(eos_, arrays_.rho[k]) : 0;
    loops_.walls(sweep());
#pragma omp parallel for schedule(static) num_threads(options_.threads)
    for (std::int64_t k = 0; k < size; ++k)
        if (arrays_.fluid[k] == 0) arrays_.p[k] = arrays_.wall_p[k];
}

std::vector<double> CpuFlow::pressures() {
    std::vector<double> pressures(particles_.size());
    for (std::size_t k = 0; k < pressures.size(); ++k) pressures[search_->order()[k]] = arrays_.p[k];
    return pressures;
}

FlowLimits CpuFlow::accelerate() {
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

void CpuFlow::move(double dt) {
    const std::vector<std::uint32_t>& order = search_->order();
#pragma omp parallel for schedule(static) num_threads(options_.threads)
    for (std::int64_t k = 0; k < std::int64_t(order.size()); ++k) {
        if (arrays_.fluid[k] == 0) continue;
        const std::uint32_t i = order[k];
        kick_and_drift(dt, arrays_.ax[k], particles_.vx[i], particles_.x[i]);
        kick_and_drift(dt, arrays_.ay[k], particles_.vy[i], particles_.y[i]);
        kick_and_drift(dt, arrays_.az[k], particles_.vz[i], particles_.z[i]);
    }
}

void CpuFlow::compress(double dt) {
    const std::vector<std::uint32_t>& order = search_->order();
#pragma omp parallel for schedule(static) num_threads(options_.threads)
    for (std::int64_t k = 0; k < std::int64_t(order.size()); ++k)
        if (arrays_.fluid[k] != 0)
            particles_.rho[order[k]] = arrays_.rho[k] =
                density_after(arrays_.rho[k], arrays_.rho_rate[k], arrays_.fullness[k], rho0_, dt);
}

bool CpuFlow::has_strays(const FlowBounds& bounds) {
    const FlowParticles& p = particles_;
    bool any = false;
#pragma omp parallel for schedule(static) num_threads(options_.threads) reduction(|| : any)
    for (auto i = static_cast<std::int64_t>(walls_); i < std::int64_t(p.size()); ++i)
        any = any || cause_of_leaving(bounds, {p.x[i], p.y[i], p.z[i]}, {p.vx[i], p.vy[i], p.vz[i]}, p.rho[i]) !=
                         sph::ExclusionCause::none;
    return any;
}

void CpuFlow::rates(std::vector<Vec3d>& acceleration, std::vector<double>& density_rate) {
    acceleration.assign(particles_.size(), {});
    density_rate.assign(particles_.size(), 0);
    for (std::size_t k = 0; k < particles_.size(); ++k) {
        const std::uint32_t i = search_->order()[k];
        acceleration[i] = {arrays_.ax[k], arrays_.ay[k], arrays_.az[k]};
        density_rate[i] = arrays_.rho_rate[k];
    }
}

std::size_t CpuFlow::bytes() const {
    return particles_.size() * bytes_per_particle + (search_ ? search_->forward_star_bytes() : 0);
}

} // namespace sluice::mps
