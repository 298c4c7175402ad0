// SPDX-License-Identifier: Apache-2.0
#include "methods/fvpm/backend.h"

#include "backend/state_frame.h"
#include "core/error.h"
#include "methods/fvpm/run_state.h"
#include "physics/fvpm/update.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace sluice::fvpm {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

class FvpmBackend final : public Backend {
public:
    FvpmBackend(const RunSetup& setup, const Device& device)
        : setup_(setup), device_(device), constants_(constants_of(setup)),
          solver_(device.make_solver(constants_)), box_{{}, setup.domain.max - setup.domain.min} {
        if (constants_.dimensions == 2) box_.min.y = box_.max.y = 0; // as solvers have it
    }

    BackendInfo info() const override;
    void set_state(const ParticleState& state) override;
    AdvanceReport advance(const AdvanceLimits& limits) override;
    double next_time_step() override;
    ParticleState state() override;
    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override;
    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override;
    std::vector<BodyReport> bodies() const override { return {}; }
    std::vector<ExcludedParticle> take_excluded() override { return std::exchange(excluded_, {}); }
    PhaseSeconds phase_seconds() const override;
    std::size_t memory_bytes() const override { return solver_->memory_bytes(); }

private:
    void take_out_strays();

    RunSetup setup_;
    Device device_;
    FvpmConstants constants_;
    std::unique_ptr<Solver> solver_;
    Box box_; ///< the domain, from its lower corner
    std::uint32_t count_ = 0;
    double height_ = 0; ///< y of all particles in 2-D, m
    std::int64_t step_ = 0;
    double time_ = 0, dt_ = 0;
    std::vector<ExcludedParticle> excluded_;
};

BackendInfo FvpmBackend::info() const {
    BackendInfo info;
    info.backend = device_.backend;
    info.mode = "fvpm";
    info.cells = fmt::format("{:g} m", 2 * setup_.constants.h);
    info.simd = device_.arithmetic;
    info.device = device_.name;
    info.threads = device_.threads;
    return info;
}

void FvpmBackend::set_state(const ParticleState& state) {
    step_ = state.step;
    time_ = state.time;
    dt_ = state.dt;
    count_ = static_cast<std::uint32_t>(state.size());
    height_ = state.size() > 0 ? state.position[0].y : 0;
    Particles particles = particles_of(state, setup_);
    for (std::size_t i = 0; i < particles.size(); ++i)
        if (particles.kind[i] == Kind::wall && is_stray(particles.position[i], 1, 1, box_, 1))
            throw InputError("boundary particles lie outside the domain, enlarge it");
    solver_->set_particles(std::move(particles));
    if (solver_->has_strays(box_, setup_.constants.rho_out_max)) take_out_strays();
}

void FvpmBackend::take_out_strays() {
    const Particles all = solver_->particles();
    std::vector<std::uint32_t> kept;
    std::vector<ExcludedParticle> out;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        const bool stray = all.kind[i] == Kind::fluid &&
                           is_stray(all.position[i], all.mass[i], all.volume[i], box_, setup_.constants.rho_out_max);
        if (!stray) {
            kept.push_back(i);
            continue;
        }
        const Vec3d &x = all.position[i], &v = all.velocity[i];
        ExcludedParticle one;
        one.id = all.id[i];
        one.step = step_ - 1;
        one.time = time_;
        one.position = setup_.domain.min + x;
        if (constants_.dimensions == 2) one.position.y = setup_.domain.min.y + height_;
        one.velocity = vec_cast<float>(v);
        one.density = static_cast<float>(inner_density(all.mass[i], all.volume[i], constants_));
        const bool finite = std::isfinite(dot(x, x) + dot(v, v) + all.mass[i] + all.volume[i]);
        one.cause = !finite                      ? sph::ExclusionCause::not_finite
                    : is_stray(x, 1, 1, box_, 1) ? sph::ExclusionCause::position
                                                 : sph::ExclusionCause::density;
        out.push_back(one);
    }
    std::ranges::sort(out, {}, &ExcludedParticle::id);
    excluded_.insert(excluded_.end(), out.begin(), out.end());
    count_ = static_cast<std::uint32_t>(kept.size());
    solver_->set_particles(reordered(all, kept));
}

AdvanceReport FvpmBackend::advance(const AdvanceLimits& limits) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    bool late = limits.wall_seconds <= 0;
    for (std::int64_t done = 0; done < limits.steps && time_ < limits.time && !late; ++done) {
        solver_->advance(endless, 1);
        dt_ = solver_->time_step();
        if (!(dt_ > 0) || !std::isfinite(dt_))
            throw RunError(fmt::format("step {} at {} s: no time step follows from {} particles; the run has blown up",
                                       step_, time_, count_),
                           Outcome::blown_up);
        time_ += dt_;
        ++step_;
        if (solver_->has_strays(box_, setup_.constants.rho_out_max)) take_out_strays();
        late = std::chrono::duration<double>(Clock::now() - begin).count() >= limits.wall_seconds;
    }
    return {step_, time_, dt_, 0, count_};
}

double FvpmBackend::next_time_step() {
    const Particles p = solver_->particles();
    const Tait<double> tait(constants_);
    double least = endless;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Side<double> side =
            side_of(p.mass[i], p.volume[i], p.mass[i] * p.velocity[i], tait, constants_.free_surface);
        least = std::min(least, constants_.cfl * crossing_time(p.radius[i], side));
    }
    return least;
}

ParticleState FvpmBackend::state() {
    ParticleState state;
    state.step = step_;
    state.time = time_;
    state.dt = dt_;
    store_particles(solver_->particles(), setup_, height_, state);
    return state;
}

std::unique_ptr<PendingFrame> FvpmBackend::snapshot(const FieldSelection& wanted) {
    if (const FieldSelection lacking = wanted.from(FieldSource::neighbours); !lacking.empty())
        throw RunError(fmt::format("Method=fvpm does not compute {}: leave it out of --fields", names_of(lacking)));
    return std::make_unique<StateFrame>(state(), setup_, FlowGradientSums{}, wanted, std::vector<BodyReport>{});
}

/// Mean rates of a thousandth of the next step, which another solver takes. The order of its particles is its own.
void FvpmBackend::rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) {
    const Particles before = solver_->particles();
    const double dt = 1e-3 * next_time_step();
    const std::unique_ptr<Solver> other = device_.make_solver(constants_);
    other->set_particles(before);
    other->advance(dt, 1);
    const Particles after = other->particles();
    std::vector<std::uint32_t> place;
    for (std::uint32_t k = 0; k < after.size(); ++k) {
        if (after.id[k] >= place.size()) place.resize(std::size_t(after.id[k]) + 1);
        place[after.id[k]] = k;
    }
    acceleration.assign(before.size(), {});
    density_rate.assign(before.size(), 0);
    for (std::size_t i = 0; i < before.size(); ++i) {
        const std::uint32_t k = place[before.id[i]];
        acceleration[i] = vec_cast<float>((1 / dt) * (after.velocity[k] - before.velocity[i]));
        density_rate[i] = static_cast<float>((inner_density(after.mass[k], after.volume[k], constants_) -
                                              inner_density(before.mass[i], before.volume[i], constants_)) /
                                             dt);
    }
}

PhaseSeconds FvpmBackend::phase_seconds() const {
    const PartSeconds parts = solver_->part_seconds();
    PhaseSeconds phases;
    phases.cell_list = parts.search;
    phases.interaction = parts.vectors + parts.fluxes;
    return phases;
}

} // namespace

std::unique_ptr<Backend> make_backend(const RunSetup& setup, const Device& device) {
    return std::make_unique<FvpmBackend>(setup, device);
}

MemoryModel memory_model(const sph::Constants& constants) {
    // neighbours of a lattice: places nearer than 2h
    const double reach = 2 * constants.h / constants.dp;
    const double neighbours = (constants.two_d ? 3.15 * reach * reach : 4.2 * reach * reach * reach) - 1;
    constexpr double of_particle = 2 * (3 * sizeof(Vec3d) + 3 * sizeof(double) + sizeof(std::uint32_t) + sizeof(Kind)) +
                                   5 * sizeof(Vec3d) + 5 * sizeof(double) + sizeof(Side<double>) +
                                   sizeof(SideGradients<double>);
    MemoryModel model;
    model.mode = "cpu fvpm";
    model.bytes_per_particle = of_particle + neighbours * (sizeof(Vec3d) + 2 * sizeof(std::uint32_t));
    model.bytes_per_cell = sizeof(std::uint32_t);
    return model;
}

} // namespace sluice::fvpm
