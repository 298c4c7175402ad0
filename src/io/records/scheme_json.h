// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/scheme.h"
#include <nlohmann/json_fwd.hpp>

namespace sluice {

/// What Scheme chose, as the object "scheme" of run.json and of `sluice check --json`: `name` (of the set), `taken`
/// (value by choice, the first of them the set) and `otherwise` (of each choice that the case makes itself, `used` and
/// `recommended`). Null with Scheme=none.
nlohmann::ordered_json scheme_to_json(const std::vector<SchemeChoice>& choices);

} // namespace sluice
