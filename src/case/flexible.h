// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "model/solid/material.h"
#include <vector>

namespace sluice {

/// special/flexstrucs/flexstrucbody: a boundary whose particles are an elastic solid.
struct FlexibleDef {
    SourceLocation where;
    int mkbound = 0;
    std::vector<int> clamps; ///< mkbound of what holds it; none: it is free
    ElasticMaterial material;
};

} // namespace sluice
