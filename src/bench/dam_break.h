// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include <cstdint>

// The papers' dam break at a chosen number of particles.

namespace sluice::bench {

/// Text of the shipped cases/dam-break-3d.xml.
extern const char* const dam_break_case;

/// The case, ready for any backend. Positions, constants and domain come from the case alone.
struct DamBreak {
    double dp = 0; ///< m
    RunSetup setup;
    ParticleState state;

    std::uint32_t particles() const { return static_cast<std::uint32_t>(state.size()); }
};

/// The dam break with spacing dp, m.
DamBreak make_dam_break(double dp);

/// The spacing at which the case has about `particles` particles, m.
double spacing_for(double particles);

/// The dam break with `particles` particles, to about one per cent: a lattice cannot hit every number.
DamBreak make_dam_break_of(std::uint64_t particles);

/// Constants, domain and boundary count of the dam break for so many particles, without making them: for memory plans
/// of problems larger than this machine. The boundary count is the surface term of `spacing_for`.
RunSetup make_setup_of(double particles);

} // namespace sluice::bench
