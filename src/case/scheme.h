// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/language.h"
#include <span>
#include <string>
#include <vector>

// Scheme=recommended: one word for the numerical choices that docs/validation.md found best. Whatever a case says
// itself holds; the scheme says the rest.

namespace sluice {

/// One choice of the recommended scheme.
struct SchemeMember {
    Section section; ///< constant or parameter
    const char* name;
    const char* value;
    const char* other; ///< what is taken where `value` cannot be, "" if there is no such case
    const char* where; ///< where `other` is taken
    const char* why;   ///< in Markdown, for the documentation
};

/// All choices of the recommended scheme.
std::span<const SchemeMember> recommended_scheme();

/// The choice of a constant or parameter, or nullptr.
const SchemeMember* recommended_choice(Section section, std::string_view name);

/// The table of the choices as Markdown for the documentation.
std::string scheme_markdown();

/// The place of values that the scheme has chosen, in messages and in the effective case.
inline constexpr const char* scheme_place = "Scheme=recommended";

/// What a run uses of a choice of the scheme.
struct SchemeChoice {
    std::string name;
    std::string recommended; ///< for this case
    std::string used;        ///< the same, or "NAME=VALUE" of the word that says it instead

    bool operator==(const SchemeChoice&) const = default;
    /// Whether the run uses what is recommended: numbers are compared as numbers, words without regard to case.
    bool is_followed() const;
};

/// The choices in a sentence: those that are followed, and those of which the case says otherwise. Empty for none.
std::string scheme_text(const std::vector<SchemeChoice>& choices);

} // namespace sluice
