// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/particle_groups.h"
#include <cstdint>
#include <limits>
#include <vector>

namespace sluice {

/// What the particles of a wall or a body are made of, as far as elastic contacts ask.
struct ContactMaterial {
    double young = 0;       ///< modulus of elasticity, Pa
    double poisson = 0;     ///< lateral over axial strain
    double restitution = 1; ///< speed after over speed before a contact, above 0 and at most 1
    double friction = 0;    ///< kinetic friction coefficient
};

/// A wall or a body in elastic contacts.
struct ContactPart {
    ContactMaterial material;
    double mass = std::numeric_limits<double>::infinity(); ///< of the body, kg; of walls infinite
};

/// The parts of a run, one for each group of boundary particles and in their order; none without elastic contacts.
struct ContactParts {
    static constexpr std::uint32_t inside = 0xffffffffu; ///< of a part that nothing can touch before its neighbours

    std::vector<ContactPart> parts;
    std::vector<std::uint32_t> of_id; ///< of each boundary particle: the index of its part, or `inside`
};

} // namespace sluice
