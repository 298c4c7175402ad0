// SPDX-License-Identifier: Apache-2.0
#include "run/ledger.h"
#include "physics/sph/internal_energy.h"
#include "scheme/outer_work.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice {

Ledger::Ledger(const RunSetup& setup)
    : constants_(setup.constants), viscosity_(setup.viscosity), groups_(setup.groups), fluids_(setup.fluids),
      normals_(setup.normals), bodies_(setup.bodies), structures_(setup),
      work_scale_(constants_.mass_fluid * work_unit(constants_, groups_.fluid_count())) {
    for (int axis = 0; axis < 3; ++axis)
        if (setup.period.periodic[axis] && dot(constants_.gravity, setup.period.shift[axis]) != 0)
            has_potential_ = false;
    if (!fluids_.empty()) also_held_.emplace_back("energy_of_dynamic_walls");
    if (std::ranges::any_of(fluids_,
                            [](const FluidProperties& fluid) { return fluid.cohesion > 0 || fluid.tension > 0; }))
        also_held_.emplace_back("energy_of_interfaces");
    if (setup.motions.object_count() > 0 && !bodies_.empty() && setup.contact != BodyContact::none)
        also_held_.emplace_back("work_of_moving_walls_on_bodies");
}

void Ledger::add_excluded(const std::vector<ExcludedParticle>& particles) {
    const std::scoped_lock lock(mutex_);
    leaving_.insert(leaving_.end(), particles.begin(), particles.end());
}

void Ledger::add_passed(const std::vector<ZonePassage>& particles) {
    const std::scoped_lock lock(mutex_);
    passing_.insert(passing_.end(), particles.begin(), particles.end());
}

PassedFluid Ledger::passed() {
    const std::scoped_lock lock(mutex_);
    settle_passed(std::numeric_limits<std::int64_t>::max());
    return passed_;
}

void Ledger::resume_passed(const PassedFluid& passed) {
    const std::scoped_lock lock(mutex_);
    passed_ = passed;
}

double Ledger::energy_of(std::uint32_t id, const Vec3d& position, const Vec3f& velocity, float density) const {
    const auto v = vec_cast<double>(velocity);
    const sph::EquationOfState<double> state(fluids_.empty() ? constants_
                                                             : constants_of(constants_, fluids_[groups_.fluid_of(id)]));
    const double energy = 0.5 * dot(v, v) - (has_potential_ ? dot(constants_.gravity, position) : 0) +
                          sph::internal_energy(state, double(density));
    return std::isfinite(energy) ? groups_.mass_of(id) * energy : 0;
}

/// Takes what left up to a step off the books of the fluid, one particle after the other: the sums do not depend on
/// which of them were reported together.
void Ledger::settle_excluded(std::int64_t step) {
    for (; !leaving_.empty() && leaving_.front().step <= step; leaving_.pop_front()) {
        const ExcludedParticle& p = leaving_.front();
        excluded_mass_ += groups_.mass_of(p.id);
        excluded_energy_ += energy_of(p.id, p.position, p.velocity, p.density);
    }
}

void Ledger::settle_passed(std::int64_t step) {
    for (; !passing_.empty() && passing_.front().step <= step; passing_.pop_front()) {
        const ZonePassage& p = passing_.front();
        ++(p.entered ? passed_.particles_in : passed_.particles_out);
        (p.entered ? passed_.energy_in : passed_.energy_out) += energy_of(p.id, p.position, p.velocity, p.density);
    }
}

double Ledger::total(const LedgerEntry& entry) const {
    const FlowStatistics& f = entry.fluid;
    const StructureEnergy& s = entry.balance.structures;
    return f.kinetic_energy + f.internal_energy + f.wall_energy + entry.balance.body_energy + sluice::total(s) +
           (has_potential_ ? f.potential_energy : 0);
}

void Ledger::add_work(const WorkCounts& work, EnergyBalance& balance) const {
    const auto energy = [this](std::int64_t count) { return work_scale_ * static_cast<double>(count); };
    balance.damping_work = energy(work.damping);
    balance.relaxation_work = energy(work.relaxation);
    balance.acceleration_work = energy(work.acceleration);
    balance.shifting_work = energy(work.shift_compression) + (has_potential_ ? energy(work.shift_lift) : 0);
    balance.moving_walls_work = energy(work.moving_walls);
    balance.bodies_work = energy(work.bodies);
    balance.open_boundaries_work = energy(work.open_boundaries);
    balance.clamps_work = energy(work.clamps);
    balance.structure_damping_work = energy(work.damping_of_structures);
    balance.hourglass_work = energy(work.hourglass_of_structures);
}

/// How far each kind of energy is from where it started, and what has been given and taken since.
double Ledger::moved(const LedgerEntry& entry) const {
    const auto& [a, started, unused0] = *first_;
    const auto& [b, now, unused1] = entry;
    const double potential = has_potential_ ? b.potential_energy - a.potential_energy : now.gravity_work;
    double sum = 0;
    for (const double part :
         {b.kinetic_energy - a.kinetic_energy, potential, b.internal_energy - a.internal_energy,
          b.wall_energy - a.wall_energy, now.body_energy - started.body_energy,
          now.structures.kinetic - started.structures.kinetic, now.structures.strain - started.structures.strain,
          now.structures.potential - started.structures.potential, now.inflow_energy, now.outflow_energy,
          now.excluded_energy})
        sum += std::abs(part);
    for_each_outer_work(now, [&](const char*, const char*, double work) { sum += std::abs(work); });
    return sum;
}

LedgerEntry Ledger::enter(const Frame& frame) {
    LedgerEntry entry;
    entry.fluid = flow_statistics(frame, constants_, groups_, normals_, fluids_);
    entry.viscosity = sph::viscosity_of(sph::constants_at(constants_, viscosity_, frame.time));
    const FlowStatistics& now = entry.fluid;
    EnergyBalance& balance = entry.balance;
    for (std::size_t b = 0; b < bodies_.size(); ++b)
        balance.body_energy += mechanical_energy(bodies_[b], frame.bodies.at(b).state, constants_.gravity);
    add_work(frame.work, balance);
    const std::scoped_lock lock(mutex_);
    structures_.take(frame);
    balance.structures = structures_.energy();
    settle_excluded(frame.step);
    settle_passed(frame.step);
    balance.inflow_mass = constants_.mass_fluid * static_cast<double>(passed_.particles_in);
    balance.outflow_mass = constants_.mass_fluid * static_cast<double>(passed_.particles_out);
    balance.inflow_energy = passed_.energy_in;
    balance.outflow_energy = passed_.energy_out;
    balance.excluded_mass = excluded_mass_;
    balance.excluded_energy = excluded_energy_;
    if (!first_) first_ = entry;
    if (last_ && !has_potential_)
        balance.gravity_work =
            last_->balance.gravity_work +
            0.5 * (now.time - last_->fluid.time) * dot(constants_.gravity, last_->fluid.momentum + now.momentum);
    double work = balance.gravity_work;
    for_each_outer_work(balance, [&](const char*, const char*, double of_one) { work += of_one; });
    balance.dissipated =
        total(*first_) + work + balance.inflow_energy - balance.outflow_energy - balance.excluded_energy - total(entry);
    balance.moved = std::max(moved(entry), last_ ? last_->balance.moved : 0);
    last_ = entry;
    return entry;
}

void Ledger::resume(const LedgerEntry& first, const LedgerEntry& last) {
    const std::scoped_lock lock(mutex_);
    first_ = first;
    last_ = last;
}

EnergyVerdict energy_verdict(const LedgerEntry& first, const LedgerEntry& last,
                             const std::vector<std::string>& also_held, const Vec3d& gravity) {
    const FlowStatistics& start = first.fluid;
    const EnergyBalance& end = last.balance;
    EnergyVerdict verdict;
    verdict.gained = -end.dissipated;
    verdict.part_of_moved = end.moved > 0 ? verdict.gained / end.moved : 0;
    const double negligible =
        std::max(5e-4 * start.mass * std::sqrt(dot(gravity, gravity)) * start.depth, 1e-3 * start.kinetic_energy);
    verdict.came_from_nowhere = also_held.empty() && verdict.gained > std::max(0.05 * end.moved, negligible);
    verdict.is_ruinous = verdict.came_from_nowhere && verdict.gained > 20 * negligible;
    return verdict;
}

std::optional<LedgerEntry> Ledger::first() const {
    const std::scoped_lock lock(mutex_);
    return first_;
}

std::optional<LedgerEntry> Ledger::last() const {
    const std::scoped_lock lock(mutex_);
    return last_;
}

} // namespace sluice
