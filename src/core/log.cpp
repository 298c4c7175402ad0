// SPDX-License-Identifier: Apache-2.0
#include "core/log.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/terminal.h"

#include <memory>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <unistd.h>
#include <utility>

namespace sluice {

namespace {

/// What a message says, in the width of the terminal that it goes to.
class FittedMessage : public spdlog::custom_flag_formatter {
public:
    void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
        const std::string text = message_for(STDERR_FILENO, {message.payload.data(), message.payload.size()});
        out.append(text.data(), text.data() + text.size());
    }
    std::unique_ptr<spdlog::custom_flag_formatter> clone() const override { return std::make_unique<FittedMessage>(); }
};

} // namespace

void start_console_log() {
    auto logger = std::make_shared<spdlog::logger>("sluice", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<FittedMessage>('*').set_pattern("%*");
    logger->set_formatter(std::move(formatter));
    logger->flush_on(spdlog::level::info);
    spdlog::set_default_logger(logger);
}

void quieten_console() { spdlog::default_logger()->sinks().front()->set_level(spdlog::level::warn); }

bool console_is_quiet() { return spdlog::default_logger()->sinks().front()->level() > spdlog::level::info; }

void add_log_file(const std::filesystem::path& path) {
    if (const std::string what = not_a_file(path); !what.empty())
        throw InputError(path.string() + ": is " + what + ", and the log of the run is written to a file: remove it");
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path.string(), false);
    sink->set_formatter(
        std::make_unique<spdlog::pattern_formatter>("%Y-%m-%dT%H:%M:%SZ %L %v", spdlog::pattern_time_type::utc));
    spdlog::default_logger()->sinks().push_back(sink);
}

} // namespace sluice
