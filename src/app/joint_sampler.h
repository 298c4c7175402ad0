// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/joints.h"
#include "io/files/csv.h"
#include "run/joint_reports.h"
#include "run/sampler.h"
#include <deque>

namespace sluice {

/// Writes joints/NAME.csv of every joint: what it does to its first body, and how far it has come, at the times of the
/// frames or of savedata.
class JointSampler final : public Sampler {
public:
    /// `given`: the joints of the case, which name the tables. `frames`: times of the frames.
    JointSampler(const std::filesystem::path& folder, const RunSetup& setup, const MechanismsDef& given,
                 const SampleClock& frames, bool append);
    void sample(const Frame& frame) override;
    std::deque<CsvWriter>& tables() { return tables_; }

private:
    JointReports reports_;
    std::deque<CsvWriter> tables_;
    std::vector<int> table_of_; ///< of each of Mechanisms::joints; −1: it is not of the case
};

} // namespace sluice
