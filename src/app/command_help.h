// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sluice {

/// Sets how --help of the program and of every command is written, with examples under it.
void settle_help(CLI::App& app);

/// The table of core/outcome.h as the end of the program's --help.
std::string exit_codes_help();

/// The words after the program's name as the parser wants them: `help` and `help COMMAND` become --help. Throws
/// InputError if the first word is no command, naming the nearest one.
std::vector<std::string> settled_words(const CLI::App& app, int argc, char** argv);

/// " (did you mean --X?)" for a mistyped option of the command that was called, or "".
std::string suggest_option(const CLI::App& app, const std::string& given);

} // namespace sluice
