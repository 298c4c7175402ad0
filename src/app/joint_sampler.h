// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/joints.h"
#include "io/files/csv.h"
#include "run/sampler.h"
#include "scheme/mechanism_arrays.h"
#include <deque>

namespace sluice {

/// Writes joints/NAME.csv of every joint: what it does to its first body, and how far it has come, at the times of the
/// frames or of savedata. The numbers follow from the states of the bodies and the loads on them, so that no state
/// holds them.
class JointSampler final : public Sampler {
public:
    /// `given`: the joints of the case, which name the tables. `frames`: times of the frames.
    JointSampler(const std::filesystem::path& folder, const RunSetup& setup, const MechanismsDef& given,
                 const SampleClock& frames, bool append);
    void sample(const Frame& frame) override;
    std::deque<CsvWriter>& tables() { return tables_; }

private:
    const RunSetup& setup_;
    MechanismArrays arrays_;
    double dt_; ///< over which friction is looked at, s
    std::deque<CsvWriter> tables_;
    std::vector<int> table_of_; ///< of each of Mechanisms::joints; −1: it is not of the case
};

} // namespace sluice
