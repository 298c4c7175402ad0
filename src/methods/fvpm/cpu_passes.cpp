// SPDX-License-Identifier: Apache-2.0
#include "methods/fvpm/cpu_passes.h"

#include "core/error.h"
#include <algorithm>
#include <cmath>
#include <omp.h>

namespace sluice::fvpm {

CpuPasses::CpuPasses(const FvpmConstants& constants, const CpuSolverOptions& options)
    : constants_(constants), tait_(constants), kind_(options.search), find_(find_vectors_here()),
      threads_(options.threads > 0 ? options.threads : omp_get_num_procs()) {}

void CpuPasses::set_particles(Particles particles) {
    now_ = std::move(particles);
    search_ = make_search(kind_, now_);
    const std::size_t count = now_.size();
    mass_ = now_.mass;
    volume_ = now_.volume;
    momentum_.resize(count);
    if (now_.motion.empty()) now_.motion = now_.velocity;
    motion_ = now_.motion;
    for (std::size_t i = 0; i < count; ++i) momentum_[i] = now_.mass[i] * now_.velocity[i];
    for (auto* values : {&boundary_, &thin_, &rate_momentum_}) values->assign(count, {});
    for (auto* values : {&surface_, &rate_mass_, &rate_volume_}) values->assign(count, 0);
    side_.resize(count);
    gradients_.resize(count);
}

void CpuPasses::choose_time_step(double end) {
    double least = end - time_;
    const auto count = static_cast<std::int64_t>(now_.size());
#pragma omp parallel for num_threads(threads_) reduction(min : least)
    for (std::int64_t n = 0; n < count; ++n) {
        const auto i = static_cast<std::size_t>(n);
        const Vec3d momentum = now_.mass[i] * now_.velocity[i];
        const Side<double> side = side_of(now_.mass[i], now_.volume[i], momentum, tait_, constants_.free_surface);
        least = std::min(least, constants_.cfl * crossing_time(now_.radius[i], side));
    }
    if (!(least >= 0)) throw RunError("fvpm: the time step is not a number: the run has blown up", Outcome::blown_up);
    time_step_ = least;
}

void CpuPasses::drift() {
    for (std::size_t i = 0; i < now_.size(); ++i) {
        now_.position[i] = now_.position[i] + (time_step_ / 2) * now_.motion[i];
        const Vec3d x = now_.position[i];
        if (!std::isfinite(x.x + x.y + x.z))
            throw RunError("fvpm: a position is not finite: the run has blown up", Outcome::blown_up);
    }
}

void CpuPasses::find_neighbours() {
    omp_set_num_threads(threads_);
    now_ = reordered(now_, search_->order(now_));
    search_->find(now_, rows_);
    for (std::size_t i = 0; i < now_.size(); ++i) { // the stage begins with the state
        mass_[i] = now_.mass[i];
        volume_[i] = now_.volume[i];
        momentum_[i] = now_.mass[i] * now_.velocity[i];
    }
}

void CpuPasses::find_vectors() {
    vectors_.resize(rows_.neighbour.size());
    const auto count = static_cast<std::int64_t>(now_.size());
#pragma omp parallel num_threads(threads_)
    {
#pragma omp for schedule(dynamic, 64)
        for (std::int64_t n = 0; n < count; ++n) {
            const auto i = static_cast<std::size_t>(n);
            if (is_wall(i) && !sees_fluid(i)) { // two parts of walls do not act on each other
                std::fill_n(vectors_.begin() + rows_.first[i], rows_.of(i).size(), Vec3d{});
                continue;
            }
            find_(i, {now_.position, now_.radius, rows_.of(i)}, constants_.dimensions,
                  vectors_.data() + rows_.first[i]);
        }
#pragma omp for schedule(dynamic, 256)
        for (std::int64_t n = 0; n < count; ++n) {
            const auto i = static_cast<std::size_t>(n);
            boundary_[i] = thin_[i] = {};
            for (std::uint32_t entry = rows_.first[i]; entry < rows_.first[i + 1]; ++entry) {
                boundary_[i] = boundary_[i] - delta(entry); // Eq. 13
                thin_[i] = thin_[i] + vectors_[entry];
            }
            surface_[i] = rows_.of(i).empty()
                              ? 1
                              : surface_share(norm(boundary_[i]), face_of(now_.radius[i], constants_), constants_);
        }
    }
}

Vec3d CpuPasses::motion(std::size_t i, Vec3d velocity) const {
    if (now_.kind[i] != Kind::fluid) return now_.velocity[i];
    return motion_of(velocity, thin_[i], face_of(now_.radius[i], constants_), surface_[i], constants_);
}

void CpuPasses::find_sides() {
    const auto count = static_cast<std::int64_t>(now_.size());
#pragma omp parallel for num_threads(threads_)
    for (std::int64_t n = 0; n < count; ++n) {
        const auto i = static_cast<std::size_t>(n);
        side_[i] = side_of(mass_[i], volume_[i], momentum_[i], tait_, constants_.free_surface);
        if (now_.kind[i] != Kind::fluid) side_[i].velocity = now_.velocity[i];
        motion_[i] = motion(i, side_[i].velocity);
    }
}

void CpuPasses::find_gradients() {
    const auto count = static_cast<std::int64_t>(now_.size());
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 256)
    for (std::int64_t n = 0; n < count; ++n) {
        const auto i = static_cast<std::size_t>(n);
        SideGradients<double> sum{};
        for (std::uint32_t entry = rows_.first[i]; entry < rows_.first[i + 1]; ++entry) {
            const std::uint32_t j = rows_.neighbour[entry];
            add_gradients(sum, side_[i], side_[j], delta(entry), is_wall(i) || is_wall(j));
        }
        const double inverse = 1 / volume_[i];
        gradients_[i] = {inverse * sum.pressure, inverse * sum.vx, inverse * sum.vy, inverse * sum.vz};
    }
}

void CpuPasses::find_fluxes() {
    const auto count = static_cast<std::int64_t>(now_.size());
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 256)
    for (std::int64_t n = 0; n < count; ++n) {
        const auto i = static_cast<std::size_t>(n);
        double mass = 0, volume = dot(motion_[i], boundary_[i]);
        Vec3d momentum = (is_wall(i) ? 0 : mass_[i]) * constants_.gravity;
        for (std::uint32_t entry = rows_.first[i]; entry < rows_.first[i + 1]; ++entry) {
            const std::size_t j = rows_.neighbour[entry];
            const bool first = i < j;
            const std::size_t l = first ? i : j, r = first ? j : i;
            const Vec3d& lr = vectors_[first ? entry : rows_.mate[entry]];
            const Vec3d& rl = vectors_[first ? rows_.mate[entry] : entry];
            const PairRates<double> rates =
                pair_rates(PairSide<double>{side_[l], gradients_[l], motion_[l], now_.position[l], lr, is_wall(l)},
                           PairSide<double>{side_[r], gradients_[r], motion_[r], now_.position[r], rl, is_wall(r)},
                           tait_.background, constants_);
            const double sign = first ? 1 : -1;
            mass -= sign * rates.mass;
            volume += sign * rates.swept;
            momentum = momentum - sign * rates.momentum;
        }
        rate_mass_[i] = mass;
        rate_volume_[i] = is_wall(i) ? 0 : volume;
        rate_momentum_[i] = momentum;
    }
}

void CpuPasses::integrate(double dt) {
    const auto count = static_cast<std::int64_t>(now_.size());
#pragma omp parallel for num_threads(threads_)
    for (std::int64_t n = 0; n < count; ++n) {
        const auto i = static_cast<std::size_t>(n);
        mass_[i] = now_.mass[i] + dt * rate_mass_[i];
        volume_[i] = now_.volume[i] + dt * rate_volume_[i];
        momentum_[i] = now_.mass[i] * now_.velocity[i] + dt * rate_momentum_[i];
    }
}

void CpuPasses::predict() { integrate(time_step_ / 2); }

void CpuPasses::correct() {
    integrate(time_step_);
    const auto count = static_cast<std::int64_t>(now_.size());
#pragma omp parallel for num_threads(threads_)
    for (std::int64_t n = 0; n < count; ++n) {
        const auto i = static_cast<std::size_t>(n);
        // drift took half a step with the motion at its begin, which this undoes
        now_.position[i] = now_.position[i] + time_step_ * motion_[i] - (time_step_ / 2) * now_.motion[i];
        now_.mass[i] = mass_[i];
        now_.volume[i] = volume_[i];
        if (now_.kind[i] == Kind::fluid) now_.velocity[i] = (1 / mass_[i]) * momentum_[i];
        now_.motion[i] = motion(i, now_.velocity[i]);
    }
    time_ += time_step_;
}

bool CpuPasses::has_strays(const Box& domain, double largest_density) const {
    const auto count = static_cast<std::int64_t>(now_.size());
    bool found = false;
#pragma omp parallel for num_threads(threads_) reduction(|| : found)
    for (std::int64_t n = 0; n < count; ++n) {
        const auto i = static_cast<std::size_t>(n);
        found = found || (now_.kind[i] == Kind::fluid &&
                          is_stray(now_.position[i], now_.mass[i], now_.volume[i], domain, largest_density));
    }
    return found;
}

std::size_t CpuPasses::bytes() const {
    std::size_t sum = 0;
    const auto add = [&](const auto& values) { sum += values.capacity() * sizeof(values[0]); };
    for_each_array(now_, add);
    for (const auto* values : {&rows_.first, &rows_.neighbour, &rows_.mate}) add(*values);
    for (const auto* values : {&vectors_, &boundary_, &thin_, &momentum_, &motion_, &rate_momentum_}) add(*values);
    for (const auto* values : {&surface_, &mass_, &volume_, &rate_mass_, &rate_volume_}) add(*values);
    add(side_);
    add(gradients_);
    return sum;
}

} // namespace sluice::fvpm
