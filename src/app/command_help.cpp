// SPDX-License-Identifier: Apache-2.0
#include "app/command_help.h"

#include "app/manual/option_facts.h"
#include "core/error.h"
#include "core/nearest_word.h"
#include "core/outcome.h"
#include "core/terminal.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <memory>
#include <unistd.h>

namespace sluice {

namespace {

struct Example {
    const char* command;
    const char* line;
    const char* meaning;
};

constexpr Example examples[] = {
    {"run", "sluice run case.xml -o out", "all of it, results in out"},
    {"run", "sluice run case.xml --dp 0.02 --tmax 1", "coarser, and one second only"},
    {"run", "sluice run --resume out", "go on after an interruption"},
    {"check", "sluice check case.xml", "particles, memory, time, what looks wrong"},
    {"check", "sluice check case.xml --picture start.png", "and a picture of the start"},
    {"check", "sluice check case.xml --motion moves", "tables and plots of how walls move"},
    {"check", "sluice check case.xml --waves waves", "tables and plots of what paddles make"},
    {"check", "sluice check --explain", "every word of the case language"},
    {"status", "sluice status out", "how far a run is, or how it ended"},
    {"status", "sluice status out --follow", "until it ends, with its exit code"},
    {"watch", "sluice watch out", "the report in a browser, renewed as frames come"},
    {"report", "sluice report out", "writes out/report.html"},
    {"export", "sluice export out -o vtp", "every frame's fluid as VTP, with fluid.pvd"},
    {"export", "sluice export out -o csv --format csv --first 10 --last 10", ""},
    {"measure", "sluice measure out --point 0.5 0 0.1 -o p.csv", ""},
    {"measure", "sluice measure out --line 0 0 0 4 0 0 81 --elevation -o surface.csv", ""},
    {"measure", "sluice measure out --point 3 0 0 --elevation --depth --layers 3 -o jet.csv", ""},
    {"movie", "sluice movie out -o out.mp4 --fps 25", ""},
    {"movie", "sluice movie out -o slow.mp4 --speed 0.25", "four times slower than it happens"},
    {"movie", "sluice movie out -o sea.mp4 --fluid surface", ""},
    {"forces", "sluice forces out --mkbound 0 -o force.csv", "on the boundary that the case calls mkbound 0"},
    {"forces", "sluice forces out --box 4 0 0 5 1 2 -o patch.csv", "on the walls in a box"},
    {"runup", "sluice runup out --line 8 0 0 14 0 2 --swl 0.5 -o runup.csv", ""},
    {"overtopping", "sluice overtopping out --x 12.4 -o overtopping.csv", ""},
    {"volumes", "sluice volumes out --box 12 0 0 15 1 2 -o basin.csv", ""},
    {"trace", "sluice trace out --near 1 0 0.5 -o paths.vtp", "lines for ParaView"},
    {"trace", "sluice trace out --box 0 0 0 1 1 1 --limit 50 -o paths.csv", ""},
    {"reflection", "sluice reflection surface.csv --depth 0.5 --from 20 -o spectra.csv", ""},
    {"reflection", "sluice reflection out/gauges/g[123].csv --depth 0.5", "three swl gauges"},
    {"surface", "sluice surface out -o surface", "a VTP a frame, with surface.pvd"},
    {"surface", "sluice surface out -o surface --format stl", ""},
    {"surface", "sluice surface out -o p --value pressure 2000", "where the pressure is 2000 Pa"},
    {"slice", "sluice slice out -o y --point 0 0.5 0 --normal 0 1 0", "the plane y = 0.5 m"},
    {"walls", "sluice walls out -o walls --mkbound 1 --format ply", "the body at the times of the frames"},
    {"links", "sluice links out -o links", "a VTP a frame, with links.pvd"},
    {"scene", "sluice scene out -o out.abc", "for Blender, Houdini, Maya"},
    {"scene", "sluice scene out -o drops.abc --parts surface,walls,points", ""},
    {"picture", "sluice picture out -o last.png", "the last frame, coloured by speed"},
    {"picture", "sluice picture out --frame 0 -o start.svg", ""},
    {"info", "sluice info --json", "for programs"},
    {"completion", "sluice completion fish > ~/.config/fish/completions/sluice.fish", ""},
    {"completion", "eval \"$(sluice completion bash)\"", "in ~/.bashrc"},
    {"manual", "sluice manual run | man -l -", ""},
    {"bench", "sluice bench list", "what can be measured"},
    {"bench", "sluice bench all --budget 600 -o bench", ""},
};

constexpr std::size_t widest = 80, first_column = 28, example_column = 46;

/// Help is not wider than what reads well.
std::size_t help_columns() { return std::min(widest, columns_behind(STDOUT_FILENO)) - 1; }

/// Help in the width of a terminal: "--name VALUE   meaning (choices; default)".
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        const OptionFacts facts = facts_of(*option);
        std::string left = "  " + make_option_name(option, is_positional);
        if (!is_positional && !facts.value.empty()) left += " " + facts.value;
        left += left.size() + 2 > first_column ? "\n" + std::string(first_column, ' ')
                                               : std::string(first_column - left.size(), ' ');
        left += facts.meaning + (facts.remarks.empty() ? "" : fmt::format(" ({})", facts.remarks));
        return wrapped(left, help_columns(), first_column) + "\n";
    }

    std::string make_subcommand(const CLI::App* command) const override {
        const std::string line =
            fmt::format("  {:<{}}{}\n", command->get_name(), first_column - 2, command->get_description());
        return wrapped(line, help_columns(), first_column);
    }
};

std::string examples_of(const std::string& command) {
    std::string text = "Examples:";
    for (const Example& e : examples) {
        if (e.command != command) continue;
        const std::string line = std::string("\n  ") + e.line;
        const std::string gap(line.size() < example_column ? example_column + 1 - line.size() : 2, ' ');
        text += *e.meaning ? wrapped(line + gap + e.meaning, help_columns(), example_column) : line;
    }
    return text;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

void require_command(const CLI::App& app, const std::string& word) {
    const std::vector<std::string> names = command_names(app);
    if (std::find(names.begin(), names.end(), word) != names.end()) return;
    if (word.ends_with(".xml"))
        throw InputError(fmt::format("sluice: {0} is no command but looks like a case: sluice run {0}", word));
    std::error_code error;
    if (std::filesystem::is_directory(word, error))
        throw InputError(
            fmt::format("sluice: {0} is no command but a folder: sluice report {0} shows a run in it", word));
    throw InputError(fmt::format("sluice: there is no command '{}'{}; the commands are {}", word,
                                 suggest_nearest(word, names), fmt::join(names, ", ")));
}

} // namespace

std::string exit_codes_help() {
    std::string text = "Exit codes:";
    for (const OutcomeInfo& info : outcomes)
        text += "\n" + wrapped(fmt::format("  {:<5}{}", info.exit_code, info.meaning), help_columns(), 7);
    return text;
}

void settle_help(CLI::App& app) {
    const auto formatter = std::make_shared<HelpFormatter>();
    app.formatter(formatter);
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        command->formatter(formatter);
        command->footer(examples_of(command->get_name()));
    }
}

std::vector<std::string> settled_words(const CLI::App& app, int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (words[0].starts_with('-')) return words;
    if (words[0] != "help") {
        require_command(app, words[0]);
        return words;
    }
    if (words.size() == 1) return {"--help"};
    require_command(app, words[1]);
    return {words[1], "--help"};
}

std::string suggest_option(const CLI::App& app, const std::string& given) {
    const std::vector<CLI::App*> called = app.get_subcommands();
    std::vector<std::string> names, longer;
    for (const CLI::Option* option : (called.empty() ? app : *called.front()).get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    std::copy_if(names.begin(), names.end(), std::back_inserter(longer),
                 [&](const std::string& name) { return name.starts_with(given); });
    return longer.empty() ? suggest_nearest(given, names)
                          : fmt::format(" (did you mean {}?)", fmt::join(longer, " or "));
}

} // namespace sluice
