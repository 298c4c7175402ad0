// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/control_mail.h"
#include "cuda/device/graph_recording.h"
#include "cuda/steps/step_queue.h"
#include "cuda/steps/stepping.h"

namespace sluice::cuda {

/// The steps of a run on one device, enqueued batch by batch: a graph of several steps that was recorded once, or step
/// by step. One batch runs while the next one waits, so the device never idles, and the host is never far ahead.
class RecordedSteps final : public Stepping {
public:
    /// `are_wanted`: whether steps are to be recorded. A graph contains the constants, so steps whose viscosity or
    /// gravity changes in time are not.
    RecordedSteps(StepQueue& queue, const RunSetup& setup, bool are_wanted, cudaStream_t stream);

    bool advance(const StepLimits& limits) override;
    void look(Look what) override;
    const std::vector<Control>& synchronise() override;
    const std::vector<Control>& controls() const override { return controls_; }
    void forget() override { graph_.reset(); }

private:
    void enqueue_batch();
    void record();
    void set_pairs(double time);
    bool is_over(const Control& control, const StepLimits& limits) const;

    StepQueue& queue_;
    const RunSetup& setup_;
    bool recorded_;
    cudaStream_t stream_;
    RecordedGraph graph_;
    ArrayPlaces graph_places_; ///< at its begin and end
    int steps_ = 1;            ///< of a batch
    ControlMail mail_;
    std::vector<Control> controls_{1};
};

} // namespace sluice::cuda
