// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"
#include "app/interrupt.h"
#include "app/launched.h"
#include "core/error.h"
#include "core/log.h"
#include <cstdio>
#include <exception>
#include <new>
#include <poll.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

using namespace sluice;

namespace {

int report(const char* what, Outcome outcome) {
    spdlog::error("error: {}", what);
    return exit_code(outcome);
}

/// Whether standard output is a pipe whose reader has gone.
bool reader_has_gone() {
    pollfd out{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/// Where the stack ends, the system ends the process without a word. What is least here is twice what runs have needed.
void require_stack() {
    constexpr rlim_t least = 256 << 10;
    rlimit limit{};
    if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= least) return;
    throw InputError("the stack is limited to " + std::to_string(limit.rlim_cur >> 10) + " KiB, and " +
                     std::to_string(least >> 10) + " are needed: raise the limit, e.g. by ulimit -s 8192");
}

/// Runs the command line, and reports what is wrong with it.
int command(int argc, char** argv, Transport* processes) {
    try {
        const int code = run_command_line(argc, argv, processes);
        const bool could_flush = std::fflush(stdout) == 0;
        if (reader_has_gone()) return code; // `sluice check … | head` has read what it wanted
        if (!could_flush || std::ferror(stdout) != 0)
            throw RunError("standard output: cannot write all of it", Outcome::output_failed);
        return code;
    } catch (const std::bad_alloc& error) {
        return report("out of memory: a larger dp, or a machine with more memory, would do", outcome_of(error));
    } catch (const std::exception& error) {
        return report(error.what(), outcome_of(error));
    }
}

} // namespace

int main(int argc, char** argv) {
    ignore_write_signals();
    start_console_log();
    try {
        require_stack();
        const Launch launch = find_launch();
        if (launch.count == 1) return command(argc, argv, nullptr);
        return run_launched(launch, argc, argv, [&](Transport* processes) { return command(argc, argv, processes); });
    } catch (const InputError& error) {
        return report(error.what(), Outcome::bad_input);
    }
}
