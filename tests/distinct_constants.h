// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include <type_traits>

namespace sluice {

/// A value that the field does not have by default, and that no other field of its type gets: `number` counts them.
template <class Field>
void set_distinct(Field& field, int number) {
    if constexpr (std::is_same_v<Field, Vec3d>)
        field = {number + 0.1, number + 0.2, -number - 0.3};
    else if constexpr (std::is_same_v<Field, sph::KernelType>)
        field = sph::KernelType::cubic_spline;
    else if constexpr (std::is_same_v<Field, sph::Integrator>)
        field = sph::Integrator::symplectic;
    else if constexpr (std::is_same_v<Field, sph::DensityDiffusion>)
        field = sph::DensityDiffusion::fourtakas_full;
    else if constexpr (std::is_same_v<Field, sph::PressureForm>)
        field = sph::PressureForm::product;
    else if constexpr (std::is_same_v<Field, sph::ViscosityModel>)
        field = sph::ViscosityModel::laminar;
    else if constexpr (std::is_same_v<Field, sph::BoundaryCondition>)
        field = sph::BoundaryCondition::modified_dynamic;
    else if constexpr (std::is_same_v<Field, sph::SlipMode>)
        field = sph::SlipMode::free_slip;
    else if constexpr (std::is_same_v<Field, sph::WallPressure>)
        field = sph::WallPressure::balanced;
    else if constexpr (std::is_same_v<Field, sph::Shifting>)
        field = sph::Shifting::everywhere;
    else if constexpr (std::is_same_v<Field, bool>)
        field = !field;
    else if constexpr (std::is_same_v<Field, int>)
        field = 100 + number;
    else
        field = number + 1.0 / 3;
}

/// Constants of which every field has a value of its own, other than the default: what gets lost or mixed up shows.
inline sph::Constants distinct_constants() {
    sph::Constants c;
    int number = 0;
    sph::for_each_field(c, [&](const char*, auto& field) { set_distinct(field, ++number); });
    return c;
}

} // namespace sluice
