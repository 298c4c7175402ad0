// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

// The case language as one table: the reader, `sluice check --explain` and docs/case-format.md follow it.

namespace sluice {

/// What the program does with a known element or key.
enum class Support {
    honoured, ///< it does what it says
    ignored,  ///< it cannot change the particles or the motion: accepted without effect
    refused   ///< the simulation lacks it: `sluice run` stops with its name (values that switch it off are fine)
};

const char* support_name(Support support);

/// Where in the file a word stands.
enum class Section { casedef, constant, definition, command, parameter, special, gauge, normal };

const char* section_name(Section section);

/// One word of the case language.
struct LanguageEntry {
    Section section;
    const char* name;
    Support support;
    const char* fallback;   ///< the value when absent, "" if there is none
    const char* meaning;    ///< with units
    const char* advice;     ///< for refused words: what the user can do
    const char* range = ""; ///< the values that it takes, "" if any or if it has none
    const char* unit = "";  ///< of the value, which stands in the meaning, too
};

/// Every known word, by section.
std::span<const LanguageEntry> language();

/// The entry of a word (case-sensitive), or nullptr.
const LanguageEntry* find_word(Section section, std::string_view name);

/// " (did you mean X?)" for the known word nearest to a mistyped one, or "".
std::string suggest_word(Section section, std::string_view name);

/// The whole table as text of so many columns.
std::string explain_language(std::size_t columns = 80);

/// The whole table as Markdown tables for the documentation.
std::string language_markdown();

} // namespace sluice
