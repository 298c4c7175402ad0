// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include "app/commands.h"
#include "app/version.h"
#include "core/error.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

// Every option stands here once: CLI11 parses by this table and makes each --help from it.

namespace sluice {

namespace {

/// The option values of a mode table, for --help and for checking.
template <class Table>
std::vector<std::string> option_names(const Table& table) {
    std::vector<std::string> names{"auto"};
    for (const auto& entry : table) names.emplace_back(entry.option);
    return names;
}

template <class Mode, class Table>
std::optional<Mode> mode_of(const std::string& option, const Table& table) {
    for (const auto& entry : table)
        if (entry.option == option) return entry.mode;
    return std::nullopt;
}

/// Options as text, before they are turned into what the commands take.
struct RawOptions {
    std::vector<std::string> set;
    std::string cpu_mode = "auto", cells = "auto", simd = "auto";
};

CLI::Option* add_positive(CLI::App& app, const std::string& name, std::optional<double>& value, const std::string& help) {
    return app.add_option(name, value, help)->check(CLI::PositiveNumber)->type_name("NUMBER");
}

void add_case_options(CLI::App& app, std::filesystem::path& case_file, CaseOverrides& overrides, RawOptions& raw) {
    app.add_option("CASE", case_file, "case definition (XML)")->required();
    add_positive(app, "--dp", overrides.dp, "particle spacing instead of the case's, m");
    add_positive(app, "--tmax", overrides.time_max, "end of the simulation instead of the case's TimeMax, s");
    add_positive(app, "--tout", overrides.time_out, "time between frames instead of the case's TimeOut, s");
    app.add_option("--set", raw.set, "KEY=VALUE: a parameter or constant instead of the case's; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

void add_backend_options(CLI::App& app, BackendOptions& backend, RawOptions& raw) {
    app.add_option("--threads", backend.threads, "threads of the CPU, default all")->check(CLI::PositiveNumber);
    app.add_option("--cpu-mode", raw.cpu_mode, "interaction mode of the CPU")->check(CLI::IsMember(option_names(cpu_modes)))->capture_default_str();
    app.add_option("--cells", raw.cells, "side of the cells")->check(CLI::IsMember(option_names(cell_sizes)))->capture_default_str();
    app.add_option("--simd", raw.simd, "instruction set (see sluice info)")->capture_default_str();
}

void apply(const RawOptions& raw, CaseOverrides& overrides, BackendOptions& backend) {
    for (const std::string& text : raw.set) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            throw InputError(fmt::format("--set: needs KEY=VALUE ({}), e.g. --set Visco=0.05", text));
        overrides.set.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    backend.cpu_mode = mode_of<CpuMode>(raw.cpu_mode, cpu_modes);
    backend.cells = mode_of<CellSize>(raw.cells, cell_sizes);
    if (raw.simd != "auto") backend.simd = raw.simd;
}

} // namespace

int run_command_line(int argc, char** argv) {
    CLI::App app{"Sluice: smoothed particle hydrodynamics for free-surface flow"};
    app.set_version_flag("--version", fmt::format("sluice {}", version));
    app.require_subcommand(1);
    app.footer("Exit codes: 0 done, 1 the run failed or was interrupted, 2 bad input.");

    RunOptions run;
    RawOptions run_raw;
    CLI::App* run_app = app.add_subcommand("run", "run a case");
    add_case_options(*run_app, run.case_file, run.overrides, run_raw);
    run_app->add_option("-o,--out", run.out, "folder for the results, default CASE_out");
    run_app->add_flag("--overwrite", run.overwrite, "replace the results that lie in the folder");
    run_app->add_option("--steps", run.max_steps, "stop after so many steps")->check(CLI::NonNegativeNumber)->type_name("N");
    run_app->add_option("--pictures", run.pictures, "draw so many of the frames as PNG")->check(CLI::NonNegativeNumber)->capture_default_str();
    run_app->add_option("--compression", run.compression, "of the frames, 0 to 9")->check(CLI::Range(0, 9))->capture_default_str();
    add_backend_options(*run_app, run.backend, run_raw);

    CheckOptions check;
    RawOptions check_raw;
    CLI::App* check_app = app.add_subcommand("check", "show what a run would do: particles, constants, memory, time");
    add_case_options(*check_app, check.case_file, check.overrides, check_raw);
    check_app->add_flag("--json", check.json, "print JSON");
    add_backend_options(*check_app, check.backend, check_raw);

    CLI::App* info_app = app.add_subcommand("info", "show build, processor, instruction sets, modes, GPUs");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? exit_done : exit_bad_input;
    }
    if (run_app->parsed()) {
        apply(run_raw, run.overrides, run.backend);
        return run_command(run);
    }
    if (check_app->parsed()) {
        apply(check_raw, check.overrides, check.backend);
        return check_command(check);
    }
    return info_app->parsed() ? info_command() : exit_bad_input;
}

} // namespace sluice
