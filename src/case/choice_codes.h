// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include <cstddef>

// The numbers by which case files call what a run may choose. Only what reads cases, or speaks of their words, knows
// them.

namespace sluice {

template <class Choice>
struct ChoiceCode {
    int code;
    Choice choice;
};

// in steps of one
inline constexpr ChoiceCode<sph::KernelType> kernel_codes[] = {{1, sph::KernelType::cubic_spline},
                                                               {2, sph::KernelType::wendland}};
inline constexpr ChoiceCode<sph::Integrator> integrator_codes[] = {
    {1, sph::Integrator::verlet}, {2, sph::Integrator::symplectic}, {3, sph::Integrator::staggered}};
inline constexpr ChoiceCode<sph::BoundaryCondition> boundary_codes[] = {{1, sph::BoundaryCondition::dynamic},
                                                                        {2, sph::BoundaryCondition::modified_dynamic}};
inline constexpr ChoiceCode<sph::SlipMode> slip_codes[] = {
    {1, sph::SlipMode::wall}, {2, sph::SlipMode::no_slip}, {3, sph::SlipMode::free_slip}};
inline constexpr ChoiceCode<sph::WallPressure> wall_pressure_codes[] = {{1, sph::WallPressure::linear},
                                                                        {2, sph::WallPressure::balanced}};
inline constexpr ChoiceCode<sph::PressureForm> pressure_form_codes[] = {{1, sph::PressureForm::squares},
                                                                        {2, sph::PressureForm::product}};
inline constexpr ChoiceCode<sph::ViscosityModel> viscosity_codes[] = {
    {1, sph::ViscosityModel::artificial}, {2, sph::ViscosityModel::laminar_sps}, {3, sph::ViscosityModel::laminar}};
inline constexpr ChoiceCode<sph::DensityDiffusion> diffusion_codes[] = {{0, sph::DensityDiffusion::none},
                                                                        {1, sph::DensityDiffusion::molteni},
                                                                        {2, sph::DensityDiffusion::fourtakas},
                                                                        {3, sph::DensityDiffusion::fourtakas_full},
                                                                        {4, sph::DensityDiffusion::renormalised}};
inline constexpr ChoiceCode<sph::Shifting> shifting_codes[] = {{0, sph::Shifting::none},
                                                               {1, sph::Shifting::off_walls},
                                                               {2, sph::Shifting::off_resting_walls},
                                                               {3, sph::Shifting::everywhere},
                                                               {4, sph::Shifting::along_surfaces}};
inline constexpr ChoiceCode<sph::InitialDensity> initial_density_codes[] = {{1, sph::InitialDensity::reference},
                                                                            {2, sph::InitialDensity::water_column},
                                                                            {3, sph::InitialDensity::max_water_level}};

/// What a number from the first to the last of the table stands for.
template <class Choice, std::size_t Count>
constexpr Choice choice_of(int code, const ChoiceCode<Choice> (&codes)[Count]) {
    return codes[code - codes[0].code].choice;
}

/// The number of a choice that is in the table.
template <class Choice, std::size_t Count>
constexpr int code_of(Choice choice, const ChoiceCode<Choice> (&codes)[Count]) {
    int k = 0;
    while (codes[k].choice != choice) ++k;
    return codes[k].code;
}

} // namespace sluice
