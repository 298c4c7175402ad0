// SPDX-License-Identifier: Apache-2.0
#include "cuda/steps/step_queue.h"

#include "backend/gpu_memory_plan.h"
#include "cuda/passes/wave_absorption.h"
#include "physics/effective_gravity.h"

namespace sluice::cuda {

StepQueue::StepQueue(const RunSetup& setup, std::uint32_t particle_count, GpuMode mode, const MakeSearch& make_search,
                     cudaStream_t stream)
    : stream_(stream),
      run_(setup, make_fixed_grid(setup.domain, gpu_search_radius(setup.constants, mode), gpu_cell_divisions(mode)),
           particle_count, mode == GpuMode::fast_half),
      search_(make_search(run_)), rigid_(setup, run_.memory), walls_(setup, run_.memory),
      stress_(setup.constants, particle_count - run_.boundary_count, run_.memory),
      viscosity_(setup, particle_count - run_.boundary_count, run_.memory),
      phases_(setup, pair_constants_at(setup, 0), run_.memory),
      diffusion_(setup.constants, particle_count - run_.boundary_count, run_.memory),
      shifts_(setup, particle_count - run_.boundary_count, run_.memory), forcing_(setup.forcing, run_.memory),
      open_(setup, run_, search_->lists().entries != nullptr), interaction_(setup.constants), update_(setup.constants) {
    set_pairs(setup.constants, pair_constants_at(setup, 0));
    interaction_.control = update_.control = run_.control.data();
    interaction_.step.boundary_count = update_.step.boundary_count = run_.boundary_count;
    interaction_.zone = open_.zone();
    interaction_.boundary_rates = !walls_.is_everywhere();
    update_.shifts = shifts_.data();
    interaction_.step.inverse_work_unit = update_.step.inverse_work_unit =
        1 / work_unit(setup.constants, setup.groups.fluid_count());
    interaction_.step.excluded_cell = update_.step.excluded_cell = run_.excluded_cell();
    interaction_.period = update_.period = run_.period;
    update_.grid = run_.grid;
    update_.normals = walls_.normals();
    update_.excluded = run_.excluded.data();
    update_.excluded_capacity = run_.excluded_capacity();
}

void StepQueue::set_pairs(const sph::Constants& run, const sph::Constants& pairs) {
    interaction_.pairs = FluidPairs(pairs, phases_.table());
    interaction_.step.gravity = pairs.gravity;
    interaction_.boundary_pairs = {pairs, sph::PairKind::boundary_fluid, sph::metre, phases_.table()};
    interaction_.step.run = update_.step.run = run;
}

UpdateArgs StepQueue::update_args() const {
    UpdateArgs args = update_;
    args.now = run_.places.sorted;
    args.next = run_.places.state;
    args.cell = run_.places.cell;
    args.rates = run_.places.spare.rates();
    args.counts = search_->counts();
    args.own_first = run_.own_first;
    args.own_walls = run_.own_walls;
    args.particles = run_.count;
    return args;
}

InteractionArgs StepQueue::interaction_args() const {
    InteractionArgs args = interaction_;
    args.part = part_;
    if (part_ != sph::RatesPart::density) args.acceleration = stress_.any() ? stress_.force() : viscosity_.force();
    if (part_ == sph::RatesPart::velocity) args.boundary_rates = false;
    args.view = run_.view();
    args.view.flow = interacting(run_.places.sorted);
    args.rates = run_.places.spare.rates();
    args.own_first = run_.own_first;
    args.own_walls = run_.own_walls;
    args.own_rows = run_.own_rows;
    args.particles = run_.stepped_end();
    return args;
}

/// Arguments of passes over the fluid, with coarse positions where there are no lists.
InteractionArgs StepQueue::searching_args() const {
    InteractionArgs args = interaction_args();
    if (!search_->lists().entries) args.view.coarse = search_->coarse_positions(stream_);
    return args;
}

void StepQueue::look_at_gauges() {
    cuda::look_at_gauges(interaction_args(), rigid_.view(), search_->one_cell_travel(), stream_);
}

void StepQueue::move_absorbers() { cuda::absorb_waves(control(), rigid_.view(), stream_); }

void StepQueue::absorb_waves() {
    look_at_gauges();
    move_absorbers();
}

WallArrays StepQueue::wall_arrays() const {
    const ParticleArrays& sorted = run_.places.sorted;
    return {sorted.position, interacting(sorted), sorted.id};
}

void StepQueue::begin_interaction(sph::RatesPart part) {
    part_ = part;
    cuda::begin_interaction(control(), part, stream_);
}

void StepQueue::interact(sph::RatesPart part, Absorbers absorbers) {
    begin_interaction(part);
    find_rates(*this, part, absorbers);
}

void StepQueue::look_at_surfaces() { open_.look(interaction_args(), search_->one_cell_travel(), stream_); }

void StepQueue::impose_on_zones() {
    InteractionArgs args = interaction_args();
    if (open_.wants_coarse_positions()) args.view.coarse = search_->coarse_positions(stream_);
    open_.impose(args, run_.places.sorted, {run_.fluid_first, run_.count}, fraction_, search_->one_cell_travel(),
                 stream_);
}

void StepQueue::impose_flow() {
    look_at_surfaces();
    impose_on_zones();
}

void StepQueue::extrapolate_to_walls() {
    InteractionArgs args = interaction_args();
    if (walls_.wants_coarse_positions()) args.view.coarse = search_->coarse_positions(stream_);
    walls_.apply(args, wall_arrays(), rigid_, search_->one_cell_travel(), stream_);
}

void StepQueue::gather_stresses() {
    const InteractionArgs args = searching_args();
    stress_.find(args, search_->lists(), stream_);
    viscosity_.find(args, search_->lists(), run_.places.sorted.id, stream_);
}

void StepQueue::add_traces_of_stresses() {
    stress_.add_traces(interaction_args(), run_.places.sorted.position, {run_.fluid_first, run_.count}, stream_);
}

void StepQueue::find_stresses() {
    gather_stresses();
    add_traces_of_stresses();
}

void StepQueue::diverge_stresses() {
    const InteractionArgs args = searching_args();
    stress_.diverge(args, search_->lists(), stream_);
    viscosity_.find_forces(args, search_->lists(), stream_);
}

/// Acceleration inputs act by the velocities of the time that they are asked for.
void StepQueue::accelerate() {
    InteractionArgs args = interaction_args();
    args.view.flow = run_.places.sorted.flow;
    forcing_.add(args, run_.places.sorted.id, fraction_, stream_);
}

/// Fluid and boundary particles side by side, and bodies beside both, until sum_loads(), or until add_contacts() where
/// the densities alone are wanted.
void StepQueue::interact_pairs(sph::RatesPart) {
    if (has_bodies()) begin_reactions(bodies_.fork(stream_));
    beside_ = side_.fork(stream_);
    search_->interact(searching_args(), stream_, beside_);
    if (has_bodies()) bodies_.join(beside_);
}

bool StepQueue::may_begin_inside() const {
    return search_->lists().entries && !walls_.any() && !stress_.any() && !viscosity_.any() && !diffusion_.any() &&
           !open_.any() && rigid_.view().absorber_count == 0;
}

void StepQueue::interact_fluid(const OwnParticles& which, cudaStream_t stream) {
    search_->interact_fluid(interaction_args(), which, stream);
}

void StepQueue::interact_boundary(cudaStream_t beside) { search_->interact_boundary(interaction_args(), beside); }

void StepQueue::begin_reactions(cudaStream_t stream) {
    if (!has_bodies()) return;
    InteractionArgs args = interaction_args();
    if (rigid_.wants_coarse_positions() && part_ != sph::RatesPart::density)
        args.view.coarse = search_->coarse_positions(stream);
    cuda::begin_reactions(args, run_.places.sorted.id, rigid_.view(), search_->body_lists(), search_->one_cell_travel(),
                          stream);
}

void StepQueue::add_contacts() {
    if (has_bodies())
        cuda::end_reactions(interaction_args(), run_.places.sorted.id, rigid_.view(), search_->body_lists(),
                            search_->one_cell_travel(), beside());
    if (part_ != sph::RatesPart::density) return;
    if (has_bodies()) forget_meetings(interaction_args(), rigid_.view(), beside());
    join_pairs();
}

void StepQueue::join_pairs() {
    if (beside_) side_.join(stream_);
    beside_ = nullptr;
}

void StepQueue::sum_loads() {
    rigid_.sum_loads(interaction_args(), beside());
    join_pairs();
}

void StepQueue::find_density_gradients() { diffusion_.find_gradients(searching_args(), search_->lists(), stream_); }

void StepQueue::diffuse_by_gradients() { diffusion_.diffuse(searching_args(), search_->lists(), stream_); }

void StepQueue::diffuse_densities() {
    if (!diffusion_.any()) return;
    find_density_gradients();
    diffuse_by_gradients();
}

void StepQueue::find_shifts() {
    const InteractionArgs args = searching_args();
    shifts_.find(args, search_->lists(), run_.places.sorted.id, rigid_, stream_);
    open_.hold(args, shifts_.data(), stream_);
}

void StepQueue::follow_shifts() {
    if (shifts_.density_follows()) shifts_.follow(searching_args(), search_->lists(), stream_);
}

void StepQueue::take_stock() { open_.count(update_args(), run_.places.spare, stream_); }

void StepQueue::find_ends() { open_.find_ends(update_args(), run_.places.spare, stream_); }

void StepQueue::create_particles() {
    open_.create(update_args(), stream_);
    cuda::finish_step(update_args(), stream_);
}

void StepQueue::finish_step() {
    take_stock();
    find_ends();
    create_particles();
}

/// The motion of bodies takes one thread long; it runs beside the particles.
void StepQueue::move_bodies(Stage stage) {
    if (takes_forces(stage))
        rigid_.add_work_of_walls(interaction_args(), run_.places.sorted.id, search_->one_cell_travel(), stream_);
    if (has_bodies()) rigid_.move(update_args(), stage, counts_for_all(), bodies_.fork(stream_));
}

void StepQueue::integrate_particles(Stage stage) {
    switch (stage) {
    case Stage::whole_step: cuda::integrate_verlet(update_args(), stream_); break;
    case Stage::predictor: cuda::integrate_predictor(update_args(), stream_); break;
    case Stage::corrector: cuda::integrate_corrector(update_args(), stream_); break;
    case Stage::kick: cuda::integrate_kick(update_args(), stream_); break;
    case Stage::drift: cuda::integrate_drift(update_args(), stream_); break;
    }
    phases_.mark(update_args(), stage == Stage::predictor, stream_);
    fraction_ = part_of_step(stage) < 1 ? part_of_step(stage) : 0;
}

/// The particles of bodies are placed once bodies have moved; walls are no work for a stream of their own.
void StepQueue::place_boundary(Stage stage) {
    if (!rigid_.any()) return;
    if (has_bodies())
        bodies_.join(stream_);
    else
        rigid_.move(update_args(), stage, counts_for_all(), stream_);
    rigid_.place(update_args(), stage, stream_);
}

void StepQueue::keep_sorted() {
    begin_advance(control(), 0, 0, stream_); // a step that is not taken
    integrate(*this, Stage::whole_step);
    if (stress_.any()) find_pressures(); // which the stresses have been added to
}

/// The pressure terms of the state, with the phases of several fluids.
void StepQueue::find_pressures() {
    refresh_pressures(update_args(), stream_);
    phases_.mark(update_args(), false, stream_);
}

void StepQueue::adopt_state(bool rebuild) {
    rigid_.adopt(control(), stream_);
    search_->adopt_state(rebuild, stream_);
    find_pressures();
}

} // namespace sluice::cuda
