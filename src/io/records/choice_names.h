// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/bodies.h"
#include "model/constants.h"

// What the choices of a run are called in run.json and in messages.

namespace sluice {

template <class Choice>
struct ChoiceName {
    Choice choice;
    const char* name;
};

inline constexpr ChoiceName<sph::KernelType> kernel_names[] = {{sph::KernelType::cubic_spline, "cubic_spline"},
                                                               {sph::KernelType::wendland, "wendland"}};
inline constexpr ChoiceName<sph::Integrator> integrator_names[] = {{sph::Integrator::verlet, "verlet"},
                                                                   {sph::Integrator::symplectic, "symplectic"},
                                                                   {sph::Integrator::staggered, "staggered"}};
inline constexpr ChoiceName<sph::DensityDiffusion> diffusion_names[] = {
    {sph::DensityDiffusion::none, "none"},
    {sph::DensityDiffusion::molteni, "molteni"},
    {sph::DensityDiffusion::fourtakas, "fourtakas"},
    {sph::DensityDiffusion::fourtakas_full, "fourtakas_full"},
    {sph::DensityDiffusion::renormalised, "renormalised"}};
inline constexpr ChoiceName<sph::BoundaryCondition> boundary_names[] = {
    {sph::BoundaryCondition::dynamic, "dynamic"}, {sph::BoundaryCondition::modified_dynamic, "modified_dynamic"}};
inline constexpr ChoiceName<sph::WallPressure> wall_pressure_names[] = {{sph::WallPressure::linear, "linear"},
                                                                        {sph::WallPressure::balanced, "balanced"}};
inline constexpr ChoiceName<sph::SlipMode> slip_names[] = {
    {sph::SlipMode::wall, "wall"}, {sph::SlipMode::no_slip, "no_slip"}, {sph::SlipMode::free_slip, "free_slip"}};
inline constexpr ChoiceName<sph::PressureForm> pressure_form_names[] = {{sph::PressureForm::squares, "squares"},
                                                                        {sph::PressureForm::product, "product"}};
inline constexpr ChoiceName<sph::ViscosityModel> viscosity_names[] = {
    {sph::ViscosityModel::artificial, "artificial"},
    {sph::ViscosityModel::laminar_sps, "laminar_sps"},
    {sph::ViscosityModel::apparent, "apparent"},
    {sph::ViscosityModel::laminar, "laminar"},
    {sph::ViscosityModel::laminar_central, "laminar_central"}};
inline constexpr ChoiceName<sph::Shifting> shifting_names[] = {{sph::Shifting::none, "none"},
                                                               {sph::Shifting::off_walls, "off_walls"},
                                                               {sph::Shifting::off_resting_walls, "off_resting_walls"},
                                                               {sph::Shifting::everywhere, "everywhere"},
                                                               {sph::Shifting::along_surfaces, "along_surfaces"}};
inline constexpr ChoiceName<BodyContact> contact_names[] = {
    {BodyContact::none, "none"}, {BodyContact::pair_formula, "pair_formula"}, {BodyContact::elastic, "elastic"}};

constexpr const auto& names_of(sph::KernelType) { return kernel_names; }
constexpr const auto& names_of(sph::Integrator) { return integrator_names; }
constexpr const auto& names_of(sph::DensityDiffusion) { return diffusion_names; }
constexpr const auto& names_of(sph::BoundaryCondition) { return boundary_names; }
constexpr const auto& names_of(sph::SlipMode) { return slip_names; }
constexpr const auto& names_of(sph::WallPressure) { return wall_pressure_names; }
constexpr const auto& names_of(sph::PressureForm) { return pressure_form_names; }
constexpr const auto& names_of(sph::ViscosityModel) { return viscosity_names; }
constexpr const auto& names_of(sph::Shifting) { return shifting_names; }
constexpr const auto& names_of(BodyContact) { return contact_names; }

template <class Choice>
constexpr const char* name_of(Choice choice) {
    const char* found = "";
    for (const ChoiceName<Choice>& known : names_of(choice))
        if (known.choice == choice) found = known.name;
    return found;
}

} // namespace sluice
