// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "core/error.h"
#include "run/links.h"
#include "run/output_thread.h"
#include "run/sampler.h"
#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// When a run ends, besides a signal.
struct RunLimits {
    double time_max = 0; ///< s
    std::int64_t max_steps = std::numeric_limits<std::int64_t>::max();
    std::uint32_t min_fluid = 0; ///< stop when fewer fluid particles are left
    /// The run has blown up when more particles than these have left the bounds of their density.
    std::int64_t max_density_excluded = std::numeric_limits<std::int64_t>::max();
    std::int64_t density_excluded = 0; ///< of which so many had before a resume
    bool sample_start = false; ///< a run that goes on nowhere hands its state to the samplers that want the last one
};

/// What a stop flag asks for, besides the number of a signal.
constexpr int stop_for_time_limit = -1;

/// Where a run is, for the progress line.
struct Progress {
    AdvanceReport now;
    double wall_seconds = 0;   ///< in the stepping loop so far
    double particle_steps = 0; ///< Σ over the steps of the particles in the run, so far
    double start_time = 0;     ///< s, where this process began
    std::int64_t start_step = 0;
    double time_max = 0;        ///< s
    std::int64_t max_steps = 0; ///< total of the run, or 0: no limit
};

/// What a run was.
struct RunResult {
    Outcome end = Outcome::failed;
    std::string reason; ///< where the outcome alone does not say it
    AdvanceReport last;
    double loop_seconds = 0;      ///< wall time of the stepping loop, sampling excluded
    double output_seconds = 0;    ///< wall time that the loop spent on taking samples and waiting for the output
    std::int64_t steps_taken = 0; ///< by this process
    double simulated_seconds = 0; ///< by this process
    double particle_steps = 0;    ///< Σ over the steps of the particles in the run
    bool sampled_last = false;    ///< the last state was handed to the samplers that want it, at no time of theirs
};

/// The time loop of a run: lets the backend step from one sampling time to the next, hands frames to the samplers
/// (which look at them on a thread of their own), and the excluded particles and the progress to the callbacks.
class Simulation {
public:
    Simulation(Backend& backend, RunSetup setup, const RunLimits& limits);

    void add_sampler(Sampler& sampler) { samplers_.push_back(&sampler); }
    std::function<void(const std::vector<ExcludedParticle>&)> on_excluded;
    std::function<void(const std::vector<ZonePassage>&)> on_passed;
    /// Called between two steps, with all samples up to there on their way: the place for checkpoints, too.
    std::function<void(const Progress&)> on_progress;

    /// Runs until a limit, or until `stop` is no longer 0: a signal, or `stop_for_time_limit`. Samples what is due at
    /// the start, and the last state of a run that ended at its limit of steps. When it returns, the samplers have seen
    /// everything. Throws what the backend or a sampler throws.
    const RunResult& run(const std::atomic<int>& stop);
    /// What has been done so far, also after `run` has thrown.
    const RunResult& result() const { return result_; }
    /// Returns when the samplers have seen all that is on its way; for `on_progress`.
    void finish_samples();

private:
    AdvanceLimits next_limits() const;
    void take_steps();
    void advance();
    bool ended(const std::atomic<int>& stop);
    bool blown_up();
    bool lost_by_density();
    void sample_due();
    std::vector<Sampler*> without_last() const;
    void take_sample(std::vector<Sampler*> samplers);
    void report_excluded();

    Backend& backend_;
    RunSetup setup_;
    RunLimits limits_;
    AdvanceReport start_, now_;
    RunResult result_;
    std::optional<ExcludedParticle> not_finite_; ///< the first
    std::optional<RunError> broken_off_;         ///< why no further step could be taken
    std::vector<Sampler*> samplers_;
    std::vector<Sampler*> seeing_; ///< those that have seen the state at `seen_time_`
    double seen_time_ = -1;        ///< s, of the last sample
    double output_seconds_ = 0;
    Links links_;
    OutputThread output_;
};

} // namespace sluice
