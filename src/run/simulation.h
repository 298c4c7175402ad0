// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "run/backend.h"
#include "run/frame.h"
#include <atomic>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace sluice {

/// Something that looks at the run at times of its own: frames, gauges, statistics.
class Sampler {
public:
    virtual ~Sampler() = default;
    /// The next simulated time (s) at which it wants to look; infinity when it has seen enough.
    virtual double next_time() const = 0;
    /// Called after the first step at or past `next_time`. Must move `next_time` on.
    virtual void sample(const Frame& frame) = 0;
    /// The run goes on from `time`: what was due until then has been taken.
    virtual void resume(double time) = 0;
    /// Whether it also wants the last state of a run that was cut short between two of its times.
    virtual bool wants_last() const { return false; }
};

/// Times 0, Δ, 2Δ, … of a sampler, counted so that late steps do not shift the later times. A period of 0 is
/// every step.
class SampleClock {
public:
    explicit SampleClock(double period, double start = 0, double end = std::numeric_limits<double>::infinity())
        : period_(period), start_(start), end_(end) {}
    double next_time() const;
    /// The sample at `time` has been taken.
    void taken(double time);
    /// Samples up to and including `time` were taken by an earlier part of the run.
    void resume(double time) {
        if (time >= next_time()) taken(time);
    }

private:
    double period_, start_, end_;
    std::int64_t index_ = 0;
    double last_ = -1;
};

/// When a run ends, besides a signal.
struct RunLimits {
    double time_max = 0;            ///< s
    std::int64_t max_steps = std::numeric_limits<std::int64_t>::max();
    std::uint32_t min_fluid = 0;    ///< stop when fewer fluid particles are left
};

/// Where a run is, for the progress line.
struct Progress {
    AdvanceReport now;
    double wall_seconds = 0;        ///< in the stepping loop so far
    double particle_steps = 0;      ///< Σ over the steps of the particles in the run, so far
    double start_time = 0;          ///< s, where this process began
    double time_max = 0;            ///< s
    std::int64_t max_steps = 0;     ///< total of the run, or 0: no limit
};

/// How a run ended.
enum class RunEnd { finished, step_limit, too_little_fluid, interrupted };
const char* run_end_name(RunEnd end);

/// What a run was.
struct RunResult {
    RunEnd end = RunEnd::finished;
    AdvanceReport last;
    double loop_seconds = 0;        ///< wall time of the stepping loop, sampling excluded
    std::int64_t steps_taken = 0;   ///< by this process
    double simulated_seconds = 0;   ///< by this process
    double particle_steps = 0;      ///< Σ over the steps of the particles in the run
    bool sampled_last = false;      ///< the last state was handed to the samplers that want it, at no time of theirs
};

/// The time loop of a run: lets the backend step from one sampling time to the next, hands frames to the samplers,
/// and the excluded particles and the progress to whoever wants them.
class Simulation {
public:
    Simulation(Backend& backend, const RunSetup& setup, const RunLimits& limits);

    void add_sampler(Sampler& sampler) { samplers_.push_back(&sampler); }
    std::function<void(const std::vector<ExcludedParticle>&)> on_excluded;
    /// Called between two steps, with all samples up to there taken: the place for checkpoints, too.
    std::function<void(const Progress&)> on_progress;

    /// Runs until a limit, or until `stop` is no longer 0. Samples what is due at the start, and the last state of a
    /// run that ended at its limit of steps.
    RunResult run(const std::atomic<int>& stop);

private:
    AdvanceLimits next_limits() const;
    bool ended(RunResult& result, const std::atomic<int>& stop) const;
    bool sample_due();
    void sample_last();
    void report_excluded();

    Backend& backend_;
    RunSetup setup_;
    RunLimits limits_;
    AdvanceReport now_;
    std::vector<Sampler*> samplers_;
};

} // namespace sluice
