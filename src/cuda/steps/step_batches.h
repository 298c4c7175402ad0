// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/graph_recording.h"
#include "cuda/steps/step_queue.h"

namespace sluice::cuda {

/// The steps of a run, enqueued batch by batch: recorded once as a graph of several steps, or step by step.
class StepBatches {
public:
    StepBatches(StepQueue& queue, sph::Integrator integrator, bool recorded, cudaStream_t stream)
        : queue_(queue), integrator_(integrator), recorded_(recorded), stream_(stream) {}

    void enqueue();
    /// Of the batch enqueued last.
    int steps() const { return steps_; }
    /// After the arrays were written from the host.
    void forget() { graph_.reset(); }

private:
    void record();

    StepQueue& queue_;
    sph::Integrator integrator_;
    bool recorded_;
    cudaStream_t stream_;
    RecordedGraph graph_;
    ArrayPlaces graph_places_; ///< at its begin and end
    int steps_ = 1;
};

} // namespace sluice::cuda
