// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"
#include "app/commands.h"
#include "core/error.h"
#include "core/log.h"
#include <exception>
#include <new>

using namespace sluice;

namespace {

int report(const char* what, int code) {
    spdlog::error("error: {}", what);
    return code;
}

} // namespace

int main(int argc, char** argv) {
    start_console_log();
    try {
        return run_command_line(argc, argv);
    } catch (const InputError& error) {
        return report(error.what(), exit_bad_input);
    } catch (const std::bad_alloc&) {
        return report("out of memory: a larger dp, or a machine with more memory, would do", exit_failed);
    } catch (const std::exception& error) {
        return report(error.what(), exit_failed);
    }
}
