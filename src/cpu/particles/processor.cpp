// SPDX-License-Identifier: Apache-2.0
#include "cpu/particles/processor.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <omp.h>

namespace sluice {

namespace {

/// How long a thread spins before it sleeps, while it waits for others. GNU OpenMP's own default is milliseconds, which
/// makes a run several times slower beside other programs; this is some ten microseconds, nearly as fast on an idle one
/// (docs/performance-cpu.md). Before OpenMP's own constructor, which reads it.
[[gnu::constructor(101)]] void spin_shortly() {
    if (!std::getenv("OMP_WAIT_POLICY")) setenv("GOMP_SPINCOUNT", "1000", 0);
}

/// The group of this process: the line "0::PATH".
std::string own_group() {
    std::ifstream file("/proc/self/cgroup");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("0::/")) return line.substr(4);
    return "";
}

} // namespace

std::string processor_name(std::istream& cpuinfo) {
    std::string implementer, part;
    for (std::string line; std::getline(cpuinfo, line);) {
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos) continue;
        const std::string value = line.substr(colon + 2);
        if (line.starts_with("model name")) return value;
        if (line.starts_with("CPU implementer")) implementer = value;
        if (line.starts_with("CPU part") && part.empty()) part = value;
    }
    if (!part.empty()) return "Arm processor, implementer " + implementer + ", part " + part;
    return "unknown processor";
}

std::string processor_name() {
    std::ifstream cpuinfo("/proc/cpuinfo");
    return processor_name(cpuinfo);
}

int processors_of_quota(const std::filesystem::path& root, const std::filesystem::path& group) {
    int least = INT_MAX;
    for (std::filesystem::path at = group;; at = at.parent_path()) {
        std::ifstream file(root / at / "cpu.max"); // "max 100000" or "250000 100000": time in a period
        double quota = 0, period = 0;
        if (file >> quota >> period && quota > 0 && period > 0)
            least = std::min(least, static_cast<int>(std::ceil(quota / period)));
        if (at.empty() || at == at.parent_path()) return least;
    }
}

bool openmp_says_threads() { return std::getenv("OMP_NUM_THREADS") != nullptr; }

int default_threads() {
    if (openmp_says_threads()) return omp_get_max_threads();
    return std::min(omp_get_num_procs(), processors_of_quota("/sys/fs/cgroup", own_group()));
}

} // namespace sluice
