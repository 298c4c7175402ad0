// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "structure/solver.h"
#include <cmath>
#include <gtest/gtest.h>

namespace sluice {

/// Rows of particles from (x0, 0, z0): a bar with the given counts, those with x below `clamp_below` being its clamp.
inline StructureParticles lattice_bar(const ElasticMaterial& material, double dp, Vec3d corner, Vec3i counts,
                                      double clamp_below) {
    StructureParticles particles{material, 0, {}};
    std::vector<Vec3d> clamp;
    for (int i = 0; i < counts.x; ++i)
        for (int j = 0; j < counts.y; ++j)
            for (int k = 0; k < counts.z; ++k) {
                const Vec3d place = corner + Vec3d{i * dp, j * dp, k * dp};
                (place.x < clamp_below ? clamp : particles.start).push_back(place);
            }
    particles.flexible = static_cast<std::uint32_t>(particles.start.size());
    particles.start.insert(particles.start.end(), clamp.begin(), clamp.end());
    return particles;
}

/// As the program has it by default: h = √d dp.
inline solid::LagrangianConstants lagrangian(double dp, bool two_d) {
    return {sph::KernelType::wendland, (two_d ? std::sqrt(2.0) : std::sqrt(3.0)) * dp, dp, two_d};
}

} // namespace sluice
