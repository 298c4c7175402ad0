// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "io/files/csv.h"
#include "io/frames/frame_writer.h"
#include "run/sampler.h"
#include <deque>
#include <memory>

namespace sluice {

/// Writes the frames of a run for ParaView.
class FrameSampler final : public Sampler {
public:
    FrameSampler(FrameWriter& writer, const SampleClock& clock) : Sampler(clock), writer_(writer) {}
    void sample(const Frame& frame) override { writer_.write(frame); }
    FieldSelection wanted_fields() const override { return writer_.fields(); }
    bool wants_last() const override { return true; }

private:
    FrameWriter& writer_;
};

/// Writes bodies/mkbound_N.csv of every floating body: where it is, how it moves and what the fluid does to it, at the
/// times of the frames.
class BodySampler final : public Sampler {
public:
    BodySampler(const std::filesystem::path& folder, const RunSetup& setup, const SampleClock& clock, bool append);
    void sample(const Frame& frame) override;
    bool wants_last() const override { return true; }
    std::deque<CsvWriter>& tables() { return tables_; }

private:
    std::deque<CsvWriter> tables_; ///< in the order of RunSetup::bodies
    std::vector<Body> bodies_;
    std::vector<SeriesSample> series_;
    Vec3d gravity_;
};

/// Writes absorption/mkbound_N.csv of a piston that absorbs waves: the elevation before it and what it does, at the
/// times of the frames or in every step.
class AbsorptionSampler final : public Sampler {
public:
    /// `index`: of RunSetup::absorbers. `frames`: their times.
    AbsorptionSampler(const std::filesystem::path& folder, const RunSetup& setup, std::size_t index, SampleClock frames,
                      bool append);
    void sample(const Frame& frame) override;
    CsvWriter& table() { return table_; }

private:
    std::size_t index_;
    WaveAbsorber absorber_;
    std::vector<MotionSample> samples_; ///< Motions::samples
    double floor_;                      ///< z of the domain's lower corner, m
    CsvWriter table_;
};

/// The samplers of the pistons that want a table.
std::vector<std::unique_ptr<AbsorptionSampler>> make_absorption_samplers(const std::filesystem::path& folder,
                                                                         const RunSetup& setup,
                                                                         const SampleClock& frames, bool append);

/// The particles of excluded.csv, in the order in which they left; none without the file.
std::vector<ExcludedParticle> read_excluded(const std::filesystem::path& folder);

/// Appends particles to excluded.csv as they leave, and counts them by cause.
class ExclusionList {
public:
    ExclusionList(const std::filesystem::path& folder, bool append);
    void add(const std::vector<ExcludedParticle>& particles);
    std::int64_t count(sph::ExclusionCause cause) const { return counts_[static_cast<std::size_t>(cause)]; }
    void set_count(sph::ExclusionCause cause, std::int64_t count) { counts_[static_cast<std::size_t>(cause)] = count; }
    std::int64_t total() const;
    CsvWriter& table() { return csv_; }

private:
    CsvWriter csv_;
    std::int64_t counts_[sph::exclusion_cause_count] = {};
};

} // namespace sluice
