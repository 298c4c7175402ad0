// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/interaction.h"
#include <cstdint>
#include <vector>

namespace sluice::cpu {

/// Cuts the own cells of a group, those of images left out, into units of at least `particles` particles (or a whole
/// row), in the order of the records. Empty rows give none. `begin`: index of the first record of each cell.
std::vector<WorkUnit> make_work_units(const Rows& rows, const std::uint32_t* begin, std::uint32_t particles);

/// Particles of the kind that `begin` lists in a unit.
std::uint32_t particle_count(const Rows& rows, const std::uint32_t* begin, const WorkUnit& unit);

/// Whether a unit has boundary particles in reach.
bool near_boundary(const InteractionView& view, const WorkUnit& unit);

} // namespace sluice::cpu
