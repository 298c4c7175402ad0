// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/version.h"
#include "cpu/cpu_backend.h"
#include "run/modes.h"
#include <fmt/format.h>
#include <fstream>
#include <omp.h>

namespace sluice {

namespace {

std::string processor_name() {
    std::ifstream cpuinfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown processor";
}

template <class Table>
void print_modes(const char* title, const Table& table) {
    fmt::print("{}\n", title);
    for (const auto& entry : table) fmt::print("  {:<12} {}\n", entry.option, entry.description);
}

} // namespace

int info_command() {
    fmt::print("Sluice {} ({}, {})\n\n", version, build_type, compiler);
    fmt::print("processor: {}, {} threads\n", processor_name(), omp_get_max_threads());
    fmt::print("instruction sets (--simd):\n");
    for (const auto& level : simd_levels())
        fmt::print("  {:<12} {}{}\n", level.name, level.description, level.available ? "" : " (not on this processor)");
    print_modes("CPU modes (--cpu-mode):", cpu_modes);
    print_modes("cells (--cells):", cell_sizes);
    return exit_done;
}

} // namespace sluice
