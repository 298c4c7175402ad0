// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/control.h"
#include "cuda/device/device_memory.h"
#include "model/run_setup.h"
#include "scheme/moorings/advance_lines.h"
#include "scheme/stage.h"
#include <cstdint>

namespace sluice::cuda {

/// What has ended a run, and the step in which it has; none: nothing.
struct LostCourse {
    MooringFault fault;
    std::int64_t step = 0;
};

/// All bodies of a run, on the device.
struct MooredBodies {
    const Body* bodies = nullptr;
    BodyState *body = nullptr, *body_start = nullptr; ///< now, and at the start of a symplectic step
    BodyLoads* load = nullptr;
};

/// What the kernels read and write of mooring lines and their bodies.
struct LinesView {
    MooringView moorings;
    MooringArrays now;
    MooringNode* start_nodes = nullptr; ///< at the begin of a symplectic step
    LineState* start_lines = nullptr;
    LostCourse* lost = nullptr; ///< the first of the run
    int lanes = 0;              ///< threads that share the nodes of a line
    MooredBodies moored;
};

/// The mooring lines of a run on the device. Every device has all of them and computes the same.
class MooringLines {
public:
    MooringLines(const Moorings& moorings, DeviceMemory& memory);

    bool any() const { return moorings_.any(); }
    void set_bodies(const MooredBodies& moored) { view_.moored = moored; }
    /// Before the bodies go through a stage: brings the lines to its end, and adds to the loads on bodies what the
    /// lines do to them in the mean. A line that has lost its course ends the run (Control::failed, lost_course()).
    void advance(Control* control, Stage stage, cudaStream_t stream) const;
    /// After it: puts the ends of lines where their bodies are.
    void follow(const Control* control, Stage stage, cudaStream_t stream) const;

    /// While no steps are under way. None: as at time 0.
    void set_state(const MooringState& state);
    /// The same of what the lines have come to.
    MooringState state() const;
    LostCourse lost_course() const;

private:
    /// For a line of so many segments.
    static int lanes_for(int segments);

    const Moorings& moorings_;
    DeviceArray<MooringLine> lines_;
    DeviceArray<MooringConnect> connects_;
    DeviceArray<MooringNode> nodes_, start_nodes_;
    DeviceArray<LineState> states_, start_states_;
    DeviceArray<Vec3d> place_, velocity_, force_, pull_;
    DeviceArray<mooring::EndCourse> ends_;
    DeviceArray<mooring::EndLoad> given_;
    DeviceArray<mooring::LineFault> faults_;
    DeviceArray<LostCourse> lost_;
    LinesView view_;
};

} // namespace sluice::cuda
