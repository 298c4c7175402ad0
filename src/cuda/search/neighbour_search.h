// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/placed_particles.h"
#include "cuda/data/run_arrays.h"
#include "cuda/pairs/interaction.h"
#include "cuda/pairs/neighbour_lists.h"
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace sluice::cuda {

/// Particles on their way to a state: `kept` are those still in the run, in their order, which is the state's. The
/// first `listed` places are those that lists have, where the run has lists.
struct SavedPlaces {
    const std::vector<std::uint32_t>&id, &cell;
    const std::vector<std::uint32_t>& kept;
    std::uint32_t listed = 0;
    std::vector<Position> origin; ///< NeighbourSearch::origin(), if the lists are to be saved
};

/// How a version finds neighbours, with the arrays that this takes, and the interaction that goes with it. Everything
/// is enqueued on a stream and may be recorded as a graph.
class NeighbourSearch {
public:
    virtual ~NeighbourSearch() = default;

    /// After the state was written from the host: sorts the boundary particles and fills what follows from them, or
    /// from the particles' cells. `rebuild` (Control) as restore() left it.
    virtual void adopt_state(bool rebuild, cudaStream_t stream) = 0;
    /// Before every interaction: makes sure that neighbours are found where the particles are now. May put the
    /// particles into a new order, in other places.
    virtual void build(cudaStream_t stream) = 0;
    /// dv/dt and dρ/dt of every particle into the spare records, and the maxima that limit the time step. `beside`: a
    /// stream forked from `stream`, for the boundary particles if they can go beside the fluid.
    virtual void interact(const InteractionArgs& args, cudaStream_t stream, cudaStream_t beside) = 0;
    /// Coarse positions (coarse_search.h) of all particles where they are now, until the next build(). Null where this
    /// is a search for runs that need none.
    virtual const std::uint32_t* coarse_positions(cudaStream_t) { return nullptr; }
    /// How far particles may have moved against one another since their cells were made before neighbours may be two
    /// cells away, m.
    virtual float one_cell_travel() const { return std::numeric_limits<float>::infinity(); }
    /// The neighbour lists, for further passes over the fluid; without entries where this is another search.
    virtual ListView lists() const { return {}; }
    /// The lists of bodies' particles; none where this is another search.
    virtual BodyLists body_lists() const { return {}; }
    /// Where the update counts the fluid's cells, for a search that wants that; it also keeps the cells then.
    virtual CellCounts counts() const { return {}; }

    // Where several devices share a run, others sort (share_exchange.h) instead of build():
    /// For sorts of that kind.
    virtual SortScratch sort_scratch() { return {}; }
    virtual bool sorts_along_curve() const { return false; }
    /// Sorts the boundary particles, which move, and what follows from where they are.
    virtual void sort_walls(cudaStream_t) {}
    /// After the state has been sorted, with its cell list: what else neighbours are found with.
    virtual void adopt_order(cudaStream_t) {}
    /// With lists: measures the displacements, and decides about a renewal once the maxima over all devices are in the
    /// control.
    virtual void measure(cudaStream_t) {}
    virtual void decide(const AllMaxima&, Control* /*copy*/, cudaStream_t) {}
    /// With lists: parts of interact(). The boundary part is right only once it is decided that the lists are complete.
    virtual void interact_fluid(const InteractionArgs&, const OwnParticles&, cudaStream_t) {}
    virtual void interact_boundary(const InteractionArgs&, cudaStream_t) {}
    /// With lists: where the particles were at their build, to be saved; else null.
    virtual const Position* origin() const { return nullptr; }

    /// Adds to a state what a resumed run needs to go on bit for bit.
    virtual void save(const Control&, const SavedPlaces&, ParticleState&) const {}
    /// Takes it over again, for particles that go to the device in `order`. May set the control's part about lists and
    /// where the particles are said to be: in other cells, and outside the domain beyond a periodic side. Places of
    /// particles that left (vacated_places.h), which have Control::no_particle in `order`, carry their former cells
    /// until adopt_state() is done. RunError if the state contradicts itself.
    virtual void restore(const ParticleState&, std::vector<std::uint32_t>& /*order*/, Control&,
                         PlacedParticles& /*now*/) {}
};

/// Makes the search of a run over its arrays, which outlive it.
using MakeSearch = std::function<std::unique_ptr<NeighbourSearch>(RunArrays& run)>;

} // namespace sluice::cuda
