// SPDX-License-Identifier: Apache-2.0
#include "app/interrupt.h"

#include <csignal>
#include <ctime>
#include <initializer_list>

namespace sluice {

namespace {
std::atomic<int> requested{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

std::atomic<long long> first_request{0}; ///< of INT, TERM or QUIT: when it came, ns; 0: none has
static_assert(std::atomic<long long>::is_always_lock_free);
constexpr long long same_request = 1'000'000'000; ///< ns: timeout(1) sends its signal twice, to a program and its group

long long monotonic_time() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now); // which a signal handler may call
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

void request_stop(int signal) {
    requested.store(signal);
    // batch systems repeat their warnings, people do not
    if (signal != SIGINT && signal != SIGTERM && signal != SIGQUIT) return;
    const long long now = monotonic_time();
    long long first = 0;
    if (first_request.compare_exchange_strong(first, now) || now - first < same_request) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal); // once this handler has returned
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
    first_request = 0;
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
