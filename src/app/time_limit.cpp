// SPDX-License-Identifier: Apache-2.0
#include "app/time_limit.h"

#include "core/error.h"
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <limits>
#include <string_view>

namespace sluice {

namespace {

/// A number that is all of `text`, from 0 to a thousand million.
std::optional<double> whole_number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= 1e10)) return std::nullopt;
    return value;
}

/// Seconds that the batch system leaves, if it says when the job ends.
std::optional<double> seconds_of_batch_job() {
    const char* end = std::getenv("SLURM_JOB_END_TIME");
    const std::optional<double> time = end ? whole_number(end) : std::nullopt;
    if (!time) return std::nullopt;
    return *time - double(std::time(nullptr));
}

} // namespace

double parse_duration(const std::string& text) {
    const auto fail = [&]() -> double {
        throw InputError(fmt::format("--time-limit: needs a time ({}), e.g. 90 (seconds), 15:00 or 2:30:00", text));
    };
    std::string_view rest = text;
    double days = 0, seconds = 0;
    if (const std::size_t dash = rest.find('-'); dash != std::string_view::npos && dash > 0) {
        days = whole_number(rest.substr(0, dash)).value_or(-1);
        rest.remove_prefix(dash + 1);
    }
    int parts = 0;
    for (bool more = true; more; ++parts) {
        const std::size_t colon = rest.find(':');
        more = colon != std::string_view::npos;
        const std::optional<double> part = whole_number(rest.substr(0, colon));
        if (!part) fail();
        seconds = 60 * seconds + *part;
        if (more) rest.remove_prefix(colon + 1);
    }
    if (days < 0 || parts > 3 || !(days + seconds > 0)) fail();
    return 86400 * days + seconds;
}

TimeLimit::TimeLimit(Clock::time_point begin, std::optional<double> seconds) {
    const auto at = [](Clock::time_point from, double after) {
        return from + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(after, 1e9)));
    };
    if (seconds) end_ = at(begin, *seconds);
    if (const auto batch = seconds_of_batch_job()) {
        const Clock::time_point end = at(Clock::now(), *batch);
        end_ = end_ ? std::min(*end_, end) : end;
    }
}

double TimeLimit::left() const {
    if (!end_) return std::numeric_limits<double>::infinity();
    return std::chrono::duration<double>(*end_ - Clock::now()).count();
}

} // namespace sluice
