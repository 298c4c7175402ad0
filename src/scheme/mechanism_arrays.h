// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/run_setup.h"
#include "scheme/mechanisms.h"
#include <vector>

namespace sluice {

/// What mechanisms of a run depend on beside the states of their bodies. `absorbers`: of RunSetup::absorbers, null:
/// none. The result refers to `setup`.
inline MechanismDrive mechanism_drive(const RunSetup& setup, const AbsorberState* absorbers) {
    MechanismDrive drive{
        setup.bodies.data(), {setup.constants.gravity, setup.body_series.data()}, setup.motions.view()};
    drive.walls.absorbers = absorbers;
    return drive;
}

/// Arrays for the solver of mechanisms, on the host.
class MechanismArrays {
public:
    explicit MechanismArrays(const Mechanisms& all)
        : bodies_(all.bodies.size()), joints_(all.joints.size()), rows_(all.rows.size()),
          entries_(static_cast<std::size_t>(all.entry_count)) {}

    MechanismNumbers numbers() { return {bodies_.data(), joints_.data(), rows_.data(), entries_.data()}; }

    /// Of the rows of all mechanisms: which of those of one are dropped at time 0.
    std::vector<bool> dropped_rows(const Mechanisms& all, int index, const std::vector<BodyState>& states,
                                   const std::vector<BodyLoads>& loads, const MechanismDrive& drive) {
        std::vector<JointReport> reports(
            static_cast<std::size_t>(all.all[static_cast<std::size_t>(index)].joint_count));
        report_joints(all.view(), index, states.data(), loads.data(), drive, numbers(), 0, 1e-6, reports.data());
        std::vector<bool> dropped;
        for (const mechanism::RowNumbers& row : rows_) dropped.push_back(!(row.pivot > 0));
        return dropped;
    }

private:
    std::vector<mechanism::BodyNumbers> bodies_;
    std::vector<mechanism::JointNumbers> joints_;
    std::vector<mechanism::RowNumbers> rows_;
    std::vector<double> entries_;
};

} // namespace sluice
