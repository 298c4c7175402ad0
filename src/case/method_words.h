// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/language.h"
#include "model/method.h"
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

// Method: the word that chooses the particle method of a run, and which words of cases the methods beside SPH do not
// have.

namespace sluice {

/// A word that some methods do not have: the case must not say it with them, but for values that say nothing.
struct MissingWord {
    Section section;
    const char* name;
    const char* passes;   ///< values with which it passes, between blanks; "": none
    bool in_mps, in_fvpm; ///< whether the method lacks it
    const char* advice;   ///< what the user can do

    bool is_missing_in(Method method) const {
        return (method == Method::mps && in_mps) || (method == Method::fvpm && in_fvpm);
    }
    /// Whether a value, as the case writes it, says nothing: numbers are compared as numbers, words without regard to
    /// case.
    bool passes_with(std::string_view value) const;
};

/// All such words.
std::span<const MissingWord> missing_words();

} // namespace sluice
