// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/bodies/collision_mail.h"
#include "cuda/data/control.h"
#include "cuda/device/device_memory.h"
#include "cuda/device/runtime.h"
#include "model/run_setup.h"
#include "scheme/stage.h"
#include <array>
#include <exception>
#include <memory>

namespace sluice {
class CollidingBodies;
}

namespace sluice::cuda {

/// What the kernels read and write of bodies on the device.
struct CollisionView {
    BodyState *body = nullptr, *body_start = nullptr; ///< now, and at the start of a step
    const BodyLoads* load = nullptr;
    const AbsorberState* absorber = nullptr;
    const int* in_mechanisms = nullptr; ///< the bodies that mechanisms move
    int body_count = 0, absorber_count = 0, moved_count = 0;
    CollisionMail mail;
};

/// Bodies that collide, in a run on a device. The host moves them between two kernels of a stage: contacts are few,
/// and each of their impulses depends on the one before, which one core finds faster than a device. A recorded graph
/// holds the call, too. Every device asks for its own answer, and as all ask the same, all get the same.
class HostCollisions {
public:
    HostCollisions(const RunSetup& setup, const CollisionView& bodies);
    ~HostCollisions();
    HostCollisions(const HostCollisions&) = delete;
    HostCollisions& operator=(const HostCollisions&) = delete;

    /// Enqueues that the bodies of all mechanisms go to the end of a stage. CollisionView::body_start becomes where
    /// they have been at the begin of its way.
    void advance(const Control* control, Stage stage, cudaStream_t stream) const;
    /// Once the stream has been waited for: throws what has gone wrong on the host.
    void require_success() const;

private:
    struct Call {
        HostCollisions* self = nullptr;
        Stage stage = Stage::whole_step;
    };
    static void answer_call(void* call);

    const RunSetup& setup_;
    std::unique_ptr<CollidingBodies> colliding_;
    PageLocked<StepOfStage> step_{1};
    PageLocked<BodyState> from_, to_;
    PageLocked<BodyLoads> load_;
    PageLocked<AbsorberState> absorber_;
    CollisionView view_;
    mutable std::array<Call, 5> calls_; ///< one a stage, which recorded graphs point to
    std::exception_ptr failure_;
};

/// The kernels before and behind the host's part.
void send_bodies(const CollisionView& view, const Control* control, Stage stage, cudaStream_t stream);
void take_bodies(const CollisionView& view, const Control* control, cudaStream_t stream);

} // namespace sluice::cuda
