// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/run_setup.h"
#include "scheme/moorings/line_arrays.h"
#include "scheme/stage.h"

namespace sluice::cpu {

/// The step that a stage belongs to.
struct LineStep {
    Stage stage = Stage::whole_step;
    std::int64_t number = 0;
    double time = 0, dt = 0; ///< its begin and its length, s
};

/// The mooring lines of a run. Every rank has all of them and computes the same.
class MooringLines {
public:
    explicit MooringLines(const RunSetup& setup);

    bool any() const { return setup_.moorings.any(); }
    const MooringState& state() const { return now_; }
    /// None: as at time 0.
    void set_state(const MooringState& state);

    /// Before the bodies go through a stage: brings the lines to its end, and adds to the loads on bodies what the
    /// lines do to them in the mean. `from`: bodies at the begin of the step; `now`: where they have come to. RunError
    /// if a line has lost its course.
    void advance(const LineStep& step, const std::vector<BodyState>& from, const std::vector<BodyState>& now,
                 std::vector<BodyLoads>& loads);
    /// After it: puts the ends of lines where their bodies are at `time`, s.
    void follow(const std::vector<BodyState>& bodies, double time);

private:
    const RunSetup& setup_;
    MooringState now_, start_; ///< and at the begin of a symplectic step
    LineArrays arrays_;
};

} // namespace sluice::cpu
