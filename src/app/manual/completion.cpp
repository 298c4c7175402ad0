// SPDX-License-Identifier: Apache-2.0
#include "app/manual/completion.h"

#include "app/manual/option_facts.h"
#include "core/error.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sluice {

namespace {

/// What a value may be completed with.
enum class Completes { nothing, words, files, folders };

Completes completes(const OptionFacts& option) {
    if (!option.choices.empty()) return Completes::words;
    if (option.value == "DIR" || option.names.front() == "DIR") return Completes::folders;
    if (option.value == "FILE" || option.value.starts_with("FILE") || option.value.starts_with("."))
        return Completes::files;
    return Completes::nothing;
}

/// Text in single quotes, for a shell.
std::string shell_quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string names_of(const std::vector<const CLI::App*>& commands) {
    std::vector<std::string> names;
    for (const CLI::App* command : commands) names.push_back(command->get_name());
    return fmt::format("{}", fmt::join(names, " "));
}

std::string bash_values(const OptionFacts& option) {
    switch (completes(option)) {
    case Completes::words:
        return fmt::format("mapfile -t COMPREPLY < <(compgen -W {} -- \"$word\")",
                           shell_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
    case Completes::files: return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\")";
    case Completes::folders: return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\")";
    case Completes::nothing: break;
    }
    return ":";
}

/// One branch of the table of what follows an option, and one of a command's own words.
std::string bash_command(const CLI::App& command) {
    std::string options, after;
    std::string arguments = ":";
    for (const OptionFacts& option : options_of(command)) {
        if (option.is_argument) {
            arguments = bash_values(option);
            continue;
        }
        for (const std::string& name : option.names) options += (options.empty() ? "" : " ") + name;
        if (!option.value.empty())
            after += fmt::format("                {}) {} ;;\n", fmt::join(option.names, " | "), bash_values(option));
    }
    return fmt::format("        {})\n            case $before in\n{}                *)\n"
                       "                    if [[ $word == -* ]]; then mapfile -t COMPREPLY < <(compgen -W {} -- "
                       "\"$word\"); else {}; fi\n"
                       "                    ;;\n            esac\n            ;;\n",
                       command.get_name(), after, shell_quoted(options), arguments);
}

std::string bash_script(const CLI::App& app) {
    const auto commands = commands_of(app);
    std::string branches;
    for (const CLI::App* command : commands) branches += bash_command(*command);
    return fmt::format("# bash completion of sluice, written by `sluice completion bash`\n"
                       "_sluice() {{\n"
                       "    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}\n"
                       "    COMPREPLY=()\n"
                       "    if ((COMP_CWORD == 1)) || [[ $COMP_CWORD == 2 && ${{COMP_WORDS[1]}} == help ]]; then\n"
                       "        mapfile -t COMPREPLY < <(compgen -W {} -- \"$word\")\n"
                       "        return\n"
                       "    fi\n"
                       "    case ${{COMP_WORDS[1]}} in\n{}    esac\n"
                       "}}\n"
                       "complete -F _sluice sluice\n",
                       shell_quoted(names_of(commands) + " help --help --version"), branches);
}

/// Text inside a specification of zsh's _arguments or _describe.
std::string zsh_text(const std::string& text) {
    std::string out;
    for (const char c : text)
        out += c == ':' || c == '[' || c == ']' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return out;
}

std::string zsh_values(const OptionFacts& option) {
    switch (completes(option)) {
    case Completes::words: return fmt::format("({})", fmt::join(option.choices, " "));
    case Completes::files: return "_files";
    case Completes::folders: return "_files -/";
    case Completes::nothing: break;
    }
    return " ";
}

std::string zsh_command(const CLI::App& command) {
    std::string out = fmt::format("        {})\n            _arguments -s", command.get_name());
    for (const OptionFacts& option : options_of(command)) {
        const std::string value =
            option.value.empty() ? "" : fmt::format(":{}:{}", zsh_text(option.value), zsh_values(option));
        if (option.is_argument)
            out += fmt::format(" \\\n                {}",
                               shell_quoted(fmt::format(":{}:{}", zsh_text(option.names.front()), zsh_values(option))));
        else
            for (const std::string& name : option.names)
                out += fmt::format(" \\\n                {}",
                                   shell_quoted(fmt::format("{}[{}]{}", name, zsh_text(option.meaning), value)));
    }
    return out + "\n            ;;\n";
}

std::string zsh_script(const CLI::App& app) {
    std::string names, branches;
    for (const CLI::App* command : commands_of(app)) {
        names += fmt::format("        {}\n",
                             shell_quoted(zsh_text(command->get_name()) + ":" + zsh_text(command->get_description())));
        branches += zsh_command(*command);
    }
    return fmt::format("#compdef sluice\n"
                       "# zsh completion of sluice, written by `sluice completion zsh`\n"
                       "_sluice() {{\n"
                       "    local -a commands=(\n{}        'help:options of a command'\n    )\n"
                       "    if ((CURRENT == 2)) || [[ $CURRENT == 3 && $words[2] == help ]]; then\n"
                       "        _describe command commands\n"
                       "        return\n"
                       "    fi\n"
                       "    shift words\n"
                       "    ((CURRENT--))\n"
                       "    case $words[1] in\n{}    esac\n"
                       "}}\n"
                       "if [[ $funcstack[1] == _sluice ]]; then _sluice \"$@\"; else compdef _sluice sluice; fi\n",
                       names, branches);
}

/// Text in single quotes for fish, whose quotes know \' and \\.
std::string fish_quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return out + "'";
}

std::string fish_values(const OptionFacts& option) {
    switch (completes(option)) {
    case Completes::words:
        return fmt::format(" -x -a {}", fish_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
    case Completes::files: return " -r -F";
    case Completes::folders: return " -x -a '(__fish_complete_directories)'";
    case Completes::nothing: break;
    }
    return option.value.empty() ? "" : " -x";
}

std::string fish_script(const CLI::App& app) {
    std::string out = "# fish completion of sluice, written by `sluice completion fish`\ncomplete -c sluice -f\n";
    for (const CLI::App* command : commands_of(app)) {
        const std::string& name = command->get_name();
        out += fmt::format("complete -c sluice -n __fish_use_subcommand -a {} -d {}\n", name,
                           fish_quoted(command->get_description()));
        out += fmt::format("complete -c sluice -n '__fish_seen_subcommand_from help' -a {}\n", name);
        for (const OptionFacts& option : options_of(*command)) {
            out += fmt::format("complete -c sluice -n '__fish_seen_subcommand_from {}'", name);
            if (!option.is_argument)
                for (const std::string& own : option.names)
                    out += own.starts_with("--") ? " -l " + own.substr(2) : " -s " + own.substr(1);
            out += fish_values(option);
            if (!option.is_argument) out += " -d " + fish_quoted(option.meaning);
            out += "\n";
        }
    }
    return out + "complete -c sluice -n __fish_use_subcommand -a help -d 'options of a command'\n";
}

} // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
    if (shell == "bash") return bash_script(app);
    if (shell == "zsh") return zsh_script(app);
    if (shell == "fish") return fish_script(app);
    throw InputError(fmt::format("completion: there is no script for '{}', take bash, zsh or fish", shell));
}

} // namespace sluice
