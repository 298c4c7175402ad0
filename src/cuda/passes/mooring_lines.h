// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/control.h"
#include "cuda/device/device_memory.h"
#include "model/motion.h"
#include "model/run_setup.h"
#include "scheme/moorings/advance_lines.h"
#include "scheme/stage.h"

namespace sluice::cuda {

/// What the kernel reads and writes of mooring lines and their bodies.
struct LinesView {
    MooringView moorings;
    MooringArrays now;
    MooringNode* start_nodes = nullptr; ///< at the begin of a symplectic step
    LineState* start_lines = nullptr;
    MooringFault* fault = nullptr; ///< the first of the run
    const Body* bodies = nullptr;
    BodyState *body = nullptr, *body_start = nullptr; ///< now, and at the start of a symplectic step
    BodyLoads* load = nullptr;
};

/// The mooring lines of a run on the device. Every device has all of them and computes the same.
class MooringLines {
public:
    /// `bodies`, `body`, `body_start`, `load`: those of all bodies on the device.
    MooringLines(const Moorings& moorings, DeviceMemory& memory);

    bool any() const { return moorings_.any(); }
    /// The bodies of the run, on the device.
    void set_bodies(const Body* bodies, BodyState* body, BodyState* body_start, BodyLoads* load);
    /// Before the bodies go through a stage: brings the lines to its end, and adds to the loads on bodies what the lines
    /// do to them in the mean. A line that has lost its course ends the run (Control::failed, fault()).
    void advance(Control* control, Stage stage, cudaStream_t stream) const;
    /// After it: puts the ends of lines where their bodies are.
    void follow(const Control* control, Stage stage, cudaStream_t stream) const;

    /// While no steps are under way. None: as at time 0.
    void set_state(const MooringState& state);
    MooringState state() const;
    /// What has ended the run; none if nothing has.
    MooringFault fault() const;

private:
    const Moorings& moorings_;
    DeviceArray<MooringLine> lines_;
    DeviceArray<MooringConnect> connects_;
    DeviceArray<MooringNode> nodes_, start_nodes_;
    DeviceArray<LineState> states_, start_states_;
    DeviceArray<Vec3d> place_, velocity_, force_;
    DeviceArray<mooring::EndCourse> ends_;
    DeviceArray<mooring::EndImpulse> given_;
    DeviceArray<mooring::LineFault> faults_;
    DeviceArray<MooringFault> fault_;
    LinesView view_;
};

} // namespace sluice::cuda
