// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/flow/flow.h"
#include "methods/mps/flow/sweeps.h"
#include <optional>

namespace sluice::mps {

/// How the CPU computes a flow. The threads change no result.
struct FlowOptions {
    Lanes lanes = Lanes::one;
    int threads = 1;
};

/// The flow on the threads of the processor. Particles stay by ascending id; what the loops over neighbours read is
/// sorted by the buckets of the search.
class CpuFlow final : public Flow {
public:
    /// `walls`: ids below it are those of walls.
    CpuFlow(const sph::Constants& constants, std::uint32_t walls, FlowOptions options);

    void set_particles(FlowParticles particles) override;
    FlowParticles particles() override { return particles_; }
    std::size_t size() const override { return particles_.size(); }
    std::size_t walls() const override { return walls_; }
    std::vector<double> pressures() override;
    void rates(std::vector<Vec3d>& acceleration, std::vector<double>& density_rate) override;
    bool has_strays(const FlowBounds& bounds) override;
    std::size_t bytes() const override;

    FlowLimits accelerate() override;
    void move(double dt) override;
    void find_neighbours() override;
    void find_density_rates() override { loops_.continuity(sweep()); }
    void compress(double dt) override;
    void find_pressures() override;

    /// Of particles, of the search, and of what is sorted.
    static constexpr std::size_t bytes_per_particle = (7 + 4 + 12) * sizeof(double) + 3 * sizeof(std::uint32_t);

private:
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
