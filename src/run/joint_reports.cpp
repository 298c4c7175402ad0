// SPDX-License-Identifier: Apache-2.0
#include "run/joint_reports.h"
#include "run/frame_bodies.h"

namespace sluice {

JointReports::JointReports(const RunSetup& setup)
    : setup_(setup), arrays_(setup.mechanisms), dt_(1e-3 * setup.constants.h / setup.constants.c0) {}

std::vector<JointReport> JointReports::of(const Frame& frame) {
    const FrameBodies bodies(frame, setup_.domain.min);
    const MechanismDrive drive = mechanism_drive(setup_, frame.absorbers.data());
    std::vector<JointReport> reports(setup_.mechanisms.joints.size());
    for (int m = 0; m < static_cast<int>(setup_.mechanisms.all.size()); ++m)
        report_joints(
            setup_.mechanisms.view(), m, bodies.states.data(), bodies.loads.data(), drive, arrays_.numbers(),
            frame.time, dt_,
            &reports[static_cast<std::size_t>(setup_.mechanisms.all[static_cast<std::size_t>(m)].first_joint)]);
    return reports;
}

} // namespace sluice
