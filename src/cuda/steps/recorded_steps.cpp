// SPDX-License-Identifier: Apache-2.0
#include "cuda/steps/recorded_steps.h"

#include "cuda/device/host_copies.h"
#include "physics/effective_gravity.h"
#include <limits>
#include <stdexcept>

namespace sluice::cuda {

RecordedSteps::RecordedSteps(StepQueue& queue, const RunSetup& setup, bool are_wanted, cudaStream_t stream)
    : queue_(queue), setup_(setup), recorded_(are_wanted && !has_pairs_in_time(setup)), stream_(stream) {}

void RecordedSteps::enqueue_batch() {
    if (!recorded_) return take_step(queue_, setup_.constants.integrator);
    if (graph_.empty() || graph_places_ != queue_.places()) record();
    graph_.launch(stream_);
}

/// Records as many steps as keep the host out of the way, few enough to stop soon; at the end every array must be where
/// it was.
void RecordedSteps::record() {
    const std::uint32_t particles = queue_.run().capacity;
    constexpr int most = 1000;
    const int wanted = particles < 1000000 ? 16 : particles < 10000000 ? 4 : 1;
    graph_places_ = queue_.places();
    graph_.record(stream_, [&] {
        steps_ = 0;
        do {
            if (steps_ == most) throw std::logic_error("recording steps: the arrays do not come back to their places");
            take_step(queue_, setup_.constants.integrator);
            ++steps_;
        } while (steps_ < wanted || queue_.places() != graph_places_);
    });
}

/// A step uses the viscosity and the effective gravity of its begin; where these change in time, the host must know the
/// time.
void RecordedSteps::set_pairs(double time) {
    if (has_pairs_in_time(setup_)) queue_.set_pairs(setup_.constants_at(time), pair_constants_at(setup_, time));
}

bool RecordedSteps::is_over(const Control& control, const StepLimits& limits) const {
    return control.failed || control.step >= limits.last_step || control.time >= limits.time || control.excluded > 0 ||
           control.wants_host;
}

bool RecordedSteps::advance(const StepLimits& limits) {
    const Control before = controls_.front();
    begin_advance(queue_.control(), limits.time, limits.last_step, stream_);
    if (before.step >= limits.last_step || before.time >= limits.time) return synchronise().front().wants_host != 0;
    int batches = 0;
    do {
        if (has_pairs_in_time(setup_)) set_pairs(batches == 0 ? before.time : mail_.wait((batches - 1) % 2).time);
        enqueue_batch();
        mail_.request(batches % 2, queue_.control(), stream_);
        ++batches;
    } while ((batches < 2 || !is_over(mail_.wait(batches % 2), limits)) &&
             before.step + std::int64_t(batches) * steps_ < limits.last_step &&
             std::chrono::steady_clock::now() < limits.end);
    return synchronise().front().wants_host != 0;
}

void RecordedSteps::look(Look what) {
    set_pairs(controls_.front().time);
    begin_advance(queue_.control(), std::numeric_limits<double>::infinity(), std::numeric_limits<long long>::max(),
                  stream_);
    queue_.build_cells();
    if (what != Look::cells) queue_.interact(sph::RatesPart::both, Absorbers::stay);
    if (what == Look::time_step) queue_.reduce_time_step();
    queue_.keep_sorted();
}

const std::vector<Control>& RecordedSteps::synchronise() {
    wait_for(stream_, "stepping");
    copy_from_device(queue_.control(), &controls_.front(), sizeof(Control));
    return controls_;
}

} // namespace sluice::cuda
