// SPDX-License-Identifier: Apache-2.0
#include "app/interrupt.h"

#include <csignal>

namespace sluice {

namespace {
std::atomic<int> requested{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void request_stop(int signal) {
    requested.store(signal);
    std::signal(signal, SIG_DFL);
}
} // namespace

const std::atomic<int>& catch_interrupts() {
    std::signal(SIGINT, request_stop);
    std::signal(SIGTERM, request_stop);
    return requested;
}

} // namespace sluice
