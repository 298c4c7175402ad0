// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/solid/structure.h"
#include "physics/solid/total_lagrangian.h"
#include <span>

namespace sluice {

/// What a structure keeps of time 0: who is whose neighbour, gradients, volumes. The solid is made of the cells of the
/// lattice whose corners are particles, one of them at least flexible. Nodes are the flexible particles, then those of
/// clamps that are corners of such cells: a clamp ends where its outermost particles are, and nothing in it is
/// strained.
struct ReferenceState {
    std::vector<Vec3d> start;          ///< of the nodes, m
    std::vector<std::uint32_t> source; ///< of the nodes: their places among the particles of the structure
    std::uint32_t flexible = 0;        ///< the first so many nodes
    std::vector<double> share;         ///< of the nodes: v, what of the solid is theirs, m³ (m² in 2-D)
    std::vector<double> volume;        ///< of the nodes: V, their weights in the energy, likewise
    /// The neighbours of node n are those from first[n] on, up to first[n + 1].
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> neighbour; ///< nodes, in the order of their numbers
    std::vector<Vec3d> gradient;          ///< g of each neighbour, 1/m
    std::vector<Vec3d> reverse;           ///< g of the node as a neighbour of its neighbour, 1/m
    std::vector<double> bond;             ///< solid::bond_of the pair
    double condition = 0;                 ///< the worst of the flexible nodes (solid::condition_of)
    std::uint32_t worst = 0;              ///< which flexible node has it

    std::uint32_t size() const { return static_cast<std::uint32_t>(start.size()); }
    /// Over what a deformation is summed up.
    std::span<const std::uint32_t> neighbours_of(std::uint32_t node) const {
        return {neighbour.data() + first[node], neighbour.data() + first[node + 1]};
    }
};

/// What a structure of one layer is, `condition` tells: its gradients are not to be used. Takes a time of N log N.
ReferenceState reference_state(const StructureParticles& particles, const solid::LagrangianConstants& constants);

/// How many particles a structure is thick: through each flexible particle runs a row of them along each axis, `dp` (m)
/// apart; the shortest row counts, of those of all particles the median. Clamps count as parts of rows.
int layers_across(const StructureParticles& particles, double dp, bool two_d);

} // namespace sluice
