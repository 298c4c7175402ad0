// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <spdlog/spdlog.h>

namespace sluice {

/// Messages of a run go to spdlog's default logger: to the terminal, and to run.log once there is a folder.
void start_console_log();

/// From here on, the terminal shows warnings and errors only; the log file goes on with everything.
void quieten_console();

/// Whether quieten_console() has been called.
bool console_is_quiet();

/// From here on, messages are also appended to `path` (flushed per line, so that a killed run keeps its log), with the
/// time as UTC.
void add_log_file(const std::filesystem::path& path);

} // namespace sluice
