// SPDX-License-Identifier: Apache-2.0
#include "cpu/cpu_options.h"

#include "core/error.h"
#include "core/log.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <omp.h>

namespace sluice {

namespace cpu {

namespace {

const SimdLevel& find_level(const std::vector<SimdLevel>& levels, const std::string& name) {
    std::string known;
    for (const SimdLevel& level : levels) {
        if (level.name == name) return level;
        known += (known.empty() ? "" : ", ") + level.name;
    }
    throw InputError(fmt::format("simd: there is no instruction set '{}', take one of {}", name, known));
}

const SimdLevel& widest(const std::vector<SimdLevel>& levels) {
    return *std::find_if(levels.rbegin(), levels.rend(), [](const SimdLevel& level) { return level.available; });
}

} // namespace

Choice choose(const CpuOptions& options, const sph::Constants& constants, std::uint32_t) {
    Choice choice;
    choice.mode = options.mode.value_or(CpuMode::symmetric);
    choice.cells = options.cells.value_or(CellSize::h);
    const auto levels = simd_levels();
    const bool vectorised = constants.gamma == 7; // the vector code knows the sound speed of this exponent only
    if (options.simd && *options.simd != "off" && !vectorised)
        throw InputError(fmt::format("simd: {} is for gamma = 7 (this case has {}), take off", *options.simd, constants.gamma));
    const SimdLevel& level = options.simd ? find_level(levels, *options.simd) : vectorised ? widest(levels) : levels.front();
    if (!level.available)
        throw InputError(fmt::format("simd: this processor cannot run {} ({}), take a lower level or leave the choice open",
                                     level.name, level.description));
    choice.simd = level.name;
    if (options.threads < 0) throw InputError(fmt::format("threads: cannot be negative ({})", options.threads));
    choice.threads = options.threads > 0 ? options.threads : omp_get_num_procs();
    spdlog::info("CPU: {} mode, cells {}, simd {}, {} threads", mode_info(cpu_modes, choice.mode).name,
                 mode_info(cell_sizes, choice.cells).name, choice.simd, choice.threads);
    return choice;
}

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown processor";
}

} // namespace cpu
} // namespace sluice
