// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <chrono>
#include <sched.h>
#include <thread>

namespace sluice {

/// How a rank waits for what it can only look for: at first without a pause, for as long as threads spin, then it lets
/// others have the core, and after some milliseconds it sleeps, a twentieth of the time that it has waited.
class Patience {
public:
    void pause() {
        const auto waited = std::chrono::steady_clock::now() - begin_;
        if (waited < spins_for) return;
        if (waited < yields_for)
            ::sched_yield();
        else
            std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(waited / 20, longest_sleep));
    }
    /// Something has come: begins anew.
    void reset() { begin_ = std::chrono::steady_clock::now(); }
    /// Whether it has waited so long since it was last true that there is time for a look elsewhere.
    bool has_time() {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_look_ < between_looks) return false;
        last_look_ = now;
        return true;
    }

private:
    static constexpr std::chrono::microseconds spins_for{30}, yields_for{2000}, longest_sleep{1000};
    static constexpr std::chrono::milliseconds between_looks{20};
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), last_look_ = begin_;
};

} // namespace sluice
