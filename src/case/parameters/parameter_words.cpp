// SPDX-License-Identifier: Apache-2.0
#include "case/parameters/parameter_row.h"
#include <vector>

namespace sluice {

std::span<const LanguageEntry> language_of_parameters();

namespace {

struct Texts {
    std::string fallback, range, meaning;
};

/// The meaning of a row with its values and its unit, which stands at the end of what comes before a semicolon.
std::string meaning_of(const ParameterRow& row) {
    std::string text = row.meaning;
    const std::string values = row.use.values();
    const std::size_t place = text.find("{}");
    if (place != text.npos)
        text.replace(place, 2, values);
    else if (!values.empty())
        text += ": " + values;
    if (*row.unit) text.insert(std::min(text.find(';'), text.size()), std::string(", ") + row.unit);
    return text;
}

std::vector<Texts> all_texts() {
    std::vector<Texts> all;
    for (const ParameterRow& row : parameter_rows()) {
        all.push_back({row.use.fallback(), row.use.range_text(), meaning_of(row)});
        if (*row.older_name) all.push_back({"", row.use.range_text(), std::string("Older name of ") + row.name});
    }
    return all;
}

std::vector<LanguageEntry> all_entries(const std::vector<Texts>& texts) {
    std::vector<LanguageEntry> all;
    const auto add = [&](const char* name, const ParameterRow& row) {
        const Texts& t = texts[all.size()];
        all.push_back({Section::parameter, name, row.support, t.fallback.c_str(), t.meaning.c_str(), row.advice,
                       t.range.c_str(), row.unit});
    };
    for (const ParameterRow& row : parameter_rows()) {
        add(row.name, row);
        if (*row.older_name) add(row.older_name, row);
    }
    return all;
}

} // namespace

std::span<const LanguageEntry> language_of_parameters() {
    static const std::vector<Texts> texts = all_texts();
    static const std::vector<LanguageEntry> entries = all_entries(texts);
    return entries;
}

} // namespace sluice
