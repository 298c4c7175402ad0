// SPDX-License-Identifier: Apache-2.0
#include "core/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

namespace sluice {

void start_console_log() {
    auto logger = std::make_shared<spdlog::logger>("sluice", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    logger->set_pattern("%v");
    logger->flush_on(spdlog::level::info);
    spdlog::set_default_logger(logger);
}

void quieten_console() { spdlog::default_logger()->sinks().front()->set_level(spdlog::level::warn); }

bool console_is_quiet() { return spdlog::default_logger()->sinks().front()->level() > spdlog::level::info; }

void add_log_file(const std::filesystem::path& path) {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path.string(), false);
    sink->set_formatter(
        std::make_unique<spdlog::pattern_formatter>("%Y-%m-%dT%H:%M:%SZ %L %v", spdlog::pattern_time_type::utc));
    spdlog::default_logger()->sinks().push_back(sink);
}

} // namespace sluice
