// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/joints.h"
#include "io/files/csv.h"
#include "run/sampler.h"
#include "scheme/collisions/colliding_bodies.h"
#include <optional>

namespace sluice {

/// Writes contacts.csv: a row for each place where bodies touch each other or walls and bear something, at the times of
/// the frames or of savedata. The numbers follow from the states of the bodies and the loads on them, so that no state
/// holds them; what an impact does is over between two rows, and in none.
class ContactSampler final : public Sampler {
public:
    ContactSampler(const std::filesystem::path& folder, const RunSetup& setup, const MechanismsDef& given,
                   const SampleClock& frames, bool append);
    void sample(const Frame& frame) override;
    /// None where nothing collides.
    std::optional<CsvWriter>& table() { return table_; }

private:
    const RunSetup& setup_;
    std::optional<CollidingBodies> colliding_;
    double dt_; ///< over which forces are looked at, s
    std::optional<CsvWriter> table_;
    std::vector<std::string> names_; ///< of the colliders
};

} // namespace sluice
