// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "methods/fvpm/neighbours.h"
#include "methods/fvpm/particles.h"
#include "model/fvpm_constants.h"
#include <array>
#include <cstdint>
#include <memory>

namespace sluice::fvpm {

/// Seconds that the parts of the steps took so far, as the paper divides them (Fig. 7).
struct PartSeconds {
    double search = 0, vectors = 0, fluxes = 0; ///< the last: fluxes and integration
};

/// Advances particles in time.
class Solver {
public:
    virtual ~Solver() = default;
    /// Replaces all particles. Volumes and masses must be positive.
    virtual void set_particles(Particles particles) = 0;
    /// The particles, in the solver's order.
    virtual Particles particles() = 0;
    /// Steps until `end` (s), or until `most_steps` are taken. RunError where numbers are no longer finite.
    virtual void advance(double end, std::int64_t most_steps) = 0;
    virtual double time() const = 0;      ///< s, since the solver was made
    virtual double time_step() const = 0; ///< the last, s
    virtual std::int64_t steps() const = 0;
    /// d(mC)/dt, which for walls is the force of the fluid on them: of each particle in the last step (N, in 2-D N/m),
    /// in the order of `particles`; on others it is the rate of their momentum.
    virtual std::vector<Vec3d> forces() = 0;
    /// Whether a particle of the fluid is outside of `domain`, or of a density that is none or above the largest,
    /// kg/m³ (is_stray).
    virtual bool has_strays(const Box& domain, double largest_density) = 0;
    virtual PartSeconds part_seconds() const = 0;
    virtual std::size_t memory_bytes() const = 0; ///< held for the particles, on the host or the device
};

/// How the CPU solver works.
struct CpuSolverOptions {
    int threads = 0; ///< 0: all of the processor
    SearchKind search = SearchKind::automatic;
};

/// The solver on the CPU.
std::unique_ptr<Solver> make_cpu_solver(const FvpmConstants& constants, const CpuSolverOptions& options = {});

} // namespace sluice::fvpm
