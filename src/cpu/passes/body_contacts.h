// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/interaction.h"
#include "cpu/particles/particles.h"
#include <memory>

namespace sluice::cpu {

/// Pairs of a body's particles with walls and with other bodies, by the pair formula of fluid and boundary: what comes
/// nearer is compressed, and pushes back (RigidAlgorithm 1).
class BodyContacts {
public:
    virtual ~BodyContacts() = default;
    /// Adds to the rates of the boundary particles: to dρ/dt of both sides, to dv/dt of bodies.
    virtual void add(const InteractionView& view, const SortedGroup& boundary, const ThreadCount& threads) = 0;
};

/// None for a run without bodies, or in which they do not touch.
std::unique_ptr<BodyContacts> make_body_contacts(const RunSetup& setup, const Space& space);

} // namespace sluice::cpu
