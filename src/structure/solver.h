// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "structure/reference_state.h"

namespace sluice {

/// What a structure holds, J (J/m in 2-D).
struct StructureEnergy {
    double kinetic = 0, strain = 0; ///< the latter without what is stored in the forces of hgfactor
    double potential = 0;           ///< of gravity, where one knows it
};

inline double total(const StructureEnergy& energy) { return energy.kinetic + energy.strain + energy.potential; }

/// What a structure is given beside the accelerations that it is told, J (J/m in 2-D): negative where it loses energy.
struct StructureWork {
    double clamps = 0;    ///< of clamps that move
    double damping = 0;   ///< of ElasticMaterial::damping
    double hourglass = 0; ///< of the forces against modes without strain, which give back what they took
};

/// What a particle of a clamp was given by the structure in a call of advance().
struct ClampPush {
    Vec3d momentum; ///< N s (N s/m in 2-D)
    Vec3d turning;  ///< x × f over time: angular momentum about the origin, N m s
};

/// How a flexible particle is deformed and loaded.
struct MaterialPoint {
    Vec3d displacement;       ///< m
    double von_mises = 0;     ///< Pa
    Vec3d principal;          ///< principal stresses (Cauchy), the greatest first, Pa
    double strain_energy = 0; ///< over volume at the start, J/m³
};

/// The motion of one flexible structure, in double precision: particles of total Lagrangian SPH
/// (physics/solid/total_lagrangian.h), steps of velocity Verlet. Results do not depend on the number of threads.
class StructureSolver {
public:
    StructureSolver(const StructureParticles& particles, const solid::LagrangianConstants& constants);

    const ReferenceState& reference() const { return reference_; }
    const ElasticMaterial& material() const { return material_; }
    /// Of a flexible particle, kg (kg/m in 2-D).
    double mass(std::uint32_t node) const { return material_.density * reference_.share[node]; }

    /// Where the flexible particles are, m.
    std::span<const Vec3d> positions() const { return {position_.data(), reference_.flexible}; }
    /// How they move, m/s.
    std::span<const Vec3d> velocities() const { return velocity_; }
    StructureState state() const { return {{positions().begin(), positions().end()}, velocity_}; }
    /// From now on they are there; a state without particles: as at time 0. Clamps are where `clamp_at(i)` says, with i
    /// a place among the particles of the structure.
    template <class PositionOf>
    void set_state(const StructureState& state, PositionOf&& clamp_at, int threads = 1) {
        for (std::uint32_t node = reference_.flexible; node < reference_.size(); ++node)
            position_[node] = clamp_at(reference_.source[node]);
        take_state(state, threads);
    }
    /// Makes velocities numbers of single precision, so that a state that stores them so leads on with the same bits.
    void round_velocities();

    /// The longest stable step of the structure as it is, s. The first call finds the fastest mode.
    double longest_step(double cfl, int threads = 1);

    /// Advances by `steps` equal steps over `duration` (s). `acceleration`: of the flexible particles by all but the
    /// structure, m/s², held. Clamps move evenly to where `clamp_end(i)` says. Returns the work that goes with it.
    template <class PositionOf>
    StructureWork advance(double duration, int steps, std::span<const Vec3d> acceleration, PositionOf&& clamp_end,
                          int threads = 1) {
        for (std::uint32_t node = reference_.flexible; node < reference_.size(); ++node)
            clamp_end_[node - reference_.flexible] = clamp_end(reference_.source[node]);
        return advance_to_clamps(duration, steps, acceleration, threads);
    }

    /// How many nodes of clamps there are, and the place of one among the particles of the structure.
    std::uint32_t clamp_count() const { return reference_.size() - reference_.flexible; }
    std::uint32_t clamp_source(std::uint32_t k) const { return reference_.source[reference_.flexible + k]; }
    /// Of these a body bears those for which `borne` says so: advance() sums up what they are given, and leaves them
    /// out of the work of clamps.
    void bear_clamps(std::vector<bool> borne);
    std::span<const ClampPush> clamp_pushes() const { return pushes_; }
    /// Where a node of a clamp is, m, and what the structure exerts on it now, N.
    const Vec3d& clamp_place(std::uint32_t k) const { return position_[reference_.flexible + k]; }
    Vec3d force_on_clamp(std::uint32_t k) const { return force_on(reference_.flexible + k); }

    /// The acceleration of flexible particles by the structure itself, m/s².
    std::vector<Vec3d> own_acceleration(int threads = 1) const;
    StructureEnergy energy() const;
    /// What is stored in the forces against modes without strain, J (J/m in 2-D).
    double hourglass_energy() const;
    /// Of a flexible particle.
    MaterialPoint point(std::uint32_t node) const;
    /// F of a node.
    const solid::Tensor<double>& deformation(std::uint32_t node) const { return deformation_[node]; }

private:
    void take_state(const StructureState& state, int threads);
    StructureWork advance_to_clamps(double duration, int steps, std::span<const Vec3d> acceleration, int threads);
    void find_stresses(int threads);
    void add_bond_stresses(int threads);
    void kick(double dt, std::span<const Vec3d> acceleration, int threads);
    void push_clamps(double dt);
    void damp(double kept, StructureWork& work);
    double highest_frequency(int threads);
    double hourglass_stiffness() const { return material_.hourglass * material_.young; }
    Vec3d unseen_way_of(std::uint32_t node, std::uint32_t neighbour) const;
    Vec3d force_on(std::uint32_t node) const;

    solid::LagrangianConstants constants_;
    ElasticMaterial material_;
    solid::ElasticConstants<double> elastic_;
    ReferenceState reference_;
    std::vector<Vec3d> position_;                             ///< of all nodes, m
    std::vector<Vec3d> velocity_;                             ///< of the flexible ones, m/s
    std::vector<bool> borne_;                                 ///< of the nodes of clamps; empty: none
    std::vector<ClampPush> pushes_;                           ///< of those
    std::vector<Vec3d> clamp_start_, clamp_end_;              ///< of the others, in a call of advance(), m
    std::vector<solid::Tensor<double>> deformation_, stress_; ///< of the nodes: F and T
    std::vector<double> bond_energy_;                         ///< of the nodes: half of that of their bonds, J
    double fastest_ = 1;                                      ///< stretched_wave_factor, the greatest
    double frequency_ = 0;                                    ///< of the fastest mode, 1/s; 0: not known yet
};

} // namespace sluice
