// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace sluice {

/// What help, manual pages and completion say of an option or an argument of a command, from the one table of options.
struct OptionFacts {
    std::vector<std::string> names;   ///< "-o", "--out"; of an argument its one name, "CASE"
    bool is_argument = false;         ///< found by its place
    std::string value;                ///< what stands for its value: "FILE", "NUMBER", "WORD"; "" of a flag
    std::vector<std::string> choices; ///< the words that it takes, if it takes words
    std::string meaning;              ///< what it does
    std::string remarks;              ///< choices, default, what it needs or excludes, "" if nothing is to be said
};

/// Of one option.
OptionFacts facts_of(const CLI::Option& option);

/// Of all options and arguments of a command or of the program, in the order of its help.
std::vector<OptionFacts> options_of(const CLI::App& command);

/// The commands of the program, in the order of its help.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

} // namespace sluice
