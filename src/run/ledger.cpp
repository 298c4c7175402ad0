// SPDX-License-Identifier: Apache-2.0
#include "run/ledger.h"
#include "physics/sph/internal_energy.h"
#include "scheme/body_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice {

double mechanical_energy(const Body& body, const BodyState& state, const Vec3d& gravity) {
    Vec3d inertia[3];
    body::turned_inertia(body.inertia, state.turning, inertia);
    const Vec3d& omega = state.angular_velocity;
    return 0.5 * body.mass * dot(state.velocity, state.velocity) + 0.5 * dot(omega, body::product(inertia, omega)) -
           body.mass * dot(gravity, state.centre);
}

Ledger::Ledger(const RunSetup& setup)
    : constants_(setup.constants), viscosity_(setup.viscosity), groups_(setup.groups), bodies_(setup.bodies) {
    for (int axis = 0; axis < 3; ++axis)
        if (setup.period.periodic[axis] && dot(constants_.gravity, setup.period.shift[axis]) != 0)
            has_potential_ = false;
    if (setup.motions.object_count() > 0) also_held_.emplace_back("work_of_moving_walls");
    if (!setup.forcing.inputs.empty()) also_held_.emplace_back("work_of_acceleration_inputs");
    if (std::ranges::any_of(bodies_, [](const Body& body) {
            return body.imposed_velocity.any() || body.imposed_turning.any() || body.outer_force.any() ||
                   body.outer_moment.any();
        }))
        also_held_.emplace_back("work_on_bodies");
    if (setup.open.any()) also_held_.emplace_back("work_of_open_boundaries");
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

double Ledger::energy_of(const Vec3d& position, const Vec3f& velocity, float density) const {
    const auto v = vec_cast<double>(velocity);
    const sph::EquationOfState<double> state(constants_);
    const double energy = 0.5 * dot(v, v) - (has_potential_ ? dot(constants_.gravity, position) : 0) +
                          sph::internal_energy(state, double(density));
    return std::isfinite(energy) ? constants_.mass_fluid * energy : 0;
}

/// Takes what left up to a step off the books of the fluid, one particle after the other: the sums do not depend on
/// which of them were told together.
void Ledger::settle_excluded(std::int64_t step) {
    for (; !leaving_.empty() && leaving_.front().step <= step; leaving_.pop_front()) {
        excluded_mass_ += constants_.mass_fluid;
        const ExcludedParticle& p = leaving_.front();
        excluded_energy_ += energy_of(p.position, p.velocity, p.density);
    }
}

void Ledger::settle_passed(std::int64_t step) {
    for (; !passing_.empty() && passing_.front().step <= step; passing_.pop_front()) {
        const ZonePassage& p = passing_.front();
        ++(p.entered ? passed_.particles_in : passed_.particles_out);
        (p.entered ? passed_.energy_in : passed_.energy_out) += energy_of(p.position, p.velocity, p.density);
    }
}

double Ledger::total(const LedgerEntry& entry) const {
    const FlowStatistics& f = entry.fluid;
    return f.kinetic_energy + f.internal_energy + entry.balance.body_energy + (has_potential_ ? f.potential_energy : 0);
}

LedgerEntry Ledger::enter(const Frame& frame) {
    LedgerEntry entry;
    entry.fluid = flow_statistics(frame, constants_, groups_);
    entry.viscosity = sph::viscosity_of(sph::constants_at(constants_, viscosity_, frame.time));
    const FlowStatistics& now = entry.fluid;
    EnergyBalance& balance = entry.balance;
    for (std::size_t b = 0; b < bodies_.size(); ++b)
        balance.body_energy += mechanical_energy(bodies_[b], frame.bodies.at(b).state, constants_.gravity);
    const std::scoped_lock lock(mutex_);
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
    balance.dissipated = total(*first_) + balance.gravity_work + balance.inflow_energy - balance.outflow_energy -
                         balance.excluded_energy - total(entry);
    last_ = entry;
    return entry;
}

void Ledger::resume(const LedgerEntry& first, const LedgerEntry& last) {
    const std::scoped_lock lock(mutex_);
    first_ = first;
    last_ = last;
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
