// SPDX-License-Identifier: Apache-2.0
#include "cpu/backend/engine.h"

#include "core/error.h"
#include "cpu/pairs/near_cells.h"
#include "cpu/particles/particles.h"
#include "cpu/particles/processor.h"
#include "cpu/passes/body_contacts.h"
#include "cpu/passes/fluid_forcing.h"
#include "cpu/passes/fluid_phases.h"
#include "cpu/passes/fluid_stress.h"
#include "cpu/passes/fluid_sums.h"
#include "cpu/passes/open_boundaries.h"
#include "cpu/passes/renormalised_diffusion.h"
#include "cpu/passes/rigid_objects.h"
#include "cpu/passes/shifting.h"
#include "cpu/passes/update.h"
#include "cpu/passes/wall_extrapolation.h"
#include "cpu/passes/wave_absorption.h"
#include "cpu/simd/make_interaction.h"
#include "cpu/structures/flexible_structures.h"
#include "cpu/subdomains/ghost_check.h"
#include "cpu/subdomains/halo.h"
#include "cpu/subdomains/row_work.h"
#include "physics/effective_gravity.h"
#include "scheme/integrators.h"
#include "scheme/step.h"
#include "scheme/time_step_choice.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>

namespace sluice::cpu {

namespace {

/// Adds the time until its end to a phase.
class PhaseTimer {
public:
    explicit PhaseTimer(double& seconds) : seconds_(seconds) {}
    PhaseTimer(const PhaseTimer&) = delete;
    PhaseTimer& operator=(const PhaseTimer&) = delete;
    ~PhaseTimer() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    double& seconds_;
    Clock::time_point start_ = Clock::now();
};

std::unique_ptr<Schedule> make_schedule(CpuMode mode, const ThreadCount& threads) {
    switch (mode) {
    case CpuMode::symmetric: return make_symmetric_schedule(threads);
    case CpuMode::slices: return make_slices_schedule(threads.now());
    case CpuMode::asymmetric: break;
    }
    return make_asymmetric_schedule(threads);
}

class CpuEngine final : public Engine {
public:
    CpuEngine(const RunSetup& setup, const Choice& choice, std::unique_ptr<Schedule> schedule, Transport* transport);

    BackendInfo info() const override;
    void set_state(const ParticleState& state) override;
    AdvanceReport advance(const AdvanceLimits& limits) override;
    double next_time_step() override;
    ParticleState state() override;
    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override;
    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override;
    std::vector<BodyReport> bodies() const override;
    std::vector<ExcludedParticle> take_excluded() override;
    std::vector<ZonePassage> take_passed() override;
    PhaseSeconds phase_seconds() const override { return phases_; }
    std::size_t memory_bytes() const override;
    FlowGradientSums flow_gradients() override;
    OwnShares own_shares() const override;
    void check_ghosts() override;

    // The passes of a step (scheme/step.h).
    void build_cells();
    void interact(sph::RatesPart part, Absorbers absorbers);
    void absorb_waves();
    void impose_flow();
    void extrapolate_to_walls();
    void find_stresses();
    void diverge_stresses();
    void take_wall_velocities();
    void interact_pairs(sph::RatesPart part);
    void add_contacts();
    void sum_loads();
    void accelerate();
    void diffuse_densities();
    void hold_flow(sph::RatesPart part);
    void reduce_time_step();
    void reduce_corrector_limit();
    void find_shifts();
    void follow_shifts();
    void move_bodies(Stage stage);
    void integrate_particles(Stage stage);
    void place_boundary(Stage stage);
    void relax();
    void finish_step();

private:
    bool boundary_moves() const { return rigid_.any() || structures_.any(); }
    InteractionView view();
    const Interaction& pairs(sph::RatesPart part);
    Accumulator* fluid_rates() { return arrays_.rates.data() + boundary_.count; }
    const std::int32_t* open_zones() const { return open_ ? open_->zones() : nullptr; }
    void settle_cells(bool anew);
    void walk(const CellBox& box);
    void settle_pairs();
    bool balance();
    void settle_boundary();
    void find_cells_near_boundary();
    void reduce_limits();
    std::uint32_t particle_count() const;
    void check_limits();
    sph::TimeStepChoice choose_time_step();
    StageClock clock(double fraction) const;

    bool walks_all_; ///< and no smaller box of cells: a schedule from outside expects that
    RunSetup setup_;
    Choice choice_;
    ThreadCount threads_;
    Space space_;
    Halo halo_;
    SortedGroup boundary_, fluid_;
    std::array<std::unique_ptr<Interaction>, 3> pairs_; ///< of each RatesPart, once it is wanted
    std::unique_ptr<Gather> flow_gradients_;
    std::unique_ptr<Schedule> schedule_;
    Integration integration_;
    RigidObjects rigid_;
    FlexibleStructures structures_;
    std::unique_ptr<OpenBoundaries> open_;               ///< none: the domain is closed
    std::unique_ptr<WallExtrapolation> walls_;           ///< none: all boundary particles are dynamic
    std::unique_ptr<FluidPhases> fluids_;                ///< none: all particles are of one fluid
    std::vector<std::unique_ptr<FluidStress>> stresses_; ///< that are not of pairs
    std::unique_ptr<RenormalisedDiffusion> diffusion_;   ///< none: the diffusion is part of the pairs
    std::unique_ptr<ParticleShifts> shifts_;             ///< none: particles are not shifted
    std::unique_ptr<BodyContacts> contacts_;             ///< none: bodies pass through walls and one another
    sph::EquationOfState<float> eos_;
    bool boundary_rates_; ///< whether dρ/dt of the boundary particles, or what acts on them, is of use

    InteractionArrays arrays_;
    Buffer<std::uint8_t> near_boundary_; ///< of each cell: whether boundary particles are in reach
    sph::TimeStepLimits limits_;

    std::int64_t step_ = 0;
    double time_ = 0, dt_ = 0, dt_limit_ = 0;
    double dt_before_ = 0;   ///< of the step before, s; 0: none
    double fraction_ = 0;    ///< of the step that the particles have come to
    const double work_unit_; ///< J/kg
    WorkCounts work_;        ///< on this rank's particles
    /// Work of holding the flow in open boundaries over a step (work_of_holding), by the rates that the step takes.
    std::int64_t held_work_ = 0;
    std::int64_t dt_min_hits_ = 0;
    PhaseSeconds phases_;
    /// What the ranks agree on in every step, with the time step: all stop after the step in which one says that its
    /// time is up.
    struct Vote {
        sph::TimeStepLimits limits;
        bool late;
    };
    bool late_ = false, stops_ = false;
    int sorts_until_balance_ = 0; ///< of the fluid
    int sorts_until_look_ = 0;    ///< for such a box
};

CpuEngine::CpuEngine(const RunSetup& setup, const Choice& choice, std::unique_ptr<Schedule> schedule,
                     Transport* transport)
    : walks_all_(schedule != nullptr), setup_(setup), choice_(choice),
      threads_(choice.threads_as_pay ? ThreadCount::as_pays(choice.threads) : ThreadCount(choice.threads)),
      space_(setup, choice.cells == CellSize::h ? 2 : 1,
             schedule ? 2 : slowest_axis(setup, choice)), // as such schedules expect
      halo_(space_, threads_, transport, choice.split,
            setup.constants.acoustic_damping > 0 || setup.constants.integrator == sph::Integrator::staggered),
      boundary_(threads_, false), fluid_(threads_, setup.keeps_start()),
      flow_gradients_(make_gather(choice.simd, GatherOperator::flow_gradients, setup.constants)),
      schedule_(schedule ? std::move(schedule) : make_schedule(choice.mode, threads_)),
      integration_(setup_, space_, threads_), rigid_(setup_, space_, threads_, halo_),
      structures_(setup_, space_, threads_, halo_),
      open_(make_open_boundaries(choice.simd, setup_, space_, threads_, halo_)),
      walls_(make_wall_extrapolation(choice.simd, setup_, space_, threads_, halo_)),
      fluids_(make_fluid_phases(setup_, space_, threads_)),
      stresses_(make_fluid_stresses(choice.simd, setup_, space_, threads_, halo_)),
      diffusion_(make_renormalised_diffusion(choice.simd, setup.constants, space_, threads_, halo_)),
      shifts_(make_particle_shifts(choice.simd, setup_, space_, threads_, halo_)),
      contacts_(make_body_contacts(setup_, space_)), eos_(setup.constants),
      boundary_rates_(!setup_.extrapolates_everywhere() || !setup_.bodies.empty() || setup_.flexible.any()),
      work_unit_(work_unit(setup.constants, setup.groups.fluid_count())) {}

BackendInfo CpuEngine::info() const {
    BackendInfo info;
    info.backend = "cpu";
    info.mode = std::string(mode_info(cpu_modes, choice_.mode).name);
    info.cells = std::string(mode_info(cell_sizes, choice_.cells).name);
    info.simd = choice_.simd;
    info.device = processor_name();
    info.threads = threads_.now();
    if (!halo_.alone()) info.split = halo_.split();
    return info;
}

void CpuEngine::set_state(const ParticleState& state) {
    step_ = state.step;
    time_ = state.time;
    dt_ = state.dt;
    dt_limit_ = state.dt_limit;
    work_ = state.work;
    rigid_.set_state(state.bodies, state.absorbers, state.moorings, state.time);
    structures_.set_state(state, rigid_.motions());
    if (open_) open_->set_created(state.created);
    const auto is_fluid = [&](std::uint32_t id) { return setup_.groups.is_fluid(id); };
    if (structures_.any()) {
        ParticleState shown = state;
        structures_.put_shown_velocities(shown);
        boundary_.load(shown, std::not_fn(is_fluid), space_);
    } else {
        boundary_.load(state, std::not_fn(is_fluid), space_);
    }
    fluid_.load(state, is_fluid, space_);
    integration_.exclude(fluid_, {0, 0, step_ - 1, time_});
    const auto* const keys = boundary_.state.key.data();
    if (const auto outside = std::count(keys, keys + boundary_.count, space_.no_cell()))
        throw InputError(fmt::format("{} boundary particles lie outside the domain, enlarge it", outside));

    halo_.cut(0, rough_work(state, space_, is_fluid));
    sorts_until_balance_ = 0;
    halo_.exchange({&boundary_, &fluid_}, nullptr);
    settle_cells(true);
    boundary_.sort_unordered(0, space_);
    fluid_.sort_unordered(boundary_.count, space_);
    halo_.tidy();
    settle_boundary();
}

/// Makes sure that the cells walked are those with what is sorted next, and not many more. `anew`: all particles are
/// sorted next, in rows that have been split anew, or where the state has put them.
void CpuEngine::settle_cells(bool anew) {
    constexpr int sorts_between = 100;
    const bool all = anew || boundary_moves();
    const bool fit = !anew && (!all || boundary_.locate(space_)) && fluid_.locate(space_);
    if (fit && --sorts_until_look_ > 0) return;
    sorts_until_look_ = sorts_between;
    CellBox box = halo_.seen();
    if (!walks_all_) {
        CellBox occupied;
        if (!all) boundary_.set_all();
        for (const SortedGroup* group : {&boundary_, &fluid_}) group->add_occupied(occupied, space_);
        box = space_.box_around(occupied, box);
    }
    constexpr double worth_it = 0.6; // of the cells walked now
    if (fit && double(box.size()) > worth_it * space_.cell_count()) return;
    walk(box);
    if (!all) { // where it is among the cells walked, in the order that it has
        boundary_.sort_unordered(0, space_);
        find_cells_near_boundary();
        schedule_->set_boundary(view());
    } else if (boundary_moves()) {
        boundary_.locate(space_);
    }
    fluid_.locate(space_);
}

void CpuEngine::walk(const CellBox& box) {
    halo_.walk(box);
    boundary_.cells = CellList(space_.cell_count());
    fluid_.cells = CellList(space_.cell_count());
    near_boundary_ = Buffer<std::uint8_t>(space_.cell_count());
    schedule_->set_rows(space_.rows);
}

/// A step uses the viscosity and the effective gravity of its begin, where these change in time.
void CpuEngine::settle_pairs() {
    if (!has_pairs_in_time(setup_)) return;
    setup_.constants = setup_.constants_at(time_);
    pairs_ = {};
    contacts_ = make_body_contacts(setup_, space_);
}

/// The formulas of a step.
const Interaction& CpuEngine::pairs(sph::RatesPart part) {
    std::unique_ptr<Interaction>& interaction = pairs_[static_cast<std::size_t>(part)];
    if (!interaction)
        interaction = make_interaction(choice_.simd, pair_constants_at(setup_, time_), setup_.fluids, part);
    return *interaction;
}

/// Brings the ghosts of sorted boundary particles, in their order. Where no boundary particle moves, what is found here
/// lasts until the rows are cut anew.
void CpuEngine::settle_boundary() {
    halo_.exchange({&boundary_}, nullptr);
    boundary_.sort_unordered(0, space_);
    halo_.link(boundary_);
    arrays_.reserve(std::size_t(boundary_.count) + fluid_.count);
    find_cells_near_boundary();
    schedule_->set_boundary(view());
}

void CpuEngine::find_cells_near_boundary() {
    const std::uint32_t* const begin = boundary_.cells.begin();
    mark_near(space_.rows, threads_, near_boundary_.data(),
              [begin](std::size_t cell) { return begin[cell] != begin[cell + 1]; });
}

InteractionView CpuEngine::view() {
    return {space_.rows,
            arrays_.records.data(),
            {arrays_.search[0].data(), arrays_.search[1].data(), arrays_.search[2].data()},
            boundary_.cells.begin(),
            fluid_.cells.begin(),
            near_boundary_.data(),
            arrays_.rates.data(),
            boundary_rates_ || rigid_.samples_walls(step_)};
}

void CpuEngine::build_cells() {
    const PhaseTimer timer(phases_.cell_list);
    const bool anew = balance();
    if (anew || boundary_moves())
        halo_.exchange({&boundary_, &fluid_}, nullptr);
    else
        halo_.exchange({&fluid_}, &boundary_);
    settle_cells(anew);
    if (anew && !boundary_moves()) {
        boundary_.sort_unordered(0, space_);
        settle_boundary();
    }
    arrays_.reserve(std::size_t(boundary_.count) + fluid_.count);
    const double lead = fraction_ > 0 ? sph::acoustic_lead(setup_.constants, dt_) : 0;
    const bool lagging = setup_.constants.integrator == sph::Integrator::staggered && fraction_ == 0;
    const auto interacting = [](bool lags) { return lags ? FlowVelocity::previous : FlowVelocity::now; };
    const RecordWriter writer(space_, eos_, arrays_, static_cast<float>(lead),
                              interacting(lagging && !setup_.bodies.empty()));
    const RecordWriter fluid_writer(space_, eos_, arrays_, static_cast<float>(lead), interacting(lagging));
    if (boundary_moves()) {
        boundary_.sort(0, space_, writer);
        find_cells_near_boundary();
        schedule_->set_boundary(view());
    } else {
        boundary_.refresh(0, writer);
    }
    fluid_.sort(boundary_.count, space_, fluid_writer);
    if (fluids_) fluids_->mark(view(), fluid_, static_cast<float>(lead));
#ifndef NDEBUG
    check_ghosts();
#endif
}

/// From time to time splits the rows anew between the ranks, by the last sort of the particles; returns whether it has.
bool CpuEngine::balance() {
    constexpr int sorts_between = 100;
    if (halo_.alone() || sorts_until_balance_-- > 0) return false;
    sorts_until_balance_ = sorts_between;
    return halo_.balance(view());
}

void CpuEngine::interact(sph::RatesPart part, Absorbers absorbers) {
    const PhaseTimer timer(phases_.interaction);
    find_rates(*this, part, absorbers);
}

void CpuEngine::absorb_waves() {
    if (setup_.absorbers.empty()) return;
    rigid_.set_absorbers(absorbed_now(setup_, space_, fluid_, boundary_.count, halo_, rigid_.absorbers(), time_));
}

void CpuEngine::impose_flow() {
    if (!open_) return;
    const std::int64_t work = open_->impose(view(), boundary_.count, fluid_, clock(fraction_).time, work_unit_);
    if (outlasts_step(setup_.constants.integrator, fraction_))
        work_.open_boundaries = sum_of_counts(work_.open_boundaries, work);
}

void CpuEngine::extrapolate_to_walls() {
    if (walls_) walls_->apply(view(), rigid_.motions(), effective_gravity(setup_, time_), boundary_);
}

void CpuEngine::find_stresses() {
    limits_.viscosity = limits_.tension = 0;
    for (const auto& stress : stresses_) stress->find(view(), fluid_, limits_);
}

void CpuEngine::diverge_stresses() {
    for (const auto& stress : stresses_) stress->diverge(view());
}

void CpuEngine::take_wall_velocities() {
    if (walls_) walls_->take_own_velocities(view(), rigid_.motions(), boundary_);
}

void CpuEngine::interact_pairs(sph::RatesPart part) {
    InteractionView all = view();
    if (part == sph::RatesPart::velocity) all.boundary_rates = !setup_.bodies.empty() || rigid_.samples_walls(step_);
    const float speed = schedule_->interact(pairs(part), all);
    if (part == sph::RatesPart::density) return;
    limits_.speed = speed;
    for (const auto& stress : stresses_) stress->add(view(), fluid_);
    if (fluids_) fluids_->weigh(view(), fluid_);
    if (!setup_.constants.dt_all_particles) return;
    for (const OwnRun& run : boundary_.own)
        for (std::uint32_t i = run.begin; i < run.end; ++i)
            limits_.speed = std::max(limits_.speed, eos_.sound_speed(boundary_.state.flow[i].rho));
}

void CpuEngine::add_contacts() {
    if (contacts_) contacts_->add(view(), boundary_, threads_);
}

void CpuEngine::sum_loads() {
    limits_.speed = std::max(limits_.speed, static_cast<float>(rigid_.sum_loads(boundary_, arrays_.rates.data())));
    structures_.take_loads(boundary_, arrays_.rates.data());
}

void CpuEngine::accelerate() {
    if (setup_.forcing.accelerates())
        add_forcing(setup_.forcing, fluid_, clock(fraction_).time, threads_, open_zones(), fluid_rates());
}

void CpuEngine::diffuse_densities() {
    if (diffusion_) diffusion_->add(view(), fluid_);
}

void CpuEngine::hold_flow(sph::RatesPart part) {
    if (!open_) return;
    const std::int64_t work = open_->hold(part, boundary_, fluid_, arrays_.rates.data(), dt_, work_unit_);
    held_work_ = part == sph::RatesPart::density ? sum_of_counts(held_work_, work) : work;
}

void CpuEngine::reduce_limits() {
    limits_.force2 = integration_.largest_force2(fluid_, fluid_rates());
    const Vote vote = halo_.combined(Vote{limits_, late_}, [](const Vote& a, const Vote& b) {
        return Vote{{std::max(a.limits.force2, b.limits.force2), std::max(a.limits.speed, b.limits.speed),
                     std::max(a.limits.viscosity, b.limits.viscosity), std::max(a.limits.tension, b.limits.tension)},
                    a.late || b.late};
    });
    limits_ = vote.limits;
    stops_ = vote.late;
}

/// A run that has blown up ends here, on all ranks.
void CpuEngine::check_limits() {
    if (!sph::has_blown_up(setup_.constants, limits_)) return;
    std::uint32_t fluid = 0;
    fluid_.for_each_own(space_, [&](std::uint32_t) { ++fluid; });
    fluid = halo_.sum(fluid);
    throw RunError(fmt::format("step {} at {} s: no time step follows from a largest |force|^2 of {} m^2/s^4 and a "
                               "largest speed of {} m/s "
                               "among {} fluid particles; the run has blown up or lost all its fluid",
                               step_, time_, limits_.force2, limits_.speed, fluid),
                   fluid == 0 ? Outcome::lost_fluid : Outcome::blown_up);
}

sph::TimeStepChoice CpuEngine::choose_time_step() {
    check_limits();
    return sph::choose_time_step(setup_.constants, limits_, step_, dt_limit_);
}

void CpuEngine::reduce_time_step() {
    const PhaseTimer timer(phases_.update);
    reduce_limits();
    const sph::TimeStepChoice choice = choose_time_step();
    dt_before_ = dt_;
    dt_ = choice.dt;
    if (choice.raised) ++dt_min_hits_;
}

/// The clock of a stage that brings the particles to a fraction of the step.
StageClock CpuEngine::clock(double fraction) const {
    return {static_cast<float>(dt_), static_cast<float>(dt_before_), step_, time_ + fraction * dt_};
}

void CpuEngine::find_shifts() {
    if (!shifts_) return;
    const PhaseTimer timer(phases_.update);
    shifts_->find(view(), boundary_, fluid_, static_cast<float>(dt_));
    if (open_) open_->hold_shifts(shifts_->data());
}

void CpuEngine::follow_shifts() {
    if (!shifts_) return;
    const PhaseTimer timer(phases_.update);
    work_ = work_ + shifts_->follow(view(), fluid_, static_cast<float>(dt_), open_zones(), work_unit_);
    integration_.shift_by(shifts_->data());
}

void CpuEngine::move_bodies(Stage stage) {
    const PhaseTimer timer(phases_.update);
    if (takes_forces(stage) && rigid_.samples_walls(step_)) {
        const std::int64_t work = rigid_.work_of_walls(boundary_, arrays_.rates.data(), dt_, work_unit_);
        work_.moving_walls = sum_of_counts(work_.moving_walls, work);
    }
    const double work = rigid_.advance_bodies(stage, step_, time_, dt_, dt_before_,
                                              structures_.find_reactions(stage, dt_, rigid_.bodies()));
    if (halo_.is_first()) // all ranks move all bodies
        work_.bodies = sum_of_counts(work_.bodies, work_count(work, 1 / (setup_.constants.mass_fluid * work_unit_)));
}

void CpuEngine::integrate_particles(Stage stage) {
    const PhaseTimer timer(phases_.update);
    const StageClock end = clock(part_of_step(stage));
    integration_.integrate_boundary(stage, boundary_, arrays_.rates.data(), end);
    integration_.integrate_fluid(stage, fluid_, fluid_rates(), end);
    fraction_ = part_of_step(stage) < 1 ? part_of_step(stage) : 0;
}

void CpuEngine::place_boundary(Stage stage) {
    const PhaseTimer timer(phases_.update);
    const double time = clock(part_of_step(stage)).time;
    rigid_.place(boundary_, stage, time);
    const StructureWork work = structures_.advance(stage, dt_, rigid_.motions());
    if (structures_.any_borne() && takes_forces(stage))
        rigid_.push_bodies(structures_.missing_impulses(dt_, rigid_.bodies()), time_, dt_);
    structures_.show(boundary_, stage, dt_, time, rigid_.motions());
    const double unit = setup_.constants.mass_fluid * work_unit_;
    if (takes_forces(stage)) work_.clamps = sum_of_counts(work_.clamps, structures_.work_of_pushing_walls(dt_, unit));
    if (!halo_.is_first()) return; // all ranks move all structures
    const auto count = [&](std::int64_t& sum, double joules) {
        sum = sum_of_counts(sum, work_count(joules, 1 / unit));
    };
    count(work_.clamps, work.clamps);
    count(work_.damping_of_structures, work.damping);
    count(work_.hourglass_of_structures, work.hourglass);
}

void CpuEngine::reduce_corrector_limit() {
    const PhaseTimer timer(phases_.update);
    reduce_limits();
    check_limits();
    dt_limit_ = sph::time_step(setup_.constants, limits_);
}

void CpuEngine::relax() {
    if (!setup_.forcing.leads()) return;
    const PhaseTimer timer(phases_.update);
    const LevelStep step{clock(1).time, dt_, sph::level_steps(setup_.constants, step_)};
    const FlowVelocity also =
        setup_.constants.integrator == sph::Integrator::staggered ? FlowVelocity::previous : FlowVelocity::now;
    work_ = work_ + relax_velocities(setup_.forcing, fluid_, step, also, work_unit_, open_zones(), space_, threads_);
}

void CpuEngine::finish_step() {
    if (open_) {
        const PhaseTimer timer(phases_.update);
        open_->pass(fluid_, clock(1));
        work_.open_boundaries = sum_of_counts(work_.open_boundaries, held_work_);
    }
    if (setup_.constants.integrator == sph::Integrator::staggered) dt_limit_ = sph::longest_growth * dt_;
    ++step_;
    time_ += dt_;
}

AdvanceReport CpuEngine::advance(const AdvanceLimits& limits) {
    double wall = 0;
    late_ = stops_ = limits.wall_seconds <= 0;
    for (std::int64_t done = 0; done < limits.steps && time_ < limits.time && !stops_; ++done) {
        const double before = wall;
        {
            const PhaseTimer timer(wall);
            settle_pairs();
            take_step(*this, setup_.constants.integrator);
        }
        threads_.step_took(wall - before);
        late_ = wall >= limits.wall_seconds;
        if (halo_.alone()) stops_ = late_;
    }
    return {step_, time_, dt_, dt_min_hits_, particle_count()};
}

/// Particles of this rank that are in the run.
std::uint32_t CpuEngine::particle_count() const {
    std::uint32_t count = 0;
    for (const SortedGroup* group : {&boundary_, &fluid_})
        group->for_each_own(space_, [&](std::uint32_t i) { count += group->state.key[i] != space_.no_cell(); });
    for (const Newcomer& n : fluid_.newcomers) count += space_.contains(n.position) && halo_.owns(n.position);
    return count;
}

double CpuEngine::next_time_step() {
    settle_pairs();
    build_cells();
    interact(first_part(setup_.constants.integrator), Absorbers::stay);
    reduce_limits();
    return choose_time_step().dt;
}

ParticleState CpuEngine::state() {
    build_cells(); // so that the order is the one in which `rates` and the next step go through the particles
    ParticleState state;
    state.step = step_;
    state.time = time_;
    state.dt = dt_;
    state.dt_limit = dt_limit_;
    state.work = work_;
    state.bodies = rigid_.bodies();
    state.absorbers = rigid_.absorbers();
    state.moorings = rigid_.moorings();
    if (open_) state.created = open_->created();
    boundary_.store(state, space_);
    fluid_.store(state, space_);
    structures_.put_own_velocities(state);
    return state;
}

FlowGradientSums CpuEngine::flow_gradients() {
    const auto width = static_cast<std::size_t>(flow_gradients_->sum_count());
    FlowGradientSums sums(width * fluid_.count);
    sum_over_fluid(*flow_gradients_, view(), threads_, sums.data());
    std::size_t place = 0; // ghosts have been left out, by the units and by the state
    fluid_.for_each_own(space_, [&](std::uint32_t i) {
        for (std::size_t k = 0; k < width; ++k) sums[place++] = sums[width * i + k];
    });
    sums.resize(place);
    return sums;
}

OwnShares CpuEngine::own_shares() const {
    OwnShares shares;
    for (const SortedGroup* group : {&boundary_, &fluid_})
        for (const OwnRun& run : group->own) {
            RowShare share{run.row, 0};
            for (std::uint32_t i = run.begin; i < run.end; ++i)
                share.particles += !space_.is_image(group->state.position[i]);
            (group == &fluid_ ? shares.fluid : shares.boundary).push_back(share);
        }
    return shares;
}

std::unique_ptr<PendingFrame> CpuEngine::snapshot(const FieldSelection& wanted) {
    ParticleState now = state();
    FlowGradientSums sums;
    if (!wanted.from(FieldSource::neighbours).empty()) sums = flow_gradients();
    return std::make_unique<StateFrame>(std::move(now), setup_, std::move(sums), wanted, bodies());
}

void CpuEngine::rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) {
    settle_pairs();
    build_cells();
    interact(sph::RatesPart::both, Absorbers::stay);
    const auto gravity = vec_cast<float>(setup_.constants.gravity);
    acceleration.clear();
    density_rate.clear();
    for (const SortedGroup* group : {&boundary_, &fluid_})
        group->for_each_own(space_, [&](std::uint32_t i) {
            const Accumulator& rate = arrays_.rates[group == &fluid_ ? boundary_.count + i : i];
            acceleration.push_back(group == &fluid_ ? Vec3f{rate.ax, rate.ay, rate.az} + gravity : Vec3f{});
            density_rate.push_back(rate.rho);
        });
}

std::vector<BodyReport> CpuEngine::bodies() const {
    std::vector<BodyReport> reports;
    for (std::size_t b = 0; b < rigid_.bodies().size(); ++b) reports.push_back({rigid_.bodies()[b], rigid_.loads()[b]});
    return reports;
}

std::vector<ExcludedParticle> CpuEngine::take_excluded() {
    std::vector<ExcludedParticle> taken = std::exchange(integration_.excluded(), {});
    for (ExcludedParticle& p : taken) p.density *= static_cast<float>(setup_.density_ratio_of(p.id));
    return taken;
}

std::vector<ZonePassage> CpuEngine::take_passed() {
    return open_ ? std::exchange(open_->passed(), {}) : std::vector<ZonePassage>();
}

std::size_t CpuEngine::memory_bytes() const {
    return boundary_.bytes() + fluid_.bytes() + arrays_.bytes() + near_boundary_.bytes() + schedule_->bytes() +
           halo_.bytes();
}

void CpuEngine::check_ghosts() {
    if (halo_.alone()) return;
    require_true_ghosts(halo_.transport(), halo_.map(), space_, boundary_);
    require_true_ghosts(halo_.transport(), halo_.map(), space_, fluid_);
}

} // namespace

/// Slices and ranks cut across the axis asked for or the longest one; symmetric has no reason to leave z.
int slowest_axis(const RunSetup& setup, const Choice& choice) {
    if (choice.mode == CpuMode::symmetric) return 2;
    if (choice.slice_axis) return static_cast<int>(*choice.slice_axis);
    return longest_axis(setup.domain.max - setup.domain.min);
}

std::unique_ptr<Engine> make_engine(const RunSetup& setup, const Choice& choice, std::unique_ptr<Schedule> schedule,
                                    Transport* transport) {
    return std::make_unique<CpuEngine>(setup, choice, std::move(schedule), transport);
}

} // namespace sluice::cpu
