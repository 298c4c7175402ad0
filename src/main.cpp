// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"
#include "app/interrupt.h"
#include "core/error.h"
#include "core/log.h"
#include <cstdio>
#include <exception>
#include <new>

using namespace sluice;

namespace {

int report(const char* what, Outcome outcome) {
    spdlog::error("error: {}", what);
    return exit_code(outcome);
}

} // namespace

int main(int argc, char** argv) {
    ignore_write_signals();
    start_console_log();
    try {
        const int code = run_command_line(argc, argv);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            throw RunError("standard output: cannot write all of it", Outcome::output_failed);
        return code;
    } catch (const std::bad_alloc& error) {
        return report("out of memory: a larger dp, or a machine with more memory, would do", outcome_of(error));
    } catch (const std::exception& error) {
        return report(error.what(), outcome_of(error));
    }
}
