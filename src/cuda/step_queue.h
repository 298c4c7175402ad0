// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/modes.h"
#include "cuda/fluid_forcing.h"
#include "cuda/neighbour_search.h"
#include "cuda/open_boundaries.h"
#include "cuda/rigid_objects.h"
#include "cuda/shifting.h"
#include "cuda/stream.h"
#include "cuda/sub_particle_stress.h"
#include "cuda/update.h"
#include "cuda/wall_extrapolation.h"

namespace sluice::cuda {

/// The phases of a step as work enqueued on a stream (see run/time_loop.h), over the arrays of a run. Nothing here
/// waits for the device, but build_cells() of a search with lists outside the recording of a graph.
class StepQueue {
public:
    /// `particle_count`: those that the arrays are to have room for.
    StepQueue(const RunSetup& setup, std::uint32_t particle_count, GpuMode mode, const MakeSearch& make_search,
              cudaStream_t stream);

    // the phases of take_step()
    void build_cells();
    void absorb_waves();
    void interact();
    /// `ballot`: of all devices that share the run; none: there is one.
    void reduce_time_step(const Ballot& ballot = {}) { compute_time_step(update_args(), ballot, stream_); }
    void reduce_corrector_limit(const Ballot& ballot = {}) { compute_corrector_limit(update_args(), ballot, stream_); }
    void shift();
    void integrate_verlet();
    void integrate_predictor();
    void integrate_corrector();
    void relax() { forcing_.relax(update_args(), open_.zone(), stream_); }
    void finish_step();

    // The parts of these phases. Between two of them devices that share a run tell one another what they have found,
    // which what follows needs of all.
    void look_at_gauges();       ///< check points of the gauges
    void move_absorbers();       ///< by the whole gauges
    void look_at_surfaces();     ///< check points before open boundaries
    void impose_flow();          ///< on the fluid in those
    void extrapolate_to_walls(); ///< boundary particles, by their ghost nodes
    void find_stresses();        ///< of the fluid
    void interact_pairs();       ///< rates of particles, and what acts on those of bodies
    void sum_loads();            ///< of bodies, and what follows the interaction
    // interact_pairs() in turn in parts, where nothing has to come before it but particles and lists
    bool may_begin_inside() const;
    void interact_fluid(const OwnParticles& which, cudaStream_t stream);
    void interact_boundary(cudaStream_t beside); ///< once it is decided that the lists hold
    void react(cudaStream_t stream);             ///< what acts on particles of bodies
    void find_shifts();                          ///< of the fluid
    void follow_shifts();                        ///< by the densities
    void take_stock();                           ///< of columns behind open boundaries, at the end of a step
    void find_ends();                            ///< of the columns
    void create_particles();                     ///< in them, and the end of the step

    /// What another device has extrapolated.
    void take_walls(const FoundWalls& found) { walls_.take(interaction_args(), wall_arrays(), rigid_, found, stream_); }

    /// Of the steps that are enqueued from now on: the constants, which differ in their viscosity only, and those that
    /// pairs are made of (`pair_constants_at`).
    void set_pairs(const sph::Constants& run, const sph::Constants& pairs);
    /// After a look at the rates: the sorted arrays become the state, in the order of the rates.
    void keep_sorted();
    /// After the state, the cells and the control were written from the host. `rebuild`: the control's.
    void adopt_state(bool rebuild);

    RunArrays& run() { return run_; }
    const RunArrays& run() const { return run_; }
    RigidObjects& rigid() { return rigid_; }
    const RigidObjects& rigid() const { return rigid_; }
    const WallExtrapolation& walls() const { return walls_; }
    const SubParticleStress& stress() const { return stress_; }
    const ParticleShifts& shifts() const { return shifts_; }
    const OpenBoundaries& open() const { return open_; }
    NeighbourSearch& search() { return *search_; }
    const NeighbourSearch& search() const { return *search_; }
    const ArrayPlaces& places() const { return run_.places; }
    const ParticleArrays& state() const { return run_.places.state; }
    Control* control() const { return run_.control.data(); }
    /// Of an interaction with the arrays as they are now.
    InteractionArgs interaction_args() const;

private:
    InteractionArgs searching_args() const;
    cudaStream_t begin_pairs();
    void begin_reactions(cudaStream_t stream);
    void end_reactions(cudaStream_t stream);
    void follow_interaction();
    template <class Integrate>
    void move_particles(Stage stage, Integrate&& integrate);
    WallArrays wall_arrays() const;
    UpdateArgs update_args() const;

    cudaStream_t stream_;
    SideStream side_; ///< boundary particles interact beside the fluid
    /// What is little and soon done goes first: bodies' shares in pairs with the fluid, their contacts, where they
    /// move.
    SideStream bodies_{true};
    RunArrays run_;
    std::unique_ptr<NeighbourSearch> search_;
    RigidObjects rigid_;
    WallExtrapolation walls_;
    SubParticleStress stress_;
    ParticleShifts shifts_;
    FluidForcing forcing_;
    OpenBoundaries open_;
    double fraction_ = 0;         ///< of the step that the particles have come to by what is enqueued
    InteractionArgs interaction_; ///< what no step changes of it
    UpdateArgs update_;           ///< likewise
};

} // namespace sluice::cuda
