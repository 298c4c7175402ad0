// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/interaction.h"
#include "model/fluids.h"
#include <memory>

namespace sluice::cpu {

/// The interaction one pair at a time, for every formulation: the plain version that the others are measured against.
std::unique_ptr<Interaction> make_scalar_interaction(const sph::Constants& constants, const Fluids& fluids,
                                                     sph::RatesPart part);

} // namespace sluice::cpu
