// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/csv.h"
#include "io/async_frame_writer.h"
#include "run/simulation.h"

namespace sluice {

/// Writes the frames of a run for ParaView.
class FrameSampler final : public Sampler {
public:
    /// `first` is the number of the next frame.
    FrameSampler(AsyncFrameWriter& writer, double period, int first) : writer_(writer), clock_(period), next_(first) {}
    double next_time() const override { return clock_.next_time(); }
    void sample(const Frame& frame) override;
    bool wants_last() const override { return true; }
    void resume(double time) override { clock_.resume(time); }
    /// Number of the next frame: so many are stored.
    int next() const { return next_; }

private:
    AsyncFrameWriter& writer_;
    SampleClock clock_;
    int next_;
};

/// Writes flow.csv: front, centroid, energies and extremes of the fluid at the times of the frames.
class FlowSampler final : public Sampler {
public:
    FlowSampler(const std::filesystem::path& folder, const RunSetup& setup, double period, bool append);
    double next_time() const override { return clock_.next_time(); }
    void sample(const Frame& frame) override;
    bool wants_last() const override { return true; }
    void resume(double time) override { clock_.resume(time); }

private:
    CsvWriter csv_;
    sph::Constants constants_;
    std::uint32_t boundary_count_;
    SampleClock clock_;
};

/// Appends particles to excluded.csv as they leave, and counts them by cause.
class ExclusionList {
public:
    ExclusionList(const std::filesystem::path& folder, bool append);
    void add(const std::vector<ExcludedParticle>& particles);
    std::int64_t count(sph::ExclusionCause cause) const { return counts_[static_cast<std::size_t>(cause)]; }
    void set_count(sph::ExclusionCause cause, std::int64_t count) { counts_[static_cast<std::size_t>(cause)] = count; }
    std::int64_t total() const;

private:
    CsvWriter csv_;
    std::int64_t counts_[sph::exclusion_cause_count] = {};
};

} // namespace sluice
