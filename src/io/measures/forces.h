// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "geometry/particle_set.h"
#include "io/fluid/interpolator.h"
#include <filesystem>
#include <vector>

namespace sluice {

/// The mkfluid or mkbound of a run, as errors list them: "mkbound 0, 1".
std::string list_of_mks(const std::vector<ParticleBlock>& blocks, bool fluid);

/// The boundary blocks of an mkbound; empty if there is none.
std::vector<ParticleBlock> boundary_blocks(const std::vector<ParticleBlock>& blocks, int mk_bound);

/// What the fluid does to some boundary: N and N m (N/m and N in two dimensions).
struct Load {
    Vec3d force, moment;
};

/// The force that the fluid exerts on boundary particles: the reaction of what the pair formula of the run lets them do
/// to the fluid, F = −Σ_a Σ_b m_a (dv_a/dt)_ab over the fluid particles a and the boundary particles b of the blocks;
/// and its moment about a point, M = Σ_b (x_b − x_0) × F_b. Gravity is no part of it, nor is the weight of the
/// boundary.
Load load_on_boundary(const FluidInterpolator& fluid, const std::vector<ParticleBlock>& blocks,
                      const Vec3d& about = {});

struct ForcesJob {
    std::filesystem::path dir;     ///< an output folder
    int mk_bound = 0;              ///< as written in the case
    Vec3d about{};                 ///< that the moment is taken about, m
    int first = 0, last = 1 << 30; ///< numbers of frames, both included
    std::filesystem::path out;     ///< the table, .csv
};

/// Force and moment on the boundary of an mk in the stored frames, as CSV. Returns the number of frames. Throws
/// InputError (no such mk or frames) and RunError.
int write_forces(const ForcesJob& job);

} // namespace sluice
