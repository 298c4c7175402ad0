// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/flow/pairs.h"
#include "methods/mps/flow/update.h"
#include <cstdint>
#include <vector>

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

/// Takes particles out, by ascending place.
void remove_particles(FlowParticles& particles, const std::vector<std::size_t>& gone);

/// How many of the particles have ids below `ids`; these come first.
std::size_t count_below(const FlowParticles& particles, std::uint32_t ids);

/// Largest values over the fluid.
struct FlowLimits {
    double acceleration2 = 0; ///< |dv/dt|², m²/s⁴
    double speed = 0;         ///< m/s
    bool finite = true;       ///< none of them is not a number
};

/// A weakly compressible flow by MPS (pairs.h): the particles and the passes of a step (step.h), on the processor or on
/// a GPU. Walls rest.
class Flow {
public:
    virtual ~Flow() = default;

    /// Takes over particles. `find_neighbours` and `find_pressures` must follow.
    virtual void set_particles(FlowParticles particles) = 0;
    virtual FlowParticles particles() = 0;
    virtual std::size_t size() const = 0;
    /// How many of them are walls; these come first.
    virtual std::size_t walls() const = 0;
    /// Pressure of each particle, Pa.
    virtual std::vector<double> pressures() = 0;
    /// dv/dt and dρ/dt of each particle, as the passes have found them; 0 of walls.
    virtual void rates(std::vector<Vec3d>& acceleration, std::vector<double>& density_rate) = 0;
    /// Whether a particle of the fluid may not stay (cause_of_leaving).
    virtual bool has_strays(const FlowBounds& bounds) = 0;
    virtual std::size_t bytes() const = 0; ///< held for the particles, on the host or the device

    /// Computes dv/dt.
    virtual FlowLimits accelerate() = 0;
    /// Kick and drift by `dt`, s.
    virtual void move(double dt) = 0;
    /// InputError if the particles need too many buckets.
    virtual void find_neighbours() = 0;
    /// Computes dρ/dt and how full of particles the surroundings are.
    virtual void find_density_rates() = 0;
    /// Brings densities to the end of a step of `dt`, s.
    virtual void compress(double dt) = 0;
    /// Of the fluid from its densities, then of walls.
    virtual void find_pressures() = 0;
};

} // namespace sluice::mps
