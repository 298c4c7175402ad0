// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/version.h"
#include "app/version_line.h"
#include "backend/modes.h"
#include "core/numbers.h"
#include "core/terminal.h"
#include "cpu/backend/cpu_backend.h"
#include "cpu/particles/processor.h"
#include "model/method.h"
#include "ranks/launch.h"
#include "ranks/mpi_library.h"
#if SLUICE_HAVE_CUDA
#include "cuda/backend/cuda_backend.h"
#endif
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace sluice {

namespace {

/// "  name   what it is", in the width of the terminal.
void print_entry(const std::string& name, const std::string& meaning) {
    constexpr std::size_t meanings = 15; // the column where they begin
    fmt::print("{}\n", wrapped(fmt::format("  {:<{}} {}", name, meanings - 3, meaning), columns_behind(STDOUT_FILENO),
                               meanings));
}

template <class Table>
void print_modes(const char* title, const Table& table) {
    fmt::print("{}\n", title);
    for (const auto& entry : table) print_entry(std::string(entry.option), std::string(entry.description));
}

using Json = nlohmann::ordered_json;

template <class Table>
Json modes_json(const Table& table) {
    Json json = Json::array();
    for (const auto& entry : table)
        json.push_back({{"option", entry.option}, {"name", entry.name}, {"description", entry.description}});
    return json;
}

void print_methods() {
    fmt::print("methods (Method of a case):\n");
    for (const MethodName& m : method_names) print_entry(m.word, m.name);
}

Json methods_json() {
    Json json = Json::array();
    for (const MethodName& m : method_names) json.push_back({{"word", m.word}, {"name", m.name}});
    return json;
}

#if SLUICE_HAVE_CUDA
void print_gpus() {
    std::string why_none;
    const std::vector<GpuDevice> gpus = list_gpus(&why_none);
    fmt::print("GPUs (--device, --gpus):{}\n", gpus.empty() ? " none (" + why_none + ")" : "");
    for (const GpuDevice& gpu : gpus)
        print_entry(std::to_string(gpu.index),
                    fmt::format("{}, compute capability {}.{}, {:.1f} of {:.1f} GB free, {}", gpu.name,
                                gpu.compute_major, gpu.compute_minor, double(gpu.free_memory) * 1e-9,
                                double(gpu.total_memory) * 1e-9, gpu.driver));
}

Json gpus_json() {
    Json json = Json::array();
    for (const GpuDevice& gpu : list_gpus())
        json.push_back({{"device", gpu.index},
                        {"name", gpu.name},
                        {"compute_capability", fmt::format("{}.{}", gpu.compute_major, gpu.compute_minor)},
                        {"total_memory", gpu.total_memory},
                        {"free_memory", gpu.free_memory},
                        {"driver", gpu.driver}});
    return json;
}
#else
void print_gpus() { fmt::print("GPUs: this build has no CUDA\n"); }

Json gpus_json() { return Json::array(); }
#endif

/// What the ranks of a run may be, and what they would be as the program was started now.
struct RanksInfo {
    Launch launch = find_launch();
    MpiLibrary mpi = load_mpi();

    const char* transport() const { return launch.count == 1 ? "threads" : mpi.calls ? "mpi" : "none"; }
    std::string why() const {
        if (launch.count == 1) return "no launcher has started several processes";
        return fmt::format("{} has started {} processes ({})", launch.launcher, launch.count, launch.sign);
    }
};

void print_ranks() {
    const RanksInfo ranks;
    fmt::print("ranks: on the CPU, in mode asymmetric\n");
    print_entry("threads", "threads of one process (--ranks N)");
    print_entry("mpi", fmt::format("processes (mpirun -n N sluice run …): {}",
                                   ranks.mpi.calls ? ranks.mpi.name : ranks.mpi.why_none));
    print_entry("now", fmt::format("{}: {}", ranks.transport(), ranks.why()));
}

Json ranks_json() {
    const RanksInfo ranks;
    return {{"transport", ranks.transport()},
            {"why", ranks.why()},
            {"processes", ranks.launch.count},
            {"mpi", ranks.mpi.calls ? Json(ranks.mpi.name) : Json()},
            {"why_no_mpi", ranks.mpi.calls ? Json() : Json(ranks.mpi.why_none)}};
}

std::string info_json() {
    Json levels = Json::array();
    for (const auto& level : simd_levels())
        levels.push_back({{"option", level.name}, {"description", level.description}, {"available", level.available}});
    const Json json{{"version", version},
                    {"build_type", build_type},
                    {"compiler", compiler},
                    {"cuda", bool(SLUICE_HAVE_CUDA)},
                    {"processor", processor_name()},
                    {"threads", default_threads()},
                    {"methods", methods_json()},
                    {"simd", levels},
                    {"cpu_modes", modes_json(cpu_modes)},
                    {"cells", modes_json(cell_sizes)},
                    {"ranks", ranks_json()},
                    {"gpu_modes", modes_json(gpu_modes)},
                    {"gpus", gpus_json()}};
    return json.dump(2) + "\n";
}

} // namespace

int info_command(bool as_json) {
    if (as_json) {
        fmt::print("{}", info_json());
        return exit_done;
    }
    fmt::print("Sluice {}, {}, {}\n\n", version_line(), build_type, compiler);
    fmt::print("processor: {}, {}\n", processor_name(), counted(default_threads(), "thread"));
    print_methods();
    fmt::print("instruction sets (--simd):\n");
    for (const auto& level : simd_levels())
        print_entry(level.name, std::string(level.description) + (level.available ? "" : " (not on this processor)"));
    print_modes("CPU modes (--cpu-mode):", cpu_modes);
    print_modes("cells (--cells):", cell_sizes);
    print_ranks();
    print_modes("GPU modes (--gpu-mode):", gpu_modes);
    print_gpus();
    return exit_done;
}

} // namespace sluice
