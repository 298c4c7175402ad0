// SPDX-License-Identifier: Apache-2.0
#include "cuda/bodies/host_mechanisms.h"

#include "cuda/bodies/answering_thread.h"
#include "cuda/device/host_copies.h"

namespace sluice::cuda {

HostMechanisms::HostMechanisms(const RunSetup& setup, const MovedBodies& bodies, DeviceMemory& memory)
    : motion_(std::make_unique<MechanismMotion>(setup)), from_(setup.bodies.size()), to_(setup.bodies.size()),
      load_(setup.bodies.size()), absorber_(std::max<std::size_t>(setup.absorbers.size(), 1)),
      questions_(memory, 1, "mechanisms"), view_(bodies) {
    tickets_[0] = {};
    upload(std::vector<unsigned long long>(1), questions_.data());
    view_.questions = questions_.data();
    view_.mail = {step_.data(), from_.data(), load_.data(), absorber_.data(), to_.data(), tickets_.data()};
    thread_ = std::make_unique<AnsweringThread>(tickets_[0], [this, &setup] { answer(view_.mail, setup, *motion_); });
}

HostMechanisms::~HostMechanisms() = default;

void HostMechanisms::advance(const Control* control, Stage stage, cudaStream_t stream) const {
    ask_host(view_, control, stage, stream);
}

void HostMechanisms::require_success() const { thread_->require_success(); }

} // namespace sluice::cuda
