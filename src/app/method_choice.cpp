// SPDX-License-Identifier: Apache-2.0
#include "app/method_choice.h"

#include "core/error.h"
#include "cpu/particles/processor.h"
#include "methods/mps/flow/backend.h"
#include "ranks/transport.h"
#include <fmt/format.h>

namespace sluice {

void require_options_without_modes(Method method, const BackendOptions& options) {
    const auto refuse = [&](const char* option, const char* advice) {
        throw InputError(
            fmt::format("{}: runs with Method={} have no such option; {}", option, method_name(method).word, advice));
    };
    const char* const leave_out = "leave it out";
    const bool splits = options.split && options.split->kind != cpu::Split::Kind::automatic;
    if (options.cpu_mode) refuse("--cpu-mode", leave_out);
    if (options.cells) refuse("--cells", leave_out);
    if (options.slice_axis) refuse("--slice-axis", leave_out);
    if (options.simd) refuse("--simd", leave_out);
    if (options.gpu_mode) refuse("--gpu-mode", leave_out);
    if (options.neighbour_list) refuse("--neighbour-list", leave_out);
    if (options.gpu_memory) refuse("--gpu-memory", leave_out);
    if (splits) refuse("--split", leave_out);
    if (options.ranks.value_or(1) != 1) refuse("--ranks", "one process computes them: leave it out");
    if (options.gpus.value_or(1) != 1) refuse("--gpus", "one GPU computes them: leave it out");
    if (options.processes && options.processes->count() > 1)
        throw InputError(fmt::format("runs with Method={} are not shared by several processes: start one",
                                     method_name(method).word));
}

std::unique_ptr<Backend> make_mps(const RunSetup& setup, BackendKind kind, const BackendOptions& options) {
    if (kind == BackendKind::cuda)
        throw InputError("--backend cuda: runs with Method=mps are not computed on GPUs yet, use --backend cpu");
    const int threads = options.threads > 0 ? options.threads : default_threads();
    return mps::make_backend(setup, {processor_name(), {mps::widest_lanes(), threads}});
}

std::vector<MemoryModel> memory_models_of(const RunSetup& setup) {
    if (setup.method != Method::mps) return {};
    return {mps::memory_model()};
}

} // namespace sluice
