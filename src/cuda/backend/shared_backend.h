// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/gpu_memory_plan.h"
#include "cuda/backend/cuda_backend.h"
#include "cuda/shares/share_state.h"
#include "cuda/shares/shared_steps.h"
#include "cuda/shares/state_exchange.h"
#include <memory>
#include <vector>

namespace sluice::cuda {

/// A run that several devices share, of this process and of others, in each of which the same is called at once. What
/// they return is of the whole run, but for `info`, `bodies` and what has left, which are for process 0.
class SharedBackend final : public Backend {
public:
    /// `options.devices`: of this process. `processes`: to the others; null: it is alone.
    SharedBackend(const RunSetup& setup, std::uint32_t particle_count, const CudaOptions& options,
                  Transport* processes);

    BackendInfo info() const override;
    void set_state(const ParticleState& state) override;
    AdvanceReport advance(const AdvanceLimits& limits) override;
    double next_time_step() override;
    ParticleState state() override { return state_of(true); }
    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override;
    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override;
    std::vector<BodyReport> bodies() const override;
    std::vector<ExcludedParticle> take_excluded() override { return std::exchange(excluded_, {}); }
    std::vector<ZonePassage> take_passed() override { return std::exchange(passed_, {}); }
    PhaseSeconds phase_seconds() const override;
    std::size_t memory_bytes() const override;

    /// What process 0 does for a frame as far as all processes do it: the state, and sums over neighbours.
    ParticleState look(bool with_gradients, std::vector<float>& gradients);
    const GpuTeam& team() const { return team_; }

private:
    DealRules rules() const;
    void make_devices(std::uint64_t room);
    void deal(const DealtState& dealt, const ParticleState& state);
    void enlarge(std::uint64_t slots);
    template <class Work>
    void with_room(Work&& work);
    void settle();
    void settle_pairs();
    template <class Change>
    void rewrite_controls(Change&& change);
    ParticleState state_of(bool with_section);
    DevicePieces pieces() const;
    DeviceShare& first() const { return *devices_[team_.first()]; }
    void tell();
    std::vector<float> flow_gradients();
    void check_failures() const;
    void collect_excluded();
    void collect_passed();
    bool wants_collection() const;

    /// What process 0 reports of a device.
    struct Told {
        int index;
        std::size_t memory;
        double waited;
    };

    GpuTeam team_;
    std::vector<GpuDevice> gpus_; ///< of this process
    CudaOptions options_;
    RunSetup setup_;
    std::uint32_t particle_count_;
    GpuMemoryPlan plan_;
    GpuMode mode_;
    DealRules rules_;
    bool all_connected_;
    std::vector<double> parts_;
    SharedDevices devices_;
    std::vector<Told> told_;
    std::unique_ptr<SharedSteps> steps_;
    Control control_; ///< of the run, as last read from the devices
    std::uint32_t alive_ = 0;
    double stepped_seconds_ = 0; ///< wall time that the devices as they are have been stepping
    std::vector<ExcludedParticle> excluded_;
    std::vector<ZonePassage> passed_;
};

/// The backend of a run that the GPUs of `options.devices` share; as make_cuda_backend().
std::unique_ptr<Backend> make_shared_backend(const RunSetup& setup, std::uint32_t particle_count,
                                             const CudaOptions& options);

} // namespace sluice::cuda
