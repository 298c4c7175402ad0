// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

// One table for each choice that a run may make: how cases say it, what results and messages call it, and what it
// means.

namespace sluice {

/// One choice of an enumeration.
template <class Choice>
struct ChoiceRow {
    Choice choice;
    const char* name;    ///< in run.json and in messages
    const char* word;    ///< in cases: a whole number, or a name; "" where a case cannot say it
    const char* meaning; ///< behind the word, in the list of all words
};

/// The rows of an enumeration. Words that are numbers come first and ascend in steps of one.
template <class Choice>
inline constexpr int choices = 0;

} // namespace sluice
