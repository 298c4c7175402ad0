// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/fvpm/solver.h"
#include "methods/fvpm/vectors.h"
#include "physics/fvpm/update.h"
#include <algorithm>
#include <vector>

namespace sluice::fvpm {

/// The passes of a step (step.h) on the threads of the processor. Each particle gathers from its neighbours; a pair is
/// computed by both, in the order of their places, so that both get the same bits.
class CpuPasses {
public:
    CpuPasses(const FvpmConstants& constants, const CpuSolverOptions& options);

    void set_particles(Particles particles);
    const Particles& particles() const { return now_; }
    double time() const { return time_; }
    double time_step() const { return time_step_; }
    const NeighbourRows& rows() const { return rows_; }
    const std::vector<Vec3d>& vectors() const { return vectors_; }
    const std::vector<double>& surface() const { return surface_; } ///< share of the free surface, by particle
    /// d(mC)/dt of each particle, N.
    const std::vector<Vec3d>& forces() const { return rate_momentum_; }
    const std::vector<double>& volume_rates() const { return rate_volume_; } ///< dV/dt, m³/s
    bool has_strays(const Box& domain, double largest_density) const;
    std::size_t bytes() const;

    void choose_time_step(double end);
    void drift();
    void find_neighbours();
    void find_vectors();
    void find_sides();
    void find_gradients();
    void find_fluxes();
    void predict();
    void correct();

private:
    Vec3d delta(std::size_t entry) const { return vectors_[entry] - vectors_[rows_.mate[entry]]; }
    bool is_wall(std::size_t i) const { return now_.kind[i] == Kind::wall; }
    bool sees_fluid(std::size_t i) const {
        return std::ranges::any_of(rows_.of(i), [this](std::uint32_t j) { return !is_wall(j); });
    }
    Vec3d motion(std::size_t i, Vec3d velocity) const;
    /// Adds rates × `dt` to the state at the begin of the step; the result is in mass_, volume_, momentum_.
    void integrate(double dt);

    FvpmConstants constants_;
    Tait<double> tait_;
    SearchKind kind_;
    FindVectors find_;
    std::unique_ptr<NeighbourSearch> search_;
    int threads_;
    double time_ = 0, time_step_ = 0;

    Particles now_; ///< at the begin of a step; positions in the middle, from `drift` to `correct`
    NeighbourRows rows_;
    std::vector<Vec3d> vectors_;           ///< A_ij, by entry
    std::vector<Vec3d> boundary_, thin_;   ///< B_i; Σ_j A_ij
    std::vector<double> surface_;          ///< share of the free surface
    std::vector<double> mass_, volume_;    ///< of the stage
    std::vector<Vec3d> momentum_, motion_; ///< of the stage; motion: ẋ
    std::vector<Side<double>> side_;       ///< of the stage
    std::vector<SideGradients<double>> gradients_;
    std::vector<double> rate_mass_, rate_volume_;
    std::vector<Vec3d> rate_momentum_;
};

} // namespace sluice::fvpm
