// SPDX-License-Identifier: Apache-2.0
#include "cpu/backend/cpu_options.h"

#include "core/error.h"
#include "core/log.h"
#include "core/numbers.h"
#include "cpu/particles/processor.h"
#include "ranks/transport.h"

#include <algorithm>
#include <fmt/format.h>

namespace sluice::cpu {

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

const SimdLevel& choose_simd(const CpuOptions& options, const sph::Constants& constants,
                             const std::vector<SimdLevel>& levels) {
    const bool vectorised = constants.gamma == 7; // the vector code knows the sound speed of this exponent only
    if (!options.simd) return vectorised ? widest(levels) : levels.front();
    const SimdLevel& level = find_level(levels, *options.simd);
    if (!level.available)
        throw InputError(
            fmt::format("simd: this processor cannot run {} ({}), take a lower level or leave the choice open",
                        level.name, level.description));
    if (!vectorised && level.name != levels.front().name)
        throw InputError(fmt::format("simd: {} is for gamma = 7 and this case has {}, take {}", level.name,
                                     constants.gamma, levels.front().name));
    return level;
}

/// Symmetric computes each pair once, and is the fastest as long as every thread has tiles to take that do not touch
/// those of the others; else asymmetric, which goes on sharing the work down to the single cell.
CpuMode choose_mode(std::uint32_t particles, int threads) {
    constexpr std::uint32_t particles_per_thread = 10000;
    return threads == 1 || particles / particles_per_thread >= static_cast<std::uint32_t>(threads)
               ? CpuMode::symmetric
               : CpuMode::asymmetric;
}

/// Ranks that the options ask for; none: the run is not for ranks.
std::optional<int> wanted_ranks(const CpuOptions& options) {
    return options.processes ? options.processes->count() : options.ranks;
}

/// Several ranks give the numbers of one, whatever their number: only in the mode whose sums belong to one particle
/// each.
void choose_ranks(const CpuOptions& options, Choice& choice) {
    const std::optional<int> ranks = wanted_ranks(options);
    if (!ranks) return;
    if (*ranks < 1) throw InputError(fmt::format("ranks: at least one is needed ({})", *ranks));
    if (choice.mode != CpuMode::asymmetric)
        throw InputError(fmt::format("--ranks: ranks compute in mode asymmetric, and mode {} is asked for: take "
                                     "--cpu-mode asymmetric, or leave out --ranks{}",
                                     mode_info(cpu_modes, choice.mode).name,
                                     options.processes ? " and start one process" : ""));
    choice.ranks = *ranks;
    choice.split = options.split;
    if (choice.ranks == 1) return;
    const int on_these_cores = options.processes ? options.processes->ranks_on_cores() : choice.ranks;
    if (options.threads == 0) choice.threads = std::max(1, choice.threads / on_these_cores);
    choice.threads_as_pay = false;
}

} // namespace

Choice choose(const CpuOptions& options, const sph::Constants& constants, std::uint32_t particle_count) {
    if (options.threads < 0) throw InputError(fmt::format("threads: cannot be negative ({})", options.threads));
    Choice choice;
    choice.threads_asked = options.threads > 0;
    choice.threads = choice.threads_asked ? options.threads : default_threads();
    choice.mode = options.mode.value_or(wanted_ranks(options) ? CpuMode::asymmetric
                                                              : choose_mode(particle_count, choice.threads));
    // slices are added up thread by thread: another number of threads would give other sums
    choice.threads_as_pay = options.threads == 0 && !openmp_says_threads() && choice.mode != CpuMode::slices;
    if (options.slice_axis && choice.mode != CpuMode::slices)
        throw InputError(fmt::format("slice axis: mode {} has no slices, take mode slices or leave the axis out",
                                     mode_info(cpu_modes, choice.mode).name));
    choice.slice_axis = options.slice_axis;
    choice.cells = options.cells.value_or(CellSize::h);
    choice.simd = choose_simd(options, constants, simd_levels()).name;
    choose_ranks(options, choice);
    return choice;
}

void log_choice(const CpuOptions& options, const Choice& choice, const sph::Constants& constants,
                std::uint32_t particle_count) {
    const std::string as_given = options.goes_on ? "as the run began" : "as asked";
    const auto reason = [&](bool given, const std::string& why) { return given ? as_given : why; };
    spdlog::info("CPU: {}{} on {}", choice.threads_as_pay && choice.threads > 1 ? "up to " : "",
                 threads_text(choice.ranks, choice.threads), processor_name());
    spdlog::info(
        "  mode {} ({})", mode_info(cpu_modes, choice.mode).name,
        reason(options.mode.has_value(), wanted_ranks(options) ? "the mode in which the number of ranks changes no bit"
                                         : choice.mode == CpuMode::symmetric
                                             ? "each pair once, the least work"
                                             : fmt::format("{} particles are few for {} threads to share pairs",
                                                           particle_count, choice.threads)));
    if (choice.slice_axis)
        spdlog::info("  slices cut across {} ({})", mode_info(slice_axes, *choice.slice_axis).name, as_given);
    spdlog::info("  cells {} ({})", mode_info(cell_sizes, choice.cells).name,
                 reason(options.cells.has_value(), "fewer particles to search than with cells 2h"));
    spdlog::info("  simd {} ({})", choice.simd,
                 reason(options.simd.has_value(),
                        constants.gamma == 7 ? "the widest that this processor has"
                                             : fmt::format("gamma is {}, vector code is for 7", constants.gamma)));
}

} // namespace sluice::cpu
