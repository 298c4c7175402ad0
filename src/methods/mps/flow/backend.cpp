// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/flow/backend.h"

#include "backend/state_frame.h"
#include "core/error.h"
#include "methods/mps/flow/run_state.h"
#include "scheme/exclusion.h"
#include "scheme/time_step_choice.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sluice::mps {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// What the choice of a time step takes of the constants: steps of this method have no order of their own.
sph::Constants stepping_constants(sph::Constants constants) {
    constants.integrator = sph::Integrator::symplectic;
    return constants;
}

/// A frame whose fluid has the pressures of the method, which are not negative.
class FlowFrame final : public PendingFrame {
public:
    FlowFrame(ParticleState state, RunSetup setup) : state_(std::move(state)), setup_(std::move(setup)) {}
    Frame get() override {
        Frame frame = make_frame(state_, setup_);
        for (float& pressure : frame.pressure) pressure = std::max(pressure, 0.f);
        return frame;
    }

private:
    ParticleState state_;
    RunSetup setup_;
};

class MpsBackend final : public Backend {
public:
    MpsBackend(const RunSetup& setup, const Processor& processor)
        : setup_(setup), constants_(stepping_constants(setup.constants)), processor_(processor),
          flow_(setup.constants, setup.groups.boundary_count(), processor.options),
          size_(setup.domain.max - setup.domain.min) {}

    BackendInfo info() const override;
    void set_state(const ParticleState& state) override;
    AdvanceReport advance(const AdvanceLimits& limits) override;
    double next_time_step() override { return choose_time_step().dt; }
    ParticleState state() override;
    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override;
    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override;
    std::vector<BodyReport> bodies() const override { return {}; }
    std::vector<ExcludedParticle> take_excluded() override { return std::exchange(excluded_, {}); }
    PhaseSeconds phase_seconds() const override { return phases_; }
    std::size_t memory_bytes() const override { return flow_.bytes(); }

private:
    sph::TimeStepChoice choose_time_step();
    void take_step();
    sph::ExclusionCause cause_at(std::size_t i) const;
    std::vector<std::size_t> strays();

    RunSetup setup_;
    sph::Constants constants_;
    Processor processor_;
    Flow flow_;
    Vec3d size_; ///< of the domain, m
    std::int64_t step_ = 0, dt_min_hits_ = 0;
    double time_ = 0, dt_ = 0; ///< s
    std::vector<ExcludedParticle> excluded_;
    PhaseSeconds phases_;
};

BackendInfo MpsBackend::info() const {
    BackendInfo info;
    info.backend = "cpu";
    info.mode = "mps";
    info.cells = fmt::format("{:g} m", 2 * setup_.constants.h);
    info.simd = name_of(processor_.options.lanes);
    info.device = processor_.name;
    info.threads = processor_.options.threads;
    return info;
}

void MpsBackend::set_state(const ParticleState& state) {
    step_ = state.step;
    time_ = state.time;
    dt_ = state.dt;
    flow_.set_particles(particles_of(state));
}

sph::TimeStepChoice MpsBackend::choose_time_step() {
    const FlowLimits found = flow_.accelerate();
    sph::TimeStepLimits limits;
    limits.force2 = static_cast<float>(found.acceleration2);
    limits.speed = static_cast<float>(constants_.c0 + found.speed);
    const bool has_fluid = flow_.walls() < flow_.particles().size();
    const sph::TimeStepChoice choice = sph::choose_time_step(constants_, limits, step_, 0);
    if (has_fluid && found.finite && !choice.blown_up) return choice;
    throw RunError(fmt::format("step {} at {} s: no time step follows from a largest |dv/dt|^2 of {} m^2/s^4 and a "
                               "largest speed of {} m/s; the run has blown up or lost all its fluid",
                               step_, time_, found.acceleration2, found.speed),
                   has_fluid ? Outcome::blown_up : Outcome::lost_fluid);
}

/// Why a fluid particle may not stay.
sph::ExclusionCause MpsBackend::cause_at(std::size_t i) const {
    const FlowParticles& p = flow_.particles();
    const Vec3d place{p.x[i], p.y[i], p.z[i]}, velocity{p.vx[i], p.vy[i], p.vz[i]};
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
        const bool counts = !(constants_.two_d && axis == 1);
        if (counts && !(place[axis] >= 0 && place[axis] < size_[axis])) inside = false;
    }
    const auto probe = static_cast<float>(dot(place, place) + dot(velocity, velocity));
    return sph::exclusion_cause(inside, probe, static_cast<float>(p.rho[i]), static_cast<float>(constants_.rho_out_min),
                                static_cast<float>(constants_.rho_out_max));
}

/// Places of the fluid particles that may not stay, by what is known of them now; they are filed.
std::vector<std::size_t> MpsBackend::strays() {
    const FlowParticles& p = flow_.particles();
    const auto begin = static_cast<std::int64_t>(flow_.walls()), end = static_cast<std::int64_t>(p.size());
    std::vector<std::size_t> gone;
    bool any = false; // most often there are none
#pragma omp parallel for schedule(static) num_threads(processor_.options.threads) reduction(|| : any)
    for (std::int64_t i = begin; i < end; ++i)
        any = any || cause_at(static_cast<std::size_t>(i)) != sph::ExclusionCause::none;
    if (!any) return gone;
    for (auto i = static_cast<std::size_t>(begin); i < p.size(); ++i) {
        const sph::ExclusionCause cause = cause_at(i);
        if (cause == sph::ExclusionCause::none) continue;
        gone.push_back(i);
        const Vec3d place{p.x[i], p.y[i], p.z[i]}, velocity{p.vx[i], p.vy[i], p.vz[i]};
        excluded_.push_back({p.id[i], cause, step_ + 1, time_ + dt_, setup_.domain.min + place,
                             vec_cast<float>(velocity), static_cast<float>(p.rho[i])});
    }
    return gone;
}

void MpsBackend::take_step() {
    const auto begin = Clock::now();
    const sph::TimeStepChoice choice = choose_time_step();
    dt_ = choice.dt;
    dt_min_hits_ += choice.raised;
    flow_.move(dt_);
    if (const std::vector<std::size_t> gone = strays(); !gone.empty()) flow_.remove(gone);
    flow_.compress(dt_);
    if (const std::vector<std::size_t> gone = strays(); !gone.empty()) { // by their densities
        flow_.remove(gone);
        flow_.set_particles(flow_.take_particles());
    }
    time_ += dt_;
    ++step_;
    phases_.interaction += seconds_since(begin);
}

AdvanceReport MpsBackend::advance(const AdvanceLimits& limits) {
    const auto begin = Clock::now();
    bool late = limits.wall_seconds <= 0;
    for (std::int64_t done = 0; done < limits.steps && time_ < limits.time && !late; ++done) {
        take_step();
        late = seconds_since(begin) >= limits.wall_seconds;
    }
    return {step_, time_, dt_, dt_min_hits_, static_cast<std::uint32_t>(flow_.particles().size())};
}

ParticleState MpsBackend::state() {
    ParticleState state;
    state.step = step_;
    state.time = time_;
    state.dt = dt_;
    store_particles(flow_, state);
    return state;
}

std::unique_ptr<PendingFrame> MpsBackend::snapshot(const FieldSelection& wanted) {
    if (const FieldSelection lacking = wanted.from(FieldSource::neighbours); !lacking.empty())
        throw RunError(fmt::format("Method=mps does not compute {}: leave it out of --fields", names_of(lacking)));
    return std::make_unique<FlowFrame>(state(), setup_);
}

void MpsBackend::rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) {
    std::vector<Vec3d> accelerations;
    std::vector<double> density_rates;
    flow_.accelerate();
    flow_.rates(accelerations, density_rates);
    acceleration.clear();
    for (const Vec3d& a : accelerations) acceleration.push_back(vec_cast<float>(a));
    density_rate.assign(density_rates.begin(), density_rates.end());
}

} // namespace

std::unique_ptr<Backend> make_backend(const RunSetup& setup, const Processor& processor) {
    return std::make_unique<MpsBackend>(setup, processor);
}

MemoryModel memory_model() {
    MemoryModel model;
    model.mode = "cpu mps";
    model.bytes_per_particle = double(Flow::bytes_per_particle);
    model.bytes_per_cell = sizeof(std::int32_t);
    return model;
}

} // namespace sluice::mps
