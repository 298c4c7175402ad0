// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/flow/sweeps.h"
#include "physics/sph/equation_of_state.h"
#include <optional>

namespace sluice::mps {

/// The particles of a run, by ascending id: walls, then fluid. Places count from any corner, m.
struct FlowParticles {
    std::vector<std::uint32_t> id;
    std::vector<double> x, y, z;    ///< m
    std::vector<double> vx, vy, vz; ///< m/s
    std::vector<double> rho;        ///< kg/m³, of the fluid; those of walls follow from their pressures

    std::size_t size() const { return id.size(); }
};

/// Calls `use(array)` with every array of numbers that particles have, the same one of each.
template <class Use, class... Particles>
void for_each_flow_array(const Use& use, Particles&... particles) {
    use(particles.x...);
    use(particles.y...);
    use(particles.z...);
    use(particles.vx...);
    use(particles.vy...);
    use(particles.vz...);
    use(particles.rho...);
}

/// How the CPU computes a flow. The threads change no result.
struct FlowOptions {
    Lanes lanes = Lanes::one;
    int threads = 1;
};

/// Largest values over the fluid.
struct FlowLimits {
    double acceleration2 = 0; ///< |dv/dt|², m²/s⁴
    double speed = 0;         ///< m/s
    bool finite = true;       ///< none of them is not a number
};

/// A weakly compressible flow by MPS (pairs.h) on the CPU. A step is a kick and a drift, then the densities follow with
/// the new velocities at the new places:
///
///   v ← v + Δt dv/dt(r, v, ρ),  r ← r + Δt v,  ρ ← ρ + Δt dρ/dt(r, v, ρ)
///
/// so that one search serves the densities of a step and the forces of the next. Walls rest.
class Flow {
public:
    /// `walls`: ids below it are those of walls.
    Flow(const sph::Constants& constants, std::uint32_t walls, FlowOptions options);

    /// Takes over particles and finds their neighbours and pressures. Throws InputError if they need too many buckets.
    void set_particles(FlowParticles particles);
    const FlowParticles& particles() const { return particles_; }
    /// How many of them are walls; these come first.
    std::size_t walls() const { return walls_; }
    /// Pressure of each particle, Pa, and density (kg/m³): of a wall that of its pressure.
    std::vector<double> pressures() const;
    double density(std::size_t particle, double pressure) const {
        return particle < walls_ ? eos_.density(pressure) : particles_.rho[particle];
    }

    /// Computes dv/dt.
    FlowLimits accelerate();
    /// Kick and drift by `dt`, s, with what `accelerate` has found.
    void move(double dt);
    /// Finds the neighbours of the new places, and brings densities and pressures there.
    void compress(double dt);
    /// Removes fluid particles, by ascending place. Before `compress`, or else `set_particles` must follow.
    void remove(const std::vector<std::size_t>& gone);
    /// Takes the particles out, for `set_particles`.
    FlowParticles take_particles() { return std::move(particles_); }

    /// dv/dt and dρ/dt of each particle, 0 of walls, as `accelerate` has found the one and the present state gives the
    /// other.
    void rates(std::vector<Vec3d>& acceleration, std::vector<double>& density_rate);

    void set_threads(int threads) { options_.threads = threads; }
    /// Of particles, of the search, and of what is sorted.
    static constexpr std::size_t bytes_per_particle = (7 + 4 + 12) * sizeof(double) + 3 * sizeof(std::uint32_t);
    std::size_t bytes() const;

private:
    void find_neighbours();
    void find_pressures();
    FlowSweep sweep() { return {*search_, scale_, arrays_, options_.threads}; }

    sph::EquationOfState<double> eos_;
    double rho0_;
    FlowScale scale_;
    double radius_;
    std::uint32_t wall_ids_;
    FlowOptions options_;
    FlowLoops loops_;
    FlowParticles particles_;
    std::size_t walls_ = 0;
    std::optional<ParticleSearch> search_;
    FlowArrays arrays_; ///< in the order of the search
};

} // namespace sluice::mps
