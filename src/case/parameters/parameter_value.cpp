// SPDX-License-Identifier: Apache-2.0
#include "case/parameters/parameter_value.h"

#include "case/reader.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace sluice {

namespace {

bool begins_with_a_letter(const std::string& word) {
    return !word.empty() && std::isalpha(static_cast<unsigned char>(word[0]));
}

} // namespace

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t k = 0; k < words.size(); ++k)
        text += (k == 0 ? "" : k + 1 == words.size() ? " or " : ", ") + words[k];
    return text;
}

double ParameterValue::number() const {
    double value = 0;
    try {
        std::string t(trim(text));
        if (t.find("$[") != std::string::npos) t = reader.variables.substitute(t);
        value = !t.empty() && t[0] == '#' ? reader.variables.evaluate(t.substr(1)) : parse_number(t);
    } catch (const InputError& e) {
        fail(fmt::format("parameter {}: {}", key, e.what()));
    }
    if (!range.contains(value)) fail(fmt::format("parameter {} {}", key, range.complaint(value)));
    return value;
}

std::string ParameterValue::word_among(const std::vector<std::string>& words) const {
    const auto first_name = std::ranges::find_if(words, begins_with_a_letter);
    const std::string given(trim(text));
    if (first_name != words.end() && (begins_with_a_letter(given) || first_name == words.begin())) {
        const auto found = std::find_if(first_name, words.end(),
                                        [&](const std::string& word) { return to_lower(word) == to_lower(given); });
        if (found == words.end()) fail(fmt::format("parameter {} is {} ({})", key, listed(words), text));
        return *found;
    }
    return format_number(number());
}

void ParameterValue::refuse(const char* advice) const {
    reader.unsupported(where, fmt::format("parameter {}={}", key, text), advice);
}

} // namespace sluice
