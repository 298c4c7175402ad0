// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include <cstddef>
#include <vector>

namespace sluice {

/// The viscosity at one time: α of the artificial one, or ν of the laminar one (m²/s).
struct ViscositySample {
    double time = 0; ///< s
    double value = 0;

    bool operator==(const ViscositySample&) const = default;
};

namespace sph {

/// The number that the viscosity of a run is: α, or ν in m²/s.
inline double viscosity_of(const Constants& c) { return c.viscosity == ViscosityModel::artificial ? c.alpha : c.nu; }
inline Constants with_viscosity(Constants c, double value) {
    (c.viscosity == ViscosityModel::artificial ? c.alpha : c.nu) = value;
    return c;
}

/// The constants of a run at `time` (s): their viscosity is linear in time between the samples, and the first and the
/// last of those before and after. Without samples it stays.
inline Constants constants_at(const Constants& c, const std::vector<ViscositySample>& samples, double time) {
    if (samples.empty()) return c;
    std::size_t i = 0;
    while (i + 1 < samples.size() && samples[i + 1].time <= time) ++i;
    const ViscositySample& from = samples[i];
    if (i + 1 == samples.size() || time <= from.time) return with_viscosity(c, from.value);
    const ViscositySample& to = samples[i + 1];
    return with_viscosity(c, from.value + (time - from.time) / (to.time - from.time) * (to.value - from.value));
}

} // namespace sph
} // namespace sluice
