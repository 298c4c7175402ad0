// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/language.h"
#include <array>
#include <span>
#include <string>
#include <vector>

// Scheme: one word for the numerical choices that docs/validation.md found best, in two sets: `flow` and, for waves
// over many of their lengths, `waves`; `recommended` takes the one that the case asks for. Whatever a case says itself
// holds; the scheme says the rest.

namespace sluice {

/// What a set of choices is for.
enum class SchemeSet { flow, waves };

/// What a case may say in Scheme.
inline constexpr const char* scheme_words = "recommended, flow, waves or none";

/// The word of the case for a set.
const char* scheme_word(SchemeSet set);

/// What the choices for a case depend on.
struct SchemeTraits {
    SchemeSet set = SchemeSet::flow;
    bool two_d = false;
    bool has_normals = false;    ///< the case says normals of walls
    bool weightless = false;     ///< without gravity
    bool has_joints = false;     ///< or mooring lines
    bool has_structures = false; ///< flexible ones
};

/// Where a choice has another value.
enum class SchemeWhere { waves_in_2d, weightless_in_2d, in_3d, without_normals, with_joints, with_structures };

/// One choice of the scheme.
struct SchemeMember {
    struct Other {
        const char* value = nullptr; ///< none: there is no such case
        SchemeWhere where = {};
    };
    using Others = std::array<Other, 3>; ///< the first that applies holds
    Section section;                     ///< constant or parameter
    const char* name;
    const char* value;
    Others others;
    const char* why; ///< in Markdown, for the documentation

    /// What the scheme says for a case.
    const char* value_for(const SchemeTraits& traits) const;
};

/// All choices of the scheme.
std::span<const SchemeMember> recommended_scheme();

/// The choice of a constant or parameter, or nullptr.
const SchemeMember* recommended_choice(Section section, std::string_view name);

/// The table of the choices as Markdown for the documentation.
std::string scheme_markdown();

/// The place of values that the scheme has chosen, in messages and in the effective case.
inline constexpr const char* scheme_place = "Scheme";

/// What a run uses of a choice of the scheme. The first choice of a run, `Scheme`, is the set.
struct SchemeChoice {
    std::string name;
    std::string recommended; ///< for this case
    std::string used;        ///< the same, or "NAME=VALUE" of the word that says it instead

    bool operator==(const SchemeChoice&) const = default;
    /// Whether the run uses what is recommended: numbers are compared as numbers, words without regard to case.
    bool is_followed() const;
};

/// The choices of a run in a sentence: the set, and what the other one is for; what is followed of it, and of what the
/// case says otherwise. Empty for none.
std::string scheme_text(const std::vector<SchemeChoice>& choices);

} // namespace sluice
