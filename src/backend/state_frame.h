// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"

namespace sluice {

/// The frame of a backend's state: sorted by id, absolute positions, pressures from the equation of state.
Frame make_frame(const ParticleState& state, const RunSetup& setup);

/// A frame made of a state that is here already.
class StateFrame final : public PendingFrame {
public:
    StateFrame(ParticleState state, const RunSetup& setup) : state_(std::move(state)), setup_(setup) {}
    Frame get() override { return make_frame(state_, setup_); }

private:
    ParticleState state_;
    RunSetup setup_;
};

} // namespace sluice
