// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/bodies/mechanism_mail.h"
#include "cuda/data/control.h"
#include "cuda/device/device_memory.h"
#include "cuda/device/runtime.h"
#include "model/run_setup.h"
#include <memory>

namespace sluice {
class MechanismMotion;
}

namespace sluice::cuda {

class AnsweringThread;

/// The arrays of bodies on the device that the kernel reads and writes.
struct MovedBodies {
    BodyState *body = nullptr, *body_start = nullptr; ///< now, and at the start of a step
    const BodyLoads* load = nullptr;
    const AbsorberState* absorber = nullptr;
    const int* in_mechanisms = nullptr; ///< the bodies that mechanisms move
    int body_count = 0, absorber_count = 0, moved_count = 0;
    unsigned long long* questions = nullptr; ///< how many were asked
    MechanismMail mail;
};

/// Bodies that joints connect or that collide, in a run on a device. The host moves them, by a thread of its own that a
/// kernel asks and waits for: the equations of joints and the impulses of contacts are few, and each depends on the one
/// before, which one core finds several times faster than a device. Every device asks for its own answer, and as all
/// ask the same, all get the same.
class HostMechanisms {
public:
    HostMechanisms(const RunSetup& setup, const MovedBodies& bodies, DeviceMemory& memory);
    /// After all work of the device is done.
    ~HostMechanisms();
    HostMechanisms(const HostMechanisms&) = delete;
    HostMechanisms& operator=(const HostMechanisms&) = delete;

    /// Enqueues that the bodies of all mechanisms go to the end of a stage. MovedBodies::body_start becomes where they
    /// have been at the begin of its way.
    void advance(const Control* control, Stage stage, cudaStream_t stream) const;
    /// Once the stream has been waited for: throws what has gone wrong on the host.
    void require_success() const;

private:
    std::unique_ptr<MechanismMotion> motion_;
    PageLocked<StepOfStage> step_{1};
    PageLocked<BodyState> from_, to_;
    PageLocked<BodyLoads> load_;
    PageLocked<AbsorberState> absorber_;
    PageLocked<MailTickets> tickets_{1};
    DeviceArray<unsigned long long> questions_;
    MovedBodies view_;
    std::unique_ptr<AnsweringThread> thread_;
};

/// The kernel that asks, and takes the answer.
void ask_host(const MovedBodies& view, const Control* control, Stage stage, cudaStream_t stream);

} // namespace sluice::cuda
