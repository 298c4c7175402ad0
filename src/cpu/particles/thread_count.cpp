// SPDX-License-Identifier: Apache-2.0
#include "cpu/particles/thread_count.h"

#include <algorithm>

namespace sluice::cpu {

namespace {

constexpr int warm_up_steps = 3, fewest_steps = 8;
constexpr double trial_seconds = 0.06;                ///< of one number; several time slices of a busy system
constexpr double longest_step = 0.02;                 ///< s; with so much work in a step, all threads pay
constexpr double gain = 0.93;                         ///< of the time: less than that is noise
constexpr double first_pause = 2, longest_pause = 30; ///< s of stepping between two looks

} // namespace

ThreadCount ThreadCount::as_pays(int most) {
    ThreadCount threads(most);
    threads.adapts_ = most > 1;
    if (threads.adapts_) {
        threads.pause_ = first_pause;
        threads.begin_trial(Phase::here, most);
    }
    return threads;
}

void ThreadCount::begin_trial(Phase phase, int threads) {
    phase_ = phase;
    now_ = threads;
    warm_up_ = warm_up_steps;
    steps_ = 0;
    seconds_ = 0;
}

bool ThreadCount::trial_is_over() const {
    return (steps_ >= fewest_steps && seconds_ >= trial_seconds) ||
           (steps_ > 0 && seconds_ > longest_step * fewest_steps);
}

void ThreadCount::step_took(double seconds) {
    if (!adapts_) return;
    if (phase_ == Phase::resting) {
        seconds_ += seconds;
        if (seconds_ >= pause_) begin_trial(Phase::here, now_);
        return;
    }
    if (warm_up_ > 0) {
        --warm_up_;
        return;
    }
    ++steps_;
    seconds_ += seconds;
    if (trial_is_over()) conclude();
}

void ThreadCount::conclude() {
    const double step = seconds_ / steps_;
    const bool faster = phase_ != Phase::here && step < gain * best_seconds_;
    if (phase_ == Phase::here) {
        best_ = now_;
        best_seconds_ = step;
        improved_ = false;
        if (step > longest_step) return rest();
    } else if (faster) {
        best_ = now_;
        best_seconds_ = step;
        improved_ = improved_ || phase_ == Phase::fewer;
    }
    if (phase_ != Phase::more && (phase_ == Phase::here || faster) && best_ > 1)
        return begin_trial(Phase::fewer, best_ / 2);
    if (!improved_ && (phase_ != Phase::more || faster) && best_ < most_)
        return begin_trial(Phase::more, std::min(2 * best_, most_));
    rest();
}

void ThreadCount::rest() {
    pause_ = std::min(2 * pause_, longest_pause);
    now_ = best_;
    phase_ = Phase::resting;
    seconds_ = 0;
}

} // namespace sluice::cpu
