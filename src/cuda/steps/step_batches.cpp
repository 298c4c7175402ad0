// SPDX-License-Identifier: Apache-2.0
#include "cuda/steps/step_batches.h"

#include <stdexcept>

namespace sluice::cuda {

void StepBatches::enqueue() {
    if (!recorded_) return take_step(queue_, integrator_);
    if (graph_.empty() || graph_places_ != queue_.places()) record();
    graph_.launch(stream_);
}

/// Records as many steps as keep the host out of the way, few enough to stop soon; at the end every array must be where
/// it was.
void StepBatches::record() {
    const std::uint32_t particles = queue_.run().capacity;
    constexpr int most = 1000;
    const int wanted = particles < 1000000 ? 16 : particles < 10000000 ? 4 : 1;
    graph_places_ = queue_.places();
    graph_.record(stream_, [&] {
        steps_ = 0;
        do {
            if (steps_ == most) throw std::logic_error("recording steps: the arrays do not come back to their places");
            take_step(queue_, integrator_);
            ++steps_;
        } while (steps_ < wanted || queue_.places() != graph_places_);
    });
}

} // namespace sluice::cuda
