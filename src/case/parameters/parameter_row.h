// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "case/expression.h"
#include "case/language.h"
#include "case/parameters/parameter_value.h"
#include <span>
#include <string>
#include <type_traits>

// A parameter of the case language in one row: the reader, the list of all words and the tests follow it.

namespace sluice {

inline std::string no_text() { return ""; }

/// What a parameter may be, and what it does.
struct ParameterUse {
    /// Puts a value into its place; none: the value is not looked at.
    void (*apply)(ExecutionParameters&, const ParameterValue&) = nullptr;
    std::string (*fallback)() = no_text; ///< the value when absent, "" if there is none
    ParameterRange range = {};           ///< of numbers
    std::string (*words)() = no_text;    ///< which there are where it is a choice: "1, 2, 3 or MonaghanGingold"
    std::string (*values)() = no_text;   ///< what each of these means: "1 cubic spline, 2 Wendland"

    /// Which values there are, for the list of all words; "" for any.
    std::string range_text() const { return words().empty() ? range.text() : words(); }
};

/// One parameter. What it means is its `meaning`, then what its values mean, then the unit of the value.
struct ParameterRow {
    const char* name;
    Support support;
    ParameterUse use;
    const char* meaning;         ///< "{}" stands where the values do, else they come behind it
    const char* unit = "";       ///< of the value, SI
    const char* advice = "";     ///< for refused words: what the user can do
    const char* older_name = ""; ///< says the same; both must agree
};

/// Every parameter, in the order in which they are applied.
std::span<const ParameterRow> parameter_rows();

/// The row of a name or of an older name, or nullptr.
const ParameterRow* find_parameter(std::string_view name);

namespace parameters {

/// What each word of a choice means, with semicolons where a meaning has a comma.
template <class Choice>
std::string meanings_of_choice() {
    std::string with_commas, with_semicolons;
    bool has_comma = false;
    for (const ChoiceRow<Choice>& row : choices<Choice>) {
        if (!*row.word) continue;
        const std::string one = std::string(row.word) + " " + row.meaning;
        has_comma = has_comma || one.find(',') != std::string::npos;
        with_commas += (with_commas.empty() ? "" : ", ") + one;
        with_semicolons += (with_semicolons.empty() ? "" : "; ") + one;
    }
    return has_comma ? with_semicolons : with_commas;
}

/// The numbers among the words of a choice.
template <class Choice>
constexpr ParameterRange numbers_of_choice() {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    int first = 0, count = 0;
    for (const ChoiceRow<Choice>& row : choices<Choice>)
        if (is_digit(*row.word) && count++ == 0) first = *row.word - '0';
    return count == 0 ? any_number : whole_from(first, first + count - 1);
}

/// A number in a range. Its default is that of the member.
template <auto member>
constexpr ParameterUse number(ParameterRange range) {
    using P = ExecutionParameters;
    using Number = std::remove_cvref_t<decltype(P{}.*member)>;
    return {[](P& p, const ParameterValue& v) { p.*member = static_cast<Number>(v.number()); },
            [] { return format_number(P{}.*member); }, range};
}

/// A choice of which a table (model/choices.h) has the words.
template <auto member>
constexpr ParameterUse choice() {
    using P = ExecutionParameters;
    using Choice = std::remove_cvref_t<decltype(P{}.*member)>;
    return {[](P& p, const ParameterValue& v) { p.*member = v.choice<Choice>(); },
            [] { return std::string(word_of(P{}.*member)); }, numbers_of_choice<Choice>(),
            [] { return listed(choice_words<Choice>()); }, meanings_of_choice<Choice>};
}

/// Whether something is: 0 or 1, or up to `most`.
template <auto member>
constexpr ParameterUse flag(int most = 1) {
    using P = ExecutionParameters;
    return {[](P& p, const ParameterValue& v) { p.*member = v.number() != 0; },
            [] { return std::string(P{}.*member ? "1" : "0"); }, whole_from(0, most)};
}

/// A number that must be in a range and sets nothing.
constexpr ParameterUse no_effect(ParameterRange range, std::string (*fallback)() = no_text) {
    return {[](ExecutionParameters&, const ParameterValue& v) { v.number(); }, fallback, range};
}

} // namespace parameters
} // namespace sluice
