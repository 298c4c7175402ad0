// SPDX-License-Identifier: Apache-2.0
#include "app/manual/option_facts.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <string>

namespace sluice {

namespace {

constexpr const char* list_begin = "{";

/// What CLI11 calls the type, "TEXT:{on, off}": that of the type and those of its checks; the last says most.
std::string last_type(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::size_t list = type.find(list_begin), colon = type.rfind(':', list);
    return colon == std::string::npos ? type : type.substr(colon + 1);
}

std::string value_word(const CLI::Option& option) {
    if (option.get_type_size() == 0) return ""; // a flag
    const std::string type = last_type(option);
    return type.starts_with(list_begin) ? "WORD" : type == "FLOAT" ? "NUMBER" : type;
}

/// "on, off" of "{on, off}", else "".
std::string listed_words(const CLI::Option& option) {
    const std::string type = last_type(option);
    return type.starts_with(list_begin) ? type.substr(1, type.size() - 2) : "";
}

std::vector<std::string> split(const std::string& list) {
    const std::string between = ", ";
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < list.size();) {
        const std::size_t end = std::min(list.find(between, begin), list.size());
        words.push_back(list.substr(begin, end - begin));
        begin = end + between.size();
    }
    return words;
}

std::string remarks(const CLI::Option& option) {
    std::vector<std::string> out;
    if (const std::string words = listed_words(option); !words.empty()) out.push_back("one of " + words);
    if (!option.get_default_str().empty()) out.push_back("default " + option.get_default_str());
    if (option.get_required()) out.emplace_back("required");
    std::set<std::string> excluded; // by name: CLI11 has them in the order of their addresses
    for (const CLI::Option* other : option.get_excludes()) excluded.insert("not with " + other->get_name());
    out.insert(out.end(), excluded.begin(), excluded.end());
    return fmt::format("{}", fmt::join(out, "; "));
}

} // namespace

OptionFacts facts_of(const CLI::Option& option) {
    OptionFacts facts;
    facts.is_argument = option.get_positional();
    if (facts.is_argument) facts.names.push_back(option.get_name(true));
    for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
    facts.value = facts.is_argument ? last_type(option) : value_word(option);
    facts.choices = split(listed_words(option));
    facts.meaning = option.get_description();
    facts.remarks = remarks(option);
    return facts;
}

std::vector<OptionFacts> options_of(const CLI::App& command) {
    std::vector<OptionFacts> out;
    for (const CLI::Option* option : command.get_options()) out.push_back(facts_of(*option));
    return out;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    std::vector<const CLI::App*> out;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) out.push_back(command);
    return out;
}

} // namespace sluice
