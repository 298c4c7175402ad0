// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sluice {

/// Which numbers a parameter takes.
struct ParameterRange {
    enum class Kind { any, least, most, above_zero, fraction, whole };
    Kind kind = Kind::any;
    int least = 0, most = 0; ///< of those kinds, and of whole numbers

    bool contains(double value) const;
    /// For the list of all words: "0 or more", "" for any number.
    std::string text() const;
    /// What is wrong with a number outside, to stand behind the word: "must not be below 0 (-1)".
    std::string complaint(double value) const;
};

namespace parameters {

inline constexpr ParameterRange any_number{};
inline constexpr ParameterRange zero_or_more{ParameterRange::Kind::least};
inline constexpr ParameterRange zero_or_less{ParameterRange::Kind::most};
inline constexpr ParameterRange above_zero{ParameterRange::Kind::above_zero};
inline constexpr ParameterRange fraction{ParameterRange::Kind::fraction, 0, 1};

constexpr ParameterRange whole_from(int least, int most) { return {ParameterRange::Kind::whole, least, most}; }

} // namespace parameters
} // namespace sluice
