// SPDX-License-Identifier: Apache-2.0
#include "app/backend_choice.h"
#include "app/method_choice.h"
#include "backend/gpu_memory_plan.h"

#include "core/error.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "cpu/particles/limits.h"
#include "ranks/transport.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#if SLUICE_HAVE_CUDA
#include "cuda/backend/cuda_backend.h"
#endif

namespace sluice {

namespace {

CpuOptions cpu_options(const BackendOptions& options) {
    CpuOptions cpu;
    cpu.mode = options.cpu_mode;
    cpu.cells = options.cells;
    cpu.slice_axis = options.slice_axis;
    cpu.simd = options.simd;
    cpu.goes_on = options.goes_on;
    cpu.threads = options.threads;
    cpu.ranks = options.ranks;
    if (options.split) cpu.split = *options.split;
    cpu.processes = options.processes;
    cpu.stop = options.stop;
    return cpu;
}

std::unique_ptr<Backend> make_cpu(const RunSetup& setup, std::uint32_t particles, const BackendOptions& options) {
    return make_cpu_backend(setup, particles, cpu_options(options));
}

/// Bytes of the ranks on this host.
double bytes_here(const std::vector<RankMemory>& ranks, const BackendOptions& options) {
    const std::size_t here =
        options.processes ? static_cast<std::size_t>(options.processes->ranks_on_cores()) : ranks.size();
    double bytes = 0; // launchers number those of a host one after the other
    for (std::size_t r = 0; r < std::min(here, ranks.size()); ++r) bytes += ranks[r].bytes;
    return bytes;
}

/// Another number of ranks that would fit, as many on each host as now, in words; none: nothing. Several processes may
/// be more; more of one would hold more.
std::string ranks_that_fit(const RunSetup& setup, const ParticleState& state, const BackendOptions& options,
                           double available) {
    CpuOptions cpu = cpu_options(options);
    cpu.processes = nullptr;
    cpu.split = {}; // what was asked for is for another number
    const int asked = options.processes ? options.processes->count() : options.ranks.value_or(1);
    for (int ranks = asked; ranks > 1 && ranks <= cpu::most_ranks; options.processes ? ranks *= 2 : --ranks) {
        cpu.ranks = ranks;
        if (bytes_here(sluice::rank_memory(setup, state, cpu), options) <= available)
            return fmt::format("{} {} would fit", ranks,
                               options.processes ? "processes, as many on each host," : "ranks");
    }
    return "";
}

#if SLUICE_HAVE_CUDA

bool has_gpu(std::string* why_none) { return count_gpus(why_none) > 0; }

/// Of the GPUs of one kind, as many as pay for so many particles.
std::vector<int> devices_that_pay(std::uint32_t particles, int first) {
    std::vector<int> devices = alike_gpus(first);
    const auto there = static_cast<int>(devices.size());
    if (there > 1) devices.resize(std::size_t(gpus_that_pay(particles, there)));
    spdlog::info("--gpus auto: {} of {} alike, since {} particles and more a GPU pay", devices.size(), there,
                 least_particles_a_gpu);
    return devices;
}

/// The GPUs that share a run. InputError if there are not as many.
std::vector<int> devices_of(const BackendOptions& options, std::uint32_t particles) {
    std::vector<int> devices;
    if (options.processes) { // as many for each, wherever it is: they number their own
        if (options.gpus == as_many_gpus_as_pay)
            throw InputError("--gpus auto: how many pay is known of the GPUs of one process; with several processes "
                             "say how many each has, as --gpus 4");
        devices.resize(static_cast<std::size_t>(options.gpus.value_or(1)));
        return devices;
    }
    const int wanted = options.gpus.value_or(1), there = count_gpus();
    if (wanted == 1) return devices;
    if (wanted == as_many_gpus_as_pay) return devices_that_pay(particles, options.device);
    if (options.device + wanted > there)
        throw InputError(fmt::format("--gpus {}{}: {} here; take fewer", wanted,
                                     options.device > 0 ? fmt::format(" --device {}", options.device) : "",
                                     there == 1 ? "there is one GPU" : fmt::format("there are {} GPUs", there)));
    for (int n = 0; n < wanted; ++n) devices.push_back(options.device + n);
    return devices;
}

std::unique_ptr<Backend> make_gpu(const RunSetup& setup, std::uint32_t particles, const BackendOptions& options) {
    CudaOptions cuda;
    cuda.device = options.device;
    cuda.devices = devices_of(options, particles);
    cuda.mode = options.gpu_mode;
    cuda.mode_before = options.gpu_mode_before;
    if (options.gpu_memory) cuda.memory_limit = static_cast<std::size_t>(*options.gpu_memory);
    cuda.neighbour_list = options.neighbour_list;
    if (options.processes) return make_cuda_backend(setup, particles, cuda, *options.processes, options.stop);
    return make_cuda_backend(setup, particles, cuda);
}

/// On that of so many devices which has least.
std::optional<double> free_gpu_memory(int first, int devices) {
    if (first < 0 || first + devices > count_gpus()) return std::nullopt;
    double least = std::numeric_limits<double>::infinity();
    for (int n = 0; n < devices; ++n) least = std::min(least, double(describe_gpu(first + n).free_memory));
    return least;
}

/// How many GPUs a run of the options takes.
int gpus_of(const BackendOptions& options, std::uint32_t particles) {
    const int wanted = options.gpus.value_or(1);
    if (wanted != as_many_gpus_as_pay) return wanted;
    return gpus_that_pay(particles, static_cast<int>(alike_gpus(options.device).size()));
}

#else

bool has_gpu(std::string* why_none) {
    *why_none = "this build has no CUDA: configure with -DSLUICE_CUDA=ON";
    return false;
}

std::unique_ptr<Backend> make_gpu(const RunSetup&, std::uint32_t, const BackendOptions&) { return nullptr; }

std::optional<double> free_gpu_memory(int, int) { return std::nullopt; }

int gpus_of(const BackendOptions& options, std::uint32_t) { return std::max(1, options.gpus.value_or(1)); }

#endif

} // namespace

namespace {

std::vector<MemoryModel> models_on_cpu(const RunSetup& setup, const BackendOptions& options) {
    if (setup.method == Method::sph) return cpu_memory_models(options.threads);
    std::vector<MemoryModel> models = memory_models_of(setup);
    std::erase_if(models, [](const MemoryModel& model) { return !model.mode.starts_with("cpu"); });
    return models;
}

} // namespace

void require_cpu_memory(const RunSetup& setup, const Spread& spread, const BackendOptions& options) {
    double least = std::numeric_limits<double>::infinity();
    for (const MemoryModel& model : models_on_cpu(setup, options))
        least = std::min(least, model.total(spread.particles, cells_walked(setup, spread, model.cell_divisions)));
    const double available = available_memory();
    if (least <= available) return;
    const BytesTexts bytes = bytes_texts(least, available);
    throw InputError(
        fmt::format("the run needs {} of memory ({} particles and the cells of the {:g} x {:g} x {:g} m where they "
                    "are), and {} are free: use a larger dp, or a larger machine",
                    bytes.needed, spread.particles, spread.high.x - spread.low.x, spread.high.y - spread.low.y,
                    spread.high.z - spread.low.z, bytes.available));
}

std::vector<RankMemory> rank_memory(const RunSetup& setup, const ParticleState& state, const BackendOptions& options) {
    if (settled_kind(options, setup) != BackendKind::cpu) return {};
    return rank_memory(setup, state, cpu_options(options));
}

void require_rank_memory(const RunSetup& setup, const ParticleState& state, const BackendOptions& options,
                         double available) {
    const double needed = bytes_here(rank_memory(setup, state, options), options);
    if (needed <= available) return;
    const BytesTexts bytes = bytes_texts(needed, available);
    const std::string others = ranks_that_fit(setup, state, options, available);
    throw InputError(fmt::format("the run's ranks need {} of memory on this host, and {} are free: {}{}", bytes.needed,
                                 bytes.available, others.empty() ? "" : others + ", or ",
                                 "use a larger dp, or a larger machine"));
}

std::string method_text(Method method) {
    return fmt::format("{} (Method={})", method_name(method).name, method_name(method).word);
}

std::string missing_on_gpus(const RunSetup& setup) {
    if (setup.moorings.any() && setup.bodies.empty()) return "the lines of <moorings> without floating bodies";
    if (setup.flexible.any()) return "the flexible structures of <flexstrucs>";
    if (has_tension(setup.fluids)) return "fluids with surface tension (surfcoef)";
    return "";
}

BackendKind settled_kind(const BackendOptions& options, const RunSetup& setup) {
    if (setup.method != Method::sph) require_options_without_modes(setup.method, options);
    const bool splits = options.split && options.split->kind != cpu::Split::Kind::automatic;
    const bool asks_for_cpu =
        options.cpu_mode || options.cells || options.slice_axis || options.simd || options.ranks || splits;
    const bool asks_for_gpu = options.gpu_mode || options.neighbour_list || options.gpus;
    if (asks_for_cpu && (asks_for_gpu || options.kind == BackendKind::cuda))
        throw InputError(
            "--cpu-mode, --cells, --slice-axis, --simd, --ranks and --split are for the CPU and this run asks for a "
            "GPU: leave out the one or the other");
    if (asks_for_gpu && options.kind == BackendKind::cpu)
        throw InputError(
            "--gpu-mode, --neighbour-list and --gpus are for GPUs and this run asks for the CPU: leave out "
            "the one or the other");
    if (options.kind == BackendKind::cpu || asks_for_cpu) return BackendKind::cpu;
    if (const std::string missing = missing_on_gpus(setup);
        !missing.empty() && (options.kind == BackendKind::cuda || asks_for_gpu))
        throw InputError(fmt::format("--backend cuda: {} are not computed on GPUs yet, use --backend cpu", missing));
    if (options.processes && options.kind == BackendKind::automatic && !asks_for_gpu) return BackendKind::cpu;
    if (options.kind == BackendKind::automatic && !asks_for_gpu && !missing_on_gpus(setup).empty())
        return BackendKind::cpu;
    std::string why_none;
    if (has_gpu(&why_none)) return BackendKind::cuda;
    if (options.kind == BackendKind::cuda || asks_for_gpu)
        throw RunError(fmt::format("{}: no GPU can be used ({}); --backend cpu would run",
                                   options.gpu_mode         ? "--gpu-mode"
                                   : options.neighbour_list ? "--neighbour-list"
                                   : options.gpus           ? "--gpus"
                                                            : "--backend cuda",
                                   why_none));
    return BackendKind::cpu;
}

BackendOptions as_far_as_here(BackendOptions options) {
    std::string why_none;
    if (has_gpu(&why_none)) return options;
    options.gpu_mode.reset();
    options.neighbour_list.reset();
    options.gpus.reset();
    return options;
}

namespace {

std::unique_ptr<Backend> make_sph(const RunSetup& setup, std::uint32_t particles, const BackendOptions& options) {
    if (settled_kind(options, setup) == BackendKind::cuda) return make_gpu(setup, particles, options);
    if (std::string why_none; options.kind == BackendKind::automatic) {
        if (!has_gpu(&why_none))
            spdlog::info("GPU: none ({})", why_none);
        else if (const std::string missing = missing_on_gpus(setup); !missing.empty())
            spdlog::info("GPU: not used, for {} are not computed on GPUs yet", missing);
    }
    return make_cpu(setup, particles, options);
}

} // namespace

std::unique_ptr<Backend> make_backend(const RunSetup& setup, std::uint32_t particles, const BackendOptions& options) {
    switch (setup.method) {
    case Method::sph: return make_sph(setup, particles, options);
    case Method::mps: return make_mps(setup, settled_kind(options, setup), particles, options);
    case Method::fvpm: return make_fvpm(setup, settled_kind(options, setup), particles, options);
    }
    throw InputError(fmt::format("{}: no run can be computed with it yet, take Method=sph", method_text(setup.method)));
}

std::vector<MemoryEstimate> memory_estimates(const RunSetup& setup, const Spread& spread,
                                             const BackendOptions& options) {
    std::vector<MemoryEstimate> estimates;
    const auto add = [&](const MemoryModel& model, std::uint64_t cells) {
        estimates.push_back({model, cells, model.total(spread.particles, cells)});
    };
    if (setup.method != Method::sph) {
        for (const MemoryModel& model : memory_models_of(setup)) add(model, cells_walked(setup, spread, 1));
        return estimates;
    }
    for (const MemoryModel& model : cpu_memory_models(options.threads))
        add(model, cells_walked(setup, spread, model.cell_divisions));
    GpuMemoryRequest request{setup, spread.particles, 1e300, {}, {}};
    for (const GpuModePlan& plan : plan_gpu_memory(request).modes) add(plan.model, plan.cells);
    return estimates;
}

std::optional<GpuMemoryPlan> gpu_memory_plan(const RunSetup& setup, std::uint32_t particles,
                                             const BackendOptions& options) {
    if (setup.method != Method::sph) return std::nullopt; // which has versions to choose from
    const int gpus = gpus_of(options, particles);
    const std::optional<double> available =
        options.gpu_memory ? options.gpu_memory : free_gpu_memory(options.device, gpus);
    if (!available) return std::nullopt;
    return plan_gpu_memory({setup, particles, *available, options.gpu_mode, options.neighbour_list, gpus});
}

} // namespace sluice
