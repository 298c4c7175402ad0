// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/parameters/parameter_range.h"
#include "core/error.h"
#include "model/choices.h"
#include <string>
#include <vector>

namespace sluice {

struct CaseReader;

/// The words of a choice that a case can say, in the order of its table.
template <class Choice>
std::vector<std::string> choice_words() {
    std::vector<std::string> words;
    for (const ChoiceRow<Choice>& row : choices<Choice>)
        if (*row.word) words.emplace_back(row.word);
    return words;
}

/// "1, 2, 3 or MonaghanGingold"
std::string listed(const std::vector<std::string>& words);

/// A parameter's value with the place to blame for it: what it cannot be is an InputError there.
struct ParameterValue {
    CaseReader& reader;
    std::string key, text;
    SourceLocation where;
    ParameterRange range = {}; ///< of its row

    [[noreturn]] void fail(const std::string& what) const { throw InputError(where, what); }
    /// The text as a number in the range; `#` begins an expression of variables.
    double number() const;
    /// Which of the words of a choice it is: numbers may be written in any way, names with any capitals.
    std::string word_among(const std::vector<std::string>& words) const;
    template <class Choice>
    Choice choice() const {
        return find_choice<Choice>(word_among(choice_words<Choice>()))->choice;
    }
    /// Notes that the simulation lacks what the value asks for.
    void refuse(const char* advice) const;
};

} // namespace sluice
