// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/frame.h"
#include "model/run_setup.h"
#include "scheme/mechanism_arrays.h"
#include <vector>

namespace sluice {

/// What the joints of a run do in its frames. It follows from the states of the bodies and the loads on them, so that
/// no state holds it.
class JointReports {
public:
    /// `setup` stays.
    explicit JointReports(const RunSetup& setup);
    /// In the order of Mechanisms::joints. Friction is that over a thousandth of the acoustic time h/c0.
    std::vector<JointReport> of(const Frame& frame);

private:
    const RunSetup& setup_;
    MechanismArrays arrays_;
    double dt_; ///< over which friction is looked at, s
};

} // namespace sluice
