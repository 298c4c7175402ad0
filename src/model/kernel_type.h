// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/choice_row.h"

namespace sluice {

namespace sph {
/// Smoothing kernels (physics/sph/kernels.h): the cubic spline (A.3), which carries Monaghan's (2000) tensile
/// correction; those of Wendland (1995), of continuity C2, C4 and C6.
enum class KernelType { cubic_spline, wendland, wendland_c4, wendland_c6 };
} // namespace sph

template <>
inline constexpr auto choices<sph::KernelType> = std::to_array<ChoiceRow<sph::KernelType>>({
    {sph::KernelType::cubic_spline, "cubic_spline", "1", "cubic spline"},
    {sph::KernelType::wendland, "wendland", "2", "Wendland"},
    {sph::KernelType::wendland_c4, "wendland_c4", "WendlandC4", "Wendland C4, for wide supports (an extension)"},
    {sph::KernelType::wendland_c6, "wendland_c6", "WendlandC6", "Wendland C6, likewise (an extension)"},
});

} // namespace sluice
