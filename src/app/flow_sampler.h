// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/files/csv.h"
#include "io/records/run_json.h"
#include "run/ledger.h"
#include "run/sampler.h"
#include <filesystem>
#include <optional>

namespace sluice {

/// Writes flow.csv, the books of the run: front, centroid, extremes, mass, volume, momentum and energies of the fluid
/// at the times of the frames.
class FlowSampler final : public Sampler {
public:
    /// With `append` the table and the sums go on from flow.csv and excluded.csv as they are. Throws InputError if
    /// flow.csv has other columns.
    FlowSampler(const std::filesystem::path& folder, const RunSetup& setup, const SampleClock& clock, bool append);
    void sample(const Frame& frame) override;
    bool wants_last() const override { return true; }
    /// Particles that left since the last call, before the frame of their step is sampled.
    void add_excluded(const std::vector<ExcludedParticle>& particles) { ledger_.add_excluded(particles); }
    /// Where what passes through open boundaries is booked.
    Ledger& ledger() { return ledger_; }
    /// From the first row to the last; empty before there is one.
    std::optional<LedgerSummary> summary() const;
    CsvWriter& table() { return csv_; }

private:
    Ledger ledger_;
    CsvWriter csv_;
};

} // namespace sluice
