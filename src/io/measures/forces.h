// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "geometry/particle_set.h"
#include "io/fluid/interpolator.h"
#include <cstdint>
#include <filesystem>
#include <optional>
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

/// A line through a point, with a direction of any length.
struct MomentAxis {
    Vec3d point{}, direction{}; ///< m
};

/// Which boundary particles count: those that all of the given choices name.
struct ForcedParticles {
    std::optional<int> mk_bound{};    ///< as written in the case
    std::optional<Box> box{};         ///< that they lie in in the first stored frame, m
    std::vector<std::uint32_t> ids{}; ///< none: any
};

struct ForcesJob {
    std::filesystem::path dir; ///< an output folder
    ForcedParticles particles;
    Vec3d about{};                  ///< that the moment is taken about, m
    std::optional<MomentAxis> axis; ///< the moment about it is a further column
    std::optional<int> moves_with;  ///< mkbound of a wall or body with which point and axis move, from where they lie
                                    ///< in the first stored frame
    int first = 0, last = 1 << 30;  ///< numbers of frames, both included
    int every = 1;                  ///< only each so many
    std::filesystem::path out;      ///< the table, .csv
};

/// Force and moment on boundary particles in the stored frames, as CSV. Returns the number of frames. Throws InputError
/// (no such particles or frames) and RunError (an object that has not moved as a rigid one, …).
int write_forces(const ForcesJob& job);

} // namespace sluice
