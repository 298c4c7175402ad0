// SPDX-License-Identifier: Apache-2.0
#include "run/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice {

double SampleClock::next_in_span() const {
    return period_ > 0 ? start_ + double(index_) * period_ : std::max(start_, std::nextafter(last_, 1e300));
}

double SampleClock::next_time() const {
    const double next = changes_.empty() ? next_in_span() : std::min(next_in_span(), changes_.front().begin);
    return next > end_ ? std::numeric_limits<double>::infinity() : next;
}

double SampleClock::last_time(double time) const {
    const double until = std::min(time, end_);
    double start = start_, period = period_;
    for (const Change& change : changes_)
        if (change.begin <= until) {
            start = change.begin;
            period = change.period;
        }
    if (until < start) return -std::numeric_limits<double>::infinity();
    const double count = period > 0 ? std::floor((until - start) / period) : 0;
    if (!(period > 0) || until + period <= until || !(count < 1e18)) return until;
    // as next_time has it; the loops correct the rounding of the division
    auto index = static_cast<std::int64_t>(count);
    while (index > 0 && start + double(index) * period > until) --index;
    while (start + double(index + 1) * period <= until) ++index;
    return start + double(index) * period;
}

void SampleClock::taken(double time) {
    last_ = time;
    while (!changes_.empty() && changes_.front().begin <= time) {
        start_ = changes_.front().begin;
        period_ = changes_.front().period;
        index_ = 0;
        changes_.erase(changes_.begin());
    }
    if (period_ > 0) {
        const double count = std::floor((time - start_) / period_);
        if (time + period_ <= time || !(count < 1e18)) {
            period_ = 0; // shorter than times can tell apart: every step
            return;
        }
        // the smallest multiple past `time`; the loop corrects the rounding of the division
        index_ = std::max(index_ + 1, static_cast<std::int64_t>(count));
        while (start_ + double(index_) * period_ <= time) ++index_;
    }
}

} // namespace sluice
