// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include "app/command_help.h"
#include "app/commands.h"
#include "app/interrupt.h"
#include "app/manual/completion.h"
#include "app/manual/manual_page.h"
#include "app/option_checks.h"
#include "app/post_processing.h"
#include "app/time_limit.h"
#include "app/version.h"
#include "app/version_line.h"
#include "app/watching.h"
#include "backend/gpu_memory_plan.h"
#include "bench/bench_command.h"
#include "core/error.h"
#include "cpu/backend/cpu_backend.h"
#include "cpu/particles/limits.h"
#include "io/measures/measure.h"
#include "model/fields.h"
#include "ranks/transport.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <string_view>

// Every option stands here once: CLI11 parses by this table and makes each --help from it.

namespace sluice {

namespace {

constexpr long long most_steps = std::numeric_limits<std::int64_t>::max();

template <class Mode, class Table>
std::optional<Mode> mode_of(const std::string& option, const Table& table) {
    for (const auto& entry : table)
        if (entry.option == option) return entry.mode;
    return std::nullopt;
}

/// Options as text, before they are turned into what the commands take.
struct RawOptions {
    std::vector<std::string> set;
    std::string backend = "auto", cpu_mode = "auto", cells = "auto", slice_axis = "auto", simd = "auto";
    std::string gpu_mode = "auto", gpu_memory, neighbour_list = "auto";
    std::string split = "auto";
};

std::vector<std::string> simd_names() {
    std::vector<std::string> names{"auto"};
    for (const SimdLevel& level : simd_levels()) names.push_back(level.name);
    return names;
}

CLI::Option* add_positive(CLI::App& app, const std::string& name, std::optional<double>& value,
                          const std::string& help) {
    return app.add_option(name, value, help)->check(positive_number())->type_name("NUMBER");
}

/// "velocity", or "+velocity".
std::string without_plus(const std::string& name) { return name.substr(name.starts_with('+') ? 1 : 0); }

void add_fields(CLI::App& app, FieldSelection& fields) {
    std::vector<std::string> words{"position"};
    for (const FieldInfo& info : particle_fields) words.emplace_back(info.name);
    const CLI::Validator known = one_of(words);
    const auto take = [&fields](const std::vector<std::string>& names) {
        fields = {};
        for (const std::string& name : names) {
            if (name.starts_with('+')) fields = fields | default_fields;
            if (const auto field = field_named(without_plus(name))) fields.add(*field);
        }
    };
    app.add_option_function<std::vector<std::string>>(
           "--fields", take,
           "values that the frames hold besides id and position, with commas between; \"position\" alone: no others; "
           "with + before a name: besides " +
               names_of(default_fields))
        ->delimiter(',')
        ->check(CLI::Validator(
            [known](std::string& name) {
                std::string word = without_plus(name);
                return known(word);
            },
            known.get_description()))
        ->default_str(names_of(default_fields));
}

void add_case_options(CLI::App& app, std::filesystem::path& case_file, CaseOverrides& overrides, RawOptions& raw) {
    app.add_option("CASE", case_file, "case definition (XML)")->type_name("FILE");
    add_positive(app, "--dp", overrides.dp, "particle spacing instead of the case's, m");
    add_positive(app, "--tmax", overrides.time_max, "end of the simulation instead of the case's TimeMax, s");
    add_positive(app, "--tout", overrides.time_out, "time between frames instead of the case's TimeOut, s");
    app.add_option("--set", raw.set, "a parameter or constant instead of the case's; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

void add_backend_options(CLI::App& app, BackendOptions& backend, RawOptions& raw) {
    app.add_option("--backend", raw.backend, "where to run; auto takes a GPU if there is one")
        ->check(one_of({"auto", "cpu", "cuda"}, {{"gpu", "cuda"}, {"GPU", "cuda"}, {"nvidia", "cuda"}}))
        ->capture_default_str();
    app.add_option("--threads", backend.threads, "threads of the CPU, default as many as pay; with --ranks, of each")
        ->check(whole_number(1, cpu::most_threads));
    app.add_option("--ranks", backend.ranks,
                   "ranks that share a run on the CPU, in --cpu-mode asymmetric; their number changes no result")
        ->check(whole_number(1, cpu::most_ranks))
        ->type_name("N");
    app.add_option("--cpu-mode", raw.cpu_mode, "interaction mode of the CPU")
        ->check(one_of(option_names(cpu_modes)))
        ->capture_default_str();
    app.add_option("--cells", raw.cells, "side of the cells")
        ->check(one_of(option_names(cell_sizes)))
        ->capture_default_str();
    app.add_option("--slice-axis", raw.slice_axis,
                   "axis across which --cpu-mode slices cuts the domain; auto takes the longest")
        ->check(one_of(option_names(slice_axes)))
        ->capture_default_str();
    app.add_option("--simd", raw.simd, "instruction set")->check(one_of(simd_names()))->capture_default_str();
    app.add_option("--device", backend.device, "number of the GPU")->check(whole_number(0))->capture_default_str();
    app.add_option_function<std::string>(
           "--gpus",
           [&backend](const std::string& given) {
               backend.gpus = given == "auto" ? as_many_gpus_as_pay : std::stoi(given);
           },
           "GPUs of this host that share the run, from --device on, or auto, as many as pay; their number changes no "
           "result")
        ->check(whole_number_or("auto", 1, most_gpus))
        ->type_name("N");
    app.add_option("--gpu-mode", raw.gpu_mode, "version of the GPU interaction")
        ->check(one_of(option_names(gpu_modes)))
        ->capture_default_str();
    app.add_option("--gpu-memory", raw.gpu_memory, "memory that the GPU may use, e.g. 1.4G; default what is free")
        ->type_name("SIZE");
    app.add_option("--neighbour-list", raw.neighbour_list, "neighbour lists kept over several steps on the GPU")
        ->check(one_of({"auto", "on", "off"}))
        ->capture_default_str();
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
    backend.slice_axis = mode_of<SliceAxis>(raw.slice_axis, slice_axes);
    if (raw.simd != "auto") backend.simd = raw.simd;
    backend.kind = raw.backend == "cpu"    ? BackendKind::cpu
                   : raw.backend == "cuda" ? BackendKind::cuda
                                           : BackendKind::automatic;
    backend.gpu_mode = mode_of<GpuMode>(raw.gpu_mode, gpu_modes);
    if (!raw.gpu_memory.empty()) backend.gpu_memory = parse_memory_size(raw.gpu_memory);
    if (raw.neighbour_list != "auto") backend.neighbour_list = raw.neighbour_list == "on";
}

/// --resume takes all from the folder but when the run ends and on how many threads it goes on: any other option beside
/// it would do nothing.
void refuse_options_beside_resume(const CLI::App& app) {
    constexpr std::string_view taken[] = {"--resume", "--tmax",       "--steps",    "--threads",  "--ranks", "--split",
                                          "--gpus",   "--time-limit", "--redo-gap", "--progress", "--quiet", "CASE"};
    for (const CLI::Option* option : app.get_options()) {
        const std::string name = option->get_name();
        if (option->count() > 0 && std::find(std::begin(taken), std::end(taken), name) == std::end(taken))
            throw InputError(
                fmt::format("run: {} cannot be given with --resume; the run goes on as it was started", name));
    }
}

/// The processes of a launcher are the ranks of a run.
void take_processes(BackendOptions& backend, Transport* processes) {
    backend.processes = processes;
    if (processes) backend.stop = &catch_interrupts();
    if (processes && backend.ranks && *backend.ranks != processes->count())
        throw InputError(fmt::format("run: --ranks {}, and each of the {} processes that were started is a rank: leave "
                                     "the option out, or start as many",
                                     *backend.ranks, processes->count()));
}

void require_ranks_to_split(const BackendOptions& backend) {
    if (backend.split && backend.split->kind != cpu::Split::Kind::automatic && !backend.ranks && !backend.processes &&
        !backend.gpus)
        throw InputError(
            fmt::format("run: --split {} says how ranks share the space, and there is one: give --ranks N, "
                        "too",
                        backend.split->text));
}

void require_one_of_case_and_resume(const RunOptions& run) {
    if (run.case_file.empty() && run.resume.empty())
        throw InputError("run: no case file given; sluice run CASE.xml, or --resume DIR");
    if (!run.case_file.empty() && !run.resume.empty())
        throw InputError(
            fmt::format("run: both a case ({}) and --resume given; --resume takes the case of the run in its folder",
                        run.case_file.string()));
}

CLI::App* add_bench(CLI::App& app, BenchOptions& bench) {
    CLI::App* command = app.add_subcommand("bench", "measure the tables and figures of the papers on this machine");
    command->add_option("NAME", bench.name, "an experiment, list, or all")->required();
    command->add_option("--sizes", bench.sizes, "numbers of particles, with commas between")
        ->delimiter(',')
        ->type_name("N,N,...");
    command->add_option("--budget", bench.budget, "how long to measure, s; default two minutes an experiment")
        ->type_name("SECONDS");
    command
        ->add_option("--simulate", bench.simulate,
                     "machine for which scaling predicts: nvlink-infiniband, nvlink-staged or pcie-ethernet, and what "
                     "differs from it, as nvlink-infiniband,gpus-a-node=4")
        ->type_name("MACHINE");
    command->add_option("-o,--out", bench.out, "folder for the results")->type_name("DIR")->capture_default_str();
    return command;
}

/// What the results of a bench say of the program.
void describe_program(BenchOptions& bench, int argc, char** argv) {
    bench.version = version;
    bench.compiler = compiler;
    bench.build_type = build_type;
    bench.command = "sluice";
    for (int n = 1; n < argc; ++n) bench.command += std::string(" ") + argv[n];
}

/// "--crop: XMIN YMIN … are wanted" of an option that has been given too few values.
std::string wanted_values(const CLI::App& app, const std::string& name) {
    const std::vector<CLI::App*> called = app.get_subcommands();
    const CLI::Option* option = (called.empty() ? app : *called.front()).get_option(name);
    std::string values = option->get_type_name(); // "INT:N"
    values = values.substr(values.find(":") + 1);
    return fmt::format("{}: {} {} wanted", name, values, values.find(' ') == std::string::npos ? "is" : "are");
}

/// What is wrong with the command line, in the style of all errors: the command, the option, what is wanted.
std::string plain_message(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& given) {
    std::string what = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) what = wanted_values(app, what.substr(0, what.find(':')));
    constexpr std::string_view unreadable = "Could not convert: ";
    if (what.starts_with(unreadable)) {
        what = what.substr(unreadable.size()); // "--azimuth = abc"
        const std::size_t equals = what.find(" = ");
        if (equals != std::string::npos)
            what = fmt::format("{}: a number is wanted ({} is given)", what.substr(0, equals), what.substr(equals + 3));
    }
    if (given.empty()) return fmt::format("{}; sluice --help lists the commands", what);
    return fmt::format("{}: {}; sluice {} --help tells more", given[0], what, given[0]);
}

/// Parses the words; an exit code if that is all there is to do (--help). Throws InputError for a wrong command line.
std::optional<int> parse(CLI::App& app, int argc, char** argv) {
    std::vector<std::string> words = settled_words(app, argc, argv);
    const std::vector<std::string> given = words;
    std::reverse(words.begin(), words.end()); // as CLI11 wants them
    try {
        app.parse(words);
    } catch (const CLI::ExtrasError& error) {
        for (const std::string& word : given)
            if (word.starts_with("--") && std::string_view(error.what()).find(word) != std::string::npos) {
                const std::string name = word.substr(0, word.find('='));
                throw InputError(fmt::format("{}: there is no option {}{}; sluice {} --help lists them", given[0], name,
                                             suggest_option(app, name), given[0]));
            }
        throw InputError(fmt::format("{}: {}; sluice {} --help tells more", given[0], error.what(), given[0]));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error), exit_done; // --help, --version
        throw InputError(plain_message(app, error, given));
    }
    return std::nullopt;
}

/// What shells and `man` need to know of the options; both print.
void add_manual(CLI::App& app) {
    CLI::App* completion = app.add_subcommand("completion", "print the script by which a shell completes options");
    const auto shell = std::make_shared<std::string>();
    completion->add_option("SHELL", *shell, "of which shell")->check(one_of({"bash", "zsh", "fish"}))->required();
    completion->callback([&app, shell] { fmt::print("{}", completion_script(app, *shell)); });
    CLI::App* manual = app.add_subcommand("manual", "print a manual page, for man -l");
    const auto command = std::make_shared<std::string>();
    manual->add_option("COMMAND", *command, "of which command, default of the program")->type_name("NAME");
    manual->callback([&app, command] { fmt::print("{}", manual_page(app, *command)); });
}

} // namespace

int run_command_line(int argc, char** argv, Transport* processes) {
    CLI::App app{"Sluice: smoothed particle hydrodynamics for free-surface flow", "sluice"};
    app.set_version_flag("-V,--version", "sluice " + version_line());
    app.require_subcommand(1);
    app.footer(exit_codes_help());

    RunOptions run;
    RawOptions run_raw;
    CLI::App* run_app = app.add_subcommand("run", "run a case");
    add_case_options(*run_app, run.case_file, run.overrides, run_raw);
    run_app->add_option("-o,--out", run.out, "folder for the results, default CASE_out")->type_name("DIR");
    run_app->add_flag("--overwrite", run.overwrite, "replace the results that lie in the folder");
    run_app->add_option("--steps", run.max_steps, "stop after so many steps")
        ->check(whole_number(0, most_steps))
        ->type_name("N");
    run_app->add_option("--pictures", run.pictures, "draw so many of the frames as PNG")
        ->check(whole_number(0))
        ->capture_default_str();
    add_fields(*run_app, run.fields);
    run_app->add_option("--every-nth-particle", run.keep_every, "the frames hold one in so many fluid particles")
        ->check(whole_number(1, 1000000))
        ->capture_default_str();
    run_app->add_option("--compression", run.compression, "of the frames, 0 to 9")
        ->check(whole_number(0, 9))
        ->capture_default_str();
    run_app
        ->add_option("--checkpoint-interval", run.checkpoint_seconds,
                     "wall time between checkpoints, s, the first after a minute; 0: only at the end")
        ->check(number_from_zero())
        ->capture_default_str();
    std::string time_limit;
    run_app
        ->add_option("--time-limit", time_limit,
                     "stop in time for this wall time, with a checkpoint: seconds, MM:SS or HH:MM:SS")
        ->type_name("TIME");
    add_positive(*run_app, "--checkpoint-dt", run.checkpoint_dt,
                 "simulated time between checkpoints, s, besides the wall time");
    run_app
        ->add_option("--resume", run.resume,
                     "go on with the run in this folder; only --tmax, --steps, --threads, --ranks, --split, --gpus, "
                     "--time-limit, --progress and --quiet may be given with it")
        ->type_name("DIR");
    run_app->add_flag("--redo-gap", run.redo_gap,
                      "with --resume: where stored frames are missing or damaged, go on from before them");
    run_app
        ->add_option_function<std::string>(
            "--progress",
            [&run](const std::string& word) {
                if (word == "json") run.progress = ProgressStyle::json;
            },
            "auto: a line on the terminal, else in the log; json: an object a second on standard output")
        ->check(one_of({"auto", "json"}))
        ->default_str("auto");
    std::filesystem::path probes;
    run_app
        ->add_option("--probes", probes,
                     "file with points to sample during the run: x y z a line, or POINTSLIST blocks")
        ->type_name("FILE");
    add_positive(*run_app, "--probes-dt", run.probes_dt, "time between samples of the probes, default TimeOut, s");
    run_app
        ->add_option("--probes-follow", run.probes_follow,
                     "mkbound of a moving wall or body that the probes ride on; the file has their places at the start")
        ->check(whole_number(0))
        ->type_name("MKBOUND");
    std::string on_exclude = "continue";
    run_app->add_option("--on-exclude", on_exclude, "when a particle leaves the run")
        ->check(one_of({"continue", "stop"}))
        ->capture_default_str();
    run_app->add_option("--max-excluded", run.max_excluded, "stop when more particles have left the run")
        ->check(whole_number(0, most_steps))
        ->type_name("N");
    add_backend_options(*run_app, run.backend, run_raw);
    run_app
        ->add_option("--split", run_raw.split,
                     "how ranks share the space: slabs across x, y or z, grid:AxB, bisection, or file:PATH with ranks "
                     "drawn in it; changes no result")
        ->type_name("HOW")
        ->capture_default_str();
    add_quiet(*run_app);

    CheckOptions check;
    RawOptions check_raw;
    CLI::App* check_app = app.add_subcommand("check", "show what a run would do: particles, constants, memory, time");
    add_case_options(*check_app, check.case_file, check.overrides, check_raw);
    check_app->add_flag("--json", check.json, "print JSON, of --explain too");
    check_app->add_flag("--explain", check.explain, "list the words of the case language, and what is done with each");
    check_app->add_option("--picture", check.picture, "draw the initial particles, coloured by mk (.png, .svg or .pdf)")
        ->type_name("FILE");
    check_app->add_option("--vtp", check.vtp, "write the initial particles for ParaView")
        ->check(file_with_suffix(".vtp"));
    check_app
        ->add_option("--motion", check.motion,
                     "folder for the prescribed motion: a table of each moving mk, and motion.html with plots")
        ->type_name("DIR");
    check_app
        ->add_option("--waves", check.waves,
                     "folder for the waves of paddles: spectra, motion and expected elevation as tables, and "
                     "waves.html with plots")
        ->type_name("DIR");
    add_quiet(*check_app);
    add_backend_options(*check_app, check.backend, check_raw);

    add_post_processing(app);
    int watching_code = exit_done;
    add_watching(app, watching_code);
    CLI::App* info_app = app.add_subcommand("info", "show build, processor, instruction sets, modes, GPUs");
    bool info_as_json = false;
    info_app->add_flag("--json", info_as_json, "print JSON");

    BenchOptions bench;
    CLI::App* bench_app = add_bench(app, bench);
    add_manual(app);

    settle_help(app);
    if (argc < 2) {
        fmt::print(stderr, "{}", app.help());
        return exit_bad_input;
    }
    if (const auto code = parse(app, argc, argv)) return *code;
    if (run_app->parsed()) {
        apply(run_raw, run.overrides, run.backend);
        take_processes(run.backend, processes);
        if (run_app->get_option("--split")->count() > 0) run.backend.split = cpu::parse_split(run_raw.split);
        run.stop_on_exclusion = on_exclude == "stop";
        if (!time_limit.empty()) run.time_limit = parse_duration(time_limit);
        if (!probes.empty()) run.probes = read_points(probes);
        if (run.probes_follow && probes.empty() && run.resume.empty())
            throw InputError(
                fmt::format("run: --probes-follow {} says what the probes ride on, and there are none: give "
                            "--probes FILE, or leave it out",
                            *run.probes_follow));
        require_one_of_case_and_resume(run);
        if (!run.resume.empty())
            refuse_options_beside_resume(*run_app);
        else
            require_ranks_to_split(run.backend);
        return run.resume.empty() ? run_command(run) : resume_command(run);
    }
    if (check_app->parsed()) {
        apply(check_raw, check.overrides, check.backend);
        if (check.case_file.empty() && !check.explain)
            throw InputError("check: no case file given; sluice check CASE.xml");
        return check_command(check);
    }
    if (bench_app->parsed()) {
        describe_program(bench, argc, argv);
        return bench_command(bench);
    }
    return info_app->parsed() ? info_command(info_as_json)
                              : watching_code; // the others have done their work in their callbacks
}

} // namespace sluice
