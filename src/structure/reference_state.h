// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/solid/structure.h"
#include "physics/solid/total_lagrangian.h"
#include <span>

namespace sluice {

/// What a structure keeps of time 0: who is whose neighbour, and the gradients of the kernel there. Nodes are the
/// flexible particles, then the stressed ones of clamps (neighbours of flexible ones), then those of clamps that only
/// count for the strain of the second.
struct ReferenceState {
    std::vector<Vec3d> start;                 ///< of the nodes, m
    std::vector<std::uint32_t> source;        ///< of the nodes: their places among the particles of the structure
    std::uint32_t flexible = 0, stressed = 0; ///< the first so many nodes; the latter count the former
    /// Of the stressed nodes: the neighbours of node n are those from first[n] on, up to first[n + 1].
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> neighbour;          ///< nodes, in the order of their numbers
    std::vector<Vec3d> gradient;                   ///< V ∇W of each neighbour, 1/m
    std::vector<solid::Tensor<double>> correction; ///< K of the stressed nodes
    double condition = 0;                          ///< the worst of the flexible nodes (solid::condition_of)
    std::uint32_t worst = 0;                       ///< which flexible node has it

    std::uint32_t size() const { return static_cast<std::uint32_t>(start.size()); }
    /// Over what a deformation is summed up.
    std::span<const std::uint32_t> neighbours_of(std::uint32_t node) const {
        return {neighbour.data() + first[node], neighbour.data() + first[node + 1]};
    }
};

/// Of particles that each have two neighbours at least, not on one line. What a structure of fewer layers is,
/// `condition` tells: nothing is computed from it here. Takes a time of N log N.
ReferenceState reference_state(const StructureParticles& particles, const solid::LagrangianConstants& constants);

/// How many particles a structure is thick: through each flexible particle runs a row of them along each axis, `dp` (m)
/// apart; the shortest row counts, of those of all particles the median. Clamps count as parts of rows.
int layers_across(const StructureParticles& particles, double dp, bool two_d);

} // namespace sluice
