// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/frame.h"
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// The values that particles have in frames, declared once: whoever stores, reads, interpolates, exports, shows or
// names them goes through this table.

namespace sluice {

/// Where a frame keeps a field: numbers, or vectors.
using FieldMember = std::variant<std::vector<float> Frame::*, std::vector<Vec3f> Frame::*>;

struct FieldInfo {
    Field field;
    std::string_view name;                   ///< of arrays, of the option --fields
    std::string_view unit;                   ///< in ASCII, empty: a plain number
    std::array<std::string_view, 3> columns; ///< names of the components in tables; a number has one
    std::string_view magnitude;              ///< name of a vector's length, or of the number
    FieldMember member;
    bool derived; ///< gathered from the neighbours where asked for, of fluid particles only; NaN for others
    std::string_view description; ///< one line
};

inline constexpr std::array<FieldInfo, 6> particle_fields{{
    {Field::velocity, "velocity", "m/s", {"vx", "vy", "vz"}, "speed", &Frame::velocity, false, "velocity"},
    {Field::pressure,
     "pressure",
     "Pa",
     {"pressure"},
     "pressure",
     &Frame::pressure,
     false,
     "pressure by the equation of state"},
    {Field::density, "density", "kg/m3", {"density"}, "density", &Frame::density, false, "density"},
    {Field::vorticity,
     "vorticity",
     "1/s",
     {"vorticity_x", "vorticity_y", "vorticity_z"},
     "vorticity",
     &Frame::vorticity,
     true,
     "curl of the velocity, sum of V_b grad W x (v_b - v_a)"},
    {Field::velocity_divergence,
     "velocity_divergence",
     "1/s",
     {"velocity_divergence"},
     "velocity_divergence",
     &Frame::velocity_divergence,
     true,
     "divergence of the velocity, sum of V_b (v_b - v_a).grad W"},
    {Field::position_divergence,
     "position_divergence",
     "",
     {"position_divergence"},
     "position_divergence",
     &Frame::position_divergence,
     true,
     "divergence of the particle positions, sum of V_b (r_b - r_a).grad W: about 2 (2-D) or 3 (3-D) inside the fluid, "
     "less at its surface"},
}};

constexpr const FieldInfo& field_info(Field field) { return particle_fields[static_cast<std::size_t>(field)]; }

/// The field of that name.
constexpr std::optional<Field> field_named(std::string_view name) {
    for (const FieldInfo& info : particle_fields)
        if (info.name == name) return info.field;
    return std::nullopt;
}

/// How many numbers a particle has of a field.
constexpr int components_of(const FieldInfo& info) { return info.member.index() == 0 ? 1 : 3; }

/// Headings of a table's columns for a field: "vx [m/s]", …
inline std::vector<std::string> column_titles(const FieldInfo& info) {
    std::vector<std::string> titles;
    for (int k = 0; k < components_of(info); ++k) {
        titles.emplace_back(info.columns[static_cast<std::size_t>(k)]);
        if (!info.unit.empty()) titles.back() += " [" + std::string(info.unit) + "]";
    }
    return titles;
}

/// Some of the fields.
class FieldSelection {
public:
    constexpr FieldSelection() = default;
    constexpr FieldSelection(std::initializer_list<Field> chosen) {
        for (const Field field : chosen) add(field);
    }
    constexpr void add(Field field) { bits_ |= bit(field); }
    constexpr bool has(Field field) const { return (bits_ & bit(field)) != 0; }
    constexpr bool empty() const { return bits_ == 0; }
    /// Those of them that are gathered where asked for.
    constexpr FieldSelection derived() const {
        FieldSelection found;
        for (const FieldInfo& info : particle_fields)
            if (info.derived && has(info.field)) found.add(info.field);
        return found;
    }
    constexpr FieldSelection operator|(const FieldSelection& other) const {
        FieldSelection both = *this;
        both.bits_ |= other.bits_;
        return both;
    }
    constexpr bool operator==(const FieldSelection&) const = default;

private:
    static constexpr std::uint32_t bit(Field field) { return 1u << static_cast<unsigned>(field); }
    std::uint32_t bits_ = 0;
};

/// What every frame of a backend has.
inline constexpr FieldSelection state_fields{Field::velocity, Field::pressure, Field::density};

/// Calls `use(info)` for each selected field, in the order of the table.
template <class Use>
void for_each_selected(const FieldSelection& selection, Use&& use) {
    for (const FieldInfo& info : particle_fields)
        if (selection.has(info.field)) use(info);
}

/// Calls `use(values)` with a frame's values of a field, numbers or vectors.
template <class AnyFrame, class Use>
decltype(auto) with_values(AnyFrame& frame, const FieldInfo& info, Use&& use) {
    return std::visit([&](auto member) -> decltype(auto) { return use(frame.*member); }, info.member);
}

/// "velocity, pressure": the names of the selected fields.
inline std::string names_of(const FieldSelection& selection) {
    std::string names;
    for_each_selected(selection, [&](const FieldInfo& info) {
        if (!names.empty()) names += ", ";
        names += info.name;
    });
    return names;
}

} // namespace sluice
