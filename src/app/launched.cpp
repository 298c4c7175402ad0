// SPDX-License-Identifier: Apache-2.0
#include "app/launched.h"

#include "app/interrupt.h"
#include "core/error.h"
#include "core/log.h"
#include "cpu/backend/cpu_backend.h"
#include "ranks/mpi_transport.h"
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string>
#if SLUICE_HAVE_CUDA
#include "cuda/backend/cuda_backend.h"
#endif
#include <thread>
#include <vector>

namespace sluice {

namespace {

/// The end of a process other than that of rank 0. Rank 0 reports why the run has ended, unless rank 0 is gone.
int end_of_other(MpiTransport& ranks) {
    int code = exit_done;
    if (ranks.first_is_lost()) {
        code = exit_code(Outcome::failed);
        try {
            std::rethrow_exception(ranks.failure());
        } catch (const std::exception& error) {
            if (ranks.rank() == 1) spdlog::error("error: {}", error.what());
        }
    }
    ranks.close(code);
    return code;
}

int run_ranks(const Launch& launch, const std::vector<std::string>& arguments,
              const std::function<int(Transport*)>& command) {
    MpiTransport ranks(launch, arguments);
    if (ranks.rank() > 0) {
        const std::atomic<int>& stop = catch_interrupts();
#if SLUICE_HAVE_CUDA
        serve_runs(ranks, stop, [&](const Message& begin) { serve_gpu_run(begin, ranks, stop); });
#else
        serve_runs(ranks, stop);
#endif
        return end_of_other(ranks);
    }
    const int code = command(&ranks);
    send_home(ranks);
    ranks.close(code);
    return code;
}

} // namespace

int run_launched(const Launch& launch, int argc, char** argv, const std::function<int(Transport*)>& command) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto first = std::ranges::find_if(arguments, [](const std::string& a) { return !a.starts_with('-'); });
    const std::string word = first == arguments.end() ? "" : *first;
    try {
        if (word == "run") return run_ranks(launch, arguments, command);
        if (word == "info" || word.empty()) return launch.rank == 0 ? command(nullptr) : exit_done;
        throw InputError(fmt::format("{}: {} has started {} processes ({}), and only sluice run shares its work: start "
                                     "one; SLUICE_MPI=off lets each of them act for itself",
                                     word, launch.launcher, launch.count, launch.sign));
    } catch (const InputError& error) { // on all ranks
        if (launch.rank == 0)
            spdlog::error("error: {}", error.what());
        else // launchers end all processes when one of them has failed: rank 0 reports first
            std::this_thread::sleep_for(std::chrono::seconds(2));
        return exit_bad_input;
    } catch (const std::exception& error) {
        spdlog::error("error: {}", error.what());
        return exit_code(outcome_of(error));
    }
}

} // namespace sluice
