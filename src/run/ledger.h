// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "run/flow_statistics.h"
#include "structure/structures_in_frames.h"
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// What the statistics of one frame do not show: what has come and gone since the start.
struct EnergyBalance {
    double excluded_mass = 0;   ///< of the fluid particles that left the run, kg
    double excluded_energy = 0; ///< that they had when they left, J; nothing where a state was not finite
    double body_energy = 0;     ///< of the floating bodies, kinetic and potential, J
    StructureEnergy structures; ///< of the flexible bodies, J
    double gravity_work = 0;    ///< of gravity on the fluid, where it is no potential (see Ledger); else 0, J
    double damping_work = 0, relaxation_work = 0; ///< of damping and relaxation zones on the fluid, J
    double acceleration_work = 0;                 ///< of acceleration inputs on it, J
    double shifting_work = 0;                     ///< what it gained as particles were shifted, J
    double moving_walls_work = 0;                 ///< of walls with a prescribed motion on it, J
    double bodies_work = 0;                   ///< of what drives bodies (imposed velocities, outer forces) on them, J
    double open_boundaries_work = 0;          ///< of what open boundaries impose on the fluid in them, J
    double clamps_work = 0;                   ///< of walls that move and clamp or push flexible bodies, J
    double structure_damping_work = 0;        ///< of the damping of these, J
    double hourglass_work = 0;                ///< of the forces against their modes without energy, J
    double inflow_mass = 0, outflow_mass = 0; ///< of the fluid that open boundaries have created, taken away, kg
    double inflow_energy = 0, outflow_energy = 0; ///< that it had then, J
    double dissipated = 0; ///< total at the start + work + inflow − outflow − excluded − total now, J
    /// The most that has moved between kinds of energy, or to and fro, up to this row: the sum over the kinds of how
    /// far each has been from where it started, J.
    double moved = 0;
};

/// Calls `visit(name, whose, figure)` for every work from outside that is counted step by step: its name in tables and
/// run.json, and what does it in words.
template <class Balance, class Visit>
void for_each_outer_work(Balance& b, Visit&& visit) {
    visit("damping_work", "damping zones", b.damping_work);
    visit("relaxation_work", "relaxation zones", b.relaxation_work);
    visit("acceleration_work", "acceleration inputs", b.acceleration_work);
    visit("shifting_work", "shifting", b.shifting_work);
    visit("moving_walls_work", "moving walls", b.moving_walls_work);
    visit("bodies_work", "what drives bodies", b.bodies_work);
    visit("open_boundaries_work", "open boundaries", b.open_boundaries_work);
    visit("clamps_work", "walls that clamp or push flexible bodies", b.clamps_work);
    visit("structure_damping_work", "damping of flexible bodies", b.structure_damping_work);
    visit("hourglass_work", "hourglass control", b.hourglass_work);
}

/// A row of flow.csv.
struct LedgerEntry {
    FlowStatistics fluid;
    EnergyBalance balance;
    double viscosity = 0; ///< of the run at that time: α, or ν in m²/s
};

/// Calls `visit(name with unit, figure)` for every figure of an entry, in the order of flow.csv. What is written and
/// what a resumed run reads back goes through here.
template <class Entry, class Visit>
void for_each_figure(Entry& entry, Visit&& visit) {
    auto& [f, b, viscosity] = entry;
    visit("time [s]", f.time);
    visit("step", f.step);
    visit("n_fluid", f.fluid_count);
    visit("x_front [m]", f.front);
    visit("x_centroid [m]", f.centroid.x);
    visit("y_centroid [m]", f.centroid.y);
    visit("z_centroid [m]", f.centroid.z);
    visit("z_max [m]", f.highest);
    visit("kinetic_energy [J]", f.kinetic_energy);
    visit("potential_energy [J]", f.potential_energy);
    visit("rho_min [kg/m3]", f.density_min);
    visit("rho_max [kg/m3]", f.density_max);
    visit("speed_max [m/s]", f.speed_max);
    visit("mass [kg]", f.mass);
    visit("excluded_mass [kg]", b.excluded_mass);
    visit("volume [m3]", f.volume);
    visit("momentum_x [kg m/s]", f.momentum.x);
    visit("momentum_y [kg m/s]", f.momentum.y);
    visit("momentum_z [kg m/s]", f.momentum.z);
    visit("internal_energy [J]", f.internal_energy);
    visit("body_energy [J]", b.body_energy);
    visit("gravity_work [J]", b.gravity_work);
    visit("excluded_energy [J]", b.excluded_energy);
    visit("dissipated_energy [J]", b.dissipated);
    visit("inflow_mass [kg]", b.inflow_mass);
    visit("outflow_mass [kg]", b.outflow_mass);
    visit("inflow_energy [J]", b.inflow_energy);
    visit("outflow_energy [J]", b.outflow_energy);
    visit("viscosity", viscosity);
    visit("depth [m]", f.depth);
    for_each_outer_work(b, [&](const std::string& name, const char*, auto& work) { visit(name + " [J]", work); });
    visit("wall_energy [J]", f.wall_energy);
    visit("moved_energy [J]", b.moved);
    visit("structure_kinetic_energy [J]", b.structures.kinetic);
    visit("structure_elastic_energy [J]", b.structures.strain);
    visit("structure_potential_energy [J]", b.structures.potential);
}

/// What has come and gone through open boundaries since the start of a run.
struct PassedFluid {
    std::int64_t particles_in = 0, particles_out = 0;
    double energy_in = 0, energy_out = 0; ///< J
};

/// Calls `visit(name, figure)` for every figure of them: what a checkpoint holds.
template <class Passed, class Visit>
void for_each_passed(Passed& passed, Visit&& visit) {
    visit("particles_in", passed.particles_in);
    visit("particles_out", passed.particles_out);
    visit("energy_in", passed.energy_in);
    visit("energy_out", passed.energy_out);
}

/// The books of a run: what the fluid has at the times of its frames, what left with excluded particles, and what of
/// the energy is missing, which is what was dissipated. The total is that of the fluid, the floating and the flexible
/// bodies: kinetic, potential, internal of the fluid, elastic, and what compression stores in dynamic walls. Where a
/// shift of the period goes up or down, a particle that is wrapped changes its potential; there potentials are no part
/// of the total, and the work of gravity on the fluid counts instead: ∫ g·(momentum) dt by the trapezoidal rule over
/// the frames. The works from outside (for_each_outer_work) come with the frames, which have them from every step
/// (model/work_counts.h).
///
/// May be asked from any thread.
class Ledger {
public:
    explicit Ledger(const RunSetup& setup);

    /// Particles that left, in the order in which they did, before an entry of their step or a later one is made.
    void add_excluded(const std::vector<ExcludedParticle>& particles);
    /// Likewise of fluid that has come or gone through open boundaries.
    void add_passed(const std::vector<ZonePassage>& particles);
    /// All that has been added of it; no particle may still be waiting for the entry of a frame.
    PassedFluid passed();
    void resume_passed(const PassedFluid& passed);
    /// Adds the entry of a frame, later than those before.
    LedgerEntry enter(const Frame& frame);
    /// Goes on from the first and the last entry of an earlier part of the run; all that left in it is to be added
    /// again.
    void resume(const LedgerEntry& first, const LedgerEntry& last);

    /// First and last entry; empty before the first.
    std::optional<LedgerEntry> first() const;
    std::optional<LedgerEntry> last() const;
    /// What `dissipated` holds besides what was dissipated, counted negative, each as a word of run.json:
    /// "work_of_moving_walls_on_bodies", which touch them.
    const std::vector<std::string>& also_held() const { return also_held_; }

private:
    void settle_excluded(std::int64_t step);
    void settle_passed(std::int64_t step);
    double total(const LedgerEntry& entry) const;
    void add_work(const WorkCounts& work, EnergyBalance& balance) const;
    double moved(const LedgerEntry& entry) const;
    double energy_of(std::uint32_t id, const Vec3d& position, const Vec3f& velocity, float density) const;

    sph::Constants constants_;
    std::vector<ViscositySample> viscosity_; ///< in time
    ParticleGroups groups_;
    Fluids fluids_;
    std::vector<Vec3f> normals_;
    std::vector<Body> bodies_;
    StructuresInFrames structures_;
    double work_scale_;         ///< of WorkCounts, J
    bool has_potential_ = true; ///< gravity is a potential that is the same for particle and image
    std::vector<std::string> also_held_;
    mutable std::mutex mutex_;             ///< of what follows
    std::deque<ExcludedParticle> leaving_; ///< not yet in an entry
    double excluded_mass_ = 0, excluded_energy_ = 0;
    std::deque<ZonePassage> passing_; ///< not yet in an entry
    PassedFluid passed_;
    std::optional<LedgerEntry> first_, last_;
};

/// The verdict about the energy of a run.
struct EnergyVerdict {
    bool came_from_nowhere = false; ///< more than the run can have by the errors of its resolution
    bool is_ruinous = false;        ///< so much that the results are of no use
    double gained = 0;              ///< J
    double part_of_moved = 0;       ///< over what moved
};

/// Whether energy came from nowhere: more than a twentieth of what moved, and enough to lift all fluid by a
/// two-thousandth of its depth; without gravity more than a thousandth of the kinetic energy that it began with. Twenty
/// times that, a hundredth of the depth, is ruinous. Where work is not counted (`also_held`), there is no verdict.
EnergyVerdict energy_verdict(const LedgerEntry& first, const LedgerEntry& last,
                             const std::vector<std::string>& also_held, const Vec3d& gravity);

} // namespace sluice
