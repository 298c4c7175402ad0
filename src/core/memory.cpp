// SPDX-License-Identifier: Apache-2.0
#include "core/memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <sys/resource.h>

namespace sluice {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The number after a word at the beginning of a line.
std::optional<double> number_after(const char* path, const std::string& word) {
    std::ifstream file(path);
    for (std::string first; file >> first;) {
        double value = 0;
        if (first == word && file >> value) return value;
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return std::nullopt;
}

std::optional<double> number_in(const std::string& path) {
    std::ifstream file(path);
    double value = 0;
    if (file >> value) return value;
    return std::nullopt;
}

double free_of_machine() {
    const auto kilobytes = number_after("/proc/meminfo", "MemAvailable:");
    return kilobytes ? *kilobytes * 1024 : unlimited;
}

/// What files in memory take can be given up.
double free_of_group(const std::string& limit, const std::string& used, const std::string& details) {
    const auto most = number_in(limit), now = number_in(used);
    if (!most || !now) return unlimited;
    return *most - *now + number_after(details.c_str(), "inactive_file").value_or(0);
}

double free_of_container() {
    const std::string two = "/sys/fs/cgroup/", one = "/sys/fs/cgroup/memory/";
    return std::min(free_of_group(two + "memory.max", two + "memory.current", two + "memory.stat"),
                    free_of_group(one + "memory.limit_in_bytes", one + "memory.usage_in_bytes", one + "memory.stat"));
}

double free_of_process() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
    const auto kilobytes = number_after("/proc/self/status", "VmSize:");
    return double(limit.rlim_cur) - kilobytes.value_or(0) * 1024;
}

} // namespace

double available_memory() {
    return std::max(0.0, std::min({free_of_machine(), free_of_container(), free_of_process()}));
}

} // namespace sluice
