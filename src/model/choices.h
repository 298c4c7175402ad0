// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/bodies.h"
#include "model/choice_row.h"
#include "model/constants.h"
#include <stdexcept>
#include <string_view>

// The tables of the choices that a run may make. Who adds a choice adds its row to its table; the reader of cases, the
// list of words and run.json follow.

namespace sluice {

template <>
inline constexpr auto choices<sph::Integrator> = std::to_array<ChoiceRow<sph::Integrator>>({
    {sph::Integrator::verlet, "verlet", "1", "Verlet"},
    {sph::Integrator::symplectic, "symplectic", "2", "symplectic"},
    {sph::Integrator::staggered, "staggered", "3", "staggered, whose steps may be four times as long (an extension)"},
});

template <>
inline constexpr auto choices<sph::BoundaryCondition> = std::to_array<ChoiceRow<sph::BoundaryCondition>>({
    {sph::BoundaryCondition::dynamic, "dynamic", "1", "dynamic boundary particles"},
    {sph::BoundaryCondition::modified_dynamic, "modified_dynamic", "2",
     "modified ones (mDBC), whose density is extrapolated along normals"},
});

template <>
inline constexpr auto choices<sph::SlipMode> = std::to_array<ChoiceRow<sph::SlipMode>>({
    {sph::SlipMode::wall, "wall", "1", "the wall's"},
    {sph::SlipMode::no_slip, "no_slip", "2", "mirrored (no slip)"},
    {sph::SlipMode::free_slip, "free_slip", "3", "mirrored along the normal (free slip)"},
});

template <>
inline constexpr auto choices<sph::WallPressure> = std::to_array<ChoiceRow<sph::WallPressure>>({
    {sph::WallPressure::linear, "linear", "1", "extrapolated linearly with its gradient"},
    {sph::WallPressure::balanced, "balanced", "2", "that of the ghost node and the weight of the water between"},
});

template <>
inline constexpr auto choices<sph::PressureForm> = std::to_array<ChoiceRow<sph::PressureForm>>({
    {sph::PressureForm::squares, "squares", "1", "P/rho² of either side, masses of neighbours"},
    {sph::PressureForm::product, "product", "2",
     "the sum of P over the product of rho, volumes of neighbours, as in the reference"},
});

template <>
inline constexpr auto choices<sph::ViscosityModel> = std::to_array<ChoiceRow<sph::ViscosityModel>>({
    {sph::ViscosityModel::artificial, "artificial", "1", "artificial"},
    {sph::ViscosityModel::laminar_sps, "laminar_sps", "2", "laminar with sub-particle-scale turbulence"},
    {sph::ViscosityModel::laminar, "laminar", "3", "laminar"},
    {sph::ViscosityModel::laminar_central, "laminar_central", "MonaghanGingold",
     "laminar and right at free surfaces, too (an extension)"},
    {sph::ViscosityModel::apparent, "apparent", "", "that of special/nnphases"},
});

template <>
inline constexpr auto choices<sph::DensityDiffusion> = std::to_array<ChoiceRow<sph::DensityDiffusion>>({
    {sph::DensityDiffusion::none, "none", "0", "none"},
    {sph::DensityDiffusion::molteni, "molteni", "1", "Molteni & Colagrossi"},
    {sph::DensityDiffusion::fourtakas, "fourtakas", "2", "Fourtakas et al."},
    {sph::DensityDiffusion::fourtakas_full, "fourtakas_full", "3", "the same also near walls"},
    {sph::DensityDiffusion::renormalised, "renormalised", "4", "δ-SPH with renormalised gradients (an extension)"},
});

template <>
inline constexpr auto choices<sph::Shifting> = std::to_array<ChoiceRow<sph::Shifting>>({
    {sph::Shifting::none, "none", "0", "none"},
    {sph::Shifting::off_walls, "off_walls", "1", "not near walls"},
    {sph::Shifting::off_resting_walls, "off_resting_walls", "2", "not near walls that rest"},
    {sph::Shifting::everywhere, "everywhere", "3", "everywhere"},
    {sph::Shifting::along_surfaces, "along_surfaces", "4", "advanced: near free surfaces along them only"},
});

template <>
inline constexpr auto choices<sph::InitialDensity> = std::to_array<ChoiceRow<sph::InitialDensity>>({
    {sph::InitialDensity::reference, "reference", "1", "rhop0"},
    {sph::InitialDensity::water_column, "water_column", "2", "hydrostatic column above each particle"},
    {sph::InitialDensity::max_water_level, "max_water_level", "3", "hydrostatic from the highest water level"},
});

template <>
inline constexpr auto choices<BodyContact> = std::to_array<ChoiceRow<BodyContact>>({
    {BodyContact::none, "none", "", ""},
    {BodyContact::pair_formula, "pair_formula", "", ""},
    {BodyContact::elastic, "elastic", "", ""},
});

/// The row of a choice. Throws std::logic_error for a choice that has none.
template <class Choice>
constexpr const ChoiceRow<Choice>& choice_row(Choice choice) {
    for (const ChoiceRow<Choice>& row : choices<Choice>)
        if (row.choice == choice) return row;
    throw std::logic_error("a choice has no row in its table of choices");
}

/// What results and messages call a choice.
template <class Choice>
constexpr const char* name_of(Choice choice) {
    return choice_row(choice).name;
}

/// How a case says a choice, such as "2".
template <class Choice>
constexpr const char* word_of(Choice choice) {
    return choice_row(choice).word;
}

/// The choice that a case says with a word, which a table has as it is written there; nullptr if it has not.
template <class Choice>
constexpr const ChoiceRow<Choice>* find_choice(std::string_view word) {
    for (const ChoiceRow<Choice>& row : choices<Choice>)
        if (*row.word && word == row.word) return &row;
    return nullptr;
}

} // namespace sluice
