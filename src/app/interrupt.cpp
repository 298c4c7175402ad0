// SPDX-License-Identifier: Apache-2.0
#include "app/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace sluice {

namespace {
std::atomic<int> requested{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void request_stop(int signal) {
    requested.store(signal);
    // batch systems repeat their warnings, people do not
    if (signal == SIGINT || signal == SIGTERM || signal == SIGQUIT) std::signal(signal, SIG_DFL);
}

bool is_ignored(int signal) {
    struct sigaction before {};
    return sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
}
} // namespace

void ignore_write_signals() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

std::atomic<int>& catch_interrupts() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2}) {
        const bool may_stay_ignored = signal == SIGHUP || signal == SIGINT || signal == SIGQUIT;
        if (may_stay_ignored && is_ignored(signal)) continue;
        struct sigaction action {};
        action.sa_handler = request_stop;
        action.sa_flags = SA_RESTART;
        sigaction(signal, &action, nullptr);
    }
    return requested;
}

} // namespace sluice
