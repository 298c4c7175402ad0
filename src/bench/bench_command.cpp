// SPDX-License-Identifier: Apache-2.0
#include "bench/bench_command.h"

#include "bench/bench_page.h"
#include "bench/experiment.h"
#include "bench/result_files.h"
#include "bench/variants.h"
#include "core/error.h"
#include "core/log.h"
#include "core/terminal.h"
#include "io/files/file.h"
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

namespace sluice {

namespace {

using namespace bench;

constexpr double seconds_per_experiment = 120;
constexpr std::uint64_t fewest_particles = 1000, most_particles = 4000000000;

void tell(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout); // a bench takes minutes: show where it is
}

int list() {
    std::string why;
    const bool gpu = gpu_present(&why);
    std::size_t names = 0; // width of the column
    for (const Experiment& e : experiments()) names = std::max(names, std::string_view(e.name).size());
    for (const Experiment& e : experiments())
        fmt::print("{}\n", wrapped(fmt::format("{:<{}}  {} ({}{})", e.name, names, e.title, e.reproduces,
                                               e.needs_gpu && !gpu ? "; needs a GPU" : ""),
                                   columns_behind(STDOUT_FILENO), names + 2));
    if (!gpu) fmt::print("{}", message_for(STDOUT_FILENO, fmt::format("No GPU here: {}\n", why)));
    return 0;
}

void check(const BenchOptions& options) {
    for (const std::uint64_t size : options.sizes)
        if (size < fewest_particles || size > most_particles)
            throw InputError(fmt::format("bench: --sizes: {} particles is out of range, take {} to {}", size,
                                         fewest_particles, most_particles));
    if (options.budget && !(*options.budget > 0))
        throw InputError(fmt::format("bench: --budget: must be positive ({})", *options.budget));
    if (options.simulate && options.name != "scaling" && options.name != "all")
        throw InputError(fmt::format("bench: --simulate is for scaling and all, and {} predicts nothing: leave it out",
                                     options.name));
    if (options.simulate) machine_of(*options.simulate);
}

/// Backends log their choices; a bench makes hundreds of them.
class QuietLog {
public:
    QuietLog() : before_(spdlog::get_level()) { spdlog::set_level(spdlog::level::warn); }
    ~QuietLog() { spdlog::set_level(before_); }
    QuietLog(const QuietLog&) = delete;
    QuietLog& operator=(const QuietLog&) = delete;

private:
    spdlog::level::level_enum before_;
};

ExperimentResult run_and_write(const Experiment& experiment, const BenchOptions& options, double budget,
                               const Machine& machine) {
    tell(fmt::format("{}: {}", experiment.name, experiment.title));
    Plan plan;
    plan.sizes = options.sizes;
    plan.budget = budget;
    plan.tell = tell;
    if (options.simulate) plan.machine = machine_of(*options.simulate);
    ExperimentResult result = run_experiment(experiment, plan);
    write_result_files(result, machine, options.out);
    return result;
}

int run_all(const BenchOptions& options, const Machine& machine) {
    const double budget = options.budget.value_or(seconds_per_experiment * double(experiments().size()));
    std::vector<ExperimentResult> results;
    double left = budget;
    std::size_t waiting = experiments().size();
    for (const Experiment& experiment : experiments()) {
        const double share = std::max(left / double(waiting--), 0.2 * budget / double(experiments().size()));
        results.push_back(run_and_write(experiment, options, share, machine));
        left -= results.back().wall_seconds; // what one does not need is for those after it
        if (!results.back().unavailable.empty()) tell("  " + results.back().unavailable);
    }
    write_file_atomically(options.out / "bench.html", bench_page(results, machine));
    tell(fmt::format("{}", (options.out / "bench.html").string()));
    return 0;
}

int run_one(const BenchOptions& options, const Machine& machine) {
    const Experiment& experiment = find_experiment(options.name);
    std::string why;
    if (experiment.needs_gpu && !gpu_present(&why))
        throw RunError(fmt::format("bench: {} needs a GPU: {}", options.name, why));
    const ExperimentResult result =
        run_and_write(experiment, options, options.budget.value_or(seconds_per_experiment), machine);
    fmt::print("{}\n{}\n", result_text(result), (options.out / (options.name + ".svg")).string());
    return 0;
}

} // namespace

int bench_command(const BenchOptions& options) {
    if (options.name == "list") return list();
    if (options.name != "all") find_experiment(options.name); // before anything is made
    check(options);
    make_folder(options.out);
    const QuietLog quiet;
    const Machine machine = this_machine({options.version, options.compiler, options.build_type, options.command});
    return options.name == "all" ? run_all(options, machine) : run_one(options, machine);
}

} // namespace sluice
