// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"

#include "core/nearest_word.h"
#include "core/terminal.h"
#include <fmt/format.h>
#include <vector>

namespace sluice {

std::span<const LanguageEntry> language_of_definition();
std::span<const LanguageEntry> language_of_commands();
std::span<const LanguageEntry> language_of_parameters();
std::span<const LanguageEntry> language_of_execution();

const char* support_name(Support support) {
    switch (support) {
    case Support::honoured: return "honoured";
    case Support::ignored: return "ignored";
    case Support::refused: return "refused";
    }
    return "";
}

const char* section_name(Section section) {
    switch (section) {
    case Section::casedef: return "casedef";
    case Section::constant: return "constantsdef";
    case Section::definition: return "geometry";
    case Section::command: return "commands";
    case Section::parameter: return "parameters";
    case Section::special: return "special";
    case Section::gauge: return "gauges";
    case Section::normal: return "normals";
    }
    return "";
}

std::span<const LanguageEntry> language() {
    static const std::vector<LanguageEntry> table = [] {
        std::vector<LanguageEntry> all;
        for (auto part :
             {language_of_definition(), language_of_commands(), language_of_parameters(), language_of_execution()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return table;
}

const LanguageEntry* find_word(Section section, std::string_view name) {
    for (const LanguageEntry& entry : language())
        if (entry.section == section && name == entry.name) return &entry;
    return nullptr;
}

std::string suggest_word(Section section, std::string_view name) {
    std::vector<std::string> known;
    for (const LanguageEntry& entry : language())
        if (entry.section == section) known.emplace_back(entry.name);
    return suggest_nearest(name, known);
}

namespace {

/// Every word, under the headings of the sections: as `heading` and `line` write them.
template <class Heading, class Line>
std::string list_of_words(Heading heading, Line line) {
    std::string out;
    const char* section = "";
    for (const LanguageEntry& e : language()) {
        if (section != std::string_view(section_name(e.section))) {
            section = section_name(e.section);
            out += heading(section);
        }
        out += line(e, std::string(e.meaning) + "." + (*e.advice ? fmt::format(" Instead: {}.", e.advice) : ""));
    }
    return out;
}

} // namespace

std::string explain_language(std::size_t columns) {
    constexpr std::size_t meaning = 35; // the column where it begins
    return list_of_words([](const char* section) { return fmt::format("\n{}\n", section); },
                         [&](const LanguageEntry& e, const std::string& text) {
                             return wrapped(fmt::format("  {:<22} {:<9} {}\n", e.name, support_name(e.support), text),
                                            columns, meaning);
                         });
}

std::string language_markdown() {
    return list_of_words(
        [](const char* section) {
            return fmt::format("\n### {}\n\n| word | | default | meaning |\n|---|---|---|---|\n", section);
        },
        [](const LanguageEntry& e, const std::string& text) {
            return fmt::format("| `{}` | {} | {} | {} |\n", e.name, support_name(e.support), e.fallback, text);
        });
}

} // namespace sluice
