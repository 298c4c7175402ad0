// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/modes.h"
#include "cuda/device/stream.h"
#include "cuda/passes/apparent_viscosity.h"
#include "cuda/passes/fluid_forcing.h"
#include "cuda/passes/fluid_phases.h"
#include "cuda/passes/open_boundaries.h"
#include "cuda/passes/renormalised_diffusion.h"
#include "cuda/passes/rigid_objects.h"
#include "cuda/passes/shifting.h"
#include "cuda/passes/sub_particle_stress.h"
#include "cuda/passes/update.h"
#include "cuda/passes/wall_extrapolation.h"
#include "cuda/search/neighbour_search.h"
#include "scheme/step.h"

namespace sluice::cuda {

/// The passes of a step (scheme/step.h), enqueued on a stream and on two streams beside it, over the arrays of a run.
/// The host waits for the device only in build_cells() of a search with lists, while no graph is recorded.
class StepQueue {
public:
    /// `particle_count`: those that the arrays are to have room for.
    StepQueue(const RunSetup& setup, std::uint32_t particle_count, GpuMode mode, const MakeSearch& make_search,
              cudaStream_t stream);

    // the passes of a step
    void build_cells() { search_->build(stream_); }
    void interact(sph::RatesPart part, Absorbers absorbers);
    void absorb_waves();
    void impose_flow();
    void extrapolate_to_walls();
    void find_stresses();
    void diverge_stresses();
    void take_wall_velocities() {} ///< the kick has given them back
    void interact_pairs(sph::RatesPart part);
    void add_contacts();
    void sum_loads();
    void accelerate();
    void diffuse_densities();
    void hold_flow(sph::RatesPart) { open_.hold(interaction_args(), run_.places.sorted, stream_); }
    /// `maxima`: the values of all devices that share the run; none: there is one device.
    void reduce_time_step(const AllMaxima& maxima = {}) { compute_time_step(update_args(), maxima, stream_); }
    void reduce_corrector_limit(const AllMaxima& maxima = {}) {
        compute_corrector_limit(update_args(), maxima, stream_);
    }
    void find_shifts();
    void follow_shifts();
    void move_bodies(Stage stage);
    void integrate_particles(Stage stage);
    void place_boundary(Stage stage);
    void relax() { forcing_.relax(update_args(), open_.zone(), stream_); }
    void finish_step();

    /// Resets the maxima; the rates that the interaction is to find.
    void begin_interaction(sph::RatesPart part);

    // The parts of a pass between which devices that share a run exchange what they have found.
    // absorb_waves()
    void look_at_gauges(); ///< check points of the gauges
    void move_absorbers(); ///< by the whole gauges
    // impose_flow()
    void look_at_surfaces(); ///< check points before open boundaries
    void impose_on_zones();  ///< on the fluid in those
    // find_stresses()
    void gather_stresses();        ///< of the fluid, or its viscosities
    void add_traces_of_stresses(); ///< of all the fluid that the device sees
    // diffuse_densities()
    void find_density_gradients(); ///< of the fluid
    void diffuse_by_gradients();
    // interact_pairs(), where nothing has to come before it but particles and lists
    bool may_begin_inside() const;
    void interact_fluid(const OwnParticles& which, cudaStream_t stream);
    void interact_boundary(cudaStream_t beside); ///< once it is decided that the lists hold
    void begin_reactions(cudaStream_t stream);   ///< of the fluid on particles of bodies
    /// What runs beside the fluid since interact_pairs() is waited for.
    void join_pairs();
    // finish_step()
    void take_stock();       ///< of columns behind open boundaries
    void find_ends();        ///< of the columns
    void create_particles(); ///< in them, and the end of the step

    /// The rates that the interaction enqueued last is to find.
    sph::RatesPart part() const { return part_; }
    bool is_staggered() const { return update_.step.run.integrator == sph::Integrator::staggered; }
    /// The velocities and densities that take part in an interaction now: at the begin of a staggered step those of
    /// level n−½, which `previous` holds.
    Flow* interacting(const ParticleArrays& arrays) const { return is_lagging() ? arrays.previous : arrays.flow; }

    /// What another device has extrapolated.
    void take_walls(const FoundWalls& found) { walls_.take(interaction_args(), wall_arrays(), rigid_, found, stream_); }

    /// Sets the constants of the steps that are enqueued from now on, which differ in their viscosity only, and those
    /// of pairs (`pair_constants_at`).
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
    const ApparentViscosity& viscosity() const { return viscosity_; }
    const RenormalisedDiffusion& diffusion() const { return diffusion_; }
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
    /// Whether this device counts what all devices compute alike.
    bool counts_for_all() const { return run_.own_rows.contains(0); }
    bool is_lagging() const { return is_staggered() && fraction_ == 0; }
    InteractionArgs searching_args() const;
    bool has_bodies() const { return rigid_.view().body_count > 0; }
    /// Where bodies have all their forces: on a stream beside the fluid's after interact_pairs().
    cudaStream_t beside() const { return beside_ ? beside_ : stream_; }
    WallArrays wall_arrays() const;
    void find_pressures();
    UpdateArgs update_args() const;

    cudaStream_t stream_;
    SideStream side_;               ///< boundary particles interact beside the fluid
    cudaStream_t beside_ = nullptr; ///< that of `side_` until it is joined
    /// Runs with priority, since it is short: forces of the fluid on bodies, contacts, the motion of bodies.
    SideStream bodies_{true};
    RunArrays run_;
    std::unique_ptr<NeighbourSearch> search_;
    RigidObjects rigid_;
    WallExtrapolation walls_;
    SubParticleStress stress_;
    ApparentViscosity viscosity_;
    FluidPhases phases_;
    RenormalisedDiffusion diffusion_;
    ParticleShifts shifts_;
    FluidForcing forcing_;
    OpenBoundaries open_;
    sph::RatesPart part_ = sph::RatesPart::both; ///< of the interaction that is enqueued
    double fraction_ = 0;                        ///< of the step that the particles have come to by what is enqueued
    InteractionArgs interaction_;                ///< what no step changes of it
    UpdateArgs update_;                          ///< likewise
};

} // namespace sluice::cuda
