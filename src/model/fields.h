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

// The values that particles have in frames, declared once: all code that stores, reads, interpolates, exports, shows or
// names them uses this table.

namespace sluice {

/// Where a frame keeps a field: numbers, or vectors.
using FieldMember = std::variant<std::vector<float> Frame::*, std::vector<Vec3f> Frame::*>;

/// Where the values of a field come from, and which particles have some: the others have NaN.
enum class FieldSource {
    state,         ///< the run itself; all particles, in every frame of a backend
    neighbours,    ///< gathered by the backend where asked for; fluid particles
    least_squares, ///< found in the fluid around each particle when frames are stored or measured; fluid particles
    nearby_fluid,  ///< carried from the fluid in reach when frames are stored; boundary particles
    structure      ///< found of flexible bodies when frames are stored; boundary particles, 0 for rigid ones
};

struct FieldInfo {
    Field field;
    std::string_view name;                   ///< of arrays, of the option --fields
    std::string_view unit;                   ///< in ASCII, empty: a plain number
    std::array<std::string_view, 3> columns; ///< names of the components in tables; a number has one
    std::string_view magnitude;              ///< name of a vector's length, or of the number
    FieldMember member;
    FieldSource source;
    std::string_view description; ///< one line
};

inline constexpr std::array<FieldInfo, 15> particle_fields{{
    {Field::velocity, "velocity", "m/s", {"vx", "vy", "vz"}, "speed", &Frame::velocity, FieldSource::state, "velocity"},
    {Field::pressure,
     "pressure",
     "Pa",
     {"pressure"},
     "pressure",
     &Frame::pressure,
     FieldSource::state,
     "pressure by the equation of state"},
    {Field::density, "density", "kg/m3", {"density"}, "density", &Frame::density, FieldSource::state, "density"},
    {Field::vorticity,
     "vorticity",
     "1/s",
     {"vorticity_x", "vorticity_y", "vorticity_z"},
     "vorticity",
     &Frame::vorticity,
     FieldSource::neighbours,
     "curl of the velocity, sum of V_b grad W x (v_b - v_a)"},
    {Field::velocity_divergence,
     "velocity_divergence",
     "1/s",
     {"velocity_divergence"},
     "velocity_divergence",
     &Frame::velocity_divergence,
     FieldSource::neighbours,
     "divergence of the velocity, sum of V_b (v_b - v_a).grad W"},
    {Field::position_divergence,
     "position_divergence",
     "",
     {"position_divergence"},
     "position_divergence",
     &Frame::position_divergence,
     FieldSource::neighbours,
     "divergence of the particle positions, sum of V_b (r_b - r_a).grad W: about 2 (2-D) or 3 (3-D) inside the fluid, "
     "less at its surface"},
    {Field::wall_pressure,
     "wall_pressure",
     "Pa",
     {"wall_pressure"},
     "wall_pressure",
     &Frame::wall_pressure,
     FieldSource::nearby_fluid,
     "pressure of the fluid at the boundary, mean of p_b + rho_b g.(x_w - x_b) weighted by V_b W; 0 without fluid in "
     "reach"},
    {Field::displacement,
     "displacement",
     "m",
     {"ux", "uy", "uz"},
     "displacement",
     &Frame::displacement,
     FieldSource::structure,
     "of flexible bodies: where a particle is, less where it was at the start"},
    {Field::von_mises,
     "von_mises",
     "Pa",
     {"von_mises"},
     "von_mises",
     &Frame::von_mises,
     FieldSource::structure,
     "of flexible bodies: equivalent stress by von Mises, of the Cauchy stress"},
    {Field::principal_stress,
     "principal_stress",
     "Pa",
     {"stress_1", "stress_2", "stress_3"},
     "principal_stress",
     &Frame::principal_stress,
     FieldSource::structure,
     "of flexible bodies: principal Cauchy stresses, the greatest first; tension is positive"},
    {Field::strain_energy,
     "strain_energy",
     "J/m3",
     {"strain_energy"},
     "strain_energy",
     &Frame::strain_energy,
     FieldSource::structure,
     "of flexible bodies: elastic energy over volume at the start"},
    {Field::pressure_gradient,
     "pressure_gradient",
     "Pa/m",
     {"dp_dx", "dp_dy", "dp_dz"},
     "pressure_gradient",
     &Frame::pressure_gradient,
     FieldSource::least_squares,
     "gradient of the pressure, by least squares over the fluid within 2h (LSMPS)"},
    {Field::vx_gradient,
     "vx_gradient",
     "1/s",
     {"dvx_dx", "dvx_dy", "dvx_dz"},
     "vx_gradient",
     &Frame::vx_gradient,
     FieldSource::least_squares,
     "gradient of the velocity along x, by least squares over the fluid within 2h (LSMPS)"},
    {Field::vy_gradient,
     "vy_gradient",
     "1/s",
     {"dvy_dx", "dvy_dy", "dvy_dz"},
     "vy_gradient",
     &Frame::vy_gradient,
     FieldSource::least_squares,
     "gradient of the velocity along y, by least squares over the fluid within 2h (LSMPS)"},
    {Field::vz_gradient,
     "vz_gradient",
     "1/s",
     {"dvz_dx", "dvz_dy", "dvz_dz"},
     "vz_gradient",
     &Frame::vz_gradient,
     FieldSource::least_squares,
     "gradient of the velocity along z, by least squares over the fluid within 2h (LSMPS)"},
}};

/// Whether boundary particles alone have it.
constexpr bool is_of_boundary(const FieldInfo& info) {
    return info.source == FieldSource::nearby_fluid || info.source == FieldSource::structure;
}

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
    /// Those of them that come from somewhere.
    constexpr FieldSelection from(FieldSource source) const {
        FieldSelection found;
        for (const FieldInfo& info : particle_fields)
            if (info.source == source && has(info.field)) found.add(info.field);
        return found;
    }
    /// Those that particles of the fluid have, or of the boundary.
    constexpr FieldSelection of_fluid() const {
        return from(FieldSource::state) | from(FieldSource::neighbours) | from(FieldSource::least_squares);
    }
    constexpr FieldSelection of_boundary() const {
        return from(FieldSource::state) | from(FieldSource::nearby_fluid) | from(FieldSource::structure);
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
/// What stored frames have unless the user says otherwise.
inline constexpr FieldSelection default_fields = state_fields | FieldSelection{Field::wall_pressure};

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
