// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include <nlohmann/json_fwd.hpp>

namespace sluice {

/// The constants of a run as an object of run.json, and of `sluice check --json`: every field under its name, SI units,
/// numbers such that `constants_from_json` gives back the very same.
nlohmann::ordered_json constants_to_json(const sph::Constants& constants);

/// The constants that such an object holds. What it does not hold, because an older version wrote it, has its default
/// or is derived. Throws std::exception if a value is not what it should be, RunError if one that every run has
/// (spacing, smoothing length, density, speed of sound, B, masses) is not there.
sph::Constants constants_from_json(const nlohmann::ordered_json& object);

} // namespace sluice
