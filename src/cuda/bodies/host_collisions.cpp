// SPDX-License-Identifier: Apache-2.0
#include "cuda/bodies/host_collisions.h"

#include "cuda/bodies/collision_answer.h"

namespace sluice::cuda {

HostCollisions::HostCollisions(const RunSetup& setup, const CollisionView& bodies)
    : setup_(setup),
      colliding_(std::make_unique<CollidingBodies>(setup.collisions, setup.mechanisms, setup.bodies.size())),
      from_(setup.bodies.size()), to_(setup.bodies.size()), load_(setup.bodies.size()),
      absorber_(std::max<std::size_t>(setup.absorbers.size(), 1)), view_(bodies) {
    view_.mail = {step_.data(), from_.data(), load_.data(), absorber_.data(), to_.data()};
    for (const Stage stage : {Stage::whole_step, Stage::predictor, Stage::corrector, Stage::kick, Stage::drift})
        calls_[static_cast<std::size_t>(stage)] = {this, stage};
}

HostCollisions::~HostCollisions() = default;

void HostCollisions::advance(const Control* control, Stage stage, cudaStream_t stream) const {
    send_bodies(view_, control, stage, stream);
    call_on_host(&HostCollisions::answer_call, &calls_[static_cast<std::size_t>(stage)], stream,
                 "collisions of the bodies");
    take_bodies(view_, control, stream);
}

void HostCollisions::answer_call(void* call) {
    const Call& of_stage = *static_cast<Call*>(call);
    HostCollisions& self = *of_stage.self;
    try {
        if (!self.failure_) answer(self.view_.mail, self.setup_, *self.colliding_, of_stage.stage);
    } catch (...) { // the thread is the driver's
        self.failure_ = std::current_exception();
    }
}

void HostCollisions::require_success() const {
    if (failure_) std::rethrow_exception(failure_);
}

} // namespace sluice::cuda
