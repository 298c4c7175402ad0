// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include <functional>

namespace sluice {

/// Sums of sph::FlowGradients for each fluid particle, in the order in which the state holds them, at its end.
using FlowGradientSums = std::vector<float>;

/// The frame of a backend's state: sorted by id, absolute positions, pressures from the equation of state. `wanted`:
/// the derived fields to take from the sums.
Frame make_frame(const ParticleState& state, const RunSetup& setup, const FlowGradientSums& sums = {},
                 const FieldSelection& wanted = {});

/// The bodies of a backend as frames have them, with absolute centres.
std::vector<BodyReport> bodies_of_frame(std::vector<BodyReport> bodies, const RunSetup& setup);

/// Turns the relative densities (model/fluids.h) of a frame into densities, and gives them their pressures; nothing in
/// a run of one fluid.
void set_densities_of_fluids(Frame& frame, const RunSetup& setup);

/// Takes the derived fields among the wanted ones from sums of sph::FlowGradients: `sums_of(k)` points to those of the
/// frame's particle k, or nowhere if it has none.
void add_flow_gradients(Frame& frame, const FieldSelection& wanted,
                        const std::function<const float*(std::size_t)>& sums_of);

/// A frame made of a state that is here already.
class StateFrame final : public PendingFrame {
public:
    StateFrame(ParticleState state, RunSetup setup, FlowGradientSums sums, const FieldSelection& wanted,
               std::vector<BodyReport> bodies)
        : state_(std::move(state)), setup_(std::move(setup)), sums_(std::move(sums)), wanted_(wanted),
          bodies_(std::move(bodies)) {}
    Frame get() override {
        Frame frame = make_frame(state_, setup_, sums_, wanted_);
        frame.bodies = bodies_of_frame(std::move(bodies_), setup_);
        return frame;
    }

private:
    ParticleState state_;
    RunSetup setup_;
    FlowGradientSums sums_;
    FieldSelection wanted_;
    std::vector<BodyReport> bodies_;
};

} // namespace sluice
