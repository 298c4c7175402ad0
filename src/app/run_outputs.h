// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/commands.h"
#include "app/contact_sampler.h"
#include "app/flow_sampler.h"
#include "app/folder_lock.h"
#include "app/joint_sampler.h"
#include "app/moorings/line_sampler.h"
#include "app/prepared_run.h"
#include "app/samplers.h"
#include "app/time_limit.h"
#include "io/measures/gauges.h"
#include "io/records/checkpoint.h"
#include "io/records/run_json.h"
#include "run/progress.h"
#include "run/simulation.h"
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

namespace sluice {

/// Particles that had left for that cause by a checkpoint.
std::int64_t excluded_before(const Checkpoint& checkpoint, sph::ExclusionCause cause);

/// Everything that a run writes while it runs: frames, flow.csv, gauges, excluded.csv, checkpoints. With a checkpoint,
/// what was written after it is taken back, and the series go on from there.
class RunOutputs {
public:
    RunOutputs(const PreparedRun& run, const FolderLock& lock, const RunOptions& options,
               const std::optional<Checkpoint>& checkpoint, std::chrono::steady_clock::time_point begin);

    /// Hooks the outputs into the simulation. `stop`: where the run is asked to stop when its time is up.
    void attach(Simulation& simulation, std::atomic<int>& stop);
    /// Stores the state at which a run ended, unless that is of no use; all frames are then on disk.
    void finish(const RunResult& result);
    /// Tells in `summary` what has been done, with the parts before a resume.
    void fill(RunSummary& summary, const RunResult& result) const;
    std::int64_t excluded() const { return excluded_.total(); }

private:
    double before(const std::string& counter) const { return from_ ? from_->counter(counter) : 0; }
    double seconds_since_begin() const;
    NamedValues<double> phases(double output_seconds) const;
    void write_checkpoint(const RunResult& result);
    bool checkpoint_due(const Progress& progress);
    bool time_is_up();
    /// Calls `visit(table, wants_last)` for every table; `wants_last`: it has a row of the last state whenever that is.
    template <class Visit>
    void for_each_table(Visit&& visit);
    void require_in_place();

    const PreparedRun& run_;
    std::filesystem::path folder_;
    const FolderLock& lock_;
    std::chrono::steady_clock::time_point begin_;
    TimeLimit time_limit_;
    double checkpoint_seconds_;
    SampleClock checkpoint_clock_; ///< simulated times of checkpoints
    std::optional<Checkpoint> from_;
    CheckpointStore checkpoints_;
    FrameWriter writer_;
    FrameSampler frames_;
    FlowSampler flow_;
    BodySampler bodies_;
    JointSampler joints_;
    LineSampler lines_;
    ContactSampler contacts_;
    std::vector<std::unique_ptr<AbsorptionSampler>> absorption_; ///< of the pistons that want a table
    ExclusionList excluded_;
    SharedFluid fluid_;                                  ///< of the frame at hand, for gauges and probes
    std::vector<std::unique_ptr<SeriesSampler>> series_; ///< gauges and probes
    ProgressLine progress_;
    std::chrono::steady_clock::time_point last_checkpoint_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point last_progress_ = std::chrono::steady_clock::now();
    double longest_checkpoint_ = 0, longest_wait_ = 0; ///< s
    bool has_checkpoint_ = false;                      ///< of this process
};

} // namespace sluice
