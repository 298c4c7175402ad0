// SPDX-License-Identifier: Apache-2.0
#include "app/command_help.h"

#include "core/error.h"
#include "core/nearest_word.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sluice {

namespace {

struct Example {
    const char* command;
    const char* text;
};

constexpr Example examples[] = {
    {"run", "  sluice run case.xml -o out                     all of it, results in out\n"
            "  sluice run case.xml -o out --dp 0.02 --tmax 1  coarser, and one second only\n"
            "  sluice run --resume out                        go on after an interruption"},
    {"check", "  sluice check case.xml                          particles, memory, time, what looks wrong\n"
              "  sluice check case.xml --picture start.png      and a picture of the start\n"
              "  sluice check case.xml --motion moves            how each wall moves: tables and plots, in moves\n"
              "  sluice check case.xml --waves waves             what its paddles make: tables and plots, in waves\n"
              "  sluice check --explain                         every word of the case language"},
    {"report", "  sluice report out                              writes out/report.html"},
    {"export", "  sluice export out -o vtp                       every frame's fluid as VTP, with fluid.pvd\n"
               "  sluice export out -o csv --format csv --first 10 --last 10"},
    {"measure", "  sluice measure out --point 0.5 0 0.1 -o p.csv\n"
                "  sluice measure out --line 0 0 0 4 0 0 81 --elevation -o surface.csv"},
    {"movie", "  sluice movie out -o out.mp4 --fps 25"},
    {"forces", "  sluice forces out --mk 0 -o force.csv          on the boundary that the case calls mkbound 0"},
    {"surface", "  sluice surface out -o surface                  a VTP a frame, with surface.pvd\n"
                "  sluice surface out -o surface --format stl"},
    {"picture", "  sluice picture out -o last.png                 the last frame, coloured by speed\n"
                "  sluice picture out --frame 0 -o start.svg"},
    {"info", "  sluice info --json                             for programs"},
    {"bench", "  sluice bench list\n"
              "  sluice bench all --budget 600 -o bench"},
};

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

void require_command(const CLI::App& app, const std::string& word) {
    const std::vector<std::string> names = command_names(app);
    if (std::find(names.begin(), names.end(), word) != names.end()) return;
    throw InputError(fmt::format("sluice: there is no command '{}'{}; the commands are {}", word,
                                 suggest_nearest(word, names), fmt::join(names, ", ")));
}

} // namespace

void add_examples(CLI::App& app) {
    for (const Example& example : examples)
        app.get_subcommand(example.command)->footer(fmt::format("Examples:\n{}", example.text));
}

std::vector<std::string> settled_words(const CLI::App& app, int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (words.empty())
        throw InputError(fmt::format("sluice: no command is given; the commands are {}. `sluice help` describes them",
                                     fmt::join(command_names(app), ", ")));
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
    std::vector<std::string> names;
    for (const CLI::Option* option : (called.empty() ? app : *called.front()).get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return suggest_nearest(given, names);
}

} // namespace sluice
