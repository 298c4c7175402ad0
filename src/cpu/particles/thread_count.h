// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::cpu {

/// How many threads the loops of a step use: a fixed number, or as many as pay. Few particles on many threads, or
/// threads that other programs keep from running, make a step slower than one thread alone would. So the first steps
/// are timed with all threads, then with half of them, and so on as long as that is faster; from time to time the
/// neighbouring numbers are tried again, upwards too. Only for schedules whose numbers do not depend on the threads.
class ThreadCount {
public:
    /// Always so many.
    explicit ThreadCount(int fixed) : most_(fixed), now_(fixed) {}
    /// At most so many, and fewer where they are faster.
    static ThreadCount as_pays(int most);

    int now() const { return now_; }
    /// To be called after every step with now() threads, with its wall time, s.
    void step_took(double seconds);

private:
    enum class Phase { resting, here, fewer, more };
    void begin_trial(Phase phase, int threads);
    bool trial_is_over() const;
    void conclude();
    void rest();

    int most_ = 1, now_ = 1;
    bool adapts_ = false;
    Phase phase_ = Phase::resting;
    int best_ = 1;            ///< of this look
    double best_seconds_ = 0; ///< a step with it
    bool improved_ = false;   ///< fewer threads were faster, in this look
    int warm_up_ = 0;         ///< steps still to come that are not timed: threads start, caches fill
    int steps_ = 0;           ///< timed
    double seconds_ = 0;      ///< that they took
    double pause_ = 1;        ///< until the next look, s of stepping
};

} // namespace sluice::cpu
