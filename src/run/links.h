// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/frame.h"
#include "model/run_setup.h"
#include "run/joint_reports.h"
#include "scheme/moorings/line_arrays.h"
#include <vector>

namespace sluice {

/// Where the mooring lines and joints of a run are in its frames, and how much they bear.
class Links {
public:
    /// `setup` stays.
    explicit Links(const RunSetup& setup);
    bool any() const { return setup_.moorings.any() || setup_.mechanisms.any(); }
    /// The lines, then the joints, each in the order of the case. `frame` has the states of lines and bodies.
    std::vector<Link> of(const Frame& frame);

private:
    Link line(const Frame& frame, std::size_t index);
    Link joint(const Joint& joint, const JointReport& report) const;

    const RunSetup& setup_;
    LineArrays lines_;
    JointReports joints_;
};

} // namespace sluice
