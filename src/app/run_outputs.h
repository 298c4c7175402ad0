// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/commands.h"
#include "app/samplers.h"
#include "io/checkpoint.h"
#include "io/gauges.h"
#include "io/run_json.h"
#include "run/progress.h"
#include "run/simulation.h"
#include <chrono>
#include <memory>
#include <optional>

namespace sluice {

/// What the outputs need to know of a run.
struct RunDescription {
    const Case& definition;
    const ParticleSet& particles;
    const RunSetup& setup;
    Backend& backend;
};

/// Everything that a run writes while it runs: frames, flow.csv, gauges, excluded.csv, checkpoints. With a checkpoint,
/// what was written after it is taken back, and the series go on from there.
class RunOutputs {
public:
    RunOutputs(const RunDescription& run, const std::filesystem::path& folder, const RunOptions& options,
               const std::optional<Checkpoint>& checkpoint);

    /// Hooks the outputs into the simulation.
    void attach(Simulation& simulation);
    /// Stores the state at which a run ended; all frames are then on disk.
    void finish(const RunResult& result);
    /// Tells in `summary` what has been done, with the parts before a resume.
    void fill(RunSummary& summary, const RunResult& result) const;
    std::int64_t excluded() const { return excluded_.total(); }

private:
    void write_checkpoint(double loop_seconds, double particle_steps, bool sampled_last);
    bool checkpoint_due(const Progress& progress);

    RunDescription run_;
    double checkpoint_seconds_;
    SampleClock checkpoint_clock_; ///< simulated times of checkpoints
    std::optional<Checkpoint> from_;
    CheckpointStore checkpoints_;
    FrameWriter writer_;
    FrameSampler frames_;
    FlowSampler flow_;
    ExclusionList excluded_;
    SharedFluid fluid_;                                  ///< of the frame at hand, for gauges and probes
    std::vector<std::unique_ptr<SeriesSampler>> series_; ///< gauges and probes
    ProgressLine progress_;
    std::chrono::steady_clock::time_point last_checkpoint_ = std::chrono::steady_clock::now();
};

} // namespace sluice
