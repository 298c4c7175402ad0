// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/fields.h"
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace sluice {

/// Times 0, Δ, 2Δ, … of a sampler, counted so that late steps do not shift the later times. A period of 0 is
/// every step.
class SampleClock {
public:
    explicit SampleClock(double period, double start = 0, double end = std::numeric_limits<double>::infinity())
        : period_(period), start_(start), end_(end) {}
    /// From `begin` on another period, above 0; later than all changes before. `begin` itself is a time, too.
    void change_period(double begin, double period) { changes_.push_back({begin, period}); }
    /// The next simulated time (s) at which to look; infinity when enough has been seen.
    double next_time() const;
    /// The last of its times up to and including `time` (s), which is not before the sample taken last; −∞ if there is
    /// none. With a period of 0, `time` itself.
    double last_time(double time) const;
    /// The sample at `time` has been taken.
    void taken(double time);
    /// Samples up to and including `time` were taken by an earlier part of the run.
    void resume(double time) {
        if (time >= next_time()) taken(time);
    }

private:
    struct Change {
        double begin, period;
    };

    double next_in_span() const;

    std::vector<Change> changes_; ///< that are still to come
    double period_, start_, end_;
    std::int64_t index_ = 0;
    double last_ = -1;
};

/// Something that looks at the run at times of its own: frames, gauges, statistics. Its clock belongs to the thread
/// that steps; `sample` is called on the output thread, for one frame after the other.
class Sampler {
public:
    explicit Sampler(SampleClock clock) : clock_(std::move(clock)) {}
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;
    virtual ~Sampler() = default;

    SampleClock& clock() { return clock_; }
    /// Called with the particles after the first step at or past the clock's next time.
    virtual void sample(const Frame& frame) = 0;
    /// What it looks at besides the fields of the state: its frames have that, and may have more.
    virtual FieldSelection wanted_fields() const { return {}; }
    /// Whether it also wants the last state of a run that was cut short between two of its times.
    virtual bool wants_last() const { return false; }

private:
    SampleClock clock_;
};

} // namespace sluice
