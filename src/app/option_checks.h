// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "core/vec.h"
#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Checks of option values. Their messages say what is wanted and what was given; CLI11's own show the range of a type.

namespace sluice {

/// A number above zero, finite.
CLI::Validator positive_number();

/// A number, zero or above, finite.
CLI::Validator number_from_zero();

/// A number from `least` to `most`.
CLI::Validator number_between(double least, double most);

/// A whole number from `least` to `most`.
CLI::Validator whole_number(long long least, long long most = 2147483647);

/// The same, or this word.
CLI::Validator whole_number_or(std::string word, long long least, long long most);

/// One of these words. `meant`: other words for them, which are refused all the same, with the right one named.
CLI::Validator one_of(std::vector<std::string> words, std::map<std::string, std::string> meant = {});

/// The name of a file that ends with `suffix`, as ".html".
CLI::Validator file_with_suffix(std::string suffix);

/// The name of a folder for many files: not one that ends as files of particles, surfaces and tables do. `formats`: how
/// the user chooses what they are, for the message.
CLI::Validator folder_name(std::string formats);

/// An option that takes one of the named values; the first of them is its default.
template <class Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Value& value,
                        const std::vector<std::pair<std::string, Value>>& choices, const std::string& help) {
    std::vector<std::string> words;
    for (const auto& [word, meaning] : choices) words.push_back(word);
    const auto take = [&value, choices](const std::string& given) {
        for (const auto& [word, meaning] : choices)
            if (word == given) value = meaning;
    };
    return app.add_option_function<std::string>(name, take, help)->check(one_of(words))->default_str(words.front());
}

/// X Y Z.
CLI::Option* add_vector(CLI::App& app, const std::string& name, Vec3d& value, const std::string& help);

/// XMIN YMIN ZMIN XMAX YMAX ZMAX. A box that is empty along x, y or z is a wrong command line.
CLI::Option* add_box(CLI::App& app, const std::string& name, std::optional<Box>& value, const std::string& help);

/// --quiet: only warnings and errors on the terminal; a run's log keeps everything.
void add_quiet(CLI::App& app);

/// The option values of a mode table, with "auto".
template <class Table>
std::vector<std::string> option_names(const Table& table) {
    std::vector<std::string> names{"auto"};
    for (const auto& entry : table) names.emplace_back(entry.option);
    return names;
}

} // namespace sluice
