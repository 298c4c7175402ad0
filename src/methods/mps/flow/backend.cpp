// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/flow/backend.h"

#include "backend/state_frame.h"
#include "core/error.h"
#include "methods/mps/flow/cpu_flow.h"
#include "methods/mps/flow/run_state.h"
#include "methods/mps/flow/step.h"
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

/// What a GPU holds of a particle: seven numbers by id, as many sorted and its pressure, the rates of it, and four
/// indices of the search.
constexpr std::size_t gpu_bytes_per_particle = (7 + 8 + 6) * sizeof(double) + 4 * sizeof(std::uint32_t);

FlowBounds flow_bounds_of(const RunSetup& setup) {
    const sph::Constants& c = setup.constants;
    return {setup.domain.max - setup.domain.min, c.two_d, static_cast<float>(c.rho_out_min),
            static_cast<float>(c.rho_out_max)};
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
    MpsBackend(const RunSetup& setup, const Device& device)
        : setup_(setup), constants_(stepping_constants(setup.constants)), bounds_(flow_bounds_of(setup)),
          device_(device), flow_(device.make_flow(setup.constants, setup.groups.boundary_count())) {}

    BackendInfo info() const override;
    void set_state(const ParticleState& state) override;
    AdvanceReport advance(const AdvanceLimits& limits) override;
    double next_time_step() override { return choose_time_step(flow_->accelerate()).dt; }
    ParticleState state() override;
    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override;
    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override;
    std::vector<BodyReport> bodies() const override { return {}; }
    std::vector<ExcludedParticle> take_excluded() override { return std::exchange(excluded_, {}); }
    PhaseSeconds phase_seconds() const override { return phases_; }
    std::size_t memory_bytes() const override { return flow_->bytes(); }

private:
    sph::TimeStepChoice choose_time_step(const FlowLimits& found) const;
    void advance_once();
    bool take_out_strays();

    RunSetup setup_;
    sph::Constants constants_;
    FlowBounds bounds_;
    Device device_;
    std::unique_ptr<Flow> flow_;
    std::int64_t step_ = 0, dt_min_hits_ = 0;
    double time_ = 0, dt_ = 0; ///< s
    std::vector<ExcludedParticle> excluded_;
    PhaseSeconds phases_;
};

BackendInfo MpsBackend::info() const {
    BackendInfo info;
    info.backend = device_.backend;
    info.mode = "mps";
    info.cells = fmt::format("{:g} m", 2 * setup_.constants.h);
    info.simd = device_.arithmetic;
    info.device = device_.name;
    info.threads = device_.threads;
    return info;
}

void MpsBackend::set_state(const ParticleState& state) {
    step_ = state.step;
    time_ = state.time;
    dt_ = state.dt;
    begin_flow(*flow_, particles_of(state));
}

sph::TimeStepChoice MpsBackend::choose_time_step(const FlowLimits& found) const {
    sph::TimeStepLimits limits;
    limits.force2 = static_cast<float>(found.acceleration2);
    limits.speed = static_cast<float>(constants_.c0 + found.speed);
    const bool has_fluid = flow_->walls() < flow_->size();
    const sph::TimeStepChoice choice = sph::choose_time_step(constants_, limits, step_, 0);
    if (has_fluid && found.finite && !choice.blown_up) return choice;
    throw RunError(fmt::format("step {} at {} s: no time step follows from a largest |dv/dt|^2 of {} m^2/s^4 and a "
                               "largest speed of {} m/s; the run has blown up or lost all its fluid",
                               step_, time_, found.acceleration2, found.speed),
                   has_fluid ? Outcome::blown_up : Outcome::lost_fluid);
}

/// Removes the fluid that may not stay, by what is known of it now, and files it. Whether there was any.
bool MpsBackend::take_out_strays() {
    if (!flow_->has_strays(bounds_)) return false; // most often there are none
    FlowParticles p = flow_->particles();
    std::vector<std::size_t> gone;
    for (std::size_t i = flow_->walls(); i < p.size(); ++i) {
        const Vec3d place{p.x[i], p.y[i], p.z[i]}, velocity{p.vx[i], p.vy[i], p.vz[i]};
        const sph::ExclusionCause cause = cause_of_leaving(bounds_, place, velocity, p.rho[i]);
        if (cause == sph::ExclusionCause::none) continue;
        gone.push_back(i);
        excluded_.push_back({p.id[i], cause, step_ + 1, time_ + dt_, setup_.domain.min + place,
                             vec_cast<float>(velocity), static_cast<float>(p.rho[i])});
    }
    remove_particles(p, gone);
    flow_->set_particles(std::move(p));
    return true;
}

void MpsBackend::advance_once() {
    const auto begin = Clock::now();
    const auto choose = [this](const FlowLimits& found) {
        const sph::TimeStepChoice choice = choose_time_step(found);
        dt_min_hits_ += choice.raised;
        return dt_ = choice.dt;
    };
    take_step(*flow_, choose, [this] { return take_out_strays(); });
    time_ += dt_;
    ++step_;
    phases_.interaction += seconds_since(begin);
}

AdvanceReport MpsBackend::advance(const AdvanceLimits& limits) {
    const auto begin = Clock::now();
    bool late = limits.wall_seconds <= 0;
    for (std::int64_t done = 0; done < limits.steps && time_ < limits.time && !late; ++done) {
        advance_once();
        late = seconds_since(begin) >= limits.wall_seconds;
    }
    return {step_, time_, dt_, dt_min_hits_, static_cast<std::uint32_t>(flow_->size())};
}

ParticleState MpsBackend::state() {
    ParticleState state;
    state.step = step_;
    state.time = time_;
    state.dt = dt_;
    store_particles(*flow_, setup_.constants, state);
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
    flow_->accelerate();
    flow_->find_density_rates();
    flow_->rates(accelerations, density_rates);
    acceleration.clear();
    for (const Vec3d& a : accelerations) acceleration.push_back(vec_cast<float>(a));
    density_rate.assign(density_rates.begin(), density_rates.end());
}

} // namespace

std::unique_ptr<Backend> make_backend(const RunSetup& setup, const Device& device) {
    return std::make_unique<MpsBackend>(setup, device);
}

std::vector<MemoryModel> memory_models() {
    MemoryModel cpu, gpu;
    cpu.mode = "cpu mps";
    cpu.bytes_per_particle = double(CpuFlow::bytes_per_particle);
    cpu.bytes_per_cell = sizeof(std::int32_t);
    gpu.mode = "cuda mps";
    gpu.bytes_per_particle = double(gpu_bytes_per_particle);
    gpu.bytes_per_cell = 2 * sizeof(std::int32_t); // first particles and counts
    return {cpu, gpu};
}

} // namespace sluice::mps
