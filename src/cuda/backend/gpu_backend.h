// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/gpu_memory_plan.h"
#include "cuda/backend/cuda_backend.h"
#include "cuda/shares/scatter.h"
#include "cuda/shares/shared_steps.h"
#include "cuda/shares/state_exchange.h"
#include "cuda/steps/frame_copies.h"
#include "cuda/steps/stepping.h"
#include <memory>
#include <optional>
#include <vector>

namespace sluice::cuda {

/// A run on one device or on several, of this process and of others, in each of which the same is called at once. What
/// they return is of the whole run, but for `info`, `bodies` and what has left, which are for process 0.
class GpuBackend final : public Backend {
public:
    /// `options.devices`: of this process, one at least. `processes`: to the others; null: it is alone. `make_search`:
    /// another search than that of the mode, of a run on one device; null: that of the mode.
    GpuBackend(const RunSetup& setup, std::uint32_t particle_count, const CudaOptions& options, Transport* processes,
               const MakeSearch& make_search = nullptr);

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
    ParticleState state_and_gradients(bool with_gradients, std::vector<float>& gradients);
    const ProcessGroup& group() const { return group_; }

private:
    bool is_shared() const { return group_.devices() > 1; }
    ScatterRules rules() const;
    DeviceShare& first() const { return *devices_[group_.first()]; }

    // room
    void make_devices(std::uint64_t room);
    std::uint64_t room_for(std::uint64_t slots) const;
    bool has_room_for(std::uint64_t particles) const;
    void require_memory(std::uint64_t particles) const;
    void enlarge(std::uint64_t slots);
    template <class Work>
    void with_room(Work&& work) {
        for (;;) {
            try {
                return work();
            } catch (const NeedsRoom& needs) {
                enlarge(needs.slots);
            }
        }
    }

    // the state on the devices
    void place(const ParticleState& state);
    void place(const ScatteredState& scattered, const ParticleState& state);
    DevicePieces pieces() const;
    ParticleState state_of(bool with_section);
    std::vector<float> gradients_by_id();
    std::vector<float> gradients_of_state();

    // what steps leave to the host
    void synchronise();
    void check_failures() const;
    void collect_excluded();
    void collect_passed();
    void serve();
    void gather_reports();
    /// Changes the controls of all devices, which stand still.
    template <class Change>
    void rewrite_controls(Change&& change);

    /// What process 0 reports of a device.
    struct DeviceReport {
        int index;
        std::size_t memory;
        double waited;
    };

    ProcessGroup group_;
    std::vector<GpuDevice> gpus_; ///< of this process
    CudaOptions options_;
    RunSetup setup_;
    std::uint32_t particle_count_;
    GpuMemoryPlan plan_;
    GpuMode mode_;
    MakeSearch make_search_;
    ScatterRules rules_;
    bool all_connected_;
    std::vector<double> parts_;
    SharedDevices devices_;
    std::unique_ptr<Stepping> steps_;
    SharedSteps* shared_ = nullptr;     ///< `steps_` of several devices
    std::optional<FrameCopies> frames_; ///< of one device
    std::vector<DeviceReport> reports_;
    Control control_;             ///< of the run, as last read from the devices
    std::uint32_t ids_ = 0;       ///< all ids are smaller, but for those of particles that open boundaries create
    std::uint32_t particles_ = 0; ///< in the run
    double stepped_seconds_ = 0;  ///< wall time that the devices as they are have been stepping
    std::vector<ExcludedParticle> excluded_;
    std::vector<ZonePassage> passed_;
};

template <class Change>
void GpuBackend::rewrite_controls(Change&& change) {
    const std::vector<Control> controls = steps_->synchronise();
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        if (!devices_[d]) continue;
        Control control = controls[d];
        change(control);
        devices_[d]->write_control(control);
    }
    synchronise();
}

} // namespace sluice::cuda
