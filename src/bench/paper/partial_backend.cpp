// SPDX-License-Identifier: Apache-2.0
#include "bench/paper/gpu_schedule.h"
#include "bench/paper/ladder.h"
#include "cpu/backend/make_backend.h"

#include <utility>

namespace sluice::paper {

namespace {

/// A CPU backend whose pairs are computed on a GPU: reports where the time and the memory went.
class PartialBackend final : public Backend {
public:
    PartialBackend(const RunSetup& setup, CellSize cells, int threads, std::unique_ptr<GpuSchedule> gpu)
        : gpu_(*gpu), cpu_(cpu::make_cpu_backend_with(setup, cells, threads, std::move(gpu))) {}

    BackendInfo info() const override {
        BackendInfo info = cpu_->info();
        info.mode = "interaction on the GPU";
        info.device = gpu_.device();
        return info;
    }
    void set_state(const ParticleState& state) override { cpu_->set_state(state); }
    AdvanceReport advance(const AdvanceLimits& limits) override { return cpu_->advance(limits); }
    double next_time_step() override { return cpu_->next_time_step(); }
    ParticleState state() override { return cpu_->state(); }
    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override { return cpu_->snapshot(wanted); }
    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override {
        cpu_->rates(acceleration, density_rate);
    }
    std::vector<BodyReport> bodies() const override { return cpu_->bodies(); }
    std::vector<ExcludedParticle> take_excluded() override { return cpu_->take_excluded(); }
    PhaseSeconds phase_seconds() const override {
        PhaseSeconds phases = cpu_->phase_seconds();
        phases.transfer = gpu_.transfer_seconds();
        phases.interaction -= phases.transfer; // which the CPU backend took for a part of it
        return phases;
    }
    std::size_t memory_bytes() const override { return cpu_->memory_bytes() + gpu_.device_bytes(); }

private:
    GpuSchedule& gpu_; ///< the CPU backend's
    std::unique_ptr<Backend> cpu_;
};

} // namespace

std::unique_ptr<Backend> make_partial_backend(const RunSetup& setup, std::uint32_t particle_count, CellSize cells,
                                              int threads) {
    refuse_periodic_sides(setup);
    return std::make_unique<PartialBackend>(setup, cells, threads, make_gpu_schedule(setup, particle_count, cells));
}

} // namespace sluice::paper
