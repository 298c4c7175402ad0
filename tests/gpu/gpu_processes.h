// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/backend/cuda_backend.h"
#include "ranks/thread_transport.h"
#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace sluice {

/// Threads that know of a run only what the first sends them, as other processes do.
class GpuProcesses {
public:
    explicit GpuProcesses(int count) : ends_(make_thread_transports(count)) {
        for (std::size_t p = 1; p < ends_.size(); ++p)
            others_.emplace_back([end = ends_[p].get(), this] { serve(*end); });
    }
    GpuProcesses(const GpuProcesses&) = delete;
    GpuProcesses& operator=(const GpuProcesses&) = delete;
    ~GpuProcesses() {
        try {
            all_gather(*ends_[0], Message());
        } catch (const RankLost&) { // they have gone
        }
        for (std::thread& other : others_) other.join();
    }
    Transport& first() { return *ends_[0]; }

    std::atomic<int> stop{0}; ///< a signal to one of the others

private:
    void serve(Transport& end) const {
        try {
            while (true) {
                const Message begin = all_gather(end, Message())[0];
                if (begin.empty()) return;
                serve_gpu_run(begin, end, stop);
            }
        } catch (const RankLost&) { // somebody else has said why
        } catch (...) {
            end.abandon(std::current_exception());
        }
    }

    std::vector<std::unique_ptr<Transport>> ends_;
    std::vector<std::thread> others_;
};

/// A run that processes share, each with `options.devices.size()` GPUs, one after the other of this machine, as one
/// backend.
class BackendOfProcesses final : public Backend {
public:
    BackendOfProcesses(const RunSetup& setup, std::uint32_t particles, const CudaOptions& options, int processes)
        : processes_(std::make_unique<GpuProcesses>(processes)),
          backend_(make_cuda_backend(setup, particles, options, processes_->first(), nullptr)) {}

    BackendInfo info() const override { return backend_->info(); }
    void set_state(const ParticleState& state) override { backend_->set_state(state); }
    AdvanceReport advance(const AdvanceLimits& limits) override { return backend_->advance(limits); }
    double next_time_step() override { return backend_->next_time_step(); }
    ParticleState state() override { return backend_->state(); }
    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override { return backend_->snapshot(wanted); }
    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override {
        backend_->rates(acceleration, density_rate);
    }
    std::vector<BodyReport> bodies() const override { return backend_->bodies(); }
    std::vector<ExcludedParticle> take_excluded() override { return backend_->take_excluded(); }
    std::vector<ZonePassage> take_passed() override { return backend_->take_passed(); }
    PhaseSeconds phase_seconds() const override { return backend_->phase_seconds(); }
    std::size_t memory_bytes() const override { return backend_->memory_bytes(); }

private:
    std::unique_ptr<GpuProcesses> processes_;
    std::unique_ptr<Backend> backend_; ///< goes first
};

} // namespace sluice
